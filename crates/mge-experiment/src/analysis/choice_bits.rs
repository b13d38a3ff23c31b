//! The bits of codons that number an alternative (SGE, DSGE). A codon has as many bits as its
//! largest value needs.

/// The number of bits of codons with these numbers of alternatives.
pub(super) fn count_bits(alternatives: &[usize]) -> usize {
    alternatives.iter().map(|&count| width(count)).sum()
}

/// Flips one bit. A value that is too large wraps modulo the number of alternatives, like a GE
/// codon. The result always differs from the value before.
pub(super) fn flip(codons: &mut [u16], alternatives: &[usize], bit: usize) {
    let mut bit = bit;
    for (codon, &count) in codons.iter_mut().zip(alternatives) {
        if bit < width(count) {
            *codon = ((usize::from(*codon) ^ (1 << bit)) % count) as u16;
            return;
        }
        bit -= width(count);
    }
}

fn width(alternatives: usize) -> usize {
    alternatives.next_power_of_two().trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_changes_its_codon_and_no_other() {
        let alternatives = [2, 10, 30, 3];
        assert_eq!(count_bits(&alternatives), 1 + 4 + 5 + 2);
        for codons in [[0, 0, 0, 0], [1, 9, 29, 2], [0, 7, 15, 1]] {
            for (bit, codon) in [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3].into_iter().enumerate() {
                let mut mutant = codons;
                flip(&mut mutant, &alternatives, bit);
                for other in 0..4 {
                    assert_eq!(mutant[other] != codons[other], other == codon, "{codons:?} {bit}");
                    assert!(usize::from(mutant[other]) < alternatives[other]);
                }
            }
        }
    }
}

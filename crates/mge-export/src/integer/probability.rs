//! Probabilities in integers: a softmax by powers of two, of one table and shifts.
//!
//! exp(-d) for a difference d of two sums is 2 to the power of -t, with t in 256ths. The table has
//! the powers of a sixteenth each, with linear interpolation between them. All numbers fit 32 bits.

use super::IntegerProgram;

/// 2^(-i / 16) in 32768ths.
pub(crate) const POWERS: [u32; 17] = [
    32768, 31379, 30048, 28774, 27554, 26386, 25268, 24196, 23170, 22188, 21247, 20347, 19484,
    18658, 17867, 17109, 16384,
];
/// From this on (2^-16), a power is zero.
const LARGEST: f64 = 4096.0;

/// How a difference of sums becomes `t = ((d >> drop) * factor) >> shift`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbabilityScale {
    /// From this difference on a power is zero.
    pub limit: u32,
    /// Bits of the difference that are dropped first.
    pub drop: u32,
    /// The factor.
    pub factor: u32,
    /// Bits that are dropped last.
    pub shift: u32,
}

impl ProbabilityScale {
    /// The scale of sums whose step stands for a difference.
    fn new(score_step: f64) -> Self {
        let step = score_step * std::f64::consts::LOG2_E * 256.0;
        // Differences that count, and their bits beyond 16.
        let limit = (LARGEST / step).ceil().clamp(1.0, 4_294_967_295.0) as u32;
        let drop = 16u32.saturating_sub(limit.leading_zeros());
        let step = step * libm::exp2(f64::from(drop));
        // The largest product is just below 4096 times two to the power of 19.
        let factor = |shift: u32| (step * libm::exp2(f64::from(shift)) + 0.5).floor();
        let fits = |shift: &u32| factor(*shift) * f64::from(limit >> drop) < 4_294_967_296.0;
        let shift = (0..=19).rev().find(fits).unwrap_or(0);
        Self { limit, drop, factor: factor(shift).min(4_294_967_295.0) as u32, shift }
    }

    /// The power of a difference, in 32768ths.
    fn power(&self, difference: u32) -> u32 {
        if difference >= self.limit {
            return 0;
        }
        let t = (difference >> self.drop).wrapping_mul(self.factor) >> self.shift;
        if t >= LARGEST as u32 {
            return 0;
        }
        let (a, b) = (POWERS[(t >> 4 & 15) as usize], POWERS[(t >> 4 & 15) as usize + 1]);
        (a - (((a - b) * (t & 15)) >> 4)) >> (t >> 8)
    }
}

impl IntegerProgram {
    /// The integer that stands for the probability 1.
    pub fn certain(&self) -> u32 {
        if self.format.is_16_bit() { 65_535 } else { 255 }
    }

    /// How differences of sums become probabilities.
    pub fn probability_scale(&self) -> ProbabilityScale {
        ProbabilityScale::new(self.score_step)
    }

    /// The probability of each class for output sums: whole numbers, of which
    /// [`IntegerProgram::certain`] is 1.
    pub fn probabilities(&self, scores: &[i64]) -> Vec<u32> {
        let both;
        let scores = match *scores {
            [score] => {
                both = [0, score];
                &both[..]
            }
            _ => scores,
        };
        let scale = self.probability_scale();
        let largest = scores.iter().copied().max().unwrap_or(0);
        let powers: Vec<u32> =
            scores.iter().map(|score| scale.power((largest - score) as u32)).collect();
        let total: u32 = powers.iter().sum();
        powers.iter().map(|power| (power * self.certain() + total / 2) / total).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::IntegerFormat;
    use crate::program::Program;

    fn program(score_step: f64, format: IntegerFormat) -> IntegerProgram {
        IntegerProgram {
            format,
            inputs: Vec::new(),
            neurons: Vec::new(),
            outputs: Vec::new(),
            sum_bits: 32,
            score_bits: 32,
            score_step,
            score_error: 0.0,
        }
    }

    #[test]
    fn integer_probabilities_are_those_of_the_softmax() {
        for exponent in -32..=6 {
            let step = libm::exp2(f64::from(exponent)) * 0.77;
            for format in [IntegerFormat::INT8, IntegerFormat::INT16] {
                let program = program(step, format);
                for d in 0..400 {
                    let difference = (f64::from(d) * 0.05 / step).min(2e9) as i64;
                    for scores in [vec![difference], vec![5, 5 - difference, 5 - difference / 2]] {
                        let found = program.probabilities(&scores);
                        let sums: Vec<f64> = scores.iter().map(|s| *s as f64 * step).collect();
                        let exact = Program::probabilities(&sums);
                        for (found, exact) in found.iter().zip(exact) {
                            let found = f64::from(*found) / f64::from(program.certain());
                            assert!(
                                (found - exact).abs() < 0.004,
                                "{step} {scores:?} {found} {exact}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_ends_of_32_bits_are_certain() {
        for step in [1e-9, 1.0, 1e9] {
            let program = program(step, IntegerFormat::INT8);
            let ends = [i64::from(i32::MIN), i64::from(i32::MAX)];
            let found = program.probabilities(&ends);
            assert!(found[1] >= 250, "{step} {found:?}");
            assert_eq!(program.probabilities(&[0, 0]), [128, 128]);
        }
    }

    #[test]
    fn the_table_has_the_powers_of_two() {
        for (index, power) in POWERS.iter().enumerate() {
            let exact = 32_768.0 * libm::exp2(-(index as f64) / 16.0);
            assert!((f64::from(*power) - exact).abs() <= 0.51, "{index}");
        }
    }
}

//! The outputs of an integer program. They share one scale, which is chosen so that as many rows as
//! possible get the class of the floats.

use super::fit::{AffineScale, Quantizer, RealSum};
use super::{IntegerProgram, IntegerSum};

/// Enough for weights and biases of every size that f64 has.
const MAX_TRIALS: u32 = 8000;

impl Quantizer<'_> {
    /// The sums of the outputs, their step, and the agreement with the floats. Of several scales
    /// the one with the best agreement wins.
    pub(super) fn outputs(
        &self,
        columns: &[Vec<u32>],
        scales: &[AffineScale],
    ) -> (Vec<IntegerSum>, f64, f64) {
        let real: Vec<RealSum> =
            self.program.outputs.iter().map(|sum| self.real_sum(sum, scales, 1.0)).collect();
        let coefficients = real.iter().flat_map(|real| &real.terms);
        let largest = coefficients.map(|(_, c)| c.abs()).fold(0.0, f64::max);
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let mut best: Option<(usize, Vec<IntegerSum>, f64)> = None;
        let mut scale = self.format.max_weight as f64 / largest;
        for trial in 0..MAX_TRIALS {
            let sums: Vec<IntegerSum> =
                real.iter().map(|real| self.rounded(real, scale, 0, columns)).collect();
            let inside = sums.iter().all(|sum| self.stays_in_bits(sum, self.score_bits, scales));
            if inside {
                let agreed = self.agreement(&sums, columns);
                if best.as_ref().is_none_or(|(best, ..)| agreed > *best) {
                    best = Some((agreed, sums, 1.0 / scale));
                }
            }
            // Small steps first, then large ones down to a scale that fits.
            scale *= if inside && trial < 12 { 0.97 } else { 0.8 };
            if best.is_some() && trial >= 12 {
                break;
            }
        }
        let (agreed, mut sums, step) = best.expect("at last all weights are zero, which fits");
        let agreed = self.tune(agreed, &mut sums, columns, scales);
        (sums, step, agreed as f64 / self.sample.rows.max(1) as f64)
    }

    /// Moves output biases and weights wherever more rows of the sample then get the class of the
    /// floats.
    fn tune(
        &self,
        agreed: usize,
        sums: &mut [IntegerSum],
        columns: &[Vec<u32>],
        scales: &[AffineScale],
    ) -> usize {
        let mut scores: Vec<Vec<i64>> = sums.iter().map(|sum| self.sums(sum, columns)).collect();
        let mut best = agreed;
        // Fractions of the largest weight times the largest value.
        let unit = self.format.max_weight * i64::from(self.format.max_value);
        for step in (3..12).map(|bits| (unit >> bits).max(1)) {
            for output in 0..sums.len() {
                for step in [step, -step] {
                    let moved =
                        IntegerSum { bias: sums[output].bias + step, ..sums[output].clone() };
                    if !self.stays_in_bits(&moved, self.score_bits, scales) {
                        continue;
                    }
                    scores[output].iter_mut().for_each(|score| *score += step);
                    let agreed = self.agreeing(&scores);
                    if agreed > best {
                        best = agreed;
                        sums[output] = moved;
                    } else {
                        scores[output].iter_mut().for_each(|score| *score -= step);
                    }
                }
            }
        }
        for output in 0..sums.len() {
            for index in 0..sums[output].terms.len() {
                for step in [1, -1] {
                    let mut moved = sums[output].clone();
                    moved.terms[index].1 += step;
                    let weight = moved.terms[index].1;
                    let fits = weight != 0 && weight.abs() <= self.format.max_weight;
                    if !fits || !self.stays_in_bits(&moved, self.score_bits, scales) {
                        continue;
                    }
                    let new = self.sums(&moved, columns);
                    let old = std::mem::replace(&mut scores[output], new);
                    let agreed = self.agreeing(&scores);
                    if agreed > best {
                        best = agreed;
                        sums[output] = moved;
                    } else {
                        scores[output] = old;
                    }
                }
            }
        }
        best
    }

    fn agreement(&self, outputs: &[IntegerSum], columns: &[Vec<u32>]) -> usize {
        let scores: Vec<Vec<i64>> = outputs.iter().map(|sum| self.sums(sum, columns)).collect();
        self.agreeing(&scores)
    }

    fn agreeing(&self, scores: &[Vec<i64>]) -> usize {
        let mut row_scores = vec![0; scores.len()];
        let right = |row: &usize| {
            row_scores.iter_mut().zip(scores).for_each(|(score, column)| *score = column[*row]);
            IntegerProgram::class(&row_scores) == self.sample.classes[*row]
        };
        (0..self.sample.rows).filter(right).count()
    }
}

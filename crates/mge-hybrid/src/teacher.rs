//! A teacher for tables of a few hundred rows: kernel ridge regression on the classes.
//!
//! It is far too large to be anybody's model, but smooth. Rows made up between real ones are
//! labelled by it, so that a small network, and the choice of its connections, is not left alone
//! with a hundred rows. Whether that helps is for the cross-validation to say.

use crate::cut::invert;
use mge_random::Stream;

/// The most rows a teacher learns from: it inverts a matrix of that size.
pub(crate) const MOST_ROWS: usize = 1000;

/// How sure the teacher is of a score of one, as log-odds.
const SURENESS: f64 = 3.0;
/// The ridge: how little a single row is believed.
const RIDGE: f64 = 0.3;

/// Rows, each with its class.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labelled {
    pub(crate) features: usize,
    /// Row after row.
    pub(crate) values: Vec<f32>,
    pub(crate) labels: Vec<u32>,
}

impl Labelled {
    fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.features..][..self.features]
    }

    /// These rows and `count` more, each between two of them, labelled by the teacher.
    pub(crate) fn taught(&self, classes: usize, count: usize, stream: &mut Stream) -> Self {
        let rows = self.labels.len();
        let strengths = self.learn(classes);
        let mut taught = self.clone();
        for _ in 0..count {
            let (a, b) = (stream.index(rows), stream.index(rows));
            let share = 0.5 * stream.unit() as f32;
            let made: Vec<f32> =
                self.row(a).iter().zip(self.row(b)).map(|(x, y)| x + share * (y - x)).collect();
            let mut scores = vec![0.0; classes];
            for row in 0..rows {
                let near = self.kernel(&made, self.row(row));
                for (class, score) in scores.iter_mut().enumerate() {
                    *score += near * strengths[row * classes + class];
                }
            }
            let powers: Vec<f64> =
                scores.iter().map(|score| libm::exp(SURENESS * score.clamp(-5.0, 5.0))).collect();
            let mut left = stream.unit() * powers.iter().sum::<f64>();
            let drawn = powers.iter().position(|power| {
                left -= power;
                left < 0.0
            });
            taught.values.extend_from_slice(&made);
            taught.labels.push(drawn.unwrap_or(classes - 1) as u32);
        }
        taught
    }

    /// `(K + ridge)^-1 Y`, with targets of one half for the class and minus one half for others.
    fn learn(&self, classes: usize) -> Vec<f64> {
        let rows = self.labels.len();
        let mut matrix = vec![0.0; rows * rows];
        for a in 0..rows {
            for b in 0..=a {
                let near = self.kernel(self.row(a), self.row(b));
                matrix[a * rows + b] = near;
                matrix[b * rows + a] = near;
            }
            matrix[a * rows + a] += RIDGE;
        }
        invert(&mut matrix, rows);
        let mut strengths = vec![0.0; rows * classes];
        for a in 0..rows {
            for (b, &label) in self.labels.iter().enumerate() {
                for class in 0..classes {
                    let target = if label as usize == class { 0.5 } else { -0.5 };
                    strengths[a * classes + class] += matrix[a * rows + b] * target;
                }
            }
        }
        strengths
    }

    fn kernel(&self, a: &[f32], b: &[f32]) -> f64 {
        let squares: f64 = a.iter().zip(b).map(|(x, y)| f64::from((x - y) * (x - y))).sum();
        libm::exp(-squares / self.features.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_random::Purpose;

    #[test]
    fn made_up_rows_lie_between_and_mostly_have_their_neighbours_class() {
        let values: Vec<f32> = (0..40).map(|row| if row < 20 { -2.0 } else { 2.0 }).collect();
        let labels = (0..40).map(|row| u32::from(row >= 20)).collect();
        let rows = Labelled { features: 1, values, labels };
        let mut stream = Stream::at(1, Purpose::Seed, 0, 0);
        let taught = rows.taught(2, 300, &mut stream);
        assert_eq!(taught.labels.len(), 340);
        let made = taught.values[40..].iter().zip(&taught.labels[40..]);
        assert!(made.clone().all(|(x, _)| (-2.0..=2.0).contains(x)));
        let right = made.filter(|(x, label)| (**x > 0.0) == (**label == 1)).count();
        assert!(right > 240, "{right} of 300");
    }
}

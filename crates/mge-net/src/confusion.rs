//! Figures of a confusion matrix, `confusion[true class][predicted class]` in rows.

/// The mean over classes of the fraction of their rows that are predicted right. Unlike the
/// accuracy, it counts all classes the same, however few rows they have. Classes without rows do not
/// count.
///
/// ```
/// // Nine rows of one class, one of the other, and always the same answer.
/// let confusion = [vec![9, 0], vec![1, 0]];
/// assert_eq!(mge_net::confusion::balanced_accuracy(&confusion), 0.5);
/// ```
pub fn balanced_accuracy(confusion: &[Vec<u64>]) -> f64 {
    mean(classes(confusion).filter(|class| class.rows > 0).map(|class| class.recall()))
}

/// The mean over classes of the F1 score: the harmonic mean of precision and recall. Classes that
/// have no rows and are never predicted do not count.
pub fn macro_f1(confusion: &[Vec<u64>]) -> f64 {
    let counted = classes(confusion).filter(|class| class.rows + class.predicted > 0);
    mean(counted.map(|class| 2.0 * class.correct as f64 / (class.rows + class.predicted) as f64))
}

/// Whether the largest class has at least one and a half times the rows of the smallest. The
/// accuracy alone then says little about the smallest.
pub fn is_uneven(confusion: &[Vec<u64>]) -> bool {
    let rows = || classes(confusion).map(|class| class.rows);
    2 * rows().max().unwrap_or(0) >= 3 * rows().min().unwrap_or(0).max(1)
}

/// The 95 % Wilson score interval of a fraction, from the number of successes and of trials. With no
/// trials it is the whole range.
///
/// Wilson, *Probable inference, the law of succession, and statistical inference*, Journal of the
/// American Statistical Association 22, 1927.
pub fn wilson_interval(successes: u64, trials: u64) -> (f64, f64) {
    /// The 97.5 % quantile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 {
        return (0.0, 1.0);
    }
    let n = trials as f64;
    let p = successes as f64 / n;
    let scale = 1.0 + Z * Z / n;
    let center = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((center - half).max(0.0), (center + half).min(1.0))
}

/// One class of a confusion matrix.
struct ClassCounts {
    rows: u64,
    predicted: u64,
    correct: u64,
}

impl ClassCounts {
    fn recall(&self) -> f64 {
        self.correct as f64 / self.rows as f64
    }
}

fn classes(confusion: &[Vec<u64>]) -> impl Iterator<Item = ClassCounts> + '_ {
    let of_row = |row: &Vec<u64>, class: usize| row.get(class).copied().unwrap_or(0);
    confusion.iter().enumerate().map(move |(class, row)| ClassCounts {
        rows: row.iter().sum(),
        predicted: confusion.iter().map(|row| of_row(row, class)).sum(),
        correct: of_row(row, class),
    })
}

/// Zero when there is nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_computed_by_hand() {
        let confusion = [vec![6, 2, 0], vec![1, 1, 0], vec![0, 1, 0]];
        assert!((balanced_accuracy(&confusion) - (0.75 + 0.5 + 0.0) / 3.0).abs() < 1e-15);
        let f1 = [2.0 * 6.0 / (8.0 + 7.0), 2.0 * 1.0 / (2.0 + 4.0), 0.0];
        assert!((macro_f1(&confusion) - f1.iter().sum::<f64>() / 3.0).abs() < 1e-15);
    }

    #[test]
    fn classes_that_do_not_occur_do_not_count() {
        let confusion = [vec![3, 1, 0], vec![0, 4, 0], vec![0, 0, 0]];
        assert_eq!(balanced_accuracy(&confusion), (0.75 + 1.0) / 2.0);
        assert!((macro_f1(&confusion) - (6.0 / 7.0 + 8.0 / 9.0) / 2.0).abs() < 1e-15);
        assert_eq!((balanced_accuracy(&[]), macro_f1(&[vec![0]])), (0.0, 0.0));
    }

    #[test]
    fn classes_are_uneven_from_three_halves_on() {
        assert!(!is_uneven(&[vec![20, 9], vec![0, 20]]));
        assert!(is_uneven(&[vec![20, 10], vec![0, 20]]));
        assert!(is_uneven(&[vec![5, 0], vec![0, 0]]), "a class without rows");
    }

    #[test]
    fn intervals_are_those_of_the_literature() {
        // Newcombe, Statistics in Medicine 17, 1998, table I: 81 of 263, 15 of 148, 0 of 20.
        let close = |(low, high): (f64, f64), expected: (f64, f64)| {
            assert!((low - expected.0).abs() < 5e-5, "{low}");
            assert!((high - expected.1).abs() < 5e-5, "{high}");
        };
        close(wilson_interval(81, 263), (0.2553, 0.3662));
        close(wilson_interval(15, 148), (0.0624, 0.1605));
        close(wilson_interval(0, 20), (0.0, 0.1611));
        assert_eq!(wilson_interval(20, 20).1, 1.0);
        assert_eq!(wilson_interval(0, 0), (0.0, 1.0));
    }
}

//! Figures of a confusion matrix.

use mge::net::Metrics;

/// Precision, recall and F1 of a class; `None` where there is nothing to divide by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassScores {
    pub rows: u64,
    pub precision: Option<f64>,
    pub recall: Option<f64>,
    pub f1: Option<f64>,
}

/// The scores of every class.
pub fn class_scores(metrics: &Metrics) -> Vec<ClassScores> {
    let counts = &metrics.confusion;
    let scores = counts.iter().enumerate().map(|(class, row)| {
        let right = row[class] as f64;
        let (rows, answers) = (row.iter().sum(), counts.iter().map(|r| r[class]).sum::<u64>());
        let fraction = |of: u64| (of > 0).then(|| right / of as f64);
        ClassScores {
            rows,
            precision: fraction(answers),
            recall: fraction(rows),
            f1: (rows + answers > 0).then(|| 2.0 * right / (rows + answers) as f64),
        }
    });
    scores.collect()
}

/// The confusion with the most rows: true class, answer, rows, and rows of the true class.
pub fn worst_confusion(metrics: &Metrics) -> Option<(usize, usize, u64, u64)> {
    let counts = &metrics.confusion;
    let cells = counts.iter().enumerate().flat_map(|(class, row)| {
        let total: u64 = row.iter().sum();
        let wrong = row.iter().enumerate().filter(move |&(answer, _)| answer != class);
        wrong.map(move |(answer, &count)| (class, answer, count, total))
    });
    // Of equals the one with the larger fraction of its class, then the first.
    cells.filter(|cell| cell.2 > 0).reduce(|a, b| {
        let larger = (b.2, a.3).cmp(&(a.2, b.3));
        if larger.is_gt() { b } else { a }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(confusion: Vec<Vec<u64>>) -> Metrics {
        let rows: u64 = confusion.iter().flatten().sum();
        let right: u64 = (0..confusion.len()).map(|class| confusion[class][class]).sum();
        let accuracy = right as f64 / rows as f64;
        Metrics { rows: rows as usize, loss: 0.0, accuracy, rmse: 0.0, confusion, values: None }
    }

    #[test]
    fn scores_are_those_computed_by_hand() {
        let metrics = metrics(vec![vec![8, 2], vec![10, 80]]);
        let scores = class_scores(&metrics);
        assert_eq!(scores[0].precision, Some(8.0 / 18.0));
        assert_eq!(scores[0].recall, Some(0.8));
        assert_eq!(scores[0].f1, Some(16.0 / 28.0));
        assert_eq!(worst_confusion(&metrics), Some((1, 0, 10, 90)));
    }

    #[test]
    fn a_class_without_rows_has_no_recall() {
        let metrics = metrics(vec![vec![3, 0], vec![0, 0]]);
        assert_eq!(
            class_scores(&metrics)[1],
            ClassScores { rows: 0, precision: None, recall: None, f1: None }
        );
        assert_eq!(worst_confusion(&metrics), None);
    }
}

//! Curves over the thresholds of a score: ROC, precision and recall, calibration.

/// A row with a probability, and whether what it is a probability of is true.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    pub score: f64,
    pub is_positive: bool,
}

/// Groups of a calibration curve, at most.
const MAX_GROUPS: usize = 10;
/// Rows of a group, at least.
const MIN_GROUP: usize = 10;

/// True and false positives at each threshold, from the highest score down. Rows with equal scores
/// pass a threshold together.
fn counts(rows: &[Scored]) -> Vec<(f64, f64)> {
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| b.score.total_cmp(&a.score));
    let (mut right, mut wrong) = (0.0, 0.0);
    let mut counts = Vec::new();
    for tied in sorted.chunk_by(|a, b| a.score == b.score) {
        let positive = tied.iter().filter(|row| row.is_positive).count();
        right += positive as f64;
        wrong += (tied.len() - positive) as f64;
        counts.push((right, wrong));
    }
    counts
}

/// The points of the ROC curve, and the area under it.
pub fn roc(rows: &[Scored]) -> (Vec<(f64, f64)>, f64) {
    let counts = counts(rows);
    let (positive, negative) = counts.last().copied().unwrap_or((0.0, 0.0));
    let fraction = |n: f64, all: f64| if all > 0.0 { n / all } else { 0.0 };
    let mut points = vec![(0.0, 0.0)];
    points.extend(counts.iter().map(|&(r, w)| (fraction(w, negative), fraction(r, positive))));
    let area = points.windows(2).map(|pair| {
        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
        (x2 - x1) * (y1 + y2) / 2.0
    });
    let area = area.sum();
    (points, area)
}

/// The points of the precision-recall curve, and the average precision: each gain of recall counts
/// with the precision at its threshold.
pub fn precision_recall(rows: &[Scored]) -> (Vec<(f64, f64)>, f64) {
    let counts = counts(rows);
    let positive = counts.last().map_or(0.0, |last| last.0).max(1.0);
    let points: Vec<(f64, f64)> =
        counts.iter().map(|&(r, w)| (r / positive, r / (r + w))).collect();
    let mut before = 0.0;
    let mut average = 0.0;
    for &(recall, precision) in &points {
        average += (recall - before) * precision;
        before = recall;
    }
    (points, average)
}

/// The mean score and the fraction that is positive in groups of rows with similar scores, and the
/// mean distance between the two, weighted by rows.
pub fn calibration(rows: &[Scored]) -> (Vec<(f64, f64)>, f64) {
    if rows.is_empty() {
        return (Vec::new(), 0.0);
    }
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    let groups = (rows.len() / MIN_GROUP).clamp(1, MAX_GROUPS);
    let mut points = Vec::with_capacity(groups);
    let mut error = 0.0;
    for group in 0..groups {
        let part = &sorted[group * rows.len() / groups..(group + 1) * rows.len() / groups];
        let count = part.len() as f64;
        let mean = part.iter().map(|row| row.score).sum::<f64>() / count;
        let positive = part.iter().filter(|row| row.is_positive).count() as f64 / count;
        error += count * (mean - positive).abs();
        points.push((mean, positive));
    }
    (points, error / rows.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(pairs: &[(f64, bool)]) -> Vec<Scored> {
        pairs.iter().map(|&(score, is_positive)| Scored { score, is_positive }).collect()
    }

    #[test]
    fn curves_are_those_computed_by_hand() {
        let rows = rows(&[(0.9, true), (0.8, false), (0.7, true), (0.1, false)]);
        let (points, area) = roc(&rows);
        assert_eq!(points, [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]);
        assert_eq!(area, 0.75);
        let (points, average) = precision_recall(&rows);
        assert_eq!(points[2], (1.0, 2.0 / 3.0));
        assert!((average - (0.5 + 0.5 * 2.0 / 3.0)).abs() < 1e-15);
    }

    #[test]
    fn equal_scores_pass_a_threshold_together() {
        let (points, area) = roc(&rows(&[(0.5, true), (0.5, false), (0.5, true)]));
        assert_eq!((points.len(), area), (2, 0.5));
    }

    #[test]
    fn true_probabilities_have_no_calibration_error() {
        let pairs: Vec<(f64, bool)> = (0..40)
            .map(|row| {
                (if row < 20 { 0.25 } else { 0.75 }, row % 4 < 1 || (row >= 20 && row % 4 < 3))
            })
            .collect();
        let (points, error) = calibration(&rows(&pairs));
        assert_eq!(points.len(), 4);
        assert!(error < 0.06, "{error}");
    }
}

//! The front of a run: the best network at every size, as methods write it that keep one.
//!
//! `front.json` may say more of each network; only what is named here is read.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// Networks none of which is beaten in both accuracy and operations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Front {
    /// The rows that the accuracies were measured on, such as `validation`.
    pub part: String,
    /// The networks.
    pub points: Vec<FrontPoint>,
}

/// One network of a front.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FrontPoint {
    /// Operations of one prediction.
    pub operations: usize,
    /// Share of right answers.
    pub accuracy: f64,
}

impl Front {
    /// The front in a file, or `None` if there is no such file or it holds none.
    pub fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Those of the points that no other beats: more accurate than all that cost no more, by
    /// rising operations.
    pub fn of(points: impl IntoIterator<Item = FrontPoint>, part: &str) -> Self {
        let mut points: Vec<FrontPoint> = points.into_iter().collect();
        points.sort_by(|a, b| {
            a.operations.cmp(&b.operations).then(b.accuracy.total_cmp(&a.accuracy))
        });
        let mut best = f64::NEG_INFINITY;
        points.retain(|point| {
            let better = point.accuracy > best;
            best = best.max(point.accuracy);
            better
        });
        Self { part: part.to_owned(), points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beaten_points_are_left_out() {
        let points = [(50, 0.9), (10, 0.5), (20, 0.5), (10, 0.4), (60, 0.9), (40, 0.8)];
        let points = points.map(|(operations, accuracy)| FrontPoint { operations, accuracy });
        let front = Front::of(points, "training");
        let kept: Vec<_> = front.points.iter().map(|p| (p.operations, p.accuracy)).collect();
        assert_eq!(kept, [(10, 0.5), (40, 0.8), (50, 0.9)]);
    }
}

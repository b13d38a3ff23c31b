//! The most frequent class: the accuracy that every other classifier must exceed.

use crate::baseline::{Baseline, FitFunction};
use crate::{BaselineClassifier, LabelledRows, PredictionCost};
use mge_net::Columns;

pub(crate) const BASELINE: Baseline = Baseline {
    name: "majority class",
    summary: "Always predicts the most frequent class of the training rows.",
    max_links: None,
    fit: FitFunction::Classes(|rows, _| Ok(Box::new(MajorityClass::fit(rows)))),
};

/// Predicts one class for every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MajorityClass {
    class: u32,
}

impl MajorityClass {
    /// Finds the most frequent class. Among equally frequent ones it takes the first.
    pub fn fit(rows: &LabelledRows<'_>) -> Self {
        Self { class: largest_class(&rows.class_counts()) }
    }
}

/// The class with the most rows, the first among equals.
pub(crate) fn largest_class(counts: &[usize]) -> u32 {
    let mut best = 0;
    for (class, &count) in counts.iter().enumerate() {
        if count > counts[best] {
            best = class;
        }
    }
    best as u32
}

impl BaselineClassifier for MajorityClass {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        vec![self.class; columns.rows()]
    }

    /// No operation, and one byte for the class.
    fn cost(&self) -> PredictionCost {
        PredictionCost { operations: 0, bytes: 1 }
    }
}

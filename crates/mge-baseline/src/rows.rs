//! Rows to learn from, checked once, so that no rival has to check anything.

use mge_net::{Columns, EvaluationError, MAX_OUTPUTS, outputs_for};

/// Features and labels of some rows.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    columns: &'a Columns,
    labels: &'a [u32],
    classes: usize,
}

impl<'a> Rows<'a> {
    /// Checks the rows.
    ///
    /// # Errors
    /// When there is not one label for each row, a label is no class, there are no classes or
    /// more than a network can have, or a value is not finite.
    pub fn new(
        columns: &'a Columns,
        labels: &'a [u32],
        classes: usize,
    ) -> Result<Self, EvaluationError> {
        if classes == 0 || classes > MAX_OUTPUTS {
            return Err(EvaluationError::Outputs { outputs: classes });
        }
        if labels.len() != columns.rows() {
            let (labels, rows) = (labels.len(), columns.rows());
            return Err(EvaluationError::Labels { labels, rows });
        }
        if let Some(row) = labels.iter().position(|&label| label as usize >= classes) {
            return Err(EvaluationError::NoSuchClass { row, label: labels[row], classes });
        }
        for column in 0..columns.count() {
            let values = columns.column(column);
            if let Some(row) = values.iter().position(|value| !value.is_finite()) {
                return Err(EvaluationError::NotFinite { row, column, value: values[row] });
            }
        }
        Ok(Self { columns, labels, classes })
    }

    /// The features.
    pub fn columns(&self) -> &'a Columns {
        self.columns
    }

    /// The class of each row.
    pub fn labels(&self) -> &'a [u32] {
        self.labels
    }

    /// How many classes there are, whether they occur or not.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Outputs of a network for them.
    pub(crate) fn outputs(&self) -> usize {
        outputs_for(self.classes)
    }

    /// Rows of each class.
    pub(crate) fn class_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes];
        self.labels.iter().for_each(|&label| counts[label as usize] += 1);
        counts
    }

    /// Some of the rows, in a given order.
    pub(crate) fn take(&self, order: &[u32]) -> Taken {
        let labels = order.iter().map(|&row| self.labels[row as usize]).collect();
        Taken { columns: self.columns.select(order), labels, classes: self.classes }
    }
}

/// Rows of one's own.
pub(crate) struct Taken {
    columns: Columns,
    labels: Vec<u32>,
    classes: usize,
}

impl Taken {
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows { columns: &self.columns, labels: &self.labels, classes: self.classes }
    }
}

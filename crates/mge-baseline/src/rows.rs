//! Checked rows with labels. Baselines rely on the checks and repeat none of them.

use mge_net::{Columns, EvaluationError, MAX_OUTPUTS, Targets};

/// Features and class labels of some rows.
#[derive(Debug, Clone, Copy)]
pub struct LabelledRows<'a> {
    columns: &'a Columns,
    labels: &'a [u32],
    classes: usize,
}

impl<'a> LabelledRows<'a> {
    /// Checks the rows.
    ///
    /// # Errors
    /// When the number of labels differs from the number of rows, a label is not below `classes`,
    /// `classes` is zero or more than a network can have, or a value is not finite.
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

    /// The number of classes, including those without rows.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The labels as the targets of networks.
    pub(crate) fn targets(&self) -> Targets<'a> {
        Targets::classes(self.labels, self.classes)
    }

    /// The number of outputs of a network for these classes.
    pub(crate) fn outputs(&self) -> usize {
        self.targets().outputs()
    }

    /// Features times outputs: the number of links of a linear classifier.
    pub(crate) fn links(&self) -> usize {
        self.columns.count() * self.outputs()
    }

    /// The number of rows of each class.
    pub(crate) fn class_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.classes];
        self.labels.iter().for_each(|&label| counts[label as usize] += 1);
        counts
    }

    /// Copies some of the rows, in this order.
    pub(crate) fn take(&self, order: &[u32]) -> OwnedRows {
        let labels = order.iter().map(|&row| self.labels[row as usize]).collect();
        OwnedRows { columns: self.columns.select(order), labels, classes: self.classes }
    }
}

/// A copy of some rows.
pub(crate) struct OwnedRows {
    columns: Columns,
    labels: Vec<u32>,
    classes: usize,
}

impl OwnedRows {
    pub(crate) fn rows(&self) -> LabelledRows<'_> {
        LabelledRows { columns: &self.columns, labels: &self.labels, classes: self.classes }
    }
}

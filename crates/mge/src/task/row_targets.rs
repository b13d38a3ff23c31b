//! The targets of chosen rows, as searches and metrics need them.

use mge_data::{DataError, Table, TargetScale};
use mge_net::{OutputLink, Targets};

/// The targets of some rows.
#[derive(Debug, Clone, PartialEq)]
pub enum RowTargets {
    /// The class of each row.
    Classes(Vec<u32>),
    /// The numbers of each row.
    Values(RowValues),
}

/// The numbers of some rows, in the units of the targets and scaled.
#[derive(Debug, Clone, PartialEq)]
pub struct RowValues {
    /// In the units of the targets, by target column.
    pub(crate) original: Vec<Vec<f64>>,
    /// Scaled, one target column after another; empty where there is no scale yet.
    scaled: Vec<f32>,
}

impl RowValues {
    pub(crate) fn new(original: Vec<Vec<f64>>, scale: Option<&TargetScale>) -> Self {
        let scaled = scale.map(|scale| scale.apply(&original).concat()).unwrap_or_default();
        Self { original, scaled }
    }

    /// The numbers in the units of the targets, by target column.
    pub fn original(&self) -> &[Vec<f64>] {
        &self.original
    }

    /// What networks are compared with.
    pub fn targets(&self) -> Targets<'_> {
        Targets::values(&self.scaled, self.original.len())
    }
}

impl RowTargets {
    /// The targets of all rows of a table.
    ///
    /// # Errors
    /// When the table lacks a target column, or a cell cannot be used.
    pub(crate) fn of_table(
        table: &Table,
        columns: &[String],
        classes: &[String],
        scale: Option<&TargetScale>,
    ) -> Result<Self, DataError> {
        match (columns, classes.is_empty()) {
            ([column], false) => Ok(Self::Classes(mge_data::class_labels(table, column, classes)?)),
            _ => {
                let values = mge_data::value_targets(table, columns)?;
                Ok(Self::Values(RowValues::new(values, scale)))
            }
        }
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Classes(labels) => labels.len(),
            Self::Values(values) => values.original.first().map_or(0, Vec::len),
        }
    }

    /// The class of each row; none of numbers.
    pub fn labels(&self) -> &[u32] {
        match self {
            Self::Classes(labels) => labels,
            Self::Values(_) => &[],
        }
    }

    /// What networks are compared with. `link` tells how many classes there are.
    pub(crate) fn of_link(&self, link: OutputLink) -> Targets<'_> {
        match self {
            Self::Classes(labels) => Targets::Classes { labels, link },
            Self::Values(values) => values.targets(),
        }
    }
}

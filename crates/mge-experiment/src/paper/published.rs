//! The published values: `data/published.toml`.

use crate::{ExperimentError, Figure, Protocol};
use mge_stats::Moments;
use serde::Deserialize;

/// All published values, in the paper's order.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Where they come from.
    pub source: String,
    /// The rows of all tables.
    pub row: Vec<PublishedRow>,
}

/// A row of a table; what the paper does not give is absent.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "figures are [mean, deviation] or [mean]; the names say which")]
pub struct PublishedRow {
    pub table: String,
    pub data: Option<String>,
    pub method: String,
    pub protocol: Option<Protocol>,
    /// Whether features were selected first.
    pub feature_selection: bool,
    /// Runs that the figures are means of.
    pub runs: usize,
    /// Whether the paper prints the accuracy in bold.
    pub bold: bool,
    /// Why the row is no target, if it is none.
    pub no_target: Option<String>,
    pub evaluations: Option<u64>,
    pub accuracy: Option<Vec<f64>>,
    pub rmse_train: Option<Vec<f64>>,
    pub rmse_test: Option<Vec<f64>>,
    pub layers: Option<Vec<f64>>,
    pub neurons: Option<Vec<f64>>,
    pub features: Option<Vec<f64>>,
    pub operations: Option<Vec<f64>>,
    pub sparsity: Option<Vec<f64>>,
    pub invalidity: Option<Vec<f64>>,
    pub one_bit: Option<Vec<f64>>,
    pub two_bits: Option<Vec<f64>>,
}

/// Reads the file that is part of the program.
pub fn published() -> Result<Published, ExperimentError> {
    toml::from_str(include_str!("../../data/published.toml")).map_err(|error| {
        ExperimentError::Plan { name: "of published values".to_owned(), source: Box::new(error) }
    })
}

impl Published {
    /// The rows of one table.
    pub fn table<'p>(&'p self, table: &'p str) -> impl Iterator<Item = &'p PublishedRow> {
        self.row.iter().filter(move |row| row.table == table)
    }
}

impl PublishedRow {
    /// Mean and deviation of a figure; the deviation is `None` where the paper gives none.
    pub fn figure(&self, figure: Figure) -> Option<(f64, Option<f64>)> {
        let values = match figure {
            Figure::Accuracy => &self.accuracy,
            Figure::RmseTrain => &self.rmse_train,
            Figure::RmseTest => &self.rmse_test,
            Figure::Layers => &self.layers,
            Figure::Neurons => &self.neurons,
            Figure::Features => &self.features,
            Figure::Operations => &self.operations,
            Figure::Sparsity => &self.sparsity,
            Figure::Invalidity => &self.invalidity,
            Figure::Connections => &None,
        };
        pair(values)
    }

    /// As a sample, where the deviation is known.
    pub(crate) fn moments(&self, (mean, deviation): (f64, Option<f64>)) -> Option<Moments> {
        deviation.map(|deviation| Moments { count: self.runs, mean, deviation })
    }
}

/// The first and the second of one or two values.
pub(crate) fn pair(values: &Option<Vec<f64>>) -> Option<(f64, Option<f64>)> {
    let values = values.as_ref()?;
    Some((*values.first()?, values.get(1).copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tables_are_there() {
        let all = published().unwrap();
        let count = |table: &str| all.table(table).count();
        assert_eq!(
            ["table3", "table4", "table5", "table6", "table7", "budgets"].map(count),
            [32, 4, 40, 38, 6, 7]
        );
        let row = all.table("table3").find(|row| row.data.as_deref() == Some("wdbc")).unwrap();
        assert_eq!(row.figure(Figure::Accuracy), Some((0.967, Some(0.02))));
    }
}

//! The published values: `data/published.toml`.

use crate::{ExperimentError, Metric, SplitProtocol};
use mge_stats::Moments;
use serde::Deserialize;

/// All published values, in the order of the paper.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Where they come from.
    pub source: String,
    /// The rows of all tables, in the order of the paper.
    pub row: Vec<PublishedRow>,
}

/// A row of a table. Values that the paper does not give are `None`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "metrics are [mean, deviation] or [mean]; the names say which")]
pub struct PublishedRow {
    pub table: String,
    pub data: Option<String>,
    pub method: String,
    pub protocol: Option<SplitProtocol>,
    /// Whether features were selected first.
    pub feature_selection: bool,
    /// The number of runs that the means are of.
    pub runs: usize,
    /// Whether the paper prints the accuracy in bold.
    pub bold: bool,
    /// The reason why the row is not a reproduction target, if it is none.
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

/// Reads the published values, which are part of the program.
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
    /// Mean and deviation of a metric. The deviation is `None` if the paper gives none.
    pub fn metric(&self, metric: Metric) -> Option<(f64, Option<f64>)> {
        let values = match metric {
            Metric::Accuracy => &self.accuracy,
            Metric::RmseTrain => &self.rmse_train,
            Metric::RmseTest => &self.rmse_test,
            Metric::Layers => &self.layers,
            Metric::Neurons => &self.neurons,
            Metric::Features => &self.features,
            Metric::Operations => &self.operations,
            Metric::Sparsity => &self.sparsity,
            Metric::Invalidity => &self.invalidity,
            Metric::Connections | Metric::MaeTest | Metric::MedianErrorTest => &None,
        };
        pair(values)
    }

    /// The moments of the published sample, if the deviation is known.
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
    fn all_published_tables_are_read() {
        let all = published().unwrap();
        let count = |table: &str| all.table(table).count();
        assert_eq!(
            ["table3", "table4", "table5", "table6", "table7", "budgets"].map(count),
            [32, 4, 40, 38, 6, 7]
        );
        let row = all.table("table3").find(|row| row.data.as_deref() == Some("wdbc")).unwrap();
        assert_eq!(row.metric(Metric::Accuracy), Some((0.967, Some(0.02))));
    }
}

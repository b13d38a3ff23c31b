//! Rows that a run keeps for exports: integers are chosen from training rows, and what they lose is
//! measured on rows that trained nothing.
//!
//! A [`Calibration`] holds raw numbers of features, before scaling: the range of each feature over
//! all training rows, and a sample of training and of test rows. [`RunFolder::save`] writes it
//! beside the model, so an export needs neither the data file nor a second split of it.
//!
//! [`RunFolder::save`]: crate::RunFolder::save

mod file;

pub use file::CalibrationError;
pub(crate) use file::FILE_NAME;

use crate::Model;
use crate::task::{RowTargets, Task};
use mge_data::{DataError, FeatureRange, Loaded, Preprocess, Table};
use mge_net::{Columns, Network, Source};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// Training rows in the sample, at most. More say nothing new about a scale.
const MAX_SAMPLE: usize = 1000;
/// Test rows that are kept, at most.
const MAX_TEST: usize = 2000;
/// Rows that are encoded at once to find the ranges.
const CHUNK: usize = 8192;

/// What an export needs of the data. The file holds it as the module documentation says.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// Names data, split, seed and preprocessing.
    identity: String,
    /// One for every feature, in the network's order, over all training rows.
    pub ranges: Vec<FeatureRange>,
    /// Training rows.
    pub sample: CalibrationRows,
    /// Rows that did not train; `None` where every row did.
    pub test: Option<CalibrationRows>,
    /// Features whose values are not kept: their columns hold zeros.
    dropped: BTreeSet<usize>,
}

/// Some rows: the numbers of their features before scaling, missing ones filled in, and their
/// classes.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationRows {
    /// The numbers.
    pub columns: Columns,
    /// The class of each row; zero where targets are numbers.
    pub labels: Vec<u32>,
    /// The numbers of each target column; empty where targets are classes.
    pub values: Vec<Vec<f64>>,
    /// How many rows these were taken from.
    pub of: usize,
}

/// Rows of a table with their labels.
pub(crate) struct RawRows<'a> {
    pub table: &'a Table,
    /// Which rows; `None` for all.
    pub rows: Option<&'a [u32]>,
    /// Their targets.
    pub targets: &'a RowTargets,
}

impl RawRows<'_> {
    /// At most `max` of the rows, evenly spread.
    fn take(&self, raw: &Preprocess, max: usize) -> Result<CalibrationRows, DataError> {
        let count = self.targets.count();
        let stride = count.div_ceil(max).max(1);
        let picked = (0..count).step_by(stride);
        let label = |index: usize| self.targets.labels().get(index).copied().unwrap_or(0);
        let row = |index: usize| self.rows.map_or(index as u32, |rows| rows[index]);
        let rows: Vec<u32> = picked.clone().map(row).collect();
        Ok(CalibrationRows {
            columns: raw.apply(self.table, Some(&rows))?.columns,
            labels: picked.clone().map(label).collect(),
            values: match self.targets {
                RowTargets::Classes(_) => Vec::new(),
                RowTargets::Values(all) => {
                    let column =
                        |values: &Vec<f64>| picked.clone().map(|index| values[index]).collect();
                    all.original().iter().map(column).collect()
                }
            },
            of: count,
        })
    }

    /// The ranges of all rows.
    fn ranges(&self, raw: &Preprocess) -> Result<Vec<FeatureRange>, DataError> {
        let mut ranges = vec![FeatureRange::EMPTY; raw.features().len()];
        let all: Vec<u32>;
        let rows = match self.rows {
            Some(rows) => rows,
            None => {
                all = (0..self.table.rows() as u32).collect();
                &all
            }
        };
        for chunk in rows.chunks(CHUNK) {
            let columns = raw.apply(self.table, Some(chunk))?.columns;
            for (feature, range) in ranges.iter_mut().enumerate() {
                range.extend(columns.column(feature));
            }
        }
        Ok(ranges)
    }
}

impl Calibration {
    /// Of training and test rows; it belongs to no model yet.
    pub(crate) fn new(
        preprocess: &Preprocess,
        train: &RawRows<'_>,
        test: &RawRows<'_>,
    ) -> Result<Self, DataError> {
        let raw = preprocess.unscaled();
        let has_test = test.targets.count() > 0;
        Ok(Self {
            identity: String::new(),
            ranges: train.ranges(&raw)?,
            sample: train.take(&raw, MAX_SAMPLE)?,
            test: has_test.then(|| test.take(&raw, MAX_TEST)).transpose()?,
            dropped: BTreeSet::new(),
        })
    }

    /// The same, bound to the model of its fit.
    pub(crate) fn for_model(self, model: &Model) -> Self {
        Self { identity: identity(model), ..self }
    }

    /// From the table that a model was made from, split as its training did.
    ///
    /// # Errors
    /// When the table lacks columns of the model, or does not have its rows.
    pub fn of_origin(model: &Model, data: &Loaded) -> Result<Self, DataError> {
        let (table, task) = (&data.table, Task::of(data, model.settings.task)?);
        let split = model.data.split.rows(table, &task.strata(), model.settings.seed)?;
        let (train, mut test_targets) =
            (task.rows(&split.train, None), task.rows(&split.test, None));
        let mut test = RawRows { table, rows: Some(&split.test), targets: &test_targets };
        if let (crate::SplitRecord::Standard, Some(table)) =
            (&model.data.split, &data.standard_test)
        {
            test_targets = model.targets_of(table)?;
            test = RawRows { table, rows: None, targets: &test_targets };
        }
        let train = RawRows { table, rows: Some(&split.train), targets: &train };
        Ok(Self::new(&model.preprocess, &train, &test)?.for_model(model))
    }

    /// From any rows that have the model's columns and its target. All of them calibrate.
    ///
    /// # Errors
    /// When the table lacks columns of the model or its target.
    pub fn of_rows(model: &Model, table: &Table) -> Result<Self, DataError> {
        let targets = model.targets_of(table)?;
        let train = RawRows { table, rows: None, targets: &targets };
        let nothing = RowTargets::Classes(Vec::new());
        let none = RawRows { table, rows: Some(&[]), targets: &nothing };
        Ok(Self::new(&model.preprocess, &train, &none)?.for_model(model))
    }

    /// Whether it was made with the data, split and features of this model.
    pub fn belongs_to(&self, model: &Model) -> bool {
        self.identity == identity(model)
    }

    /// Whether the values of every feature that a network reads are in it.
    pub fn covers(&self, network: &Network) -> bool {
        network.inputs() == self.ranges.len() && features_of(network).is_disjoint(&self.dropped)
    }

    /// The same without the values of features that none of these networks reads.
    pub(crate) fn for_networks<'n>(&self, networks: impl IntoIterator<Item = &'n Network>) -> Self {
        let kept: BTreeSet<usize> = networks.into_iter().flat_map(features_of).collect();
        let dropped = (0..self.ranges.len()).filter(|feature| !kept.contains(feature)).collect();
        let without = |rows: &CalibrationRows| {
            let (count, features) = (rows.labels.len(), rows.columns.count());
            let columns = Columns::from_fn(count, features, |feature, values| {
                if kept.contains(&feature) {
                    values.copy_from_slice(rows.columns.column(feature));
                }
            });
            CalibrationRows { columns, ..rows.clone() }
        };
        Self {
            identity: self.identity.clone(),
            ranges: self.ranges.clone(),
            sample: without(&self.sample),
            test: self.test.as_ref().map(without),
            dropped,
        }
    }
}

/// The features that a network reads.
pub(crate) fn features_of(network: &Network) -> BTreeSet<usize> {
    let neurons = network.neurons().iter().flat_map(|neuron| &neuron.links);
    let outputs = network.outputs().iter().flat_map(|output| &output.links);
    let inputs = neurons.chain(outputs).filter_map(|link| match link.source {
        Source::Input(index) => Some(index as usize),
        Source::Neuron(_) => None,
    });
    inputs.collect()
}

/// A text that is equal for two models exactly when the same rows calibrate them.
fn identity(model: &Model) -> String {
    let data = &model.data;
    let parts = (&data.fingerprint, &data.split, model.settings.seed, &model.preprocess);
    let text = serde_json::to_string(&parts).expect("names and finite numbers only");
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

//! Records of how a model was made: the data, the split, the search, the machine.

use mge_data::{FileLayout, Fingerprint, Table};
use mge_evolve::StopReason;
use mge_net::Metrics;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Metrics on both parts of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartMetrics {
    /// On the rows that the search saw.
    pub train: Metrics,
    /// On the rows that were kept apart.
    pub test: Metrics,
}

/// What the model was trained on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataOrigin {
    /// The built-in name or the file's.
    pub name: String,
    /// Identifies the table's content.
    pub fingerprint: Fingerprint,
    /// The layout of its file: later files are read in the same way.
    #[serde(default)]
    pub form: FileLayout,
    /// How rows were split into training and test.
    pub split: SplitRecord,
}

impl DataOrigin {
    /// The name of a table in a model: its file's name without the folder.
    pub(crate) fn name_of(table: &Table) -> String {
        let file = Path::new(table.name()).file_name();
        file.map_or_else(|| table.name().to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

/// How rows were split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SplitRecord {
    /// Shuffled by the seed; a fraction of them trains.
    Fraction {
        /// The fraction.
        train_fraction: f64,
        /// Whether the fraction holds for each class.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stratified: bool,
        /// The column whose groups are kept together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// The first rows train, the last ones test.
    Time {
        /// The column that orders them.
        column: String,
        /// The fraction that trains.
        train_fraction: f64,
    },
    /// One fold of a cross-validation tests, the others train.
    Fold {
        /// The fold, from 0.
        fold: usize,
        /// How many there are.
        folds: usize,
        /// Whether classes are spread evenly.
        stratified: bool,
        /// The column whose groups are kept together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// All rows train. The test metrics come from cross-validation, in which every row tests once a
    /// model that has not seen it.
    Folds {
        /// How many folds.
        folds: usize,
        /// Whether classes are spread evenly.
        stratified: bool,
        /// The column whose groups are kept together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// As the data set is published.
    Standard,
    /// The test rows came in a table of their own.
    TestTable {
        /// The table's name.
        name: String,
        /// Identifies its content.
        fingerprint: Fingerprint,
    },
}

/// How the search went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    /// Populations evaluated.
    pub generations: u64,
    /// Individuals evaluated.
    pub evaluations: u64,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The loss of the best network, as the search saw it.
    pub best_loss: f64,
    /// Individuals that map to nothing.
    pub invalid_individuals: u64,
    /// Genes that map to nothing.
    pub invalid_genes: u64,
    /// Bits of a codon, where the method has codons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codon_bits: Option<u32>,
}

/// Time and machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Seconds of search.
    pub seconds: f64,
    /// Threads that searched.
    pub threads: usize,
    /// The version of this library.
    pub mge_version: String,
}

//! The model file: everything that a prediction needs, and where it came from, in readable JSON.
//!
//! A model in memory is always usable: reading checks the version, the network, the
//! preprocessing and that all three speak of the same features and classes.

use crate::ResolvedSettings;
use crate::folds::CrossValidation;
use crate::front::FrontNetwork;
use mge_data::{
    DataError, FileLayout, Fingerprint, ColumnKind, LoadOptions, Preprocess, Preprocessed, Table, TargetColumn,
    UnseenCategories,
};
use mge_evolve::StopReason;
use mge_io::write_atomically;
use mge_net::{EvaluationError, Metrics, Network, Probabilities, Size, reference};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The version that this library writes. It reads no other.
pub const MODEL_VERSION: u32 = 2;
const FORMAT: &str = "mge-model";
/// No model comes near this; a larger file is some other file.
const LARGEST_FILE: u64 = 1 << 28;

/// A classifier and its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: String,
    version: u32,
    /// The class names; the place of a name is the class that the network speaks of.
    pub classes: Vec<String>,
    /// The column of labels in the training data.
    pub target: String,
    /// The network.
    pub network: Network,
    /// From a raw table to the network's inputs.
    pub preprocess: Preprocess,
    /// How good it is.
    pub metrics: PartMetrics,
    /// What cross-validation said, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross_validation: Option<CrossValidation>,
    /// How large it is.
    pub size: Size,
    /// The data it was made from.
    pub data: DataOrigin,
    /// The settings it was made with.
    pub settings: ResolvedSettings,
    /// The search that made it.
    pub search: SearchRecord,
    /// Time and machine: the only part that differs between equal runs.
    pub run: RunRecord,
}

/// Metrics on both parts of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartMetrics {
    /// On the rows that evolution saw.
    pub train: Metrics,
    /// On the rows that nothing saw.
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
    /// How its file was written: later files are read in the same way.
    #[serde(default)]
    pub form: FileLayout,
    /// How rows were parted into training and test.
    pub split: SplitRecord,
}

impl DataOrigin {
    /// What a model calls a table: its file's name, wherever the file lies.
    pub(crate) fn name_of(table: &Table) -> String {
        let file = Path::new(table.name()).file_name();
        file.map_or_else(|| table.name().to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

/// How rows were parted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SplitRecord {
    /// Shuffled by the seed; this share trains.
    Fraction {
        /// The share.
        train_fraction: f64,
        /// Whether each class has this share.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stratified: bool,
    },
    /// One fold of a cross-validation tests, the others train.
    Fold {
        /// The fold, from 0.
        fold: usize,
        /// How many there are.
        folds: usize,
        /// Whether classes are spread evenly.
        stratified: bool,
    },
    /// All rows train; the test figures come from cross-validation, in which every row was
    /// tested once by a model that had not seen it.
    Folds {
        /// How many folds.
        folds: usize,
        /// Whether classes are spread evenly.
        stratified: bool,
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
    /// The training loss that the search saw.
    pub best_loss: f64,
    /// Individuals that mapped to nothing.
    pub invalid_individuals: u64,
    /// Genes that mapped to nothing.
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

/// A model file that cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read the model {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the model {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not JSON, or its JSON is not that of a model.
    #[error("{name} is not a model: {reason}")]
    NotAModel {
        /// The file.
        name: String,
        /// Where and why.
        reason: String,
    },
    /// The file was written by another version.
    #[error("{name} is a model of version {found}, expected version {MODEL_VERSION}")]
    Version {
        /// The file.
        name: String,
        /// The version in the file.
        found: u64,
    },
    /// Parts of the file contradict each other.
    #[error("{name} is damaged: {what} is {found}, expected {expected}")]
    Inconsistent {
        /// The file.
        name: String,
        /// What is wrong.
        what: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
}

/// Only what is needed to tell which version a file has.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u64>,
}

/// The parts of a model; see [`Model`].
pub(crate) struct ModelParts {
    pub classes: Vec<String>,
    pub target: String,
    pub network: Network,
    pub preprocess: Preprocess,
    pub metrics: PartMetrics,
    pub data: DataOrigin,
    pub settings: ResolvedSettings,
    pub search: SearchRecord,
    pub run: RunRecord,
}

impl Model {
    /// The same model with another network of the front that its run kept.
    pub fn with_network(mut self, other: &FrontNetwork) -> Self {
        self.size = Size::of(&other.member.network);
        self.network = other.member.network.clone();
        self.metrics = other.metrics.clone();
        self.search.best_loss = other.member.loss;
        // It spoke of the network that was picked in each fold.
        self.cross_validation = None;
        self
    }

    pub(crate) fn new(parts: ModelParts) -> Self {
        let ModelParts { classes, target, network, preprocess, metrics, data, .. } = parts;
        let size = Size::of(&network);
        let (settings, search, run) = (parts.settings, parts.search, parts.run);
        Self {
            format: FORMAT.to_owned(),
            version: MODEL_VERSION,
            classes,
            target,
            network,
            preprocess,
            metrics,
            cross_validation: None,
            size,
            data,
            settings,
            search,
            run,
        }
    }

    /// Reads a model file.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        let read_error = |source| ModelError::Read { path: path.to_owned(), source };
        let name = path.display().to_string();
        let mut bytes = Vec::new();
        // Pipes and devices do not tell their size beforehand.
        let file = std::fs::File::open(path).map_err(read_error)?;
        file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(read_error)?;
        if bytes.len() as u64 > LARGEST_FILE {
            let reason = format!("it has more than the {LARGEST_FILE} bytes that a model may have");
            return Err(ModelError::NotAModel { name, reason });
        }
        Self::from_json(&name, &bytes)
    }

    /// Reads a model from JSON. `name` is what messages call it.
    pub fn from_json(name: &str, json: &[u8]) -> Result<Self, ModelError> {
        let not_a_model = |reason: String| ModelError::NotAModel { name: name.to_owned(), reason };
        let header: Header =
            serde_json::from_slice(json).map_err(|error| not_a_model(error.to_string()))?;
        if header.format.as_deref() != Some(FORMAT) {
            return Err(not_a_model(format!("expected \"format\": \"{FORMAT}\"")));
        }
        match header.version {
            Some(version) if version == u64::from(MODEL_VERSION) => {}
            Some(found) => return Err(ModelError::Version { name: name.to_owned(), found }),
            None => return Err(not_a_model("it has no version".to_owned())),
        }
        let model: Self =
            serde_json::from_slice(json).map_err(|error| not_a_model(error.to_string()))?;
        model.check(name)?;
        Ok(model)
    }

    /// The model as JSON.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self)
            .expect("a model has text keys and finite numbers only");
        json.push('\n');
        json
    }

    /// Writes the model file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        write_atomically(path, self.to_json().as_bytes())
            .map_err(|source| ModelError::Write { path: path.to_owned(), source })
    }

    fn check(&self, name: &str) -> Result<(), ModelError> {
        let wrong = |what, found: usize, expected: usize| ModelError::Inconsistent {
            name: name.to_owned(),
            what,
            found: found.to_string(),
            expected: expected.to_string(),
        };
        let (inputs, features) = (self.network.inputs(), self.preprocess.features().len());
        if inputs != features {
            return Err(wrong("the number of features", features, inputs));
        }
        if self.classes.len() != self.network.classes() {
            let expected = self.network.classes();
            return Err(wrong("the number of class names", self.classes.len(), expected));
        }
        let distinct: BTreeSet<&String> = self.classes.iter().collect();
        if distinct.len() != self.classes.len() {
            return Err(wrong("the number of distinct names", distinct.len(), self.classes.len()));
        }
        if self.size != Size::of(&self.network) {
            return Err(ModelError::Inconsistent {
                name: name.to_owned(),
                what: "the size",
                found: format!("{:?}", self.size),
                expected: format!("{:?}", Size::of(&self.network)),
            });
        }
        Ok(())
    }

    /// How to read a raw table for this model: its columns keep the kinds they had in training,
    /// and those that were left out are left out if they are there.
    pub fn load_options(&self, target: TargetColumn) -> LoadOptions {
        let rules = &self.settings.data;
        let mut expected = self.preprocess.expected();
        let named = |names: &[String], kind| names.iter().map(move |n| (n.clone(), kind)).collect();
        let asked: [BTreeMap<String, ColumnKind>; 2] =
            [named(&rules.as_category, ColumnKind::Category), named(&rules.as_number, ColumnKind::Number)];
        for (name, kind) in asked.into_iter().flatten() {
            expected.entry(name).or_insert(kind);
        }
        let mut values = self.preprocess.values();
        values.insert(self.target.clone(), self.classes.clone());
        let (layout, ignore) = (self.data.form.clone(), rules.drop.clone());
        LoadOptions { target, expected, values, layout, ignore, ..LoadOptions::default() }
    }

    /// Predicts every row of a raw table. Columns are found by name, in any order.
    pub fn predict(&self, table: &Table) -> Result<Predictions, PredictError> {
        let Preprocessed { columns, unseen } = self.preprocess.apply(table, None)?;
        let probabilities = reference::probabilities_of(&self.network, &columns)?;
        Ok(Predictions { probabilities, unseen })
    }

    /// Measures the model on a raw table that has the target column.
    pub fn evaluate(&self, table: &Table) -> Result<Measured, PredictError> {
        let labels = mge_data::class_labels(table, &self.target, &self.classes)?;
        let Predictions { probabilities, unseen } = self.predict(table)?;
        Ok(Measured { metrics: Metrics::of(&probabilities, &labels, self.settings.loss)?, unseen })
    }

    /// The class that a place in [`Predictions::classes`] stands for.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn class_name(&self, class: usize) -> &str {
        &self.classes[class]
    }
}

/// A table that the model cannot answer for.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the sources document themselves")]
pub enum PredictError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// How good a model is on a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The figures.
    pub metrics: Metrics,
    /// Categories that the training rows did not have.
    pub unseen: Vec<UnseenCategories>,
}

/// One answer for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// The probability of each class, row by row.
    pub probabilities: Probabilities,
    /// Categories that the training rows did not have.
    pub unseen: Vec<UnseenCategories>,
}

impl Predictions {
    /// The most likely class of each row.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = usize> {
        self.probabilities.iter().map(reference::class)
    }
}

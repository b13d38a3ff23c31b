//! The model file: everything that a prediction needs, and where it came from, in readable JSON.
//!
//! A model in memory is always usable: reading checks the version, the network, the
//! preprocessing, and that all three have the same features and classes.

mod error;
mod records;
mod split_rows;

pub use error::{ModelError, PredictError};
pub use records::{DataOrigin, PartMetrics, RunRecord, SearchRecord, SplitRecord, utc};

use crate::ResolvedSettings;
use crate::folds::CrossValidation;
use mge_data::{
    ColumnKind, LoadOptions, Preprocess, Preprocessed, Table, TargetColumn, UnseenCategories,
};
use mge_hybrid::Member;
use mge_io::write_atomically;
use mge_net::{Metrics, Network, OutputLink, Probabilities, Size, Targets, reference};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

/// The version that this library writes. It reads no other.
pub const MODEL_VERSION: u32 = 2;
const FORMAT: &str = "mge-model";
/// No model comes near this; a larger file is some other file.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// A trained network with all that a prediction needs, and its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: String,
    version: u32,
    /// The class names; the index of a name is the class in the network's answers.
    pub classes: Vec<String>,
    /// The column of labels in the training data.
    pub target: String,
    /// The network.
    pub network: Network,
    /// From a raw table to the network's inputs.
    pub preprocess: Preprocess,
    /// How good it is.
    pub metrics: PartMetrics,
    /// The result of the cross-validation, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cross_validation: Option<CrossValidation>,
    /// How large it is.
    pub size: Size,
    /// The data it was made from.
    pub data: DataOrigin,
    /// The settings it was made with.
    pub settings: ResolvedSettings,
    /// How the search went.
    pub search: SearchRecord,
    /// The version of the library that made it.
    #[serde(default)]
    pub mge_version: String,
    /// Time and machine, in files of earlier versions. They made equal runs differ, and are in
    /// `run.json` since.
    #[serde(default, skip_serializing)]
    pub(crate) run: Option<RunRecord>,
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
}

impl Model {
    /// The same model with another network of the front that its run kept.
    pub fn with_network(mut self, other: &Member, metrics: PartMetrics) -> Self {
        self.size = Size::of(&other.network);
        self.network = other.network.clone();
        self.metrics = metrics;
        self.search.best_loss = other.loss;
        // It is about the network that was picked in each fold.
        self.cross_validation = None;
        self
    }

    /// Time and machine, as files of earlier versions have them.
    pub fn old_run_record(&self) -> Option<&RunRecord> {
        self.run.as_ref()
    }

    pub(crate) fn new(parts: ModelParts) -> Self {
        let ModelParts { classes, target, network, preprocess, metrics, data, .. } = parts;
        let size = Size::of(&network);
        let (settings, search) = (parts.settings, parts.search);
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
            mge_version: env!("CARGO_PKG_VERSION").to_owned(),
            run: None,
        }
    }

    /// Reads a model file.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        let read_error = |source| ModelError::Read { path: path.to_owned(), source };
        let name = path.display().to_string();
        let mut bytes = Vec::new();
        // Pipes and devices do not tell their size beforehand.
        let file = std::fs::File::open(path).map_err(read_error)?;
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(read_error)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            let reason =
                format!("it has more than the {MAX_FILE_BYTES} bytes that a model may have");
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
        let mut model: Self =
            serde_json::from_slice(json).map_err(|error| not_a_model(error.to_string()))?;
        if let Some(run) = &model.run {
            model.mge_version.clone_from(&run.mge_version);
        }
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
        let expected = self.link().classes();
        if self.classes.len() != expected {
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

    /// How to read a raw table for this model. Columns keep the kinds they had in training, and
    /// those that were left out are left out again.
    pub fn load_options(&self, target: TargetColumn) -> LoadOptions {
        let config = &self.settings.data;
        let mut expected = self.preprocess.expected();
        let categories = config.as_category.iter().chain(config.left_out());
        let categories = categories.map(|name| (name, ColumnKind::Category));
        let numbers = config.as_number.iter().map(|name| (name, ColumnKind::Number));
        for (name, kind) in categories.chain(numbers) {
            expected.entry(name.clone()).or_insert(kind);
        }
        let mut values = self.preprocess.values();
        values.insert(self.target.clone(), self.classes.clone());
        let (layout, ignore) = (self.data.form.clone(), config.drop.clone());
        LoadOptions { target, expected, values, layout, ignore, ..LoadOptions::default() }
    }

    /// What the outputs of the network mean.
    pub fn link(&self) -> OutputLink {
        OutputLink::for_outputs(self.network.outputs().len())
    }

    /// Predicts every row of a raw table. Columns are found by name, in any order.
    pub fn predict(&self, table: &Table) -> Result<Predictions, PredictError> {
        let Preprocessed { columns, unseen } = self.preprocess.apply(table, None)?;
        let probabilities = reference::probabilities_of(&self.network, self.link(), &columns)?;
        Ok(Predictions { probabilities, unseen })
    }

    /// Measures the model on a raw table that has the target column.
    pub fn evaluate(&self, table: &Table) -> Result<Measured, PredictError> {
        let labels = mge_data::class_labels(table, &self.target, &self.classes)?;
        let Predictions { probabilities, unseen } = self.predict(table)?;
        let targets = Targets::classes(&labels, self.classes.len());
        Ok(Measured { metrics: Metrics::of(&probabilities, targets, self.settings.loss)?, unseen })
    }

    /// The name of a class of [`Predictions::classes`].
    ///
    /// # Panics
    /// When there is no such class.
    pub fn class_name(&self, class: usize) -> &str {
        &self.classes[class]
    }
}

/// How good a model is on a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The metrics.
    pub metrics: Metrics,
    /// Categories that the training rows did not have.
    pub unseen: Vec<UnseenCategories>,
}

/// One prediction for each row.
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
        self.probabilities.predicted_classes()
    }
}

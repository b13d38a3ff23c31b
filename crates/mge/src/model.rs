//! The model file: everything that a prediction needs, and where it came from, in readable JSON.
//!
//! A model in memory is always usable: reading checks the version, the network, the
//! preprocessing, and that all three have the same features and classes.

mod error;
mod records;
mod split_rows;
mod values;

pub use error::{ModelError, PredictError};
pub use records::{DataOrigin, PartMetrics, RunRecord, SearchRecord, SplitRecord, utc};
pub use values::ModelValues;

use crate::ResolvedSettings;
use crate::calibration::CalibrationRows;
use crate::folds::CrossValidation;
use crate::task::{RowTargets, TaskKind, TaskName, in_units, measure};
use mge_data::{
    ColumnKind, DataError, LoadOptions, Preprocess, Preprocessed, Table, TargetColumn, TargetScale,
    UnseenCategories,
};
use mge_hybrid::Member;
use mge_io::write_atomically;
use mge_net::{
    Columns, EvaluationError, Metrics, Network, OutputLink, Probabilities, Size, reference,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

/// The version of models for classes that this library writes.
pub const MODEL_VERSION: u32 = 2;
/// The version of models for numbers. Earlier libraries know no such models, and say so.
pub const VALUE_MODEL_VERSION: u32 = 3;
const KNOWN_VERSIONS: [u32; 2] = [MODEL_VERSION, VALUE_MODEL_VERSION];
const FORMAT: &str = "mge-model";
/// No model comes near this; a larger file is some other file.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// A trained network with all that a prediction needs, and its history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: String,
    version: u32,
    /// The class names; the index of a name is the class in the network's answers. Empty where the
    /// network predicts numbers.
    pub classes: Vec<String>,
    /// The target column of the training data. With several, their names with commas between.
    pub target: String,
    /// What the outputs stand for, where they are numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<ModelValues>,
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
    pub targets: Vec<String>,
    pub scale: Option<TargetScale>,
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
        let ModelParts { classes, targets, network, preprocess, metrics, data, .. } = parts;
        let target = targets.join(",");
        let values = parts.scale.map(|scale| ModelValues { columns: targets, scale });
        let size = Size::of(&network);
        let (settings, search) = (parts.settings, parts.search);
        Self {
            format: FORMAT.to_owned(),
            version: if values.is_some() { VALUE_MODEL_VERSION } else { MODEL_VERSION },
            classes,
            target,
            values,
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
            Some(version) if KNOWN_VERSIONS.iter().any(|&known| version == u64::from(known)) => {}
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

    /// The hash of the model as JSON, in 64 hexadecimal digits.
    pub fn sha256(&self) -> String {
        let hash = Sha256::digest(self.to_json().as_bytes());
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
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
        let outputs = self.network.outputs().len();
        if let Some(ModelValues { columns, scale }) = &self.values {
            if columns.len() != outputs {
                return Err(wrong("the number of target columns", columns.len(), outputs));
            }
            if scale.columns().len() != outputs {
                return Err(wrong("the number of target scales", scale.columns().len(), outputs));
            }
        }
        let of_task = if self.values.is_some() { VALUE_MODEL_VERSION } else { MODEL_VERSION };
        if self.version != of_task {
            return Err(wrong("the version", self.version as usize, of_task as usize));
        }
        let is_regression = self.settings.task == TaskName::Regress;
        if is_regression != self.values.is_some() || !self.settings.loss.fits(self.link()) {
            return Err(ModelError::Inconsistent {
                name: name.to_owned(),
                what: "the task and the loss",
                found: format!("{} and {}", self.settings.task, self.settings.loss),
                expected: "those of the target".to_owned(),
            });
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
        if self.values.is_none() {
            values.insert(self.target.clone(), self.classes.clone());
        }
        let (layout, ignore) = (self.data.form.clone(), config.drop.clone());
        LoadOptions { target, expected, values, layout, ignore, ..LoadOptions::default() }
    }

    /// What the outputs of the network mean.
    pub fn link(&self) -> OutputLink {
        let outputs = self.network.outputs().len();
        match self.values {
            None => OutputLink::for_outputs(outputs),
            Some(_) => OutputLink::Identity { outputs },
        }
    }

    /// What the target is.
    pub fn kind(&self) -> TaskKind {
        match &self.values {
            None => TaskKind::Classes(self.classes.len()),
            Some(values) => TaskKind::Values { outputs: values.columns.len() },
        }
    }

    /// The target columns of the training data.
    pub fn target_columns(&self) -> Vec<String> {
        match &self.values {
            None => vec![self.target.clone()],
            Some(values) => values.columns.clone(),
        }
    }

    /// The scale of the numbers that the network predicts; `None` for classes.
    pub fn target_scale(&self) -> Option<&TargetScale> {
        self.values.as_ref().map(|values| &values.scale)
    }

    /// The network with the scale of its numbers in the weights of its outputs: the sums are in the
    /// units of the targets, up to the rounding of weights to 32 bits. Of classes the network as it
    /// is.
    pub fn network_in_units(&self) -> Network {
        match self.target_scale() {
            None => self.network.clone(),
            Some(scale) => values::in_units(&self.network, scale),
        }
    }

    /// The targets of a table.
    ///
    /// # Errors
    /// When the table lacks a target column, or a cell cannot be used.
    pub(crate) fn targets_of(&self, table: &Table) -> Result<RowTargets, DataError> {
        let scale = self.target_scale();
        RowTargets::of_table(table, &self.target_columns(), &self.classes, scale)
    }

    /// The raw columns that the network reads. A prediction needs no others.
    pub fn columns_in_use(&self) -> BTreeSet<&str> {
        self.preprocess.needed_columns(&self.network.inputs_in_use())
    }

    /// Predicts every row of a raw table. Columns are found by name, in any order. Those that the
    /// network does not read may be absent.
    pub fn predict(&self, table: &Table) -> Result<Predictions, PredictError> {
        let needed = self.network.inputs_in_use();
        let Preprocessed { columns, unseen } =
            self.preprocess.apply_needed(table, None, &needed)?;
        let predicted = match self.target_scale() {
            None => {
                let link = self.link();
                Predicted::Classes(reference::probabilities_of(&self.network, link, &columns)?)
            }
            Some(scale) => {
                let scaled = reference::values_of(&self.network, &columns)?;
                Predicted::Values(in_units(&scaled, scale))
            }
        };
        Ok(Predictions { predicted, unseen })
    }

    /// The probabilities of rows that a calibration keeps.
    ///
    /// # Errors
    /// When the rows are those of another model.
    pub fn probabilities_of(
        &self,
        rows: &CalibrationRows,
    ) -> Result<Probabilities, EvaluationError> {
        reference::probabilities_of(&self.network, self.link(), &self.scaled(rows))
    }

    /// The predicted numbers of rows that a calibration keeps, in the units of the targets and by
    /// target column; none of a model of classes.
    ///
    /// # Errors
    /// When the rows are those of another model.
    pub fn values_of(&self, rows: &CalibrationRows) -> Result<Vec<Vec<f64>>, EvaluationError> {
        let Some(scale) = self.target_scale() else { return Ok(Vec::new()) };
        Ok(in_units(&reference::values_of(&self.network, &self.scaled(rows))?, scale))
    }

    /// The scaled features of rows that a calibration keeps.
    fn scaled(&self, rows: &CalibrationRows) -> Columns {
        let features = self.preprocess.features();
        Columns::from_fn(rows.labels.len(), features.len(), |feature, values| {
            for (value, &raw) in values.iter_mut().zip(rows.columns.column(feature)) {
                *value = features[feature].scaled(raw);
            }
        })
    }

    /// Measures the model on a raw table that has the target columns.
    pub fn evaluate(&self, table: &Table) -> Result<Measured, PredictError> {
        let targets = self.targets_of(table)?;
        let needed = self.network.inputs_in_use();
        let Preprocessed { columns, unseen } =
            self.preprocess.apply_needed(table, None, &needed)?;
        let (network, scale, loss) = (&self.network, self.target_scale(), self.settings.loss);
        Ok(Measured { metrics: measure(network, &columns, &targets, scale, loss)?, unseen })
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
    /// What is predicted.
    pub predicted: Predicted,
    /// Categories that the training rows did not have.
    pub unseen: Vec<UnseenCategories>,
}

/// What a model predicts of each row.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicted {
    /// The probability of each class, row by row.
    Classes(Probabilities),
    /// Numbers in the units of the targets, by target column.
    Values(Vec<Vec<f64>>),
}

impl Predictions {
    /// The most likely class of each row; none of numbers.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = usize> {
        let classes: Vec<usize> = match &self.predicted {
            Predicted::Classes(probabilities) => probabilities.predicted_classes().collect(),
            Predicted::Values(_) => Vec::new(),
        };
        classes.into_iter()
    }

    /// The probability of each class, row by row; `None` of numbers.
    pub fn probabilities(&self) -> Option<&Probabilities> {
        match &self.predicted {
            Predicted::Classes(probabilities) => Some(probabilities),
            Predicted::Values(_) => None,
        }
    }

    /// The predicted numbers, in the units of the targets and by target column; none of classes.
    pub fn values(&self) -> &[Vec<f64>] {
        match &self.predicted {
            Predicted::Classes(_) => &[],
            Predicted::Values(values) => values,
        }
    }
}

//! Settings of the data: which columns are read and how, how rows are parted and weighed.
//!
//! [`DataSettings`] is what somebody asked for, [`DataConfig`] what a run does. The rules are
//! stored in the model, so that the table that it was made from is read the same way again.

use mge_data::{Categories, LoadOptions, PreprocessOptions, Scale, TargetColumn};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How much a training row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassWeight {
    /// Every row counts the same.
    #[default]
    None,
    /// Every class counts the same: a row of a class with `n` of `rows` training rows, in a task
    /// of `k` classes that occur, counts `rows / (k * n)`. For tables with rare classes.
    Balanced,
}

/// A name that is no way to weigh classes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown class weight `{found}`; expected none or balanced")]
pub struct UnknownClassWeight {
    /// What was given.
    pub found: String,
}

impl FromStr for ClassWeight {
    type Err = UnknownClassWeight;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "none" => Ok(Self::None),
            "balanced" => Ok(Self::Balanced),
            _ => Err(UnknownClassWeight { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for ClassWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Balanced => "balanced",
        })
    }
}

/// What a user asked for; the table `[data]` of a TOML file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DataSettings {
    /// Columns to leave out. Use it for identifiers, and for columns that give the label away.
    pub drop: Option<Vec<String>>,
    /// Columns to take as categories although they look like numbers: codes, postcodes.
    pub as_category: Option<Vec<String>>,
    /// Columns to take as numbers; text in them is then an error.
    pub as_number: Option<Vec<String>>,
    /// How categories become numbers: `onehot` or `ordinal`. Default `onehot`. `ordinal` for
    /// categories that have an order, or so many that one feature each is too much.
    pub categories: Option<Categories>,
    /// Whether columns with missing cells get a second feature that tells where. Default no.
    /// Useful when that something is unknown tells something.
    pub missing_indicator: Option<bool>,
    /// Whether each class has the same share in both parts. Default no, as in the paper. Use it
    /// where a class is so rare that a part might miss it.
    pub stratified: Option<bool>,
    /// How much a training row counts: `none` or `balanced`. Default `none`.
    pub class_weight: Option<ClassWeight>,
    /// Cross-validation with this many folds. Default: one split.
    pub folds: Option<usize>,
}

impl DataSettings {
    /// These settings where they say something, `base` where they do not.
    pub(crate) fn over(self, base: Self) -> Self {
        Self {
            drop: self.drop.or(base.drop),
            as_category: self.as_category.or(base.as_category),
            as_number: self.as_number.or(base.as_number),
            categories: self.categories.or(base.categories),
            missing_indicator: self.missing_indicator.or(base.missing_indicator),
            stratified: self.stratified.or(base.stratified),
            class_weight: self.class_weight.or(base.class_weight),
            folds: self.folds.or(base.folds),
        }
    }

    /// The rules, defaults filled in.
    pub fn resolve(&self) -> DataConfig {
        DataConfig {
            drop: self.drop.clone().unwrap_or_default(),
            as_category: self.as_category.clone().unwrap_or_default(),
            as_number: self.as_number.clone().unwrap_or_default(),
            categories: self.categories.unwrap_or_default(),
            missing_indicator: self.missing_indicator.unwrap_or_default(),
            stratified: self.stratified.unwrap_or_default(),
            class_weight: self.class_weight.unwrap_or_default(),
            folds: self.folds,
        }
    }
}

/// How a run reads, parts and weighs its data; see [`DataSettings`] for when to change what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "documented on DataSettings")]
pub struct DataConfig {
    pub drop: Vec<String>,
    pub as_category: Vec<String>,
    pub as_number: Vec<String>,
    pub categories: Categories,
    pub missing_indicator: bool,
    pub stratified: bool,
    pub class_weight: ClassWeight,
    pub folds: Option<usize>,
}

impl DataConfig {
    /// How to read the table that a model is made from.
    pub fn load_options(&self, target: TargetColumn) -> LoadOptions {
        LoadOptions {
            target,
            drop: self.drop.clone(),
            as_category: self.as_category.clone(),
            as_number: self.as_number.clone(),
            ..LoadOptions::default()
        }
    }

    pub(crate) fn preprocess_options(&self, scale: Scale) -> PreprocessOptions {
        PreprocessOptions {
            scale,
            categories: self.categories,
            missing_indicator: self.missing_indicator,
            ..PreprocessOptions::default()
        }
    }
}

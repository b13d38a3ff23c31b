//! Settings of the data: which columns are read and how, how rows are split and weighted.
//!
//! [`DataSettings`] is what the user asked for, and [`DataConfig`] is what a run does. The model
//! stores a [`DataConfig`], so that later tables are read in the same way.

use mge_data::{Categories, LoadOptions, PreprocessOptions, Scale, TargetColumn};
use serde::{Deserialize, Serialize};

mge_names::named_enum! {
    /// How much a training row counts.
    #[derive(Default)]
    pub enum ClassWeight: "class weight" {
        /// Every row counts the same.
        #[default]
        None = "none",
        /// Every class counts the same: a row of a class with `n` of `rows` training rows, in a task
        /// of `k` classes that occur, counts `rows / (k * n)`. For tables with rare classes.
        Balanced = "balanced",
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
    /// Whether columns with missing cells get a second feature that marks them. Default no. Use it
    /// where a missing cell carries information.
    pub missing_indicator: Option<bool>,
    /// Whether each class is the same fraction of both parts. Default no, as in the paper. Use it
    /// where a class is so rare that a part might miss it.
    pub stratified: Option<bool>,
    /// How much a training row counts: `none` or `balanced`. Default `none`.
    pub class_weight: Option<ClassWeight>,
    /// Cross-validation with this many folds. Default: one split.
    pub folds: Option<usize>,
}

impl DataSettings {
    /// Each of these settings if it is given, else that of `base`.
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

    /// Fills in the defaults.
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

/// How a run reads, splits and weights its data; see [`DataSettings`] for when to change what.
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

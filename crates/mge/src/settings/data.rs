//! Settings of the data: which columns are read and how, how rows are split and weighted.
//!
//! [`DataSettings`] is what the user asked for, and [`DataConfig`] is what a run does. The model
//! stores a [`DataConfig`], so that later tables are read in the same way.

use super::SettingsError;
use mge_data::{
    Categories, DataError, LoadOptions, PreprocessOptions, RowDependence, Scale, Table,
    TargetColumn, group_ids, time_ranks,
};
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
    /// A column that groups rows: all rows of a group are in one part, and in one fold. It is no
    /// feature. Default: each row is a group of its own. Use it where rows share a patient, a
    /// machine or a day.
    pub groups: Option<String>,
    /// A column that orders rows: the first ones train, the last ones test. It is no feature unless
    /// `time_feature` says so. Default: rows are shuffled. Use it where new rows come later.
    pub time: Option<String>,
    /// Whether the column of `time` is a feature too. Default no.
    pub time_feature: Option<bool>,
    /// A column of numbers that says how much each training row counts. It is no feature. Rows are
    /// repeated by their weights: whole weights are exact, others are rounded. Default: all rows
    /// count the same. Use it where rows stand for several cases.
    pub weight: Option<String>,
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
            groups: self.groups.or(base.groups),
            time: self.time.or(base.time),
            time_feature: self.time_feature.or(base.time_feature),
            weight: self.weight.or(base.weight),
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
            groups: self.groups.clone(),
            time: self.time.clone(),
            time_feature: self.time_feature.unwrap_or_default(),
            weight: self.weight.clone(),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub time_feature: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
}

impl DataConfig {
    /// How to read the table that a model is made from.
    pub fn load_options(&self, target: TargetColumn) -> LoadOptions {
        LoadOptions {
            target,
            drop: self.drop.clone(),
            as_category: self.as_category.iter().chain(self.left_out()).cloned().collect(),
            as_number: self.as_number.clone(),
            ..LoadOptions::default()
        }
    }

    /// The columns that split or weigh the rows and are no features. They are read as text, since a number of
    /// 32 bits would not tell long identifiers and times apart.
    pub fn left_out(&self) -> impl Iterator<Item = &String> {
        let time = self.time.as_ref().filter(|_| !self.time_feature);
        self.groups.iter().chain(time).chain(&self.weight)
    }

    /// How the rows of a table depend on each other.
    pub(crate) fn dependence(&self, table: &Table) -> Result<RowDependence, DataError> {
        match (&self.groups, &self.time) {
            (Some(column), _) => Ok(RowDependence::Groups(group_ids(table, column)?)),
            (None, Some(column)) => Ok(RowDependence::Time(time_ranks(table, column)?)),
            (None, None) => Ok(RowDependence::Independent),
        }
    }

    /// Training rows as their weights repeat them. All copies of a row are a group, so that none
    /// validates what another trained.
    pub(crate) fn weighted(
        &self,
        table: &Table,
        rows: Vec<u32>,
    ) -> Result<(Vec<u32>, RowDependence), DataError> {
        let dependence = self.dependence(table)?;
        let Some(column) = &self.weight else {
            let dependence = dependence.select(&rows);
            return Ok((rows, dependence));
        };
        let rows = mge_data::repeat_rows(&rows, &mge_data::row_weights(table, column)?);
        let dependence = match dependence {
            RowDependence::Independent => RowDependence::Groups(copies(&rows)),
            other => other.select(&rows),
        };
        Ok((rows, dependence))
    }

    /// Settings that exclude each other are an error.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let exclusive = |first, second| Err(SettingsError::Exclusive { first, second });
        match (&self.groups, &self.time) {
            (Some(_), Some(_)) => exclusive("data.groups", "data.time"),
            (None, Some(_)) if self.folds.is_some() => exclusive("data.folds", "data.time"),
            (None, Some(_)) if self.stratified => exclusive("data.stratified", "data.time"),
            _ => Ok(()),
        }
    }

    pub(crate) fn preprocess_options(&self, scale: Scale) -> PreprocessOptions {
        PreprocessOptions {
            scale,
            categories: self.categories,
            missing_indicator: self.missing_indicator,
            left_out: self.left_out().cloned().collect(),
            ..PreprocessOptions::default()
        }
    }
}

/// The number of the row that each of these is a copy of, counted from 0. Copies stand together.
fn copies(rows: &[u32]) -> Vec<u32> {
    let (mut number, mut last) = (0, rows.first());
    let of = |row| {
        number += u32::from(last.replace(row) != Some(row));
        number
    };
    rows.iter().map(of).collect()
}

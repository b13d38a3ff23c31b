//! From raw columns to features: encoding, filling and scaling, fitted on training rows alone.
//!
//! A [`Preprocess`] is stored in the model, so that a prediction needs only the raw table, with its
//! columns in any order. It is a list of [`Feature`]s. Each feature takes a number from one raw
//! column and scales it. [`Feature::scaled`] defines the formula; exported code repeats it
//! operation by operation, in f32.
//!
//! Invariants, also checked on loading: numbers are finite, factors are above zero, names are
//! unique, every feature has its column, and every category of a feature exists.

mod apply;
mod check;
mod fit;

pub use apply::Preprocessed;
pub use check::PreprocessError;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::table::ColumnKind;

/// How features are scaled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// To mean 0 and (population) standard deviation 1. The default:
    /// weights are in (-1, 1), and raw inputs of size 1000 would saturate every sigmoid.
    #[default]
    ZScore,
    /// To the range 0 to 1.
    MinMax,
    /// Not at all.
    None,
}

/// How categories become numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Categories {
    /// One feature for each category, 1 where the cell has it. The default: it assumes no order.
    #[default]
    OneHot,
    /// One feature: the category's index in natural order. Use it for categories that have an
    /// order, or that are too many for a feature each.
    Ordinal,
}

/// How to make features.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PreprocessOptions {
    /// How features are scaled. Default: z-score (decision 7).
    pub scale: Scale,
    /// How categories become numbers. Default: one-hot.
    pub categories: Categories,
    /// Whether each column with missing cells in the training part gets a second feature that is
    /// 1 where the cell is missing. Default: no. Use it if a missing cell is informative.
    pub missing_indicator: bool,
    /// The largest number of categories of one column that get their own feature with one-hot
    /// encoding. Rarer categories have 0 in all of them. Default: 64.
    #[serde(alias = "most_categories")]
    pub max_categories: usize,
    /// Columns that give no feature although the table has them, such as one that groups rows.
    /// Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Default for PreprocessOptions {
    fn default() -> Self {
        Self {
            scale: Scale::default(),
            categories: Categories::default(),
            missing_indicator: false,
            max_categories: 64,
            left_out: Vec::new(),
        }
    }
}

/// A raw column that features are taken from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum RawColumn {
    /// Numbers.
    Number {
        /// The column's name.
        name: String,
        /// Stands in for a missing cell: the median of the training part.
        fill: f32,
    },
    /// Yes and no; `categories` holds both words.
    Boolean {
        /// The column's name.
        name: String,
        /// The words that occur in the training part.
        categories: Vec<String>,
        /// Stands in for a missing cell: the most frequent word of the training part.
        fill: String,
    },
    /// Text.
    Category {
        /// The column's name.
        name: String,
        /// The categories of the training part with a feature, in natural order.
        categories: Vec<String>,
        /// Categories of the training part that were too rare for a feature of their own.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rare: Vec<String>,
        /// Stands in for a missing cell: the most frequent category of the training part.
        fill: String,
    },
}

impl RawColumn {
    /// The column's name.
    pub fn name(&self) -> &str {
        match self {
            RawColumn::Number { name, .. }
            | RawColumn::Boolean { name, .. }
            | RawColumn::Category { name, .. } => name,
        }
    }

    /// What the column holds.
    pub fn kind(&self) -> ColumnKind {
        match self {
            RawColumn::Number { .. } => ColumnKind::Number,
            RawColumn::Boolean { .. } => ColumnKind::Boolean,
            RawColumn::Category { .. } => ColumnKind::Category,
        }
    }

    /// The categories of the training part without a feature.
    pub(crate) fn rare(&self) -> &[String] {
        match self {
            RawColumn::Category { rare, .. } => rare,
            _ => &[],
        }
    }

    /// The categories with a feature; none for numbers.
    pub fn categories(&self) -> &[String] {
        match self {
            RawColumn::Number { .. } => &[],
            RawColumn::Boolean { categories, .. } | RawColumn::Category { categories, .. } => {
                categories
            }
        }
    }
}

/// How a feature takes a number out of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// The number itself.
    Value,
    /// 1 where the cell is this category, else 0.
    Is(String),
    /// The category's index in the column's list, from 0. An unknown category counts as `fill`.
    #[serde(alias = "place")]
    Ordinal,
    /// 1 where the cell is missing, else 0.
    Missing,
}

/// One input of the network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The feature's name: the column's, or `column=category`.
    pub name: String,
    /// The raw column it comes from.
    pub column: String,
    /// How a number is taken out of the cell.
    pub encoding: Encoding,
    /// Subtracted from the number.
    pub offset: f32,
    /// Multiplied with the difference; above zero.
    pub factor: f32,
}

/// The largest magnitude of a feature, so that no sum of weighted features becomes infinite. Only
/// cells extremely far outside the training range reach it.
pub(crate) const LIMIT: f32 = 1e30;

impl Feature {
    /// The scaled number: `(number - offset) * factor`, each operation rounded to f32, and the
    /// result clamped to the range -1e30 to 1e30.
    #[inline]
    pub fn scaled(&self, number: f32) -> f32 {
        ((number - self.offset) * self.factor).clamp(-LIMIT, LIMIT)
    }
}

/// A raw column that gives no feature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    /// The column.
    pub column: String,
    /// Why.
    pub reason: DropReason,
}

/// Why a column gives no feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// It has one value in the training part (or values too close to distinguish).
    Constant,
    /// All its cells are missing in the training part.
    AllMissing,
    /// It is text that differs in nearly every row, such as a name or a number plate.
    Identifier,
}

impl std::fmt::Display for DropReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DropReason::Constant => "it is constant in the training rows",
            DropReason::AllMissing => "all its cells are missing in the training rows",
            DropReason::Identifier => "it is text that differs in nearly every row",
        })
    }
}

/// How raw columns become features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "check::Unchecked")]
pub struct Preprocess {
    columns: Vec<RawColumn>,
    features: Vec<Feature>,
    dropped: Vec<Dropped>,
}

impl Preprocess {
    /// The raw columns that are needed, in the training table's order.
    pub fn columns(&self) -> &[RawColumn] {
        &self.columns
    }

    /// The features, in the network's order.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The columns that give no feature, and why.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// The features' names, in the network's order.
    pub fn feature_names(&self) -> Vec<String> {
        self.features.iter().map(|feature| feature.name.clone()).collect()
    }

    /// The same features without scaling: what the numbers are before [`Feature::scaled`].
    pub fn unscaled(&self) -> Self {
        let mut unscaled = self.clone();
        for feature in &mut unscaled.features {
            (feature.offset, feature.factor) = (0.0, 1.0);
        }
        unscaled
    }

    /// What each raw column holds, for [`LoadOptions::expected`](crate::LoadOptions::expected):
    /// a column of categories stays one even when the new file has only numbers in it.
    pub fn expected(&self) -> BTreeMap<String, ColumnKind> {
        self.columns.iter().map(|column| (column.name().to_owned(), column.kind())).collect()
    }

    /// The categories of each raw column that is no number, for
    /// [`LoadOptions::values`](crate::LoadOptions::values).
    pub fn values(&self) -> BTreeMap<String, Vec<String>> {
        let text = self.columns.iter().filter(|column| column.kind() != ColumnKind::Number);
        text.map(|column| {
            let values = column.categories().iter().chain(column.rare()).cloned().collect();
            (column.name().to_owned(), values)
        })
        .collect()
    }
}

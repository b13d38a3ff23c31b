//! How a file was written, as far as the next file must be read in the same way.
//!
//! Some things cannot be told from one file alone: whether the first line names the columns,
//! whether features count from 0 or 1, which word means that a cell is missing. What was found in
//! the table that a model was made from is stored in the model and holds for every later file.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// How a file was written. The default knows nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileForm {
    /// Whether the first row named the columns; `None` for formats that have no such row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The number of the first feature, 0 or 1, in formats that count features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_place: Option<u8>,
    /// Columns of numbers with the word that stands for their missing cells.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub missing_words: BTreeMap<String, String>,
    /// Columns of numbers in which words for yes and no count as 1 and 0.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub truths: BTreeSet<String>,
}

//! Properties of a file's layout that later files must share.
//!
//! Some properties are ambiguous in a single file: whether the first line names the columns,
//! whether features count from 0 or 1, which word marks a missing cell. A model stores the
//! properties of its training file, and later files are read with them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The layout of a file. The default has no properties.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileLayout {
    /// Whether the first row names the columns; `None` for formats without such a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The index of the first feature, 0 or 1, in formats with numbered features.
    #[serde(alias = "first_place", skip_serializing_if = "Option::is_none")]
    pub first_index: Option<u8>,
    /// Columns of numbers, each with the word that marks its missing cells.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub missing_words: BTreeMap<String, String>,
    /// Columns of numbers in which words for yes and no count as 1 and 0.
    #[serde(alias = "truths", skip_serializing_if = "BTreeSet::is_empty")]
    pub boolean_columns: BTreeSet<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_old_models_load() {
        let old = r#"{"header":false,"first_place":0,"missing_words":{"a":"none"},"truths":["b"]}"#;
        let layout: FileLayout = serde_json::from_str(old).unwrap();
        assert_eq!((layout.header, layout.first_index), (Some(false), Some(0)));
        assert!(layout.boolean_columns.contains("b"));
        let again = serde_json::to_string(&layout).unwrap();
        assert_eq!(serde_json::from_str::<FileLayout>(&again).unwrap(), layout);
    }
}

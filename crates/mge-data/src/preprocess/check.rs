//! Checks a [`Preprocess`] from a model file, which may come from an untrusted source.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::{Dropped, Encoding, Feature, Preprocess, RawColumn};

/// No model has more columns or features.
const MAX_COUNT: usize = 1 << 20;

/// Why a stored preprocessing is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PreprocessError {
    /// No features at all, or far too many.
    #[error("{found} {what}; expected 1 to {MAX_COUNT}")]
    Count {
        /// Columns or features.
        what: &'static str,
        /// How many.
        found: usize,
    },
    /// A name that occurs twice.
    #[error("{what} `{name}` occurs twice")]
    Twice {
        /// Column, feature or category.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A number that cannot be used.
    #[error("`{name}`: {what} is {found}; expected {expected}")]
    Number {
        /// The column or feature.
        name: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        found: f32,
        /// What it should be.
        expected: &'static str,
    },
    /// A feature of a column that is not listed.
    #[error("feature `{feature}` is taken from column `{column}`, which is not listed")]
    NoColumn {
        /// The feature.
        feature: String,
        /// The column.
        column: String,
    },
    /// A feature whose encoding does not fit its column.
    #[error("feature `{feature}` does not fit its column `{column}`")]
    Encoding {
        /// The feature.
        feature: String,
        /// The column.
        column: String,
    },
    /// A category that its column does not list.
    #[error("column `{column}` does not list the category `{category}`")]
    NoCategory {
        /// The column.
        column: String,
        /// The category.
        category: String,
    },
}

/// The same fields, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unchecked {
    columns: Vec<RawColumn>,
    features: Vec<Feature>,
    #[serde(default)]
    dropped: Vec<Dropped>,
}

impl TryFrom<Unchecked> for Preprocess {
    type Error = PreprocessError;

    fn try_from(raw: Unchecked) -> Result<Self, PreprocessError> {
        count("columns", raw.columns.len())?;
        count("features", raw.features.len())?;
        unique("column", raw.columns.iter().map(RawColumn::name))?;
        unique("feature", raw.features.iter().map(|feature| feature.name.as_str()))?;
        raw.columns.iter().try_for_each(column)?;
        let by_name: HashMap<&str, &RawColumn> =
            raw.columns.iter().map(|column| (column.name(), column)).collect();
        raw.features.iter().try_for_each(|each| feature(each, &by_name))?;
        let Unchecked { columns, features, dropped } = raw;
        Ok(Self { columns, features, dropped })
    }
}

fn count(what: &'static str, found: usize) -> Result<(), PreprocessError> {
    if (1..=MAX_COUNT).contains(&found) {
        Ok(())
    } else {
        Err(PreprocessError::Count { what, found })
    }
}

fn unique<'a>(
    what: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), PreprocessError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(PreprocessError::Twice { what, name: name.to_owned() });
        }
    }
    Ok(())
}

fn column(column: &RawColumn) -> Result<(), PreprocessError> {
    match column {
        RawColumn::Number { name, fill } => finite(name, "fill", *fill),
        RawColumn::Boolean { name, categories, fill }
        | RawColumn::Category { name, categories, fill, .. } => {
            unique("category", categories.iter().map(String::as_str))?;
            listed(name, categories, fill)
        }
    }
}

fn listed(column: &str, categories: &[String], wanted: &String) -> Result<(), PreprocessError> {
    if categories.contains(wanted) {
        return Ok(());
    }
    let (column, category) = (column.to_owned(), wanted.clone());
    Err(PreprocessError::NoCategory { column, category })
}

fn feature(feature: &Feature, columns: &HashMap<&str, &RawColumn>) -> Result<(), PreprocessError> {
    finite(&feature.name, "offset", feature.offset)?;
    if !(feature.factor.is_finite() && feature.factor > 0.0) {
        return Err(PreprocessError::Number {
            name: feature.name.clone(),
            what: "factor",
            found: feature.factor,
            expected: "a finite number above 0",
        });
    }
    let (name, column) = (feature.name.clone(), feature.column.clone());
    let Some(raw) = columns.get(column.as_str()) else {
        return Err(PreprocessError::NoColumn { feature: name, column });
    };
    match (&feature.encoding, raw) {
        (Encoding::Value, RawColumn::Number { .. }) | (Encoding::Missing, _) => Ok(()),
        (Encoding::Ordinal, RawColumn::Boolean { .. } | RawColumn::Category { .. }) => Ok(()),
        (Encoding::Is(category), RawColumn::Boolean { .. } | RawColumn::Category { .. }) => {
            listed(&column, raw.categories(), category)
        }
        _ => Err(PreprocessError::Encoding { feature: name, column }),
    }
}

fn finite(name: &str, what: &'static str, found: f32) -> Result<(), PreprocessError> {
    if found.is_finite() {
        return Ok(());
    }
    let (name, expected) = (name.to_owned(), "a finite number");
    Err(PreprocessError::Number { name, what, found, expected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PreprocessOptions;

    const GOOD: &str = r#"{
        "columns": [
            {"kind": "number", "name": "age", "fill": 40.0},
            {"kind": "category", "name": "town", "categories": ["a", "b"], "fill": "a"}
        ],
        "features": [
            {"name": "age", "column": "age", "encoding": "value", "offset": 1.0, "factor": 2.0},
            {"name": "town=b", "column": "town", "encoding": {"is": "b"}, "offset": 0.0, "factor": 1.0}
        ],
        "dropped": [{"column": "z", "reason": "constant"}]
    }"#;

    #[test]
    fn a_good_one_loads_and_saves_unchanged() {
        let loaded: Preprocess = serde_json::from_str(GOOD).unwrap();
        let again = serde_json::to_string(&loaded).unwrap();
        assert_eq!(serde_json::from_str::<Preprocess>(&again).unwrap(), loaded);
    }

    #[test]
    fn names_of_old_models_load() {
        let new = GOOD.replace(r#"{"is": "b"}"#, r#""ordinal""#);
        let old = GOOD.replace(r#"{"is": "b"}"#, r#""place""#);
        let read = |text: &str| serde_json::from_str::<Preprocess>(text).unwrap();
        assert_eq!(read(&old), read(&new));
        let old: PreprocessOptions = serde_json::from_str(r#"{"most_categories": 5}"#).unwrap();
        assert_eq!(old.max_categories, 5);
    }

    #[test]
    fn hostile_content_is_refused_with_a_reason() {
        let cases = [
            (r#""factor": 2.0"#, r#""factor": 0.0"#, "factor is 0; expected"),
            (r#""factor": 2.0"#, r#""factor": -1.0"#, "factor is -1; expected"),
            (r#""factor": 2.0"#, r#""factor": 1e300"#, "number out of range"),
            (r#""offset": 1.0"#, r#""offset": 1e39"#, "number out of range"),
            (r#""fill": 40.0"#, r#""fill": -1e39"#, "fill is -inf; expected"),
            (r#""column": "age""#, r#""column": "agee""#, "`agee`, which is not listed"),
            (r#""name": "town=b""#, r#""name": "age""#, "feature `age` occurs twice"),
            (r#""name": "town","#, r#""name": "age","#, "column `age` occurs twice"),
            (r#"["a", "b"]"#, r#"["a", "a"]"#, "category `a` occurs twice"),
            (r#""fill": "a""#, r#""fill": "q""#, "does not list the category `q`"),
            (r#"{"is": "b"}"#, r#"{"is": "q"}"#, "does not list the category `q`"),
            (r#"{"is": "b"}"#, r#""value""#, "does not fit its column `town`"),
            (r#""encoding": "value""#, r#""encoding": "ordinal""#, "does not fit"),
        ];
        for (good, bad, reason) in cases {
            assert!(GOOD.contains(good), "{good}");
            let text = GOOD.replace(good, bad);
            let error = serde_json::from_str::<Preprocess>(&text).unwrap_err().to_string();
            assert!(error.contains(reason), "{bad}: {error}");
        }
        let empty = r#"{"columns": [], "features": []}"#;
        let error = serde_json::from_str::<Preprocess>(empty).unwrap_err().to_string();
        assert!(error.contains("0 columns; expected"), "{error}");
    }
}

//! One run of a plan: everything that its result depends on.
//!
//! The key of a run is a hash of the data, the settings (including the seed), the split, the fold
//! and the algorithm version. Files of data or of a grammar enter by their content, not by their
//! path. Names and the number of repetitions are not part of the key. Plans therefore share runs,
//! and a plan with more repetitions continues one with fewer. Unset settings are not part of it
//! either, so a setting that a later version adds changes no key.

mod key_names;

use crate::{SplitProtocol, SplitScheme};
use mge::Settings;
use mge::data::catalogue;
use mge::grammar::shipped;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt;

/// Replaces the path of a file in keys.
const FILE_PLACEHOLDER: &str = "./";

/// One run of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEntry {
    /// A built-in data set or a file.
    pub data: String,
    /// The column of the targets, if the plan names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The name of the method in the plan.
    pub method: String,
    /// The name of the settings in the plan, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// How rows are split, and how often.
    pub protocol: SplitProtocol,
    /// Which repetition, from 1.
    pub repetition: usize,
    /// Which fold, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
    /// Hashes of the content of data and grammar, if they are files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Method, variant, seed, and all other settings.
    #[serde(serialize_with = "serialize_given")]
    pub settings: Settings,
}

impl RunEntry {
    /// The algorithm version of the method: results of another version do not count.
    pub fn algorithm_version(&self) -> u32 {
        self.settings.method.unwrap_or_default().algorithm_version()
    }

    /// The key of the result in a store: 16 hexadecimal digits.
    pub fn key(&self) -> String {
        let split = match self.protocol.scheme {
            SplitScheme::Percent(train) => json!(train),
            SplitScheme::Standard => json!("standard"),
            SplitScheme::Folds(folds) => json!([self.fold, folds]),
        };
        let is_file = catalogue::find(&self.data).is_err();
        let data = if is_file { FILE_PLACEHOLDER } else { &self.data };
        let mut settings = self.settings.clone();
        settings.grammar = settings.grammar.map(|grammar| {
            let is_shipped = grammar.to_str().and_then(shipped::find).is_some();
            if is_shipped { grammar } else { FILE_PLACEHOLDER.into() }
        });
        let settings = key_names::with_key_names(given_values(&settings));
        let content =
            json!([self.algorithm_version(), data, self.target, split, self.files, settings]);
        short_hash(content.to_string().as_bytes())
    }

    /// The seed of split and search. All methods of a plan use the same seeds, so their splits are
    /// paired.
    pub fn seed(&self) -> u64 {
        self.settings.seed.unwrap_or(0)
    }

    /// The name of the data in tables: `wdbc`, or `own.csv (fault)` if the plan names the target.
    pub fn data_title(&self) -> String {
        match &self.target {
            Some(target) => format!("{} ({target})", self.data),
            None => self.data.clone(),
        }
    }
}

/// `wdbc mge 70/30 #3`.
impl fmt::Display for RunEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.data_title(), self.method)?;
        if let Some(setting) = &self.setting {
            write!(f, " {setting}")?;
        }
        write!(f, " {} #{}", self.protocol.scheme, self.repetition)?;
        match self.fold {
            Some(fold) => write!(f, ".{fold}"),
            None => Ok(()),
        }
    }
}

/// Serializes the settings that are given, without the unset ones.
pub(crate) fn serialize_given<S: serde::Serializer>(
    settings: &Settings,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    given_values(settings).serialize(serializer)
}

/// The settings that are given as JSON, without the unset ones.
pub(crate) fn given_values(settings: &Settings) -> Value {
    fn drop_unset(value: Value) -> Option<Value> {
        match value {
            Value::Null => None,
            Value::Object(map) => {
                let kept: serde_json::Map<_, _> = map
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, drop_unset(value)?)))
                    .collect();
                (!kept.is_empty()).then_some(Value::Object(kept))
            }
            other => Some(other),
        }
    }
    let value = serde_json::to_value(settings).unwrap_or_default();
    drop_unset(value).unwrap_or_else(|| json!({}))
}

/// The first 16 hexadecimal digits of the SHA-256 hash.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

//! One run: everything that its result depends on.
//!
//! The key is a hash of just that: data, settings (seed included), parts and fold, and the behaviour
//! of the program. Files, of data or of a grammar, are in it by their content, not by their path. Names
//! and the number of repetitions are not in it, so plans share runs, and a plan with more repetitions
//! goes on where one with fewer ended. Unset settings are not in it either, so a setting that a later
//! version adds changes no key.

use crate::{Parts, Protocol};
use mge::Settings;
use mge::data::catalogue;
use mge::grammar::shipped;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt;

/// Stands for the path of a file in keys.
const A_FILE: &str = "./";

/// An entry of a plan's list of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEntry {
    /// A built-in data set or a file.
    pub data: String,
    /// The column of labels, if the plan names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What the plan calls the method.
    pub method: String,
    /// What the plan calls the settings, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// How rows are parted, and how often it is done.
    pub protocol: Protocol,
    /// Which repetition, from 1.
    pub repetition: usize,
    /// Which fold, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
    /// What stands for the content of the data and of the grammar, where their names do not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Method, variant, seed, and all the rest.
    #[serde(serialize_with = "without_blanks")]
    pub settings: Settings,
}

impl RunEntry {
    /// The behaviour that a result of this run must come from.
    pub fn algorithm_version(&self) -> u32 {
        self.settings.method.unwrap_or_default().algorithm_version()
    }

    /// The name under which the result is found again: 16 hexadecimal digits.
    pub fn key(&self) -> String {
        let parts = match self.protocol.parts {
            Parts::Percent(train) => json!(train),
            Parts::Standard => json!("standard"),
            Parts::Folds(folds) => json!([self.fold, folds]),
        };
        // `files` has the content of what is no name.
        let data = if catalogue::find(&self.data).is_ok() { &self.data } else { A_FILE };
        let mut settings = self.settings.clone();
        settings.grammar = settings.grammar.map(|grammar| {
            let is_name = grammar.to_str().and_then(shipped::find).is_some();
            if is_name { grammar } else { A_FILE.into() }
        });
        let settings = blanks_dropped(&settings);
        let content =
            json!([self.algorithm_version(), data, self.target, parts, self.files, settings]);
        short_hash(content.to_string().as_bytes())
    }

    /// The seed of split and search; the same in all methods, so that their splits are paired.
    pub fn seed(&self) -> u64 {
        self.settings.seed.unwrap_or(0)
    }

    /// The row of the table that the run belongs to.
    pub(crate) fn group(&self) -> (String, String, Option<String>, Protocol) {
        (self.data_title(), self.method.clone(), self.setting.clone(), self.protocol)
    }

    /// What tables call the data: `wdbc`, or `own.csv (fault)` where the plan names the target.
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
        write!(f, " {} #{}", self.protocol.parts, self.repetition)?;
        match self.fold {
            Some(fold) => write!(f, ".{fold}"),
            None => Ok(()),
        }
    }
}

pub(crate) fn without_blanks<S: serde::Serializer>(
    settings: &Settings,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    blanks_dropped(settings).serialize(serializer)
}

/// Settings as JSON without what is not set.
pub(crate) fn blanks_dropped(settings: &Settings) -> Value {
    fn drop_blanks(value: Value) -> Option<Value> {
        match value {
            Value::Null => None,
            Value::Object(map) => {
                let kept: serde_json::Map<_, _> = map
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, drop_blanks(value)?)))
                    .collect();
                (!kept.is_empty()).then_some(Value::Object(kept))
            }
            other => Some(other),
        }
    }
    let value = serde_json::to_value(settings).unwrap_or_default();
    drop_blanks(value).unwrap_or_else(|| json!({}))
}

/// 16 hexadecimal digits that stand for some bytes.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

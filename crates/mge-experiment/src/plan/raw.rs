//! The TOML form of a plan.

use crate::run_entry::serialize_given;
use mge::Settings;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlan {
    pub name: Option<String>,
    #[serde(default = "default_seed")]
    pub seed: u64,
    pub data: Option<Vec<DataSpec>>,
    pub methods: Option<Vec<MethodSpec>>,
    pub protocol: Option<OneOrMany>,
    pub repetitions: Option<usize>,
    #[serde(
        default,
        serialize_with = "serialize_given",
        skip_serializing_if = "is_empty_settings"
    )]
    pub settings: Settings,
    pub variations: Option<Vec<SettingsVariation>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RawPart>,
}

fn default_seed() -> u64 {
    1
}

fn is_empty_settings(settings: &Settings) -> bool {
    *settings == Settings::default()
}

/// One product of a plan: data sets, methods, variations and protocol.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPart {
    pub data: Option<Vec<DataSpec>>,
    pub methods: Option<Vec<MethodSpec>>,
    pub protocol: Option<OneOrMany>,
    pub repetitions: Option<usize>,
    #[serde(
        default,
        serialize_with = "serialize_given",
        skip_serializing_if = "is_empty_settings"
    )]
    pub settings: Settings,
    pub variations: Option<Vec<SettingsVariation>>,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum DataSpec {
    Name(String),
    Table(Box<DataTable>),
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataTable {
    pub name: String,
    pub target: Option<String>,
    #[serde(
        default,
        serialize_with = "serialize_given",
        skip_serializing_if = "is_empty_settings"
    )]
    pub settings: Settings,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum MethodSpec {
    Name(String),
    Table(Box<MethodEntry>),
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MethodEntry {
    pub name: String,
    pub method: Option<String>,
    #[serde(
        default,
        serialize_with = "serialize_given",
        skip_serializing_if = "is_empty_settings"
    )]
    pub settings: Settings,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SettingsVariation {
    pub name: String,
    #[serde(
        default,
        serialize_with = "serialize_given",
        skip_serializing_if = "is_empty_settings"
    )]
    pub settings: Settings,
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl DataSpec {
    /// The long form, with defaults for everything that is left out.
    pub fn table(self) -> DataTable {
        match self {
            Self::Name(name) => DataTable { name, target: None, settings: Settings::default() },
            Self::Table(table) => *table,
        }
    }
}

impl MethodSpec {
    /// The long form, with defaults for everything that is left out.
    pub fn table(self) -> MethodEntry {
        match self {
            Self::Name(name) => MethodEntry { name, method: None, settings: Settings::default() },
            Self::Table(table) => *table,
        }
    }
}

impl MethodEntry {
    /// The method's name in the program; its name in the plan may differ.
    pub fn known(&self) -> &str {
        self.method.as_deref().unwrap_or(&self.name)
    }
}

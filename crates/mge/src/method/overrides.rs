//! The table of one method in a configuration: some of its settings, the rest as usual.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// Some entries of the settings `P`. What is not given stays as it usually is; a name that `P`
/// does not have, or a value of the wrong kind, is an error where it is read.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct PartialParams<P> {
    entries: Map<String, Value>,
    #[serde(skip)]
    of: PhantomData<P>,
}

impl<P> Default for PartialParams<P> {
    fn default() -> Self {
        Self { entries: Map::new(), of: PhantomData }
    }
}

impl<P> PartialEq for PartialParams<P> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<P: Serialize + DeserializeOwned> PartialParams<P> {
    /// These entries; those of `base` where there is none.
    pub fn over(self, base: Self) -> Self {
        let mut entries = base.entries;
        entries.extend(self.entries);
        Self { entries, of: PhantomData }
    }

    /// The name of an entry, if there is any.
    pub(crate) fn first(&self) -> Option<&str> {
        self.entries.keys().next().map(String::as_str)
    }

    /// Sets one entry.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.entries.insert(name.to_owned(), value.into());
    }

    /// The usual settings with these entries in their place.
    ///
    /// # Errors
    /// When an entry does not exist in `P` or has the wrong type.
    pub fn apply(&self, usual: &P) -> Result<P, serde_json::Error> {
        if self.entries.is_empty() {
            return serde_json::from_value(serde_json::to_value(usual)?);
        }
        let mut all = serde_json::to_value(usual)?;
        if let Value::Object(all) = &mut all {
            all.extend(self.entries.clone());
        }
        serde_json::from_value(all)
    }
}

impl<'de, P: Default + Serialize + DeserializeOwned> Deserialize<'de> for PartialParams<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Map::deserialize(deserializer)?;
        let overrides = Self { entries, of: PhantomData };
        overrides.apply(&P::default()).map_err(D::Error::custom)?;
        Ok(overrides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Params {
        rate: f64,
        count: Option<u32>,
    }

    impl Default for Params {
        fn default() -> Self {
            Self { rate: 0.5, count: None }
        }
    }

    #[test]
    fn given_entries_replace_usual_ones_and_others_stay() {
        let some: PartialParams<Params> = toml::from_str("count = 3").unwrap();
        let params = some.apply(&Params { rate: 0.25, count: Some(1) }).unwrap();
        assert_eq!(params, Params { rate: 0.25, count: Some(3) });
        let other: PartialParams<Params> = toml::from_str("rate = 1\ncount = 9").unwrap();
        let both = some.over(other).apply(&Params::default()).unwrap();
        assert_eq!(both, Params { rate: 1.0, count: Some(3) });
    }

    #[test]
    fn unknown_names_and_wrong_kinds_are_errors_where_they_are_read() {
        let error = toml::from_str::<PartialParams<Params>>("ratte = 1.0").unwrap_err();
        assert!(error.to_string().contains("unknown field `ratte`, expected"), "{error}");
        assert!(toml::from_str::<PartialParams<Params>>("count = 'many'").is_err());
    }
}

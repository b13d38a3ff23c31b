//! Settings as TOML and JSON. The common settings are known; every other name must be the table of
//! a method, so a method that a program registers has its table too.

use super::{MethodTable, Settings};
use crate::method::{Method, methods_of_table};
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The names of all settings that are no table of a method.
pub(crate) const COMMON_KEYS: [&str; 11] = [
    "method",
    "variant",
    "grammar",
    "task",
    "loss",
    "scale",
    "train_fraction",
    "seed",
    "data",
    "stop",
    "evolution",
];

/// What is not given is not written.
impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn entry<M: SerializeMap, T: Serialize + Default + PartialEq>(
            map: &mut M,
            key: &str,
            value: &T,
        ) -> Result<(), M::Error> {
            if *value == T::default() { Ok(()) } else { map.serialize_entry(key, value) }
        }
        let mut map = serializer.serialize_map(None)?;
        entry(&mut map, "method", &self.method)?;
        entry(&mut map, "variant", &self.variant)?;
        entry(&mut map, "grammar", &self.grammar)?;
        entry(&mut map, "task", &self.task)?;
        entry(&mut map, "loss", &self.loss)?;
        entry(&mut map, "scale", &self.scale)?;
        entry(&mut map, "train_fraction", &self.train_fraction)?;
        entry(&mut map, "seed", &self.seed)?;
        entry(&mut map, "data", &self.data)?;
        entry(&mut map, "stop", &self.stop)?;
        entry(&mut map, "evolution", &self.evolution)?;
        for (table, entries) in self.methods.iter() {
            entry(&mut map, table, entries)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SettingsVisitor)
    }
}

struct SettingsVisitor;

impl<'de> Visitor<'de> for SettingsVisitor {
    type Value = Settings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Settings, A::Error> {
        let mut settings = Settings::default();
        while let Some(Key(key)) = map.next_key()? {
            match key.as_str() {
                "method" => settings.method = map.next_value()?,
                "variant" => settings.variant = map.next_value()?,
                "grammar" => settings.grammar = map.next_value()?,
                "task" => settings.task = map.next_value()?,
                "loss" => settings.loss = map.next_value()?,
                "scale" => settings.scale = map.next_value()?,
                "train_fraction" => settings.train_fraction = map.next_value()?,
                "seed" => settings.seed = map.next_value()?,
                "data" => settings.data = map.next_value()?,
                "stop" => settings.stop = map.next_value()?,
                "evolution" => settings.evolution = map.next_value()?,
                table => *settings.methods.of(table) = map.next_value_seed(OfTable(table))?,
            }
        }
        Ok(settings)
    }
}

/// The name of a setting, or of a method's table. Any other name is an error where it stands.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        if COMMON_KEYS.contains(&key.as_str()) || !methods_of_table(&key).is_empty() {
            return Ok(Self(key));
        }
        let mut known: Vec<&str> = COMMON_KEYS.to_vec();
        known.extend(Method::all().into_iter().map(|method| method.info().table));
        known.dedup();
        let known: Vec<String> = known.into_iter().map(|name| format!("`{name}`")).collect();
        let known = known.join(", ");
        Err(D::Error::custom(format!("unknown field `{key}`, expected one of {known}")))
    }
}

/// Reads and checks the table of this name.
struct OfTable<'t>(&'t str);

impl<'de> DeserializeSeed<'de> for OfTable<'_> {
    type Value = MethodTable;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<MethodTable, D::Error> {
        let mut table = MethodTable::deserialize(deserializer)?;
        for method in methods_of_table(self.0).into_iter().take(1) {
            method.implementation().check_table(&mut table).map_err(D::Error::custom)?;
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_from_toml_and_json() {
        let text = "method = 'neat'\nseed = 3\n[stop]\nseconds = 1.5\n[hybrid]\nmax_ops = 30\n";
        let settings: Settings = toml::from_str(text).unwrap();
        assert_eq!(
            toml::from_str::<Settings>(&toml::to_string(&settings).unwrap()),
            Ok(settings.clone())
        );
        let json = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&json).unwrap(), settings);
    }

    #[test]
    fn unknown_names_are_errors_that_tell_where_they_stand() {
        let error = toml::from_str::<Settings>("seed = 3\nsede = 4").unwrap_err().to_string();
        assert!(error.contains("line 2, column 1"), "{error}");
        assert!(error.contains("unknown field `sede`, expected one of `method`"), "{error}");
        let error = toml::from_str::<Settings>("[neat]\nadd_nod = 0.1").unwrap_err().to_string();
        assert!(error.contains("unknown field `add_nod`"), "{error}");
        let error = toml::from_str::<Settings>("method = 'x'").unwrap_err().to_string();
        assert!(error.contains("unknown method `x`; expected mge, ge,"), "{error}");
    }
}

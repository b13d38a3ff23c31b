//! The table of one method in a configuration. It has some of the method's settings, and the
//! others keep their defaults.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// The entries that somebody gave of a method's settings, by name.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct MethodTable {
    entries: Map<String, Value>,
    /// Old names that were given, each with the name that took its place.
    #[serde(skip)]
    renamed: Vec<(String, String)>,
}

impl PartialEq for MethodTable {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl MethodTable {
    /// Sets one entry. Whether the method has it is checked when the settings are resolved.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.entries.insert(name.to_owned(), value.into());
    }

    /// The name of an entry, if there is any.
    pub fn first(&self) -> Option<&str> {
        self.entries.keys().next().map(String::as_str)
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Old names that were given, each with the name that took its place.
    pub fn renamed(&self) -> &[(String, String)] {
        &self.renamed
    }

    /// These entries; those of `base` where there is none.
    pub fn over(mut self, base: Self) -> Self {
        let mut entries = base.entries;
        entries.extend(self.entries);
        self.renamed.extend(base.renamed);
        Self { entries, renamed: self.renamed }
    }

    /// `defaults`, overridden by these entries.
    ///
    /// # Errors
    /// When an entry does not exist in `P` or has the wrong type.
    pub fn apply<P>(&self, defaults: &P) -> Result<P, serde_json::Error>
    where
        P: Default + Serialize + DeserializeOwned,
    {
        let mut all = fields(defaults)?;
        for (name, value) in &self.entries {
            let name = canonical_name::<P>(name)?.unwrap_or_else(|| name.clone());
            all.insert(name, value.clone());
        }
        serde_json::from_value(Value::Object(all))
    }

    /// Checks every entry against `P`, and replaces old names.
    pub(crate) fn check<P>(&mut self) -> Result<(), serde_json::Error>
    where
        P: Default + Serialize + DeserializeOwned,
    {
        for name in self.entries.keys().cloned().collect::<Vec<_>>() {
            let Some(new) = canonical_name::<P>(&name)?.filter(|new| *new != name) else {
                continue;
            };
            if self.entries.contains_key(&new) {
                let message = format!("`{name}` is an old name of `{new}`; expected one of them");
                return Err(serde_json::Error::custom(message));
            }
            if let Some(value) = self.entries.remove(&name) {
                self.entries.insert(new.clone(), value);
                self.renamed.push((name, new));
            }
        }
        self.apply(&P::default()).map(drop)
    }
}

impl<'de> Deserialize<'de> for MethodTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { entries: Map::deserialize(deserializer)?, renamed: Vec::new() })
    }
}

/// The fields of a struct as JSON.
fn fields<P: Serialize>(params: &P) -> Result<Map<String, Value>, serde_json::Error> {
    match serde_json::to_value(params)? {
        Value::Object(fields) => Ok(fields),
        other => Err(serde_json::Error::custom(format!("settings are {other}, expected a table"))),
    }
}

/// The present name of the field of `P` that `name` refers to, by its name or by a serde alias.
/// `None` if `P` has no such field.
///
/// Serde does not list aliases, so they are found by trial. A field that is given twice is an
/// error. So `name` is an alias of the one field that must be left out for `P` to be read.
fn canonical_name<P>(name: &str) -> Result<Option<String>, serde_json::Error>
where
    P: Default + Serialize + DeserializeOwned,
{
    let all = fields(&P::default())?;
    if all.contains_key(name) {
        return Ok(Some(name.to_owned()));
    }
    let is_accepted = |without: Option<&str>, value: &Value| {
        let mut fields = all.clone();
        without.map(|field| fields.remove(field));
        fields.insert(name.to_owned(), value.clone());
        serde_json::from_value::<P>(Value::Object(fields)).is_ok()
    };
    // A field that defaults leave out is accepted beside all others.
    if all.values().any(|value| is_accepted(None, value)) {
        return Ok(Some(name.to_owned()));
    }
    let stands_for = |entry: &(&String, &Value)| is_accepted(Some(entry.0), entry.1);
    Ok(all.iter().find(stands_for).map(|(field, _)| field.clone()))
}

/// The tables of all methods, by name.
#[derive(Debug, Clone, Default)]
pub struct MethodTables {
    tables: BTreeMap<String, MethodTable>,
}

/// A table without entries is none.
impl PartialEq for MethodTables {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl MethodTables {
    /// The table of this name, if anything of it is given.
    pub fn get(&self, table: &str) -> Option<&MethodTable> {
        self.tables.get(table).filter(|entries| !entries.is_empty())
    }

    /// The table of this name, to set entries of it.
    pub fn of(&mut self, table: &str) -> &mut MethodTable {
        self.tables.entry(table.to_owned()).or_default()
    }

    /// All tables of which anything is given, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &MethodTable)> {
        let tables = self.tables.iter().filter(|(_, entries)| !entries.is_empty());
        tables.map(|(table, entries)| (table.as_str(), entries))
    }

    /// These entries; those of `base` where there is none.
    pub(super) fn over(self, mut base: Self) -> Self {
        for (table, entries) in self.tables {
            let below = base.tables.remove(&table).unwrap_or_default();
            base.tables.insert(table, entries.over(below));
        }
        base
    }
}

/// Some fields of the settings `P`: a table inside a method's table. They are checked when they
/// are read.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct PartialParams<P> {
    table: MethodTable,
    #[serde(skip)]
    of: PhantomData<P>,
}

impl<P> Default for PartialParams<P> {
    fn default() -> Self {
        Self { table: MethodTable::default(), of: PhantomData }
    }
}

impl<P> PartialEq for PartialParams<P> {
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table
    }
}

impl<P: Default + Serialize + DeserializeOwned> PartialParams<P> {
    /// `defaults`, overridden by these fields.
    ///
    /// # Errors
    /// When a field has the wrong type.
    pub fn apply(&self, defaults: &P) -> Result<P, serde_json::Error> {
        self.table.apply(defaults)
    }
}

impl<'de, P: Default + Serialize + DeserializeOwned> Deserialize<'de> for PartialParams<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = MethodTable::deserialize(deserializer)?;
        table.check::<P>().map_err(D::Error::custom)?;
        Ok(Self { table, of: PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Params {
        #[serde(alias = "speed")]
        rate: f64,
        count: Option<u32>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rare: bool,
    }

    impl Default for Params {
        fn default() -> Self {
            Self { rate: 0.5, count: None, rare: false }
        }
    }

    fn table(text: &str) -> Result<MethodTable, serde_json::Error> {
        let mut table: MethodTable = toml::from_str(text).unwrap();
        table.check::<Params>().map(|()| table)
    }

    #[test]
    fn given_entries_replace_defaults_and_others_stay() {
        let some = table("count = 3\nrare = true").unwrap();
        let params = some.apply(&Params { rate: 0.25, count: Some(1), rare: false }).unwrap();
        assert_eq!(params, Params { rate: 0.25, count: Some(3), rare: true });
        let other = table("rate = 1\ncount = 9").unwrap();
        let both = some.over(other).apply(&Params::default()).unwrap();
        assert_eq!(both, Params { rate: 1.0, count: Some(3), rare: true });
    }

    #[test]
    fn unknown_names_and_wrong_types_are_errors() {
        let error = table("ratte = 1.0").unwrap_err().to_string();
        assert!(error.contains("unknown field `ratte`, expected"), "{error}");
        assert!(table("count = 'many'").is_err());
        let error = table("speed = 'fast'").unwrap_err().to_string();
        assert!(error.contains("invalid type"), "{error}");
    }

    #[test]
    fn old_names_become_the_present_ones_and_are_told() {
        let old = table("speed = 2.0").unwrap();
        assert_eq!(old, table("rate = 2.0").unwrap());
        assert_eq!(old.renamed(), [("speed".to_owned(), "rate".to_owned())]);
        let error = table("speed = 2.0\nrate = 1.0").unwrap_err().to_string();
        assert!(error.contains("`speed` is an old name of `rate`"), "{error}");
        let mut set = MethodTable::default();
        set.set("speed", 3.0);
        assert_eq!(set.apply(&Params::default()).unwrap().rate, 3.0);
    }

    #[test]
    fn nested_tables_are_checked_where_they_are_read() {
        let error = toml::from_str::<PartialParams<Params>>("ratte = 1.0").unwrap_err();
        assert!(error.to_string().contains("unknown field `ratte`, expected"), "{error}");
    }
}

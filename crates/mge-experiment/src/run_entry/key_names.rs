//! Names of settings in the keys of runs.
//!
//! Stores outlive program versions, so a renamed setting keeps its first name in keys. A rename
//! adds a line to [`RENAMED_SETTINGS`]; the runs of older stores are then still found.

use mge::{RENAMED_SETTINGS, RenamedSetting};
use serde_json::{Map, Value};

/// Settings, each under its name in keys.
pub(super) fn with_key_names(settings: Value) -> Value {
    let Value::Object(tables) = settings else { return settings };
    let rename = |(table, value): (String, Value)| {
        let value = renamed(&table, value);
        (table, value)
    };
    Value::Object(tables.into_iter().map(rename).collect())
}

/// A table with its entries under their names in keys, the tables inside it too.
fn renamed(table: &str, value: Value) -> Value {
    let Value::Object(entries) = value else { return value };
    let key_name = |name: &str| {
        let is_renamed = |one: &&RenamedSetting| one.table == table && one.present == name;
        RENAMED_SETTINGS.iter().find(is_renamed).map_or(name, |one| one.first).to_owned()
    };
    let rename = |(name, value): (String, Value)| {
        (key_name(&name), renamed(&format!("{table}.{name}"), value))
    };
    Value::Object(entries.into_iter().map(rename).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn renamed_settings_keep_their_first_name_in_keys() {
        let settings = json!({
            "seed": 3,
            "hybrid": { "min_z_score": 0.5, "max_ops": 9 },
            "mge": { "min_genes": 2, "real": { "step": 0.1, "tuned_fraction": 0.5 } },
            "neat": { "min_genes": 4 },
        });
        assert_eq!(
            with_key_names(settings),
            json!({
                "seed": 3,
                "hybrid": { "caution": 0.5, "max_ops": 9 },
                "mge": { "least_genes": 2, "real": { "step": 0.1, "tuned_share": 0.5 } },
                "neat": { "min_genes": 4 },
            })
        );
    }

    #[test]
    fn first_names_stay_as_they_are() {
        for RenamedSetting { table, first, present } in RENAMED_SETTINGS {
            let of = |name: &str| json!({ table: { name: 1 } });
            assert_eq!(with_key_names(of(first)), of(first));
            assert_eq!(with_key_names(of(present)), of(first));
        }
    }
}

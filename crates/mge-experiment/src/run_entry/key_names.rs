//! Names of settings in the keys of runs.
//!
//! Stores outlive program versions, so a renamed setting keeps its first name in keys. A rename
//! adds a line to [`RENAMED`]; the runs of older stores are then still found.

use serde_json::{Map, Value};

/// Renamed settings: the table, the name in keys, the present name.
const RENAMED: [(&str, &str, &str); 17] = [
    ("ge", "least_codons", "min_codons"),
    ("ge", "longest", "max_length"),
    ("ge", "most_codons", "max_codons"),
    ("hybrid", "caution", "min_z_score"),
    ("hybrid", "changes", "activation_mutation_rate"),
    ("hybrid", "exchange", "crossover_rate"),
    ("hybrid", "folds", "cv_folds"),
    ("hybrid", "large_rows", "large_table_rows"),
    ("hybrid", "last_loss", "refit_loss"),
    ("hybrid", "new_neurons", "neuron_addition_rate"),
    ("hybrid", "ranges", "range_scaled_penalty"),
    ("hybrid", "ratio", "budget_ratio"),
    ("hybrid", "repeats", "cv_repeats"),
    ("hybrid", "validation", "validation_fraction"),
    ("mge", "least_genes", "min_genes"),
    ("mge", "most_genes", "max_genes"),
    ("mge.real", "tuned_share", "tuned_fraction"),
];

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
        let is_renamed = |entry: &&(&str, &str, &str)| entry.0 == table && entry.2 == name;
        RENAMED.iter().find(is_renamed).map_or(name.to_owned(), |entry| entry.1.to_owned())
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
        for (table, first, present) in RENAMED {
            let of = |name: &str| json!({ table: { name: 1 } });
            assert_eq!(with_key_names(of(first)), of(first));
            assert_eq!(with_key_names(of(present)), of(first));
        }
    }
}

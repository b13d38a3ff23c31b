//! Names of settings in the keys of runs.
//!
//! Stores outlive program versions, so a renamed setting keeps its first name in keys. A rename adds
//! a line to [`RENAMED`]; the runs of older stores are then still found.

use serde_json::{Map, Value};

/// Renamed settings: the table, the name in keys, the present name.
const RENAMED: [(&str, &str, &str); 16] = [
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
];

/// Settings, each under its name in keys.
pub(super) fn with_key_names(settings: Value) -> Value {
    let Value::Object(tables) = settings else { return settings };
    let rename = |(table, value): (String, Value)| {
        let value = match value {
            Value::Object(entries) => Value::Object(renamed(&table, entries)),
            other => other,
        };
        (table, value)
    };
    Value::Object(tables.into_iter().map(rename).collect())
}

fn renamed(table: &str, entries: Map<String, Value>) -> Map<String, Value> {
    let key_name = |name: String| {
        let is_renamed = |entry: &&(&str, &str, &str)| entry.0 == table && entry.2 == name;
        RENAMED.iter().find(is_renamed).map_or(name.clone(), |entry| entry.1.to_owned())
    };
    entries.into_iter().map(|(name, value)| (key_name(name), value)).collect()
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
            "mge": { "min_genes": 2, "real": { "step": 0.1 } },
            "neat": { "min_genes": 4 },
        });
        assert_eq!(
            with_key_names(settings),
            json!({
                "seed": 3,
                "hybrid": { "caution": 0.5, "max_ops": 9 },
                "mge": { "least_genes": 2, "real": { "step": 0.1 } },
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

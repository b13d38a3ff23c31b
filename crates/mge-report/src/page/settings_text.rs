//! Settings as text.

use crate::text::clean;

/// Settings as pairs of a dotted name and a value, in the order in which they are stored.
pub fn flat(value: &serde_json::Value) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    flatten("", value, &mut pairs);
    let shown = |(name, value): (String, String)| (clean(&name), clean(&value));
    pairs.into_iter().map(shown).collect()
}

fn flatten(name: &str, value: &serde_json::Value, pairs: &mut Vec<(String, String)>) {
    use serde_json::Value;
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, pairs);
            }
        }
        Value::Null => {}
        Value::String(text) => pairs.push((name.to_owned(), text.clone())),
        other => pairs.push((name.to_owned(), other.to_string())),
    }
}

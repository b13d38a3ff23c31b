//! Settings that had another name in earlier versions: the one list of them.
//!
//! Files with the first name can still be read, since the field has it as a serde alias. What is
//! hashed keeps the first name: the identity of a checkpoint, and the key of a run in a store. So a
//! rename adds an alias, and a line to [`RENAMED_SETTINGS`].

/// A setting that has another name now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenamedSetting {
    /// The table, such as `hybrid` or `mge.real`.
    pub table: &'static str,
    /// The name that it had first.
    pub first: &'static str,
    /// The present name.
    pub present: &'static str,
}

const fn renamed(
    table: &'static str,
    first: &'static str,
    present: &'static str,
) -> RenamedSetting {
    RenamedSetting { table, first, present }
}

/// Every renamed setting.
pub const RENAMED_SETTINGS: [RenamedSetting; 17] = [
    renamed("ge", "least_codons", "min_codons"),
    renamed("ge", "longest", "max_length"),
    renamed("ge", "most_codons", "max_codons"),
    renamed("hybrid", "caution", "min_z_score"),
    renamed("hybrid", "changes", "activation_mutation_rate"),
    renamed("hybrid", "exchange", "crossover_rate"),
    renamed("hybrid", "folds", "cv_folds"),
    renamed("hybrid", "large_rows", "large_table_rows"),
    renamed("hybrid", "last_loss", "refit_loss"),
    renamed("hybrid", "new_neurons", "neuron_addition_rate"),
    renamed("hybrid", "ranges", "range_scaled_penalty"),
    renamed("hybrid", "ratio", "budget_ratio"),
    renamed("hybrid", "repeats", "cv_repeats"),
    renamed("hybrid", "validation", "validation_fraction"),
    renamed("mge", "least_genes", "min_genes"),
    renamed("mge", "most_genes", "max_genes"),
    renamed("mge.real", "tuned_share", "tuned_fraction"),
];

/// Settings in JSON, those of a method's table under the names that they had first. The identity of
/// a run is a hash of this text, and it must stay the same for checkpoints of earlier programs.
pub(super) fn with_first_names(text: String, table: &str) -> String {
    let is_in = |setting: &&RenamedSetting| setting.table.split('.').next() == Some(table);
    // Inside of a text, such as a grammar, quotes have a backslash before them.
    RENAMED_SETTINGS.iter().filter(is_in).fold(text, |text, setting| {
        let RenamedSetting { first, present, .. } = setting;
        text.replace(&format!("\"{present}\":"), &format!("\"{first}\":"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    #[test]
    fn first_names_can_be_read() {
        for RenamedSetting { table, first, present } in RENAMED_SETTINGS {
            // Settings are of several types.
            let values = ["1", "5000", "0.5", "1.5", "true", "'mse'"];
            let read = |name: &str| {
                let entry =
                    |value: &&str| Settings::of_entries(&[format!("{table}.{name}={value}")]);
                values.iter().find_map(|value| entry(value).ok())
            };
            let old = read(first).unwrap_or_else(|| panic!("{table}.{first} cannot be read"));
            assert_eq!(Some(&old.method), read(present).as_ref().map(|new| &new.method));
            if !table.contains('.') {
                let note = format!("{table}.{first} is now {table}.{present}");
                assert_eq!(old.notes_on_old_names(), [note]);
            }
        }
    }

    #[test]
    fn the_page_of_old_names_has_every_one() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/old-names.md");
        let page = std::fs::read_to_string(page).unwrap();
        for RenamedSetting { table, first, present } in RENAMED_SETTINGS {
            for name in [first, present] {
                assert!(page.contains(&format!("`{table}.{name}`")), "{table}.{name}");
            }
        }
    }

    #[test]
    fn only_names_of_the_table_are_put_back() {
        let text = || r#"{"min_genes":2,"min_codons":3,"real":{"tuned_fraction":0.5}}"#.to_owned();
        let expected = r#"{"least_genes":2,"min_codons":3,"real":{"tuned_share":0.5}}"#;
        assert_eq!(with_first_names(text(), "mge"), expected);
        assert_eq!(with_first_names(text(), "neat"), text());
    }
}

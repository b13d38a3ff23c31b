//! Settings from files and from single entries such as `stop.generations=100`.

use super::Settings;
use crate::method::Method;
use mge_names::suggestion;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A configuration file that cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("the configuration {} is wrong: {source}{}", path.display(), did_you_mean("", source.message()))]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
}

/// A single setting that cannot be used.
#[derive(Debug, Error)]
#[error("--set {entry}: {reason}")]
pub struct EntryError {
    entry: String,
    reason: String,
}

/// The end of a message about an unknown name: the name that was meant, if one is similar. TOML's
/// messages end with a line end, others need a separator.
fn did_you_mean(separator: &str, message: &str) -> String {
    let name = suggestion(message);
    name.map_or_else(String::new, |name| format!("{separator}did you mean `{name}`?"))
}

/// The table that has this setting, for a name without its table.
fn table_with(name: &str, value: &str) -> Option<&'static str> {
    if name.contains('.') {
        return None;
    }
    let of_methods = Method::all().into_iter().map(|method| method.info().table);
    let mut tables = ["stop", "data", "evolution"].into_iter().chain(of_methods);
    tables.find(|table| {
        let is_read = |value: &str| toml::from_str::<Settings>(&format!("{table}.{name}={value}"));
        is_read(value).is_ok() || is_read(&format!("{:?}", value.trim())).is_ok()
    })
}

impl Settings {
    /// Reads a TOML file. A relative grammar file is looked up beside it.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let mut settings: Self = toml::from_str(&text).map_err(|source| ConfigError::Parse {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        if let (Some(grammar), Some(folder)) = (&settings.grammar, path.parent()) {
            let beside_config = folder.join(grammar);
            if beside_config.is_file() {
                settings.grammar = Some(beside_config);
            }
        }
        Ok(settings)
    }

    /// Settings from entries as a TOML file has them, `stop.generations=100`. A later entry
    /// replaces an earlier one for the same setting. A word may be without quotes, as on every
    /// command line.
    pub fn of_entries<S: AsRef<str>>(entries: &[S]) -> Result<Self, EntryError> {
        let mut settings = Settings::default();
        for entry in entries.iter().map(AsRef::as_ref) {
            let wrong = |reason: String| EntryError { entry: entry.to_owned(), reason };
            let Some((name, value)) = entry.split_once('=') else {
                return Err(wrong("expected NAME=VALUE, such as seed=7".to_owned()));
            };
            let as_word = || toml::from_str(&format!("{name}={:?}", value.trim()));
            let one: Settings = match toml::from_str(entry) {
                Ok(one) => Ok(one),
                Err(error) => match (as_word(), toml::from_str::<toml::Table>(entry)) {
                    (Ok(one), _) => Ok(one),
                    // What is no TOML by itself was meant as a word.
                    (Err(as_word), Err(_)) => Err(as_word.message().to_owned()),
                    (Err(_), Ok(_)) => Err(error.message().to_owned()),
                },
            }
            .map_err(|reason: String| {
                let hint = match table_with(name, value) {
                    Some(table) => format!("; did you mean `{table}.{}`?", name.trim()),
                    None => did_you_mean("; ", &reason),
                };
                wrong(reason + &hint)
            })?;
            settings = one.over(settings);
        }
        Ok(settings)
    }

    /// One line for each setting that was given by an old name.
    pub fn notes_on_old_names(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (table, entries) in self.methods.iter() {
            for (old, new) in entries.renamed() {
                notes.push(format!("{table}.{old} is now {table}.{new}"));
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(entry: &str) -> String {
        Settings::of_entries(&[entry]).unwrap_err().to_string()
    }

    #[test]
    fn a_name_that_is_nearly_right_gets_a_suggestion() {
        let cases = [
            ("hybird.max_ops=30", "did you mean `hybrid`?"),
            ("hybrid.max_op=30", "did you mean `max_ops`?"),
            ("sead=3", "did you mean `seed`?"),
            // The table is missing.
            ("generations=5", "did you mean `stop.generations`?"),
            ("max_ops=30", "did you mean `hybrid.max_ops`?"),
            ("pick=knee", "did you mean `hybrid.pick`?"),
        ];
        for (entry, hint) in cases {
            assert!(error(entry).ends_with(hint), "{entry}: {}", error(entry));
        }
        assert!(!error("zzzzz=1").contains("did you mean"), "{}", error("zzzzz=1"));
        assert!(!error("seed=soon").contains("did you mean"));
    }
}

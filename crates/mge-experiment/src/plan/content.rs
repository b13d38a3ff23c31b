//! What the data of a run is, apart from its name: a fingerprint of the content.
//!
//! Data sets inside the program need none, their name says it. `flame` and `mnist` come from files:
//! they have one if they are not what everybody has under that name. All other files always have one,
//! and their path is not in the key, so a file that is moved or named otherwise is the same file.

use crate::Tables;
use crate::entry::short_hash;
use crate::tables::reading;
use mge::DataSettings;
use mge::data::{DataError, Fingerprint, LoadOptions, Loaded, Target, catalogue};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The usual content of the data sets that are not inside the program.
const USUAL: [(&str, &str); 2] = [("flame", "61726761e1a0a20e"), ("mnist", "88873cc8764c4cd7")];

/// Fingerprints of data, each made once.
#[derive(Debug, Clone, Default)]
pub(super) struct Contents {
    /// Where the data comes from.
    pub tables: Tables,
    known: Arc<Mutex<BTreeMap<String, Option<String>>>>,
}

impl Contents {
    /// Of these tables.
    pub fn new(tables: Tables) -> Self {
        Self { tables, ..Self::default() }
    }

    /// The fingerprint, or `None` where the name says it all.
    pub fn of(
        &self,
        data: &str,
        target: Option<&String>,
        settings: &DataSettings,
    ) -> Result<Option<String>, DataError> {
        let entry = catalogue::find(data).ok();
        if entry.is_some_and(|entry| entry.is_inside()) {
            return Ok(None);
        }
        let options = match entry {
            // The file as it is, whatever the run takes from it.
            Some(_) => LoadOptions::default(),
            None => settings.resolve().load_options(Target::from(target.cloned())),
        };
        let name = reading(data, &options);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = known.get(&name) {
            return Ok(content.clone());
        }
        let content = match (self.tables.get(data, options), entry) {
            (Ok(loaded), Some(_)) => {
                Some(content(&loaded)).filter(|found| !USUAL.contains(&(data, found.as_str())))
            }
            (Ok(loaded), None) => Some(content(&loaded)),
            // Finished runs can be shown where the file is not; runs will tell that it is not.
            (Err(_), Some(_)) => None,
            (Err(error), None) => return Err(error),
        };
        known.insert(name, content.clone());
        Ok(content)
    }
}

fn content(loaded: &Loaded) -> String {
    let test = loaded.standard_test.as_ref().map(|table| Fingerprint::of(table).sha256);
    short_hash(format!("{} {}", loaded.fingerprint.sha256, test.unwrap_or_default()).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_data_under_a_known_name_is_other_data() {
        let folder = tempfile::tempdir().unwrap();
        let of = |data: &str| {
            let tables = Tables::in_folder(Some(folder.path().to_owned()));
            Contents::new(tables).of(data, None, &DataSettings::default()).unwrap()
        };
        assert_eq!(of("wine"), None);
        let write = |last: usize| {
            let row = |i: usize| format!("{}.5,{}.25,{}\n", i, i % 7, i % 2 + 1);
            let rows: String = (1..240).chain([last]).map(row).collect();
            std::fs::write(folder.path().join("flame.csv"), format!("x,y,class\n{rows}")).unwrap();
        };
        write(240);
        let one = of("flame");
        write(241);
        let other = of("flame");
        assert!(one.is_some() && other.is_some() && one != other, "{one:?} {other:?}");
    }
}

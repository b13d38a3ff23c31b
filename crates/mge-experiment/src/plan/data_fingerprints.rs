//! Fingerprints of the data of runs, for their keys.
//!
//! Data sets inside the program are identified by their names and need no fingerprint. `flame` and
//! `mnist` come from files; they have a fingerprint if their content is not the published one.
//! Every other file has one. Its path is not part of the key, so a file can be moved or renamed.

use crate::DataCache;
use crate::data_cache::cache_key;
use crate::run_entry::short_hash;
use mge::DataSettings;
use mge::data::{DataError, Fingerprint, LoadOptions, Loaded, TargetColumn, catalogue};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The fingerprints of the published data sets that are not inside the program.
const PUBLISHED: [(&str, &str); 2] = [("flame", "61726761e1a0a20e"), ("mnist", "88873cc8764c4cd7")];

/// Fingerprints of data, each computed once.
#[derive(Debug, Clone, Default)]
pub(super) struct DataFingerprints {
    /// The loaded data.
    pub data: DataCache,
    known: Arc<Mutex<BTreeMap<String, Option<String>>>>,
}

impl DataFingerprints {
    /// Fingerprints of data from this cache.
    pub fn new(data: DataCache) -> Self {
        Self { data, ..Self::default() }
    }

    /// The fingerprint, or `None` if the name identifies the data.
    pub fn of(
        &self,
        data: &str,
        target: Option<&String>,
        settings: &DataSettings,
    ) -> Result<Option<String>, DataError> {
        let entry = catalogue::find(data).ok();
        if entry.is_some_and(|entry| entry.is_embedded()) {
            return Ok(None);
        }
        let options = match entry {
            // The whole file counts, whatever options the run reads it with.
            Some(_) => LoadOptions::default(),
            None => settings.resolve().load_options(TargetColumn::from(target.cloned())),
        };
        let key = cache_key(data, &options);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = known.get(&key) {
            return Ok(content.clone());
        }
        let content = match (self.data.get(data, options), entry) {
            (Ok(loaded), Some(_)) => {
                Some(content(&loaded)).filter(|found| !PUBLISHED.contains(&(data, found.as_str())))
            }
            (Ok(loaded), None) => Some(content(&loaded)),
            // Tables of finished runs need no data, so a missing file is an error of runs only.
            (Err(_), Some(_)) => None,
            (Err(error), None) => return Err(error),
        };
        known.insert(key, content.clone());
        Ok(content)
    }
}

/// The hash of a table and its test part.
fn content(loaded: &Loaded) -> String {
    let test = loaded.standard_test.as_ref().map(|table| Fingerprint::of(table).sha256);
    short_hash(format!("{} {}", loaded.fingerprint.sha256, test.unwrap_or_default()).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_content_under_a_known_name_has_a_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        let of = |data: &str| {
            let data_cache = DataCache::in_folder(Some(folder.path().to_owned()));
            DataFingerprints::new(data_cache).of(data, None, &DataSettings::default()).unwrap()
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

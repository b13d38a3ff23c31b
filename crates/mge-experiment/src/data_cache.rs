//! A cache of loaded tables. The plan loads a table to hash its content into the keys of runs. The
//! runs then use the same table in memory, so a run sees exactly the rows that its key describes.

use crate::RunEntry;
use mge::data::{DataError, LoadOptions, Loaded, TargetColumn, load};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Loaded tables. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct DataCache {
    folder: Option<PathBuf>,
    loaded: Arc<Mutex<BTreeMap<String, Arc<Loaded>>>>,
}

impl DataCache {
    /// An empty cache. It looks for `flame` and `mnist` in this folder first.
    pub fn in_folder(folder: Option<PathBuf>) -> Self {
        Self { folder, ..Self::default() }
    }

    /// The table of a data set or file, loaded on first use.
    pub fn get(&self, data: &str, options: LoadOptions) -> Result<Arc<Loaded>, DataError> {
        let key = cache_key(data, &options);
        // The lock is held while loading, so that no table is loaded twice.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = loaded.get(&key) {
            return Ok(table.clone());
        }
        let options = LoadOptions { data_dir: self.folder.clone(), ..options };
        let table = Arc::new(load(data, &options)?);
        loaded.insert(key, table.clone());
        Ok(table)
    }

    /// The table of a run.
    pub(crate) fn of_run(&self, run: &RunEntry) -> Result<Arc<Loaded>, DataError> {
        let target = TargetColumn::from(run.target.clone());
        self.get(&run.data, run.settings.data.resolve().load_options(target))
    }
}

/// The data set and the options that a plan can set, as text.
pub(crate) fn cache_key(data: &str, options: &LoadOptions) -> String {
    let LoadOptions { target, drop, as_category, as_number, .. } = options;
    format!("{data} {:?}", (target, drop, as_category, as_number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExperimentPlan;

    #[test]
    fn a_run_uses_the_table_that_its_plan_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("x.csv");
        std::fs::write(&data, "a,b,c\n1,2,p\n2,1,q\n3,1,p\n").unwrap();
        let text = "data = ['x.csv']\nmethods = ['mge', 'mu']\nprotocol = '1x70/30'";
        std::fs::write(folder.path().join("plan.toml"), text).unwrap();
        let plan = ExperimentPlan::read(&folder.path().join("plan.toml")).unwrap();
        let runs = plan.runs().unwrap();
        std::fs::remove_file(&data).unwrap();
        let [one, other] = [0, 1].map(|run| plan.data_cache().of_run(&runs[run]).unwrap());
        assert!(Arc::ptr_eq(&one, &other));
        assert!(DataCache::default().of_run(&runs[0]).is_err());
    }
}

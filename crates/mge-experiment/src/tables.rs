//! Data, each table read once: by the plan, whose runs are known by the content of files, and then
//! for the runs. So a run has the very rows that its key speaks of.

use crate::RunEntry;
use mge::data::{DataError, LoadOptions, Loaded, Target, load};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Tables that were read; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    folder: Option<PathBuf>,
    loaded: Arc<Mutex<BTreeMap<String, Arc<Loaded>>>>,
}

impl Tables {
    /// None read yet; `flame` and `mnist` are looked for in this folder first.
    pub fn in_folder(folder: Option<PathBuf>) -> Self {
        Self { folder, ..Self::default() }
    }

    /// The table of a data set or file.
    pub fn get(&self, data: &str, options: LoadOptions) -> Result<Arc<Loaded>, DataError> {
        let name = reading(data, &options);
        // Held while reading, so that no table is read twice at once.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = loaded.get(&name) {
            return Ok(table.clone());
        }
        let options = LoadOptions { data_dir: self.folder.clone(), ..options };
        let table = Arc::new(load(data, &options)?);
        loaded.insert(name, table.clone());
        Ok(table)
    }

    /// The table of a run.
    pub(crate) fn of_run(&self, run: &RunEntry) -> Result<Arc<Loaded>, DataError> {
        let target = Target::from(run.target.clone());
        self.get(&run.data, run.settings.data.resolve().load_options(target))
    }
}

/// A table with all that plans may say about how it is read.
pub(crate) fn reading(data: &str, options: &LoadOptions) -> String {
    let LoadOptions { target, drop, as_category, as_number, .. } = options;
    format!("{data} {:?}", (target, drop, as_category, as_number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    #[test]
    fn a_run_has_the_rows_that_its_plan_saw() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("x.csv");
        std::fs::write(&data, "a,b,c\n1,2,p\n2,1,q\n3,1,p\n").unwrap();
        let text = "data = ['x.csv']\nmethods = ['mge', 'mu']\nprotocol = '1x70/30'";
        std::fs::write(folder.path().join("plan.toml"), text).unwrap();
        let plan = Plan::read(&folder.path().join("plan.toml")).unwrap();
        let runs = plan.runs().unwrap();
        std::fs::remove_file(&data).unwrap();
        let [one, other] = [0, 1].map(|run| plan.tables().of_run(&runs[run]).unwrap());
        assert!(Arc::ptr_eq(&one, &other));
        assert!(Tables::default().of_run(&runs[0]).is_err());
    }
}

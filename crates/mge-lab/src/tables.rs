//! The data of runs, read once.

use crate::{Conditions, LabError, RunEntry};
use mge::data::{LoadOptions, Loaded, Target, load};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Tables are read once and shared.
#[derive(Default)]
pub(crate) struct Tables {
    loaded: Mutex<BTreeMap<String, Arc<Loaded>>>,
}

impl Tables {
    pub fn get(&self, run: &RunEntry, conditions: &Conditions) -> Result<Arc<Loaded>, LabError> {
        let mut options =
            run.settings.data.resolve().load_options(Target::from(run.target.clone()));
        options.data_dir = conditions.data_dir.clone();
        let name = reading(&run.data, &options);
        // Held while reading, so that no table is read twice at once.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = loaded.get(&name) {
            return Ok(table.clone());
        }
        let table = Arc::new(load(&run.data, &options)?);
        loaded.insert(name, table.clone());
        Ok(table)
    }
}

/// A table with all that plans may say about how it is read.
pub(crate) fn reading(data: &str, options: &LoadOptions) -> String {
    let LoadOptions { target, drop, as_category, as_number, .. } = options;
    format!("{data} {:?}", (target, drop, as_category, as_number))
}

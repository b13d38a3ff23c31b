//! Whether runs can be done: asked before the first of them, so that nobody finds out the next morning.

use crate::{ExperimentError, Parts, RunEntry, Tables};
use mge::data::Loaded;
use mge::{FitError, Folds, PreparedFit, RunOptions};
use std::collections::BTreeSet;

/// Reads the data of the runs and prepares one run of each kind (runs that differ in nothing but
/// seed and fold): data, split, settings and grammar are then known to be usable.
pub fn check(runs: &[&RunEntry], tables: &Tables) -> Result<(), ExperimentError> {
    let mut checked = BTreeSet::new();
    for run in runs {
        let mut settings = run.settings.clone();
        settings.seed = None;
        let kind = (run.data_title(), run.protocol.parts.to_string());
        if checked.insert((kind, crate::entry::blanks_dropped(&settings).to_string())) {
            let data = tables.of_run(run)?;
            ready(run, &data, RunOptions::new().threads(1))?;
        }
    }
    Ok(())
}

/// A run that only has to be started.
pub(crate) fn ready<'a>(
    run: &RunEntry,
    data: &Loaded,
    options: RunOptions<'a>,
) -> Result<PreparedFit<'a>, ExperimentError> {
    if run.protocol.parts == Parts::Standard && data.standard_test.is_none() {
        return Err(ExperimentError::NoStandardTest { data: run.data.clone() });
    }
    let ready = || -> Result<PreparedFit<'a>, FitError> {
        let settings = run.settings.resolve(data)?;
        match run.fold {
            None => settings.prepare(data, options),
            Some(fold) => Folds::new(data, settings)?.prepare(fold - 1, options),
        }
    };
    ready().map_err(|error| ExperimentError::fit(run, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conditions, Plan, Store, run_experiment};

    fn error(text: &str) -> String {
        let plan = Plan::parse("test", &format!("data = ['wine']\nmethods = ['mge']\n{text}"));
        let runs = plan.unwrap().runs().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        let error = run_experiment(&runs, &store, &Conditions::default(), |_| panic!("too late"));
        let runs: Vec<&RunEntry> = runs.iter().collect();
        let error = error.unwrap_err().to_string();
        assert_eq!(check(&runs, &Tables::default()).unwrap_err().to_string(), error);
        error
    }

    #[test]
    fn what_cannot_be_done_is_told_before_the_first_run() {
        assert_eq!(
            error("protocol = ['2x70/30', '2x200-fold']"),
            "wine mge 200-fold #1.1: cannot make 200 folds of 178 rows; expected 2 to 178"
        );
        assert!(error("protocol = 'standard'").starts_with("wine has no test part of its own"));
        let population = error("settings = { evolution = { population = 0 } }");
        assert!(population.contains("population"), "{population}");
    }
}

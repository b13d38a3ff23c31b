//! Checks all runs of a plan before the first one starts.

use crate::{DataCache, ExperimentError, RunEntry, SplitScheme};
use mge::data::Loaded;
use mge::{FitError, Folds, PreparedFit, RunOptions};
use std::collections::BTreeSet;

/// Loads the data and prepares one run of each kind. Runs of a kind differ in seed and fold only.
/// This finds every error in data, split, settings and grammar.
pub fn check(runs: &[&RunEntry], data: &DataCache) -> Result<(), ExperimentError> {
    let mut checked = BTreeSet::new();
    for run in runs {
        let mut settings = run.settings.clone();
        settings.seed = None;
        let kind = (run.data_title(), run.protocol.scheme.to_string());
        if checked.insert((kind, crate::run_entry::given_values(&settings).to_string())) {
            let data = data.of_run(run)?;
            prepare_run(run, &data, RunOptions::new().threads(1))?;
        }
    }
    Ok(())
}

/// Prepares a run completely, so that it only needs to be started.
pub(crate) fn prepare_run<'a>(
    run: &RunEntry,
    data: &Loaded,
    options: RunOptions<'a>,
) -> Result<PreparedFit<'a>, ExperimentError> {
    if run.protocol.scheme == SplitScheme::Standard && data.standard_test.is_none() {
        return Err(ExperimentError::NoStandardTest { data: run.data.clone() });
    }
    let prepare = || -> Result<PreparedFit<'a>, FitError> {
        let settings = run.settings.resolve(data)?;
        match run.fold {
            None => settings.prepare(data, options),
            Some(fold) => Folds::new(data, settings)?.prepare(fold - 1, options),
        }
    };
    prepare().map_err(|error| ExperimentError::fit(run, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExperimentOptions, ExperimentPlan, Store, run_experiment};

    fn error(text: &str) -> String {
        let plan =
            ExperimentPlan::parse("test", &format!("data = ['wine']\nmethods = ['mge']\n{text}"));
        let runs = plan.unwrap().runs().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        let error = run_experiment(&runs, &store, &ExperimentOptions::default(), |_| {
            panic!("no event may come before the error")
        });
        let runs: Vec<&RunEntry> = runs.iter().collect();
        let error = error.unwrap_err().to_string();
        assert_eq!(check(&runs, &DataCache::default()).unwrap_err().to_string(), error);
        error
    }

    #[test]
    fn errors_are_reported_before_the_first_run() {
        assert_eq!(
            error("protocol = ['2x70/30', '2x200-fold']"),
            "wine mge 200-fold #1.1: cannot make 200 folds of 178 rows; expected 2 to 178"
        );
        assert!(error("protocol = 'standard'").starts_with("wine has no test part of its own"));
        let population = error("settings = { evolution = { population = 0 } }");
        assert!(population.contains("population"), "{population}");
    }
}

//! Experiment plans: many runs from one text, and their tables.

use crate::error::Kind;
use crate::json;
use mge_experiment::{
    DataCache, ExperimentError, ExperimentEvent, ExperimentOptions, ExperimentPlan, Results, Store,
    run_experiment,
};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long a Ctrl-C may wait to be noticed.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(40);

/// Does the runs of a plan that the store lacks, and returns tables of all that are finished.
#[pyfunction]
#[pyo3(signature = (name, text, store, *, jobs, data_dir))]
pub fn run_plan<'py>(
    py: Python<'py>,
    name: &str,
    text: &str,
    store: PathBuf,
    jobs: Option<usize>,
    data_dir: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let error = |error: ExperimentError| Kind::Settings.error(error);
    let plan = ExperimentPlan::parse(name, text).map_err(error)?;
    let plan = plan.with_data_cache(DataCache::in_folder(data_dir));
    let mut options =
        ExperimentOptions { data: plan.data_cache().clone(), ..ExperimentOptions::default() };
    options.jobs = jobs.unwrap_or(options.jobs);
    let cancel = options.cancel_flag.clone();
    let work = std::thread::spawn(move || work(&plan, &Store::at(&store), &options));
    let mut raised = None;
    while !work.is_finished() {
        py.detach(|| std::thread::sleep(SIGNAL_INTERVAL));
        if let Err(error) = py.check_signals() {
            cancel.store(true, Ordering::Relaxed);
            raised = Some(error);
        }
    }
    let done = work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    match raised {
        Some(raised) => Err(raised),
        None => json::to_python(py, &done.map_err(error)?),
    }
}

fn work(
    plan: &ExperimentPlan,
    store: &Store,
    options: &ExperimentOptions,
) -> Result<Value, ExperimentError> {
    let runs = plan.available_runs()?;
    let mut failures = Vec::new();
    let summary = run_experiment(&runs, store, options, |event| {
        if let ExperimentEvent::Failed { error, .. } = event {
            failures.push(error.to_string());
        }
    })?;
    let results = Results::of(plan, &store.read()?)?;
    Ok(json!({
        "planned": runs.len(),
        "finished_before": summary.finished_before,
        "done": summary.done,
        "failed": summary.failed,
        "failures": failures,
        "unavailable_methods": plan.unavailable_methods(),
        "summary": results.summary_table().csv(),
        "runs": results.runs_table().csv(),
    }))
}

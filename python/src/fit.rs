//! A fit: the search runs on a thread of its own, and the calling thread listens.
//!
//! The calling thread releases the GIL and waits for events. It takes the GIL to call the callback
//! and to let Python handle signals. So Ctrl-C is heard while the search runs. The search waits for
//! the callback's answer, so the generation after which it stops does not depend on time.

use crate::columns::{OwnedTable, RawTable};
use crate::error::{Kind, of_fit};
use crate::{events, json, settings};
use mge::data::{Loaded, TargetColumn, load_columns};
use mge::evolve::StopReason;
use mge::{
    DataConfig, EventLog, EventRecord, EventRecords, FitData, FitError, FitEvent, FitObserver,
    Fitted, Folds, GrammarText, PartMetrics, PreparedFit, ResolvedSettings, RunOptions, Settings,
    SettingsError,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::json;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

/// How long a Ctrl-C may wait to be noticed.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(40);

/// An event. The search goes on once it was handled and the sender is gone.
struct Message {
    event: EventRecord,
    _handled: SyncSender<()>,
}

/// What a fit needs, without Python.
struct Job {
    train: OwnedTable,
    test: Option<OwnedTable>,
    targets: Vec<String>,
    settings: Settings,
    threads: usize,
    baselines: bool,
    grammar: Option<GrammarText>,
    log: EventLog,
}

/// What a fit leaves.
struct Outcome {
    fitted: Fitted,
    notes: Vec<String>,
    warnings: Vec<String>,
}

/// Fits a model, and returns what it leaves in a dict.
///
/// `callback` gets each event, and stops the search by answering `True`. With `measures`, events of
/// generations describe the best network. The entry `raised` of the dict is the exception of a
/// signal or of the callback that stopped the search.
#[pyfunction]
#[pyo3(signature = (
    train, targets, settings, *, test, threads, baselines, grammar, tensorboard, callback, measures
))]
#[allow(clippy::too_many_arguments, reason = "called by keyword, from one place")]
pub fn fit<'py>(
    py: Python<'py>,
    train: RawTable<'py>,
    targets: Vec<String>,
    settings: &str,
    test: Option<RawTable<'py>>,
    threads: usize,
    baselines: bool,
    grammar: Option<(String, String)>,
    tensorboard: Option<PathBuf>,
    callback: Option<Bound<'py, PyAny>>,
    measures: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = settings::parse(settings)?;
    settings::check(&settings).map_err(|error| Kind::Settings.error(error))?;
    let (train, test) = (train.own()?, test.map(RawTable::own).transpose()?);
    let grammar = grammar.map(|(name, text)| GrammarText { name, text });
    let log = EventLog::new();
    if let Some(folder) = &tensorboard {
        log.write_tensorboard(folder)?;
    }
    let logged = log.clone();
    let job = Job { train, test, targets, settings, threads, baselines, grammar, log };
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = mpsc::channel();
    let (flag, listens) = (cancel.clone(), callback.is_some());
    let mut records = EventRecords::new(measures);
    let observer = move |event: &FitEvent<'_>| {
        if !listens {
            return;
        }
        let Some(event) = records.next(event) else { return };
        let (handled, wait) = mpsc::sync_channel(0);
        if sender.send(Message { event, _handled: handled }).is_ok() {
            // It ends with an error, since nothing is ever sent.
            let _ = wait.recv();
        }
    };
    let search = std::thread::Builder::new().name("mge fit".to_owned());
    let search = search.spawn(move || job.run(observer, flag))?;
    let raised = listen(py, &mut receiver, callback.as_ref(), &cancel);
    match (py.detach(|| search.join()), raised) {
        (Ok(Ok(outcome)), raised) => {
            logged.finish()?;
            outcome.into_python(py, raised)
        }
        // Stopped before there was anything to keep.
        (Ok(Err(_)), Some(raised)) => Err(raised),
        (Ok(Err(error)), None) => Err(of_fit(error)),
        (Err(_), _) => Err(PyRuntimeError::new_err("the search ended by a defect of mge itself")),
    }
}

/// Passes events on until the search is over. The first exception sets `cancel` and is returned.
fn listen(
    py: Python<'_>,
    messages: &mut Receiver<Message>,
    callback: Option<&Bound<'_, PyAny>>,
    cancel: &AtomicBool,
) -> Option<PyErr> {
    let mut raised = None;
    loop {
        // A receiver may move to another thread, and not be shared with one.
        let receiver = &mut *messages;
        let message = py.detach(move || receiver.recv_timeout(SIGNAL_INTERVAL));
        let answer = match (&message, callback) {
            (Ok(message), Some(callback)) if !cancel.load(Ordering::Relaxed) => {
                events::to_python(py, &message.event).and_then(|event| callback.call1((event,)))
            }
            _ => Ok(py.None().into_bound(py)),
        };
        let is_over = matches!(message, Err(RecvTimeoutError::Disconnected));
        let stops = answer.and_then(|answer| answer.is_truthy());
        match py.check_signals().and(stops) {
            Ok(false) => {}
            Ok(true) => cancel.store(true, Ordering::Relaxed),
            Err(error) => {
                cancel.store(true, Ordering::Relaxed);
                raised = raised.or(Some(error));
            }
        }
        if is_over {
            return raised;
        }
    }
}

impl Job {
    fn run(
        self,
        observer: impl FitObserver + 'static,
        cancel: Arc<AtomicBool>,
    ) -> Result<Outcome, FitError> {
        let Self { train, test, targets, settings, threads, baselines, grammar, log } = self;
        let rules = settings.data.resolve();
        let data = load_train(train, targets, &rules)?;
        let test = test.map(|table| load_test(table, &data, &rules)).transpose()?;
        let mut notes: Vec<String> = data.notes.iter().map(ToString::to_string).collect();
        notes.extend(settings.notes_on_old_names());
        let settings = settings.resolve(FitData::with_test(&data, test.as_ref().map(table_of)))?;
        let settings = match grammar {
            Some(grammar) => with_grammar(settings, grammar)?,
            None => settings,
        };
        let options = RunOptions::new().threads(threads).cancel_flag(cancel).baselines(baselines);
        let options = options.observer(log).observer(observer);
        if settings.data.folds.is_some() {
            let fitted = Folds::new(&data, settings)?.run(options)?;
            return Ok(Outcome { fitted, notes, warnings: Vec::new() });
        }
        let rows = FitData::with_test(&data, test.as_ref().map(table_of));
        let prepared = settings.prepare(rows, options)?;
        let warnings = warnings(&prepared);
        Ok(Outcome { fitted: prepared.run()?, notes, warnings })
    }
}

/// The settings with a grammar that is neither shipped nor in a file.
fn with_grammar(
    settings: ResolvedSettings,
    grammar: GrammarText,
) -> Result<ResolvedSettings, FitError> {
    let method = settings.method.method();
    let wrong = |reason: String| SettingsError::of_method(method, io::Error::other(reason));
    if settings.method.grammar().is_none() {
        return Err(wrong("it takes no grammar".to_owned()).into());
    }
    let mut value = serde_json::to_value(&settings).map_err(|error| wrong(error.to_string()))?;
    let rules = match value["method"].get("rules") {
        Some(_) => &mut value["method"]["rules"],
        None => &mut value["method"],
    };
    rules["grammar"] = json!(grammar);
    Ok(serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?)
}

fn table_of(loaded: &Loaded) -> &mge::data::Table {
    &loaded.table
}

fn load_train(
    table: OwnedTable,
    targets: Vec<String>,
    rules: &DataConfig,
) -> Result<Loaded, FitError> {
    let OwnedTable { name, has_names, columns } = table;
    let options = rules.load_options(TargetColumn::Exactly(targets));
    Ok(load_columns(&name, columns, has_names, &options)?)
}

/// The rows to test on, their columns read as those of the training table.
fn load_test(table: OwnedTable, data: &Loaded, rules: &DataConfig) -> Result<Loaded, FitError> {
    let OwnedTable { name, has_names, columns } = table;
    let options = data.options_for_another(&rules.drop);
    Ok(load_columns(&name, columns, has_names, &options)?)
}

/// What a user should know before the search.
fn warnings(prepared: &PreparedFit<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(grammar) = prepared.settings().method.grammar() {
        let of_grammar = prepared.grammar_warnings().iter();
        warnings.extend(of_grammar.map(|warning| format!("grammar {}: {warning}", grammar.name)));
    }
    warnings.extend(prepared.unseen_in_test().iter().map(|unseen| format!("eval_set: {unseen}")));
    for (class, (train, _)) in prepared.task().classes().iter().zip(prepared.class_rows()) {
        if train == 0 {
            warnings.push(format!("class `{class}` has no training row and is never predicted"));
        }
    }
    warnings
}

impl Outcome {
    fn into_python(self, py: Python<'_>, raised: Option<PyErr>) -> PyResult<Bound<'_, PyDict>> {
        let Self { fitted, notes, warnings } = self;
        let Fitted { model, run, genotype, history, front, baselines, calibration } = fitted;
        let dict = PyDict::new(py);
        dict.set_item("model", PyBytes::new(py, model.to_json().as_bytes()))?;
        let front_metrics: Option<Vec<Option<PartMetrics>>> = front
            .as_ref()
            .map(|front| front.points.iter().map(|point| point.metrics.clone()).collect());
        let front = front.map(|front| json::to_bytes(py, &front)).transpose()?;
        let metrics = front_metrics.map(|metrics| json::to_bytes(py, &metrics)).transpose()?;
        dict.set_item("front", front)?;
        dict.set_item("metrics", metrics)?;
        dict.set_item("calibration", PyBytes::new(py, &calibration.to_bytes()?))?;
        dict.set_item("genotype", json::to_bytes(py, &genotype)?)?;
        dict.set_item("history", json::to_python(py, &history)?)?;
        dict.set_item("baselines", json::to_python(py, &baselines)?)?;
        dict.set_item("run", json::to_python(py, &run)?)?;
        dict.set_item("interrupted", model.search.stop_reason == StopReason::Interrupted)?;
        dict.set_item("notes", notes)?;
        dict.set_item("warnings", warnings)?;
        dict.set_item("raised", raised.map(|error| error.into_value(py)))?;
        Ok(dict)
    }
}

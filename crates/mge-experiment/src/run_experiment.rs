//! Does the runs of a plan that are not finished yet, on several worker threads.
//!
//! A worker locks a run before it starts. If another process holds the lock, the worker continues
//! with other runs and polls later. It takes the run over if that process has died. At the end all
//! runs of the shard are finished, by whichever process.

use crate::check::{check, prepare_run};
use crate::{
    DataCache, ExperimentError, FinishedRun, FinishedRuns, RunEntry, RunLock, Shard, Store,
};
use mge::data::Loaded;
use mge::evolve::StopReason;
use mge::{EvaluationMode, RunOptions};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// How often to check a run that another process is doing.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// How runs are done. None of these options changes a result.
#[derive(Debug, Clone)]
pub struct ExperimentOptions {
    /// The number of runs at once. Default: one for each core. If fewer runs are left, each of them
    /// uses several threads.
    pub jobs: usize,
    /// Which of the runs to do. Default: all.
    pub shard: Shard,
    /// The loaded data. Take that of the plan, so that nothing is loaded twice:
    /// [`ExperimentPlan::data_cache`](crate::ExperimentPlan::data_cache).
    pub data: DataCache,
    /// The memory of the column caches of all runs together, in MiB.
    pub mebibytes: usize,
    /// Stops all workers when set. Unfinished runs are discarded.
    pub cancel_flag: Arc<AtomicBool>,
}

impl Default for ExperimentOptions {
    fn default() -> Self {
        Self {
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            shard: Shard::default(),
            data: DataCache::default(),
            mebibytes: 1024,
            cancel_flag: Arc::default(),
        }
    }
}

/// The progress of an experiment. Runs end in any order.
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it; the variants are documented")]
pub enum ExperimentEvent<'a> {
    /// The work is known; no run has started.
    Planned { to_do: &'a [&'a RunEntry], finished: usize, jobs: usize },
    /// A run starts.
    Started { run: &'a RunEntry },
    /// A run is finished and stored.
    Done { run: &'a RunEntry, record: &'a FinishedRun },
    /// Only runs of other processes are left. Sent once.
    Waiting { runs: usize },
    /// Another process has finished a run meanwhile.
    DoneElsewhere { run: &'a RunEntry },
    /// A run failed. The others continue.
    Failed { run: &'a RunEntry, error: &'a ExperimentError },
}

/// How many runs ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Runs that were finished before.
    pub finished_before: usize,
    /// Runs that this call finished.
    pub done: usize,
    /// Runs that another process finished meanwhile.
    pub done_elsewhere: usize,
    /// Runs that failed.
    pub failed: usize,
    /// Runs that are left because of an interrupt.
    pub left: usize,
}

/// A message from a worker.
enum WorkerMessage<'r> {
    Started(&'r RunEntry),
    Done(&'r RunEntry, Box<FinishedRun>),
    Waiting(usize),
    DoneElsewhere(&'r RunEntry),
    Stopped,
    Failed(&'r RunEntry, ExperimentError),
}

/// Does the runs that are not finished yet, and reports progress to `observe`.
///
/// # Errors
/// Before the first run: when data or settings cannot be used ([`check`](crate::check)), or the
/// store cannot be written ([`Store::prepare`]). A run that fails later is counted and reported.
pub fn run_experiment(
    runs: &[RunEntry],
    store: &Store,
    options: &ExperimentOptions,
    mut observe: impl FnMut(&ExperimentEvent<'_>),
) -> Result<RunSummary, ExperimentError> {
    let finished = store.read()?;
    let mut to_do: Vec<&RunEntry> = Vec::new();
    let mut summary = RunSummary::default();
    // Two names of a plan may denote the same run.
    let mut keys = BTreeSet::new();
    for run in options.shard.select(runs).filter(|run| keys.insert(run.key())) {
        if finished.runs.contains_key(&run.key()) {
            summary.finished_before += 1;
        } else {
            to_do.push(run);
        }
    }
    check(&to_do, &options.data)?;
    if !to_do.is_empty() {
        store.prepare()?;
    }
    let jobs = options.jobs.clamp(1, to_do.len().max(1));
    observe(&ExperimentEvent::Planned { to_do: &to_do, finished: summary.finished_before, jobs });
    let queue = WorkQueue {
        store,
        options,
        pending: Mutex::new(to_do.iter().copied().collect()),
        locked_elsewhere: Mutex::default(),
        is_waiting: AtomicBool::new(false),
        finished: Mutex::new(finished),
        threads: (options.jobs / to_do.len().max(1)).max(1),
        mebibytes: (options.mebibytes / jobs).max(1),
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || queue.work(&sender));
        }
        drop(sender);
        for message in receiver {
            match message {
                WorkerMessage::Started(run) => observe(&ExperimentEvent::Started { run }),
                WorkerMessage::Done(run, record) => {
                    summary.done += 1;
                    observe(&ExperimentEvent::Done { run, record: &record });
                }
                WorkerMessage::Waiting(runs) => observe(&ExperimentEvent::Waiting { runs }),
                WorkerMessage::DoneElsewhere(run) => {
                    summary.done_elsewhere += 1;
                    observe(&ExperimentEvent::DoneElsewhere { run });
                }
                WorkerMessage::Failed(run, error) => {
                    summary.failed += 1;
                    observe(&ExperimentEvent::Failed { run, error: &error });
                }
                WorkerMessage::Stopped => {}
            }
        }
    });
    summary.left = to_do.len() - summary.done - summary.done_elsewhere - summary.failed;
    Ok(summary)
}

/// The state that all workers share.
struct WorkQueue<'r> {
    store: &'r Store,
    options: &'r ExperimentOptions,
    /// Runs that no worker has tried.
    pending: Mutex<VecDeque<&'r RunEntry>>,
    /// Runs that another process was doing when a worker tried them.
    locked_elsewhere: Mutex<VecDeque<&'r RunEntry>>,
    is_waiting: AtomicBool,
    finished: Mutex<FinishedRuns>,
    threads: usize,
    mebibytes: usize,
}

impl<'r> WorkQueue<'r> {
    /// Does runs until none is left.
    fn work(&self, sender: &mpsc::Sender<WorkerMessage<'r>>) {
        while !self.options.cancel_flag.load(Ordering::Relaxed) {
            let Some(run) = self.next(sender) else { return };
            let message = match self.try_run(run, sender) {
                Ok(Some(message)) => message,
                Ok(None) => {
                    lock(&self.locked_elsewhere).push_back(run);
                    continue;
                }
                Err(error) => WorkerMessage::Failed(run, error),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
    }

    /// The next run: first those that no worker has tried, then those of other processes.
    fn next(&self, sender: &mpsc::Sender<WorkerMessage<'r>>) -> Option<&'r RunEntry> {
        if let Some(run) = lock(&self.pending).pop_front() {
            return Some(run);
        }
        let waiting = lock(&self.locked_elsewhere).len();
        if waiting > 0 {
            if !self.is_waiting.swap(true, Ordering::Relaxed) {
                let _ = sender.send(WorkerMessage::Waiting(waiting));
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        lock(&self.locked_elsewhere).pop_front()
    }

    /// Does a run; `None` while another process is doing it.
    fn try_run(
        &self,
        run: &'r RunEntry,
        sender: &mpsc::Sender<WorkerMessage<'r>>,
    ) -> Result<Option<WorkerMessage<'r>>, ExperimentError> {
        let lock_of_run: Option<RunLock> = self.store.lock_run(&run.key())?;
        {
            // After locking: a process that has just released the lock has already stored the run.
            let mut finished = lock(&self.finished);
            self.store.refresh(&mut finished)?;
            if finished.runs.contains_key(&run.key()) {
                return Ok(Some(WorkerMessage::DoneElsewhere(run)));
            }
        }
        if lock_of_run.is_none() {
            return Ok(None);
        }
        let _ = sender.send(WorkerMessage::Started(run));
        let data = self.options.data.of_run(run)?;
        match self.fit(run, &data)? {
            Some(record) => {
                self.store.append(&record)?;
                Ok(Some(WorkerMessage::Done(run, Box::new(record))))
            }
            None => Ok(Some(WorkerMessage::Stopped)),
        }
    }

    /// The result, or `None` if the run was interrupted: a partial result is not stored.
    fn fit(&self, run: &RunEntry, data: &Loaded) -> Result<Option<FinishedRun>, ExperimentError> {
        let options = RunOptions::new()
            .threads(self.threads)
            .evaluation(EvaluationMode::Incremental { mebibytes: self.mebibytes })
            .cancel_flag(self.options.cancel_flag.clone());
        let fitted = prepare_run(run, data, options)?
            .run()
            .map_err(|error| ExperimentError::fit(run, error))?;
        let complete = fitted.model.search.stop_reason != StopReason::Interrupted;
        Ok(complete.then(|| FinishedRun::new(run, fitted)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExperimentPlan;

    #[test]
    fn a_run_of_another_process_is_awaited_and_taken_over() {
        let plan = ExperimentPlan::parse(
            "test",
            "data = ['wine']\nmethods = ['mge']\nprotocol = '3x70/30'\n\
             settings = { evolution = { population = 10 }, stop = { generations = 1 } }",
        );
        let runs = plan.unwrap().runs().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        let mut run_lock = store.lock_run(&runs[0].key()).unwrap();
        assert!(run_lock.is_some());
        let mut waited = 0;
        let summary = run_experiment(&runs, &store, &ExperimentOptions::default(), |event| {
            if let ExperimentEvent::Waiting { runs } = event {
                waited += runs;
                run_lock = None;
            }
        });
        assert_eq!((waited, summary.unwrap().done), (1, 3));
        assert!(run_lock.is_none());

        // The other process finishes the run in place of dying.
        let done = store.read().unwrap().runs[&runs[0].key()].clone();
        let store = Store::at(&folder.path().join("other"));
        let mut run_lock = store.lock_run(&runs[0].key()).unwrap();
        let summary = run_experiment(&runs, &store, &ExperimentOptions::default(), |event| {
            if let ExperimentEvent::Waiting { .. } = event {
                store.append(&done).unwrap();
                run_lock = None;
            }
        });
        let RunSummary { done, done_elsewhere, left, .. } = summary.unwrap();
        assert_eq!((done, done_elsewhere, left), (2, 1, 0));
        assert!(run_lock.is_none());
    }
}

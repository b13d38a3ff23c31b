//! Doing the runs of a plan: those of this shard that are not finished. A run that another process
//! is doing is waited for, and taken over if that process dies: at the end all runs of the shard are
//! finished, whoever did them.

use crate::check::{check, ready};
use crate::{ExperimentError, Finished, RunEntry, RunLock, RunRecord, Shard, Store, Tables};
use mge::data::Loaded;
use mge::evolve::StopReason;
use mge::{EvaluationMode, RunOptions};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// How often a run of another process is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// How runs are done; nothing here changes a result.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Runs at once. Default: one for each core. A run is single-threaded when there are more
    /// runs than that, else the cores are shared out.
    pub jobs: usize,
    /// Which of the runs. Default all.
    pub shard: Shard,
    /// Where data comes from: the plan's [`tables`](crate::Plan::tables), so that nothing is read twice.
    pub tables: Tables,
    /// Memory for values that later networks may need, in MiB, of all runs together.
    pub mebibytes: usize,
    /// Stops everything when set; runs that were under way are thrown away.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            shard: Shard::default(),
            tables: Tables::default(),
            mebibytes: 1024,
            interrupt: Arc::default(),
        }
    }
}

/// Something that happened. Runs end in any order.
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it; the variants are documented")]
pub enum ExperimentEvent<'a> {
    /// All that is known before the work.
    Planned { to_do: &'a [&'a RunEntry], finished: usize, jobs: usize },
    /// A run begins.
    Begun { run: &'a RunEntry },
    /// A run is finished and stored.
    Done { run: &'a RunEntry, record: &'a RunRecord },
    /// Nothing is left but runs that other processes are doing; told once.
    Waiting { runs: usize },
    /// A run was finished by somebody else meanwhile.
    Elsewhere { run: &'a RunEntry },
    /// A run failed. The others go on.
    Failed { run: &'a RunEntry, error: &'a ExperimentError },
}

/// What became of the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Finished before.
    pub before: usize,
    /// Finished now.
    pub done: usize,
    /// Finished by somebody else meanwhile.
    pub elsewhere: usize,
    /// Failed.
    pub failed: usize,
    /// Left over because of an interrupt.
    pub left: usize,
}

/// What a worker tells.
enum Message<'r> {
    Begun(&'r RunEntry),
    Done(&'r RunEntry, Box<RunRecord>),
    Waiting(usize),
    Elsewhere(&'r RunEntry),
    Stopped,
    Failed(&'r RunEntry, ExperimentError),
}

/// Does the runs. Fails before the first when data or settings cannot be used
/// ([`check`](crate::check)), or the store ([`Store::prepare`]); a run that fails alone is counted and
/// told.
pub fn run_experiment(
    runs: &[RunEntry],
    store: &Store,
    conditions: &Conditions,
    mut observe: impl FnMut(&ExperimentEvent<'_>),
) -> Result<RunSummary, ExperimentError> {
    let finished = store.read()?;
    let mut to_do: Vec<&RunEntry> = Vec::new();
    let mut tally = RunSummary::default();
    // Two names of a plan may stand for the same run.
    let mut keys = BTreeSet::new();
    for run in conditions.shard.of(runs).filter(|run| keys.insert(run.key())) {
        if finished.runs.contains_key(&run.key()) {
            tally.before += 1;
        } else {
            to_do.push(run);
        }
    }
    check(&to_do, &conditions.tables)?;
    if !to_do.is_empty() {
        store.prepare()?;
    }
    let jobs = conditions.jobs.clamp(1, to_do.len().max(1));
    observe(&ExperimentEvent::Planned { to_do: &to_do, finished: tally.before, jobs });
    let work = Work {
        store,
        conditions,
        queue: Mutex::new(to_do.iter().copied().collect()),
        claimed: Mutex::default(),
        is_waiting: AtomicBool::new(false),
        finished: Mutex::new(finished),
        threads: (conditions.jobs / to_do.len().max(1)).max(1),
        mebibytes: (conditions.mebibytes / jobs).max(1),
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work.run(&sender));
        }
        drop(sender);
        for message in receiver {
            match message {
                Message::Begun(run) => observe(&ExperimentEvent::Begun { run }),
                Message::Done(run, record) => {
                    tally.done += 1;
                    observe(&ExperimentEvent::Done { run, record: &record });
                }
                Message::Waiting(runs) => observe(&ExperimentEvent::Waiting { runs }),
                Message::Elsewhere(run) => {
                    tally.elsewhere += 1;
                    observe(&ExperimentEvent::Elsewhere { run });
                }
                Message::Failed(run, error) => {
                    tally.failed += 1;
                    observe(&ExperimentEvent::Failed { run, error: &error });
                }
                Message::Stopped => {}
            }
        }
    });
    tally.left = to_do.len() - tally.done - tally.elsewhere - tally.failed;
    Ok(tally)
}

/// What all workers share.
struct Work<'r> {
    store: &'r Store,
    conditions: &'r Conditions,
    queue: Mutex<VecDeque<&'r RunEntry>>,
    /// Runs that another process was doing when they were looked at.
    claimed: Mutex<VecDeque<&'r RunEntry>>,
    is_waiting: AtomicBool,
    finished: Mutex<Finished>,
    threads: usize,
    mebibytes: usize,
}

impl<'r> Work<'r> {
    fn run(&self, sender: &mpsc::Sender<Message<'r>>) {
        while !self.conditions.interrupt.load(Ordering::Relaxed) {
            let Some(run) = self.next(sender) else { return };
            let message = match self.take(run, sender) {
                Ok(Some(message)) => message,
                Ok(None) => {
                    locked(&self.claimed).push_back(run);
                    continue;
                }
                Err(error) => Message::Failed(run, error),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
    }

    /// The next run: one that was not looked at yet, then one that another process had.
    fn next(&self, sender: &mpsc::Sender<Message<'r>>) -> Option<&'r RunEntry> {
        if let Some(run) = locked(&self.queue).pop_front() {
            return Some(run);
        }
        let claimed = locked(&self.claimed).len();
        if claimed > 0 {
            if !self.is_waiting.swap(true, Ordering::Relaxed) {
                let _ = sender.send(Message::Waiting(claimed));
            }
            std::thread::sleep(LOOK);
        }
        locked(&self.claimed).pop_front()
    }

    /// Does a run; `None` while another process does it.
    fn take(
        &self,
        run: &'r RunEntry,
        sender: &mpsc::Sender<Message<'r>>,
    ) -> Result<Option<Message<'r>>, ExperimentError> {
        let claim: Option<RunLock> = self.store.claim(&run.key())?;
        {
            // Only now: who had the claim a moment ago has stored the run by now.
            let mut finished = locked(&self.finished);
            self.store.refresh(&mut finished)?;
            if finished.runs.contains_key(&run.key()) {
                return Ok(Some(Message::Elsewhere(run)));
            }
        }
        if claim.is_none() {
            return Ok(None);
        }
        let _ = sender.send(Message::Begun(run));
        let data = self.conditions.tables.of_run(run)?;
        match self.fit(run, &data)? {
            Some(record) => {
                self.store.append(&record)?;
                Ok(Some(Message::Done(run, Box::new(record))))
            }
            None => Ok(Some(Message::Stopped)),
        }
    }

    /// The record, or `None` if the run was interrupted: half a run says nothing.
    fn fit(&self, run: &RunEntry, data: &Loaded) -> Result<Option<RunRecord>, ExperimentError> {
        let options = RunOptions::new()
            .threads(self.threads)
            .evaluation(EvaluationMode::Incremental { mebibytes: self.mebibytes })
            .cancel_flag(self.conditions.interrupt.clone());
        let fitted =
            ready(run, data, options)?.run().map_err(|error| ExperimentError::fit(run, error))?;
        let complete = fitted.model.search.stop_reason != StopReason::Interrupted;
        Ok(complete.then(|| RunRecord::new(run, fitted)))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    #[test]
    fn a_run_of_another_process_is_waited_for_and_taken_over() {
        let plan = Plan::parse(
            "test",
            "data = ['wine']\nmethods = ['mge']\nprotocol = '3x70/30'\n\
             settings = { evolution = { population = 10 }, stop = { generations = 1 } }",
        );
        let runs = plan.unwrap().runs().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        let mut claim = store.claim(&runs[0].key()).unwrap();
        assert!(claim.is_some());
        let mut waited = 0;
        let tally = run_experiment(&runs, &store, &Conditions::default(), |event| {
            if let ExperimentEvent::Waiting { runs } = event {
                waited += runs;
                claim = None;
            }
        });
        assert_eq!((waited, tally.unwrap().done), (1, 3));
        assert!(claim.is_none());

        // Finished by the other process, in place of being given up.
        let done = store.read().unwrap().runs[&runs[0].key()].clone();
        let store = Store::at(&folder.path().join("other"));
        let mut claim = store.claim(&runs[0].key()).unwrap();
        let tally = run_experiment(&runs, &store, &Conditions::default(), |event| {
            if let ExperimentEvent::Waiting { .. } = event {
                store.append(&done).unwrap();
                claim = None;
            }
        });
        let RunSummary { done, elsewhere, left, .. } = tally.unwrap();
        assert_eq!((done, elsewhere, left), (2, 1, 0));
        assert!(claim.is_none());
    }
}

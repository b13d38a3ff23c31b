//! Doing the runs of a plan: those that are not finished, not somebody else's and of this shard.

use crate::{Claim, Finished, LabError, Parts, RunEntry, RunRecord, Store};
use mge::data::{Loaded, Target, load};
use mge::evolve::StopReason;
use mge::{Evaluation, Fit, FitError, Folds};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use thiserror::Error;

/// How runs are done; nothing here changes a result.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Runs at once. Default: one for each core. A run is single-threaded when there are more
    /// runs than that, else the cores are shared out.
    pub jobs: usize,
    /// Which of the runs. Default all.
    pub shard: Shard,
    /// A folder to look for `flame` and `mnist` in.
    pub data_dir: Option<PathBuf>,
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
            data_dir: None,
            mebibytes: 1024,
            interrupt: Arc::default(),
        }
    }
}

/// One of several equal shares of a plan, for job arrays: `2/3` is the second of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    this: usize,
    of: usize,
}

impl Default for Shard {
    fn default() -> Self {
        Self { this: 1, of: 1 }
    }
}

impl Shard {
    /// The runs of this shard: every `of`-th, so that shards have the same mixture.
    pub fn of(self, runs: &[RunEntry]) -> impl Iterator<Item = &RunEntry> {
        runs.iter().skip(self.this - 1).step_by(self.of)
    }
}

/// A text that is no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{found}` is no shard; expected i/n with 1 <= i <= n, such as 2/3")]
pub struct UnknownShard {
    found: String,
}

impl FromStr for Shard {
    type Err = UnknownShard;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once('/').and_then(|(this, of)| {
            let (this, of) = (this.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&this).then_some(Self { this, of })
        });
        parsed.ok_or_else(|| UnknownShard { found: text.to_owned() })
    }
}

/// Something that happened. Runs end in any order.
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it; the variants are documented")]
pub enum LabEvent<'a> {
    /// All that is known before the work.
    Planned { to_do: &'a [&'a RunEntry], finished: usize, jobs: usize },
    /// A run begins.
    Begun { run: &'a RunEntry },
    /// A run is finished and stored.
    Done { run: &'a RunEntry, record: &'a RunRecord },
    /// A run is somebody else's, or was finished by somebody else meanwhile.
    Elsewhere { run: &'a RunEntry },
    /// A run failed. The others go on.
    Failed { run: &'a RunEntry, error: &'a LabError },
}

/// What became of the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Finished before.
    pub before: usize,
    /// Finished now.
    pub done: usize,
    /// Done by somebody else meanwhile, or still under way there.
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
    Elsewhere(&'r RunEntry),
    Stopped,
    Failed(&'r RunEntry, LabError),
}

/// Does the runs. Fails at once when data or a plan cannot be used; a run that fails alone is
/// counted and told.
pub fn conduct(
    runs: &[RunEntry],
    store: &Store,
    conditions: &Conditions,
    mut observe: impl FnMut(&LabEvent<'_>),
) -> Result<Tally, LabError> {
    let finished = store.read()?;
    let mut to_do: Vec<&RunEntry> = Vec::new();
    let mut tally = Tally::default();
    // Two names of a plan may stand for the same run.
    let mut keys = BTreeSet::new();
    for run in conditions.shard.of(runs).filter(|run| keys.insert(run.key())) {
        if finished.runs.contains_key(&run.key()) {
            tally.before += 1;
        } else {
            to_do.push(run);
        }
    }
    let jobs = conditions.jobs.clamp(1, to_do.len().max(1));
    observe(&LabEvent::Planned { to_do: &to_do, finished: tally.before, jobs });
    let work = Work {
        store,
        conditions,
        queue: Mutex::new(to_do.iter().copied().collect()),
        finished: Mutex::new(finished),
        tables: Tables::default(),
        threads: (conditions.jobs / to_do.len().max(1)).max(1),
        mebibytes: (conditions.mebibytes / jobs).max(1),
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work.go(&sender));
        }
        drop(sender);
        for message in receiver {
            match message {
                Message::Begun(run) => observe(&LabEvent::Begun { run }),
                Message::Done(run, record) => {
                    tally.done += 1;
                    observe(&LabEvent::Done { run, record: &record });
                }
                Message::Elsewhere(run) => {
                    tally.elsewhere += 1;
                    observe(&LabEvent::Elsewhere { run });
                }
                Message::Failed(run, error) => {
                    tally.failed += 1;
                    observe(&LabEvent::Failed { run, error: &error });
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
    finished: Mutex<Finished>,
    tables: Tables,
    threads: usize,
    mebibytes: usize,
}

impl<'r> Work<'r> {
    fn go(&self, sender: &mpsc::Sender<Message<'r>>) {
        while !self.conditions.interrupt.load(Ordering::Relaxed) {
            let next = self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(run) = next else { return };
            let message = match self.take(run, sender) {
                Ok(message) => message,
                Err(error) => Message::Failed(run, error),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
    }

    fn take(
        &self,
        run: &'r RunEntry,
        sender: &mpsc::Sender<Message<'r>>,
    ) -> Result<Message<'r>, LabError> {
        let Some(_claim): Option<Claim> = self.store.claim(&run.key())? else {
            return Ok(Message::Elsewhere(run));
        };
        {
            let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
            self.store.refresh(&mut finished)?;
            if finished.runs.contains_key(&run.key()) {
                return Ok(Message::Elsewhere(run));
            }
        }
        let _ = sender.send(Message::Begun(run));
        let data = self.tables.get(run, self.conditions)?;
        match self.fit(run, &data)? {
            Some(record) => {
                self.store.append(&record)?;
                Ok(Message::Done(run, Box::new(record)))
            }
            None => Ok(Message::Stopped),
        }
    }

    /// The record, or `None` if the run was interrupted: half a run says nothing.
    fn fit(&self, run: &RunEntry, data: &Loaded) -> Result<Option<RunRecord>, LabError> {
        let failed =
            |source: FitError| LabError::Fit { run: run.to_string(), source: Box::new(source) };
        if run.protocol.parts == Parts::Standard && data.standard_test.is_none() {
            return Err(LabError::NoStandardTest { data: run.data.clone() });
        }
        let fit = Fit::with(run.settings.clone())
            .threads(self.threads)
            .evaluation(Evaluation::Incremental { mebibytes: self.mebibytes })
            .interrupted_by(self.conditions.interrupt.clone());
        let fitted = match run.fold {
            None => fit.run(data),
            Some(fold) => fit
                .resolve(data)
                .and_then(|settings| Folds::new(data, settings))
                .and_then(|folds| folds.prepare(fold - 1, fit)?.run()),
        }
        .map_err(failed)?;
        let complete = fitted.model.search.stop_reason != StopReason::Interrupted;
        Ok(complete.then(|| RunRecord::new(run, fitted)))
    }
}

/// Tables are read once and shared.
#[derive(Default)]
struct Tables {
    loaded: Mutex<BTreeMap<String, Arc<Loaded>>>,
}

impl Tables {
    fn get(&self, run: &RunEntry, conditions: &Conditions) -> Result<Arc<Loaded>, LabError> {
        let rules = run.settings.data.resolve();
        let target = Target::from(run.target.clone());
        let name = format!("{} {target:?} {rules:?}", run.data);
        // Held while reading, so that no table is read twice at once.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = loaded.get(&name) {
            return Ok(table.clone());
        }
        let mut options = rules.load_options(target);
        options.data_dir = conditions.data_dir.clone();
        let table = Arc::new(load(&run.data, &options)?);
        loaded.insert(name, table.clone());
        Ok(table)
    }
}

//! Doing the runs of `mge experiment`, `mge analyze` and `mge paper`, and telling what became of them.
//!
//! Invariant: a table is printed and a report written only when every run of the plan is finished.

use crate::experiment_progress::ExperimentProgress;
use crate::flags::at_least_one;
use crate::progress::clock;
use crate::{interrupt, print};
use anyhow::anyhow;
use clap::Args;
use mge_experiment::{
    DataCache, ExperimentOptions, ExperimentPlan, FinishedRuns, RunEntry, RunSummary, Shard, Store,
    check, estimate, run_experiment,
};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Where runs and their data are.
#[derive(Args)]
pub struct StoreArgs {
    /// Folder of finished runs
    #[arg(long, value_name = "DIR", default_value = DEFAULT_STORE)]
    store: PathBuf,
    /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

const DEFAULT_STORE: &str = "experiments";

impl StoreArgs {
    /// The store there, also if there is none yet.
    pub fn store(&self) -> Store {
        Store::at(&self.store)
    }

    /// What is finished there. An index that lags behind is mended, if that is possible: a store
    /// may well be somebody else's.
    pub fn open_store(&self) -> anyhow::Result<FinishedRuns> {
        let store = self.store();
        #[cfg(feature = "sqlite")]
        let _ = mge_experiment::update_index(&store);
        store.read().map_err(anyhow::Error::from)
    }

    /// The data, none of it read yet.
    pub fn data_cache(&self) -> DataCache {
        DataCache::in_folder(self.data_dir.clone())
    }

    /// Which of the options were given.
    pub fn given(&self) -> [(bool, &'static str); 2] {
        let is_elsewhere = self.store != Path::new(DEFAULT_STORE);
        [(is_elsewhere, "--store"), (self.data_dir.is_some(), "--data-dir")]
    }

    /// The options as a command has them, where it needs them.
    pub fn as_typed(&self) -> String {
        let mut text = String::new();
        if self.store != Path::new(DEFAULT_STORE) {
            text += &format!(" --store {}", self.store.display());
        }
        if let Some(folder) = &self.data_dir {
            text += &format!(" --data-dir {}", folder.display());
        }
        text
    }
}

const DEFAULT_MEMORY: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

/// How runs are done.
#[derive(Args)]
pub struct WorkArgs {
    /// Do the i-th of n equal shards only, for job arrays; the last to end has the table
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Runs at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    jobs: Option<NonZeroUsize>,
    /// Memory for values that later networks may need, of all runs together
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MEMORY, value_parser = at_least_one)]
    memory: NonZeroUsize,
    /// Show the list of runs and an estimate of the time, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

impl WorkArgs {
    /// Does what is not finished of some runs of a plan, showing how it goes; `None` if the runs were
    /// only to be shown.
    pub fn run_experiment(
        &self,
        plan: &ExperimentPlan,
        runs: &[RunEntry],
        store_args: &StoreArgs,
    ) -> anyhow::Result<Option<ExperimentOutcome>> {
        let store = store_args.store();
        let mut options = ExperimentOptions {
            shard: self.shard,
            data: plan.data_cache().clone(),
            mebibytes: self.memory.get(),
            ..ExperimentOptions::default()
        };
        options.jobs = self.jobs.map_or(options.jobs, NonZeroUsize::get);
        if self.dry_run {
            self.show(runs, &store_args.open_store()?, plan.data_cache())?;
            return Ok(None);
        }
        options.cancel_flag = interrupt::flag("the generations under way")?;
        let mut view = ExperimentProgress::new(self.quiet, store_args.open_store()?);
        let summary = run_experiment(runs, &store, &options, |event| view.observe(event));
        view.end();
        let summary = summary?;
        #[cfg(feature = "sqlite")]
        mge_experiment::update_index(&store)?;
        let finished = store.read()?;
        let is_missing = |run: &&RunEntry| !finished.runs.contains_key(&run.key());
        let missing = runs.iter().filter(is_missing).count();
        let (planned, shard, quiet) = (runs.len(), self.shard, self.quiet);
        Ok(Some(ExperimentOutcome { finished, summary, missing, planned, shard, quiet }))
    }

    fn show(
        &self,
        runs: &[RunEntry],
        finished: &FinishedRuns,
        data: &DataCache,
    ) -> anyhow::Result<()> {
        let mut text = String::new();
        let mut left = Vec::new();
        for run in self.shard.select(runs) {
            let is_done = finished.runs.contains_key(&run.key());
            let state = if is_done { "done" } else { "to do" };
            text += &format!("{}  {state:<5}  {run}\n", run.key());
            if !is_done {
                left.push(run);
            }
        }
        check(&left, data)?;
        let time = estimate(left.iter().copied(), finished);
        let guessed = match time.guessed {
            0 => String::new(),
            count => format!(" ({count} without an earlier run of its kind: a rough guess)"),
        };
        text += &format!(
            "{} to do, about {} of one core{guessed}\n",
            print::count(left.len(), "run"),
            clock(time.seconds)
        );
        print::out(&text)
    }

    /// Which of the options that only runs have a use for were given.
    pub fn given(&self) -> [(bool, &'static str); 4] {
        [
            (self.dry_run, "--dry-run"),
            (self.shard != Shard::default(), "--shard"),
            (self.jobs.is_some(), "--jobs"),
            (self.memory != DEFAULT_MEMORY, "--memory"),
        ]
    }

    /// Whether to show no progress.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }
}

/// What became of the runs of a plan.
pub struct ExperimentOutcome {
    /// Everything in the store, runs of others included.
    pub finished: FinishedRuns,
    summary: RunSummary,
    missing: usize,
    planned: usize,
    shard: Shard,
    quiet: bool,
}

impl ExperimentOutcome {
    /// Whether all runs of the plan are finished, those of other shards too: without that, no table.
    pub fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Reports what became of the runs; an error if some failed or are left. `table_later` is the
    /// command that gives the table once the other shards are finished.
    pub fn report(&self, table_later: &str) -> anyhow::Result<()> {
        let RunSummary { finished_before, done, done_elsewhere, failed, left } = self.summary;
        if !self.quiet {
            let was = if finished_before == 1 { "was" } else { "were" };
            let is = if done == 1 { "is" } else { "are" };
            let runs = print::count(finished_before, "run");
            print::note(format_args!("{runs} {was} finished before, {done} {is} finished now"));
            if done_elsewhere > 0 {
                let runs = print::count(done_elsewhere, "run");
                print::note(format_args!("{runs} finished by other processes meanwhile"));
            }
        }
        match (failed, left) {
            (0, 0) if self.is_complete() => Ok(()),
            (0, 0) => {
                // Not a failure: the shard of a job array is done. But nobody may take it for the whole.
                print::note(format_args!(
                    "shard {} is finished, {} of {} of the plan are not: no table yet; when all are \
                     finished, this gives it: {table_later}",
                    self.shard,
                    self.missing,
                    print::count(self.planned, "run")
                ));
                Ok(())
            }
            (0, left) => Err(anyhow!(
                "stopped, {} left, no table; the same command goes on",
                print::count(left, "run")
            )),
            (failed, _) => Err(anyhow!("{} failed, no table", print::count(failed, "run"))),
        }
    }
}

/// The command line as it was typed, without the shard: the command for all runs.
pub fn command_for_all() -> String {
    let mut words = Vec::new();
    let mut typed = crate::words().into_iter();
    while let Some(word) = typed.next() {
        if word == "--shard" {
            typed.next();
        } else if !word.starts_with("--shard=") {
            words.push(word);
        }
    }
    format!("mge {}", words.join(" "))
}

//! A fit that only has to be run: settings, data and options have been checked against each other.

use super::finish::finish;
use super::{FitError, Fitted};
use crate::baselines::baselines;
use crate::method::{LoopControl, PreparedMethod, TrainingTask};
use crate::model::{DataOrigin, SplitRecord};
use crate::prepared_data::{FitData, Part, PreparedData};
use crate::run_options::RunOptions;
use crate::settings::{ResolvedSettings, SettingsError};
use crate::task::Task;
use crate::watch::{FitEvent, SharedObservers};
use mge_data::Loaded;
use mge_evolve::{CheckedStopRules, Checkpoints, StopReason};
use mge_grammar::Warning;
use mge_threads::Threads;
use std::path::PathBuf;
use std::time::Duration;

/// A fit that only has to be run.
pub struct PreparedFit<'a> {
    method: Box<dyn PreparedMethod>,
    data: PreparedData,
    origin: DataOrigin,
    settings: ResolvedSettings,
    stop: CheckedStopRules,
    threads: Threads,
    options: RunOptions<'a>,
}

impl ResolvedSettings {
    /// Does everything that can fail before the search, so that a caller may create a folder for
    /// the run only once it is known to be possible.
    ///
    /// # Errors
    /// When data or settings cannot be used. Settings of a cross-validation are prepared by
    /// [`Folds`](crate::Folds).
    pub fn prepare<'d, 'a>(
        self,
        data: impl Into<FitData<'d>>,
        options: RunOptions<'a>,
    ) -> Result<PreparedFit<'a>, FitError> {
        if self.data.folds.is_some() {
            return Err(SettingsError::NeedsFolds.into());
        }
        let data: FitData<'d> = data.into();
        let rows = data.test_rows(self.train_fraction, None)?;
        let prepared = PreparedData::new(data.data, rows, &self)?;
        PreparedFit::new(data.data, prepared, self, options)
    }
}

impl<'a> PreparedFit<'a> {
    /// Puts the search together, once it is known which rows train and test.
    pub(crate) fn new(
        loaded: &Loaded,
        data: PreparedData,
        settings: ResolvedSettings,
        options: RunOptions<'a>,
    ) -> Result<Self, FitError> {
        let origin = DataOrigin {
            name: match loaded.entry {
                Some(entry) => entry.name.to_owned(),
                None => DataOrigin::name_of(&loaded.table),
            },
            fingerprint: loaded.fingerprint.clone(),
            form: loaded.table.layout().clone(),
            split: data.split.clone(),
        };
        let stop = settings.stop.clone().check()?;
        let method = settings.method.prepare(&TrainingTask {
            task: &data.task,
            columns: &data.train.columns,
            targets: data.train.targets.of_link(data.task.kind().link()),
            loss: settings.loss,
            class_weight: settings.data.class_weight,
            dependence: &data.dependence,
            seed: settings.seed,
            evaluation: options.evaluation,
        })?;
        method.check_budget(&stop)?;
        let threads = options.threads;
        let threads = Threads::new(threads)
            .map_err(|source| FitError::Threads { threads: threads.unwrap_or(0), source })?;
        Ok(Self { method, data, origin, settings, stop, threads, options })
    }

    /// The settings it would run with.
    pub fn settings(&self) -> &ResolvedSettings {
        &self.settings
    }

    /// What the grammar allows but probably does not mean.
    pub fn grammar_warnings(&self) -> &[Warning] {
        self.method.grammar_warnings()
    }

    /// From raw columns to features.
    pub fn preprocess(&self) -> &mge_data::Preprocess {
        &self.data.preprocess
    }

    /// How rows are split.
    pub fn split(&self) -> &SplitRecord {
        &self.data.split
    }

    /// Categories of the test rows that the training rows do not have.
    pub fn unseen_in_test(&self) -> &[mge_data::UnseenCategories] {
        &self.data.test.unseen
    }

    /// How many test rows also trained: with equal features and an equal target. Before a
    /// cross-validation, how many rows have an equal one in another fold.
    pub fn repeated_rows(&self) -> usize {
        self.data.repeated
    }

    /// What is learned.
    pub fn task(&self) -> &Task {
        &self.data.task
    }

    /// How many rows train and how many test.
    pub fn row_counts(&self) -> (usize, usize) {
        (self.data.train.targets.count(), self.data.test.targets.count())
    }

    /// How many rows of each class train and how many test; empty where targets are numbers.
    pub fn class_rows(&self) -> Vec<(usize, usize)> {
        let of = |part: &Part, class: usize| {
            part.targets.labels().iter().filter(|&&label| label as usize == class).count()
        };
        let classes = 0..self.data.task.classes().len();
        classes.map(|c| (of(&self.data.train, c), of(&self.data.test, c))).collect()
    }

    /// Searches, without keeping anything on disk.
    ///
    /// # Errors
    /// When nothing is found.
    pub fn run(self) -> Result<Fitted, FitError> {
        self.search(None)
    }

    /// Searches, saving checkpoints to a file, at most one per `every`. If the file exists
    /// already, the search continues from it.
    ///
    /// # Errors
    /// When nothing is found, and when the file cannot be read or belongs to another run.
    pub fn run_with_checkpoints(
        self,
        file: impl Into<PathBuf>,
        every: Duration,
    ) -> Result<Fitted, FitError> {
        let identity = self.settings.identity(&self.origin);
        self.search(Some(Checkpoints::new(file, every, identity)))
    }

    fn search(self, checkpoints: Option<Checkpoints>) -> Result<Fitted, FitError> {
        let Self { method, data, origin, settings, stop, mut threads, options } = self;
        let RunOptions { observers, cancel_flag, baselines: wants_baselines, .. } = options;
        let codon_bits = method.codon_bits();
        let shared = SharedObservers::new(observers);
        shared.tell(&FitEvent::Planned {
            settings: &settings,
            task: &data.task,
            features: data.train.columns.count(),
            dropped: data.preprocess.dropped(),
            train_rows: data.train.targets.count(),
            test_rows: data.test.targets.count(),
            codon_bits,
            threads: threads.count(),
        });
        let observers = vec![shared.observer()];
        let control = LoopControl { stop, checkpoints, cancel_flag, observers };
        let found = threads.run(|| method.search(control))?;
        drop(method);
        let is_complete = found.network.is_some() && found.reason != StopReason::Interrupted;
        let baselines = if wants_baselines && is_complete && data.test.targets.count() > 0 {
            shared.tell(&FitEvent::Comparing);
            threads.run(|| baselines(&data, settings.seed))?
        } else {
            Vec::new()
        };
        drop(shared);
        let fitted = finish(data, settings, origin, found, codon_bits, threads.count())?;
        Ok(Fitted { baselines, ..fitted })
    }
}

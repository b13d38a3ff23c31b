//! Fitting a classifier: settings and data in, a model out.

mod error;
mod finish;

pub use error::FitError;

use crate::baselines::{BaselineResult, baselines};
use crate::front::NetworkFront;
use crate::method::Method;
use crate::method::prepared::{PreparedMethod, RunOptions};
use crate::model::{DataOrigin, Model, SplitRecord};
use crate::prepare::{Part, Prepared, TestRows};
use crate::settings::{ResolvedSettings, Settings, TableSize};
use crate::watch::{FitEvent, FitObserver, SharedObservers, announce};
use finish::finish;
use mge_data::{Loaded, Table};
use mge_evolve::{CheckedStopRules, Checkpoints, Record, StopReason};
use mge_grammar::Warning;
use mge_grammar::mge::Variant;
use mge_random::{Purpose, Stream};
use mge_threads::Threads;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A finished fit.
#[derive(Debug)]
pub struct Fitted {
    /// The classifier.
    pub model: Model,
    /// The genotype it was mapped from, as JSON: lists of codons, or the genes of NEAT.
    pub genotype: serde_json::Value,
    /// One record for each generation.
    pub history: Vec<Record>,
    /// The best networks of every size, of methods that keep them.
    pub front: Option<NetworkFront>,
    /// What simpler classifiers reach on the same rows, if [`Fit::with_baselines`] asked for it.
    pub baselines: Vec<BaselineResult>,
}

/// How populations are evaluated: a matter of time and memory, never of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvaluationMode {
    /// Only what no earlier network had is computed.
    Incremental {
        /// Memory for values that later networks may need, in MiB. Default 512. Of tables of more
        /// than 512 rows at most 256 columns are kept, whatever it is: more brought nothing.
        /// With too little, what could not be kept is computed again; where the books of weighted
        /// classes alone pass it, every network is evaluated from scratch.
        mebibytes: usize,
    },
    /// Each network is evaluated from scratch: slow and obvious, for checks.
    Full,
}

impl EvaluationMode {
    /// Bytes that may be kept; `None` to keep nothing and share nothing.
    pub(crate) fn memory(self) -> Option<usize> {
        match self {
            EvaluationMode::Incremental { mebibytes } => Some(mebibytes.saturating_mul(1 << 20)),
            EvaluationMode::Full => None,
        }
    }
}

impl Default for EvaluationMode {
    fn default() -> Self {
        EvaluationMode::Incremental { mebibytes: 512 }
    }
}

/// A fit with settings of one's own: the builder between [`crate::fit`] and an own
/// [`mge_evolve::Search`].
///
/// ```
/// let data = mge::data::load("wine", &Default::default())?;
/// let fitted = mge::Fit::new()
///     .method(mge::Method::Mge)
///     .variant(mge::Variant::Beta)
///     .generations(20)
///     .population(50)
///     .seed(7)
///     .run(&data)?;
/// assert_eq!(fitted.model.search.evaluations, 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Fit<'a> {
    settings: Settings,
    test_table: Option<Table>,
    threads: Option<usize>,
    evaluation: EvaluationMode,
    observers: Vec<Box<dyn FitObserver + 'a>>,
    interrupt: Option<Arc<AtomicBool>>,
    baselines: bool,
}

impl<'a> Fit<'a> {
    /// A fit by the usual method with its usual settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// A fit with all these settings.
    pub fn with(settings: Settings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Sets the search method. Default [`Method::Hybrid`].
    pub fn method(mut self, method: Method) -> Self {
        self.settings.method = Some(method);
        self
    }

    /// Sets the form of modularity, of [`Method::Mge`].
    pub fn variant(mut self, variant: Variant) -> Self {
        self.settings.variant = Some(variant);
        self
    }

    /// Sets the number of generations.
    pub fn generations(mut self, generations: u64) -> Self {
        self.settings.stop.generations = Some(generations);
        self
    }

    /// Ends the search once the best loss has not fallen for this many generations.
    pub fn patience(mut self, generations: u64) -> Self {
        self.settings.stop.patience = Some(generations);
        self
    }

    /// Sets the size of the population, of methods that have one: not of [`Method::Hybrid`].
    pub fn population(mut self, population: usize) -> Self {
        self.settings.evolution.population = Some(population);
        self
    }

    /// Sets the seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = Some(seed);
        self
    }

    /// Sets the number of threads; the result does not depend on it. Default: one for each core.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Sets how populations are evaluated; the result does not depend on it.
    pub fn evaluation(mut self, evaluation: EvaluationMode) -> Self {
        self.evaluation = evaluation;
        self
    }

    /// Measures on the rows of this table; all rows of the data then train.
    pub fn test_set(mut self, table: Table) -> Self {
        self.test_table = Some(table);
        self
    }

    /// Adds somebody who watches.
    pub fn observer(mut self, observer: impl FitObserver + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Ends the search after the present generation once this flag is set; the fit then finishes
    /// with the best network so far.
    pub fn cancel_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = Some(flag);
        self
    }

    /// Compares the model with simpler classifiers on the same rows, see [`Fitted::baselines`]. It
    /// takes milliseconds on a small table and seconds on a large one, so it is off by default.
    /// Without test rows, and after an interrupt, there is no baselines.
    pub fn with_baselines(mut self) -> Self {
        self.baselines = true;
        self
    }

    /// The settings that [`Fit::run`] would use on this data. A seed is drawn if none was set.
    pub fn resolve(&self, data: &Loaded) -> Result<ResolvedSettings, FitError> {
        let share = self.test_rows(self.settings.train_fraction).train_share(data);
        let rows = (data.table.rows() as f64 * share) as usize;
        let size = TableSize { rows, classes: data.class_target()?.classes().len() };
        Ok(self.settings.resolve(size, draw_seed())?)
    }

    fn test_rows(&self, train_fraction: Option<f64>) -> TestRows<'_> {
        match (&self.test_table, train_fraction) {
            (Some(table), _) => TestRows::Table(table),
            (None, Some(fraction)) => TestRows::Fraction(fraction),
            (None, None) => TestRows::Usual,
        }
    }

    /// Fits.
    pub fn run(self, data: &Loaded) -> Result<Fitted, FitError> {
        let settings = self.resolve(data)?;
        self.run_resolved(data, settings)
    }

    /// Fits with settings that [`Fit::resolve`] or an earlier run gave.
    pub fn run_resolved(
        self,
        data: &Loaded,
        settings: ResolvedSettings,
    ) -> Result<Fitted, FitError> {
        self.prepare(data, settings)?.run()
    }

    /// Does everything that can fail before the search, so that a caller may claim a folder for
    /// the run only once it is known to be possible.
    pub fn prepare(
        self,
        data: &Loaded,
        settings: ResolvedSettings,
    ) -> Result<PreparedFit<'a>, FitError> {
        let test_rows = self.test_rows(settings.train_fraction);
        let prepared = Prepared::new(data, test_rows, &settings)?;
        self.prepare_with(data, prepared, settings)
    }

    /// The rest of [`Fit::prepare`], once it is known which rows train and test.
    pub(crate) fn prepare_with(
        self,
        data: &Loaded,
        prepared: Prepared,
        settings: ResolvedSettings,
    ) -> Result<PreparedFit<'a>, FitError> {
        let origin = DataOrigin {
            name: match data.entry {
                Some(entry) => entry.name.to_owned(),
                None => DataOrigin::name_of(&data.table),
            },
            fingerprint: data.fingerprint.clone(),
            form: data.table.layout().clone(),
            split: prepared.split.clone(),
        };
        let stop = settings.stop.clone().check()?;
        let method = settings.method.prepare(&prepared, &settings, self.evaluation)?;
        method.check_budget(&stop)?;
        let threads = start_threads(self.threads)?;
        let (observers, interrupt, baselines) = (self.observers, self.interrupt, self.baselines);
        Ok(PreparedFit {
            method,
            prepared,
            origin,
            settings,
            stop,
            threads,
            observers,
            interrupt,
            baselines,
        })
    }
}

/// A fit that only has to be run.
pub struct PreparedFit<'a> {
    method: Box<dyn PreparedMethod>,
    prepared: Prepared,
    origin: DataOrigin,
    settings: ResolvedSettings,
    stop: CheckedStopRules,
    threads: Threads,
    observers: Vec<Box<dyn FitObserver + 'a>>,
    interrupt: Option<Arc<AtomicBool>>,
    baselines: bool,
}

impl PreparedFit<'_> {
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
        &self.prepared.preprocess
    }

    /// How rows are parted.
    pub fn split(&self) -> &SplitRecord {
        &self.prepared.split
    }

    /// Categories of the test rows that the training rows do not have.
    pub fn unseen_in_test(&self) -> &[mge_data::UnseenCategories] {
        &self.prepared.test.unseen
    }

    /// The class names.
    pub fn classes(&self) -> &[String] {
        self.prepared.task.classes()
    }

    /// How many rows of each class train and how many test.
    pub fn class_rows(&self) -> Vec<(usize, usize)> {
        let of = |part: &Part, class: usize| {
            part.labels.iter().filter(|&&label| label as usize == class).count()
        };
        let classes = 0..self.prepared.task.classes().len();
        classes.map(|c| (of(&self.prepared.train, c), of(&self.prepared.test, c))).collect()
    }

    /// Searches, without keeping anything on disk.
    pub fn run(self) -> Result<Fitted, FitError> {
        self.run_with(None)
    }

    /// Searches, saving checkpoints to a file, at most one per `every`. If the file exists
    /// already, the search goes on from it.
    pub fn run_with_checkpoints(
        self,
        file: impl Into<PathBuf>,
        every: Duration,
    ) -> Result<Fitted, FitError> {
        let identity = self.settings.identity(&self.origin);
        self.run_with(Some(Checkpoints::new(file, every, identity)))
    }

    fn run_with(self, checkpoints: Option<Checkpoints>) -> Result<Fitted, FitError> {
        let Self {
            method,
            prepared,
            origin,
            settings,
            stop,
            mut threads,
            mut observers,
            interrupt,
            ..
        } = self;
        let codon_bits = method.codon_bits();
        let planned = FitEvent::Planned {
            settings: &settings,
            classes: prepared.task.classes(),
            features: prepared.train.columns.count(),
            dropped: prepared.preprocess.dropped(),
            train_rows: prepared.train.labels.len(),
            test_rows: prepared.test.labels.len(),
            codon_bits,
            threads: threads.count(),
        };
        announce(&mut observers, &planned);
        let shared = SharedObservers::new(observers);
        let observers = vec![shared.observer()];
        let conditions = RunOptions { stop, checkpoints, interrupt, observers };
        let found = threads.run(|| method.search(conditions))?;
        drop(method);
        let is_whole = found.network.is_some() && found.reason != StopReason::Interrupted;
        let baselines = if self.baselines && is_whole && !prepared.test.labels.is_empty() {
            shared.tell(&FitEvent::Comparing);
            threads.run(|| baselines(&prepared, settings.seed))?
        } else {
            Vec::new()
        };
        drop(shared);
        let fitted = finish(prepared, settings, origin, found, (codon_bits, threads.count()))?;
        Ok(Fitted { baselines, ..fitted })
    }
}

/// A seed nobody chose: from the time, mixed well enough that two runs in a row differ.
fn draw_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = now.map_or(0, |time| time.as_nanos() as u64);
    // Short enough to be typed again.
    Stream::at(nanos, Purpose::Seed, 0, 0).below(1_000_000_000)
}

/// Threads for one fit; one for each processor if no number is given.
pub(crate) fn start_threads(count: Option<usize>) -> Result<Threads, FitError> {
    let threads = count.unwrap_or(0);
    Threads::new(count).map_err(|source| FitError::Threads { threads, source })
}

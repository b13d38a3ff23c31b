//! Fitting: settings and data in, a model out.

mod error;
mod finish;
mod prepared_fit;

pub use error::FitError;
pub use prepared_fit::PreparedFit;

use crate::baselines::BaselineResult;
use crate::calibration::Calibration;
use crate::folds::Folds;
use crate::front::NetworkFront;
use crate::method::Method;
use crate::model::{Model, RunRecord};
use crate::prepared_data::FitData;
use crate::run_options::{EvaluationMode, RunOptions};
use crate::settings::{ResolvedSettings, Settings};
use crate::watch::FitObserver;
use mge_data::{Loaded, Table};
use mge_evolve::Record;
use mge_grammar::mge::Variant;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A finished fit.
#[derive(Debug)]
pub struct Fitted {
    /// The model. Equal runs make equal models.
    pub model: Model,
    /// Time and machine.
    pub run: RunRecord,
    /// The genotype it was mapped from, as JSON: lists of codons, or the genes of NEAT.
    pub genotype: serde_json::Value,
    /// One record for each generation.
    pub history: Vec<Record>,
    /// The best networks of every size, of methods that keep them.
    pub front: Option<NetworkFront>,
    /// What simpler models reach on the same rows, if [`RunOptions::baselines`] asked for them.
    pub baselines: Vec<BaselineResult>,
    /// Rows to choose integers from, for exports.
    pub calibration: Calibration,
}

/// A fit with settings of one's own: settings and options in one builder.
///
/// The three steps below it are [`Settings::resolve`], [`ResolvedSettings::prepare`] and
/// [`PreparedFit::run`]. Each returns a type of its own. Resolved settings have no setter, so no
/// setting can come too late and be ignored.
///
/// ```
/// let data = mge::data::load("wine", &Default::default())?;
/// let fitted = mge::Fit::new()
///     .method(mge::Method::MGE)
///     .variant(mge::Variant::Beta)
///     .generations(20)
///     .population(50)
///     .seed(7)
///     .run(&data)?;
/// assert_eq!(fitted.model.search.evaluations, 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A seed belongs to the settings, so there is none to set once they are resolved:
///
/// ```compile_fail
/// let data = mge::data::load("wine", &Default::default()).unwrap();
/// let resolved = mge::Fit::new().resolve(&data).unwrap();
/// let options = mge::RunOptions::new().seed(3);
/// resolved.prepare(&data, options);
/// ```
#[derive(Default)]
pub struct Fit<'a> {
    /// Settings that may also be of other methods.
    base: Settings,
    /// Settings of this fit. One that its method does not have is an error.
    own: Settings,
    test_table: Option<Table>,
    options: RunOptions<'a>,
}

impl<'a> Fit<'a> {
    /// A fit by the default method with its default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// A fit with these settings. They may hold settings of other methods, which are left alone.
    pub fn with(settings: Settings) -> Self {
        Self { base: settings, ..Self::default() }
    }

    /// Sets the search method. Default [`Method::HYBRID`].
    pub fn method(mut self, method: Method) -> Self {
        self.own.method = Some(method);
        self
    }

    /// Sets the form of modularity, of [`Method::MGE`].
    pub fn variant(mut self, variant: Variant) -> Self {
        self.own.variant = Some(variant);
        self
    }

    /// Sets the number of generations.
    pub fn generations(mut self, generations: u64) -> Self {
        self.own.stop.generations = Some(generations);
        self
    }

    /// Ends the search once the best loss has not fallen for this many generations.
    pub fn patience(mut self, generations: u64) -> Self {
        self.own.stop.patience = Some(generations);
        self
    }

    /// Sets the size of the population. A method that has none, such as [`Method::HYBRID`], refuses
    /// it.
    pub fn population(mut self, population: usize) -> Self {
        self.own.evolution.population = Some(population);
        self
    }

    /// Sets the seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.own.seed = Some(seed);
        self
    }

    /// Measures on the rows of this table; all rows of the data then train.
    pub fn test_set(mut self, table: Table) -> Self {
        self.test_table = Some(table);
        self
    }

    /// Sets the number of threads, see [`RunOptions::threads`].
    pub fn threads(mut self, threads: usize) -> Self {
        self.options = self.options.threads(threads);
        self
    }

    /// Sets how populations are evaluated, see [`RunOptions::evaluation`].
    pub fn evaluation(mut self, evaluation: EvaluationMode) -> Self {
        self.options = self.options.evaluation(evaluation);
        self
    }

    /// Adds an observer.
    pub fn observer(mut self, observer: impl FitObserver + 'a) -> Self {
        self.options = self.options.observer(observer);
        self
    }

    /// Stops the search once this flag is set, see [`RunOptions::cancel_flag`].
    pub fn cancel_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.options = self.options.cancel_flag(flag);
        self
    }

    /// Compares the model with simpler ones on the same rows, see [`RunOptions::baselines`].
    pub fn with_baselines(mut self) -> Self {
        self.options = self.options.baselines(true);
        self
    }

    /// The settings that [`Fit::run`] would use on this data. A seed is drawn if none was set.
    ///
    /// # Errors
    /// When settings do not go together, and when the method has no such setting.
    pub fn resolve(&self, data: &Loaded) -> Result<ResolvedSettings, FitError> {
        let settings = self.own.clone().over(self.base.clone());
        settings.check_method_named()?;
        self.own.check_for(settings.method.unwrap_or_default())?;
        settings.resolve(FitData::with_test(data, self.test_table.as_ref()))
    }

    /// Does everything that can fail before the search.
    ///
    /// # Errors
    /// When data or settings cannot be used.
    pub fn prepare(self, data: &Loaded) -> Result<PreparedFit<'a>, FitError> {
        let resolved = self.resolve(data)?;
        resolved.prepare(FitData::with_test(data, self.test_table.as_ref()), self.options)
    }

    /// Fits; with cross-validation if the settings ask for it.
    ///
    /// # Errors
    /// When data or settings cannot be used, and when nothing is found.
    pub fn run(self, data: &Loaded) -> Result<Fitted, FitError> {
        let resolved = self.resolve(data)?;
        match resolved.data.folds {
            Some(_) => Folds::new(data, resolved)?.run(self.options),
            None => {
                let data = FitData::with_test(data, self.test_table.as_ref());
                resolved.prepare(data, self.options)?.run()
            }
        }
    }
}

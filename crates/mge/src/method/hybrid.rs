//! The hybrid method on one task: the front of sparse networks with trained weights.

use super::prepared::{PreparedMethod, RunOptions, SearchResult};
use super::{Method, SettingsError};
use crate::FitError;
use crate::data_settings::ClassWeight;
use crate::prepare::Prepared;
use crate::settings::{ResolvedSettings, Settings};
use crate::watch::Networks;
use mge_evolve::{CheckedStopRules, Outcome, Run, RunError, Search};
use mge_grammar::Warning;
use mge_hybrid::{Hybrid, HybridParams, Member, TrainingData};
use mge_net::{BatchEvaluator, outputs_for};

pub(super) fn resolve(settings: &Settings) -> Result<HybridParams, SettingsError> {
    let method = Method::Hybrid;
    if settings.grammar.is_some() {
        let (setting, expected) = ("grammar", "a method that maps by a grammar");
        return Err(SettingsError::NotOfMethod { setting, method, expected });
    }
    let usual = HybridParams::default();
    settings.hybrid.apply(&usual).map_err(|source| SettingsError::Wrong { method, source })
}

pub(super) fn prepare(
    params: &HybridParams,
    task: &Prepared,
    settings: &ResolvedSettings,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let (columns, labels) = (&task.train.columns, task.train.labels.as_slice());
    let (classes, loss) = (task.task.classes().len(), settings.loss);
    let is_balanced = settings.data.class_weight == ClassWeight::Balanced;
    let params = params.clone().check()?;
    let data = TrainingData { columns, labels, classes, loss, is_balanced };
    let search = Hybrid::new(data, params, settings.seed)?;
    let rows = BatchEvaluator::new(columns, labels, outputs_for(classes), loss)?;
    Ok(Box::new(HybridFit { search, rows }))
}

/// Unlike with other methods, what the search holds is not yet what a user gets: its networks are
/// tuned once more on all rows, and the whole front is kept.
struct HybridFit {
    search: Hybrid,
    rows: BatchEvaluator,
}

impl PreparedMethod for HybridFit {
    fn check_budget(&self, stop: &CheckedStopRules) -> Result<(), RunError> {
        Run::new(&self.search, stop.clone()).check()
    }

    fn codon_bits(&self) -> Option<u32> {
        None
    }

    fn grammar_warnings(&self) -> &[Warning] {
        &[]
    }

    fn search(&self, conditions: RunOptions<'_>) -> Result<SearchResult, RunError> {
        let of = |member: &Member| Some(member.network.clone());
        let networks = Networks { of: &of, rows: &self.rows };
        let outcome = conditions.run(&self.search, networks)?;
        let Outcome { state, reason, progress, seconds } = outcome;
        let front = self.search.final_front(&state);
        let best = self.search.pick(&front);
        Ok(SearchResult {
            network: best.map(|member| member.network.clone()),
            genotype: serde_json::to_value(best).expect("a member has text keys only"),
            front: Some(front),
            history: self.search.history(&state).to_vec(),
            reason,
            progress,
            seconds,
        })
    }
}

//! Settings of when to stop.

use mge_evolve::StopRules;
use serde::{Deserialize, Serialize};

/// When to stop. The first rule that holds ends the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StopSettings {
    /// Populations to evaluate, the first included. Default: 20 in method hybrid, 40 on large
    /// tables; in mge 500 for up to three classes, else 3000. No limit when evaluations or seconds
    /// are given and this one is not.
    pub generations: Option<u64>,
    /// Evaluations that must not be exceeded. Use it to compare methods fairly.
    pub evaluations: Option<u64>,
    /// Seconds of search. Results then depend on the machine's speed.
    pub seconds: Option<f64>,
    /// Stop when the best loss is at most this: that of the training rows, in method hybrid that of
    /// the validation rows.
    pub target_loss: Option<f64>,
    /// Stop when that loss has not fallen for this many generations. Default: never. All other
    /// rules stay in force.
    pub patience: Option<u64>,
}

impl StopSettings {
    /// Each of these settings if it is given, else that of `base`.
    pub(super) fn over(self, base: Self) -> Self {
        Self {
            generations: self.generations.or(base.generations),
            evaluations: self.evaluations.or(base.evaluations),
            seconds: self.seconds.or(base.seconds),
            target_loss: self.target_loss.or(base.target_loss),
            patience: self.patience.or(base.patience),
        }
    }

    /// The rules, with the method's number of generations where nothing limits the run.
    pub(super) fn resolve(&self, default_generations: u64) -> StopRules {
        let has_limit = self.evaluations.is_some() || self.seconds.is_some();
        StopRules {
            generations: self.generations.or((!has_limit).then_some(default_generations)),
            evaluations: self.evaluations,
            seconds: self.seconds,
            target_loss: self.target_loss,
            patience: self.patience,
        }
    }

    /// The rules of a run that is resumed after `before`. A new limit (generations, evaluations or
    /// seconds) replaces all earlier limits. A target loss or patience replaces only its own
    /// value.
    pub fn over_rules(self, before: &StopRules) -> StopRules {
        let Self { generations, evaluations, seconds, target_loss, patience } = self;
        let target_loss = target_loss.or(before.target_loss);
        let patience = patience.or(before.patience);
        if generations.is_none() && evaluations.is_none() && seconds.is_none() {
            return StopRules { target_loss, patience, ..before.clone() };
        }
        StopRules { generations, evaluations, seconds, target_loss, patience }
    }
}

//! Stop rules: when a run ends. They are data, checked once before the loop.

use crate::Progress;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// Raw stop rules. The run ends as soon as one of them holds. An absent rule never holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopRules {
    /// Populations to evaluate. The first one counts (decision 18).
    pub generations: Option<u64>,
    /// The largest number of evaluations. It is never exceeded.
    pub evaluations: Option<u64>,
    /// Seconds of search, with the parts before a resume.
    pub seconds: Option<f64>,
    /// Stop when the best loss is at most this.
    pub target_loss: Option<f64>,
    /// Stop when the best loss has not fallen for this many generations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
}

/// A stop rule that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StopRuleError {
    /// Zero generations, evaluations or patience.
    #[error("{rule} is 0, expected at least 1")]
    Zero {
        /// The rule's name.
        rule: &'static str,
    },
    /// A time limit that is not a positive time.
    #[error("the time limit is {found} seconds, expected a number above 0")]
    Seconds {
        /// What was given.
        found: f64,
    },
    /// A target loss that is not finite.
    #[error("the target loss is {found}, expected a finite number")]
    TargetLoss {
        /// What was given.
        found: f64,
    },
}

impl StopRules {
    /// Checks the rules.
    pub fn check(self) -> Result<CheckedStopRules, StopRuleError> {
        if self.generations == Some(0) {
            return Err(StopRuleError::Zero { rule: "the number of generations" });
        }
        if self.evaluations == Some(0) {
            return Err(StopRuleError::Zero { rule: "the number of evaluations" });
        }
        if self.patience == Some(0) {
            return Err(StopRuleError::Zero { rule: "the patience in generations" });
        }
        if let Some(found) = self.seconds
            && Duration::try_from_secs_f64(found).map_or(true, |limit| limit.is_zero())
        {
            return Err(StopRuleError::Seconds { found });
        }
        if let Some(found) = self.target_loss.filter(|loss| !loss.is_finite()) {
            return Err(StopRuleError::TargetLoss { found });
        }
        Ok(CheckedStopRules(self))
    }
}

/// Stop rules that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedStopRules(StopRules);

impl CheckedStopRules {
    /// The rules.
    pub fn rules(&self) -> &StopRules {
        &self.0
    }

    /// Whether the time limit is reached after this many seconds.
    pub(crate) fn is_out_of_time(&self, seconds: f64) -> bool {
        self.0.seconds.is_some_and(|limit| seconds >= limit)
    }

    /// The first rule that holds, if any. `next_cost` is the number of evaluations of another step.
    pub(crate) fn reason(
        &self,
        progress: &Progress,
        next_cost: u64,
        state: &StopState,
    ) -> Option<StopReason> {
        let rules = &self.0;
        let since_improvement =
            progress.generation.saturating_sub(state.last_improvement.generation);
        if rules.target_loss.is_some_and(|target| progress.best_loss <= target) {
            Some(StopReason::TargetLoss)
        } else if rules.generations.is_some_and(|limit| progress.generation >= limit) {
            Some(StopReason::Generations)
        } else if rules
            .evaluations
            .is_some_and(|limit| progress.evaluations.saturating_add(next_cost) > limit)
        {
            Some(StopReason::Evaluations)
        } else if rules.patience.is_some_and(|limit| since_improvement >= limit) {
            Some(StopReason::Patience)
        } else if self.is_out_of_time(state.seconds) {
            Some(StopReason::Time)
        } else {
            None
        }
    }
}

/// What the rules need besides the progress. Checkpoints hold it, so that a resumed run ends where
/// it would have ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct StopState {
    /// Seconds of search, with the parts before a resume.
    pub seconds: f64,
    /// When the best loss last fell.
    pub last_improvement: LastImprovement,
}

/// The generation in which the best loss last fell below all losses before it. A search without
/// elitism may lose its best and find it again; that is no improvement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastImprovement {
    generation: u64,
    loss: f64,
}

impl LastImprovement {
    /// The first state always counts as an improvement.
    pub fn first(progress: &Progress) -> Self {
        Self { generation: progress.generation, loss: progress.best_loss }
    }

    /// Records a generation. Returns whether it is an improvement.
    pub fn update(&mut self, progress: &Progress) -> bool {
        let improved = progress.best_loss < self.loss;
        if improved {
            *self = Self::first(progress);
        }
        improved
    }
}

mge_names::named_enum! {
    /// Why a run ended.
    pub enum StopReason: "stop reason" {
        /// All generations were done.
        Generations = "generations",
        /// Another generation would exceed the limit of evaluations.
        Evaluations = "evaluations",
        /// The time limit was reached.
        Time = "time",
        /// The target loss was reached.
        TargetLoss = "target-loss",
        /// The best loss did not fall for `patience` generations.
        Patience = "patience",
        /// The user interrupted the run.
        Interrupted = "interrupted",
    }
}

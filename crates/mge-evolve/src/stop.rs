//! When a run ends. Termination is data: rules that are checked once, before the loop.

use crate::Progress;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// Raw stopping rules. The first that holds ends the run; an absent one never does.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopRules {
    /// Populations to evaluate, the first one included.
    pub generations: Option<u64>,
    /// Evaluations that must not be exceeded.
    pub evaluations: Option<u64>,
    /// Seconds of search, summed over resumed parts.
    pub seconds: Option<f64>,
    /// Stop when the best loss is at most this.
    pub target_loss: Option<f64>,
    /// Stop when the best loss has not fallen for this many generations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
}

/// A stopping rule that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StopRuleError {
    /// Zero generations, evaluations or patience.
    #[error("{rule} is 0, expected at least 1")]
    Zero {
        /// The rule's name.
        rule: &'static str,
    },
    /// A time limit that is no length of time.
    #[error("the time limit is {found} seconds, expected a number above 0")]
    Seconds {
        /// What was given.
        found: f64,
    },
    /// A target loss that no loss can be compared with.
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

/// Stopping rules that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedStopRules(StopRules);

impl CheckedStopRules {
    /// The rules.
    pub fn rules(&self) -> &StopRules {
        &self.0
    }

    /// Whether so many seconds of search are enough.
    pub(crate) fn is_out_of_time(&self, seconds: f64) -> bool {
        self.0.seconds.is_some_and(|most| seconds >= most)
    }

    /// Why the run ends here, if it does. `next_cost` is what another step would spend.
    pub(crate) fn reason(
        &self,
        progress: &Progress,
        next_cost: u64,
        past: &Past,
    ) -> Option<StopReason> {
        let rules = &self.0;
        let stale = progress.generation.saturating_sub(past.last_gain.generation);
        if rules.target_loss.is_some_and(|target| progress.best_loss <= target) {
            Some(StopReason::TargetLoss)
        } else if rules.generations.is_some_and(|most| progress.generation >= most) {
            Some(StopReason::Generations)
        } else if rules
            .evaluations
            .is_some_and(|most| progress.evaluations.saturating_add(next_cost) > most)
        {
            Some(StopReason::Evaluations)
        } else if rules.patience.is_some_and(|most| stale >= most) {
            Some(StopReason::Patience)
        } else if self.is_out_of_time(past.seconds) {
            Some(StopReason::Time)
        } else {
            None
        }
    }
}

/// What rules need to know of a run besides its present state. Kept in checkpoints, so that a run
/// that was killed ends where it would have ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Past {
    /// Seconds of search, resumed parts included.
    pub seconds: f64,
    /// The last fall of the best loss.
    pub last_gain: LastGain,
}

/// When the best loss last fell below all before it. A search without elitism may lose its best
/// and find it again; that is no gain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastGain {
    generation: u64,
    loss: f64,
}

impl LastGain {
    /// The first state is a gain whatever it is worth.
    pub fn first(progress: &Progress) -> Self {
        Self { generation: progress.generation, loss: progress.best_loss }
    }

    /// Takes note of a generation; tells whether it is a gain.
    pub fn note(&mut self, progress: &Progress) -> bool {
        let gained = progress.best_loss < self.loss;
        if gained {
            *self = Self::first(progress);
        }
        gained
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// All generations were done.
    Generations,
    /// Another generation would have exceeded the evaluations.
    Evaluations,
    /// The time was up.
    Time,
    /// The loss was reached.
    TargetLoss,
    /// The best loss had not fallen for long enough.
    Patience,
    /// The user asked for it.
    Interrupted,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Generations => "generations",
            Self::Evaluations => "evaluations",
            Self::Time => "time",
            Self::TargetLoss => "target-loss",
            Self::Patience => "patience",
            Self::Interrupted => "interrupted",
        })
    }
}

//! The front: the best network found for every budget. It is the state of a search.

use crate::score::ValidationScores;
use crate::training_config::TrainingConfig;
use mge_evolve::Record;
use mge_net::Network;
use serde::{Deserialize, Serialize};

/// The best network found for a budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The budget, in units of the objective.
    pub budget: usize,
    /// The operations of the network.
    pub operations: usize,
    /// The cost of the network where it is not the operations alone.
    #[serde(default)]
    pub cost: Option<usize>,
    /// The loss that chose the network, on rows that did not train it.
    pub loss: f64,
    /// The standard error of that loss over folds, or over blocks of the validation part.
    pub standard_error: f64,
    /// The accuracy on the same rows; for numbers the fraction of the variance that is explained.
    pub accuracy: f64,
    /// The L2 penalty of its training.
    pub l2: f64,
    /// Whether that penalty was scaled by the ranges of the inputs.
    #[serde(default, rename = "by_range")]
    pub range_scaled: bool,
    /// The network.
    pub network: Network,
}

impl Member {
    /// What the front weighs against the loss.
    pub fn cost(&self) -> usize {
        self.cost.unwrap_or(self.operations)
    }
}

/// The state of a search. All lists have an entry for each budget level.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HybridState {
    /// The best network of each level, by rising budget.
    pub members: Vec<Member>,
    /// The training configuration of each member.
    pub(crate) configs: Vec<TrainingConfig>,
    /// The scores that a new network has to beat.
    pub(crate) scores: Vec<ValidationScores>,
    pub(crate) history: Vec<Record>,
    pub(crate) evaluations: u64,
}

/// What a front holds for one level.
pub(crate) struct FrontEntry {
    pub(crate) member: Member,
    pub(crate) config: TrainingConfig,
    pub(crate) scores: ValidationScores,
}

impl HybridState {
    /// Replaces the entry of a level, or adds it as the next level.
    pub(crate) fn put(&mut self, level: usize, entry: FrontEntry) {
        let FrontEntry { member, config, scores } = entry;
        if level >= self.members.len() {
            self.members.push(member);
            self.configs.push(config);
            self.scores.push(scores);
        } else {
            self.members[level] = member;
            self.configs[level] = config;
            self.scores[level] = scores;
        }
    }

    /// Copies the entry of the level below to a level. The budget stays.
    pub(crate) fn copy_from_below(&mut self, level: usize) {
        let budget = self.members[level].budget;
        let member = Member { budget, ..self.members[level - 1].clone() };
        let config = self.configs[level - 1].clone();
        let scores = self.scores[level - 1].clone();
        self.put(level, FrontEntry { member, config, scores });
    }

    /// Whether the members of two levels were trained with the same penalty.
    pub(crate) fn same_penalty(&self, level: usize, other: usize) -> bool {
        self.configs[level].regularization() == self.configs[other].regularization()
    }

    /// The generations done so far.
    pub(crate) fn generation(&self) -> u64 {
        self.history.len() as u64
    }

    /// Ends a generation: adds a record of the first `levels` levels to the history.
    pub(crate) fn record_generation(&mut self, evaluations: u64, levels: usize) {
        self.evaluations += evaluations;
        let losses = self.members[..levels].iter().map(|member| member.loss);
        let mean_loss = losses.clone().sum::<f64>() / levels as f64;
        let best_loss = losses.fold(f64::INFINITY, f64::min);
        self.history.push(Record {
            generation: self.generation() + 1,
            evaluations: self.evaluations,
            best_loss,
            mean_loss,
            invalid_individuals: 0,
            invalid_parts: 0,
        });
    }
}

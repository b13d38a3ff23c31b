//! The front: the best network found at every budget, and how one of them is picked.

use mge_net::{Network, Size, table_bytes};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The best network found for a budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The budget, in operations unless the objective is another.
    pub budget: usize,
    /// The operations of the network.
    pub operations: usize,
    /// What it costs where the front is not one of operations alone.
    #[serde(default)]
    pub cost: Option<usize>,
    /// The loss by which it was chosen, on rows that did not train.
    pub loss: f64,
    /// The deviation of that loss from fold to fold, divided by the root of their number.
    pub standard_error: f64,
    /// The share of those rows that were right.
    pub accuracy: f64,
    /// The L2 penalty it was trained with.
    pub l2: f64,
    /// Whether that was one on weights of inputs from 0 to 1.
    #[serde(default)]
    pub by_range: bool,
    /// The network.
    #[serde(with = "as_text")]
    pub network: Network,
}

impl Member {
    /// What the front weighs against the loss.
    pub fn cost(&self) -> usize {
        self.cost.unwrap_or(self.operations)
    }
}

/// Limits that a picked network keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Most operations.
    pub max_ops: Option<usize>,
    /// Most bytes, as [`table_bytes`] counts them.
    pub max_bytes: Option<usize>,
    /// Most features.
    pub max_features: Option<usize>,
    /// Most hidden neurons.
    pub max_neurons: Option<usize>,
}

/// Which network of the front, among those inside the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The lowest loss.
    Accuracy,
    /// Where the front bends: farthest below the line between its ends, costs on a logarithmic
    /// scale.
    Knee,
    /// The smallest whose loss is within one standard error of the lowest.
    #[serde(rename = "smallest-within-1se")]
    SmallestWithin1se,
}

impl Pick {
    /// The rule when none is given: the best of what is allowed, or the knee of all.
    pub fn usual(limits: &Limits) -> Self {
        if *limits == Limits::default() { Pick::Knee } else { Pick::Accuracy }
    }

    fn name(self) -> &'static str {
        match self {
            Pick::Accuracy => "accuracy",
            Pick::Knee => "knee",
            Pick::SmallestWithin1se => "smallest-within-1se",
        }
    }
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown rule `{found}`; expected accuracy, knee or smallest-within-1se")]
pub struct UnknownPick {
    found: String,
}

impl FromStr for Pick {
    type Err = UnknownPick;

    fn from_str(text: &str) -> Result<Self, UnknownPick> {
        let all = [Pick::Accuracy, Pick::Knee, Pick::SmallestWithin1se];
        let found = all.into_iter().find(|rule| rule.name() == text);
        found.ok_or_else(|| UnknownPick { found: text.to_owned() })
    }
}

impl Limits {
    /// Whether a network keeps them.
    pub fn allow(&self, network: &Network) -> bool {
        let size = Size::of(network);
        let within = |limit: Option<usize>, found: usize| limit.is_none_or(|most| found <= most);
        within(self.max_ops, size.operations)
            && within(self.max_bytes, table_bytes(network))
            && within(self.max_features, size.features)
            && within(self.max_neurons, size.neurons)
    }
}

/// The members that no other beats in both cost and loss, by cost.
pub fn non_dominated(members: &[Member]) -> Vec<&Member> {
    let mut sorted: Vec<&Member> = members.iter().collect();
    sorted.sort_by(|a, b| a.cost().cmp(&b.cost()).then(a.loss.total_cmp(&b.loss)));
    let mut front: Vec<&Member> = Vec::new();
    for member in sorted {
        if front.last().is_none_or(|last| member.loss < last.loss) {
            front.push(member);
        }
    }
    front
}

/// The picked member; `None` when no network keeps the limits.
pub fn pick<'m>(members: &'m [Member], limits: &Limits, pick: Pick) -> Option<&'m Member> {
    let allowed: Vec<Member> =
        members.iter().filter(|member| limits.allow(&member.network)).cloned().collect();
    let front = non_dominated(&allowed);
    let best = *front.last()?;
    let chosen = match pick {
        Pick::Accuracy => best,
        Pick::SmallestWithin1se => {
            front.iter().find(|m| m.loss <= best.loss + best.standard_error).copied()?
        }
        Pick::Knee => {
            let at = |m: &Member| libm::log(m.cost().max(1) as f64);
            let first = *front.first()?;
            let (width, height) = (at(best) - at(first), first.loss - best.loss);
            let below = |m: &Member| {
                let along = if width > 0.0 { (at(m) - at(first)) / width } else { 1.0 };
                let fallen = if height > 0.0 { (first.loss - m.loss) / height } else { 1.0 };
                fallen - along
            };
            // Of equals the last: a front of one or two has no knee.
            front.iter().copied().max_by(|a, b| below(a).total_cmp(&below(b)))?
        }
    };
    members.iter().find(|member| *member == chosen)
}

/// Networks as JSON text inside formats that do not describe themselves.
mod as_text {
    use mge_net::Network;
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(network: &Network, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return network.serialize(to);
        }
        let text = serde_json::to_string(network).map_err(S::Error::custom)?;
        to.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Network, D::Error> {
        if from.is_human_readable() {
            return Network::deserialize(from);
        }
        let text = String::deserialize(from)?;
        serde_json::from_str(&text).map_err(D::Error::custom)
    }
}

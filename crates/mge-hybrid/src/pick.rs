//! Picking one network of a front.

use crate::front::Member;
use mge_net::{Network, Size, table_bytes};
use serde::{Deserialize, Serialize};

/// Limits of a picked network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The maximum operations.
    pub max_ops: Option<usize>,
    /// The maximum bytes, as [`table_bytes`] counts them.
    pub max_bytes: Option<usize>,
    /// The maximum number of features.
    pub max_features: Option<usize>,
    /// The maximum number of hidden neurons.
    pub max_neurons: Option<usize>,
}

impl Limits {
    /// Whether a network keeps them.
    pub fn allow(&self, network: &Network) -> bool {
        let size = Size::of(network);
        let within = |limit: Option<usize>, found: usize| limit.is_none_or(|max| found <= max);
        within(self.max_ops, size.operations)
            && within(self.max_bytes, table_bytes(network))
            && within(self.max_features, size.features)
            && within(self.max_neurons, size.neurons)
    }
}

/// How far the accuracy of the recommended network may be below the highest.
pub const RECOMMENDED_TOLERANCE: f64 = 0.005;
/// How far the accuracy of the smallest network may be below the highest.
pub const SMALLEST_TOLERANCE: f64 = 0.02;

mge_names::named_enum! {
    /// A rule that picks one network of those inside the limits.
    pub enum Pick: "rule" {
        /// The smallest network whose accuracy is at most half a point below the highest
        /// ([`RECOMMENDED_TOLERANCE`]). On tables that did not choose the rule it loses nothing to the
        /// most accurate network and is smaller; see `scripts/choose-default.py`.
        Recommended = "recommended",
        /// The smallest network whose accuracy is at most two points below the highest
        /// ([`SMALLEST_TOLERANCE`]).
        Smallest = "smallest",
        /// The network with the highest accuracy; of equals the smallest.
        HighestAccuracy = "most-accurate",
        /// The network with the lowest loss.
        LowestLoss = "lowest-loss" | "accuracy",
        /// The knee of the front: the network farthest below the line between its ends, with costs
        /// on a logarithmic scale.
        Knee = "knee",
        /// The smallest network whose loss is within one standard error of the lowest.
        SmallestWithin1se = "smallest-within-1se",
    }
}

impl Pick {
    /// The rule when none is given: the lowest loss inside limits. Where there are none, a network
    /// that is accurate and no larger than that takes.
    pub fn default_for(limits: &Limits) -> Self {
        if *limits == Limits::default() { Pick::Recommended } else { Pick::LowestLoss }
    }
}

/// The members that no other beats in both cost and loss, by rising cost.
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
pub fn pick<'m>(members: &'m [Member], limits: &Limits, rule: Pick) -> Option<&'m Member> {
    let allowed: Vec<Member> =
        members.iter().filter(|member| limits.allow(&member.network)).cloned().collect();
    let front = non_dominated(&allowed);
    let best = *front.last()?;
    let highest = front.iter().map(|member| member.accuracy).fold(f64::NEG_INFINITY, f64::max);
    let with_accuracy = |min: f64| front.iter().copied().find(|member| member.accuracy >= min);
    let picked = match rule {
        Pick::Recommended => with_accuracy(highest - RECOMMENDED_TOLERANCE)?,
        Pick::Smallest => with_accuracy(highest - SMALLEST_TOLERANCE)?,
        Pick::HighestAccuracy => with_accuracy(highest)?,
        Pick::LowestLoss => best,
        Pick::SmallestWithin1se => {
            front.iter().find(|m| m.loss <= best.loss + best.standard_error).copied()?
        }
        Pick::Knee => knee(&front)?,
    };
    members.iter().find(|member| *member == picked)
}

/// The member farthest below the line between the ends of a front. Of equals the last: a front of
/// one or two has no knee.
fn knee<'m>(front: &[&'m Member]) -> Option<&'m Member> {
    let (first, best) = (*front.first()?, *front.last()?);
    let log_cost = |member: &Member| libm::log(member.cost().max(1) as f64);
    let (width, height) = (log_cost(best) - log_cost(first), first.loss - best.loss);
    let below = |member: &Member| {
        let along = if width > 0.0 { (log_cost(member) - log_cost(first)) / width } else { 1.0 };
        let fallen = if height > 0.0 { (first.loss - member.loss) / height } else { 1.0 };
        fallen - along
    };
    front.iter().copied().max_by(|a, b| below(a).total_cmp(&below(b)))
}

#[cfg(test)]
mod tests;

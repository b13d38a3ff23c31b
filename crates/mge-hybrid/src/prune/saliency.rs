//! Pruning of large networks by the saliency of single links, `w^2 F / 2` (LeCun, Denker and Solla
//! 1990). A neuron is removed with its last link.

use super::Pruning;
use mge_net::{Connection, GradientScratch, SparseNetwork};

/// Removes the links with the lowest saliency, and nothing else, until the network would meet the
/// budget without the neurons that have no effect any more.
pub(super) fn prune_by_saliency(
    network: &mut SparseNetwork,
    pruning: Pruning<'_>,
    scratch: &mut GradientScratch,
) {
    let Pruning { cost_model, budget, .. } = pruning;
    let ranks = ranks(network, pruning, scratch);
    // A copy of the network stores the rank of each link as its weight. When a neuron is removed,
    // the others get new indices, and each rank stays with its link.
    let mut ranked = network.clone();
    let mut own = ranks.iter();
    for (weight, is_link) in ranked.weights_mut().zip(network.is_link()) {
        if is_link {
            *weight = *own.next().expect("a rank for each link") as f32;
        }
    }
    let mut removed = 0;
    while cost_model.cost(&ranked) > budget && removed < ranks.len() {
        // A neuron is removed with its last link, which saves more. So each round removes only a
        // part of the excess.
        let excess = cost_model.cost(&ranked) - budget;
        removed += excess.div_ceil(2 * (cost_model.link + cost_model.feature));
        ranked.retain_links(|link| link.weight > removed as f32);
        ranked.simplify();
    }
    let mut ranks = ranks.into_iter();
    network.retain_links(|_| ranks.next().is_some_and(|rank| rank > removed));
}

/// The rank of each link by its saliency: 1 for the lowest.
fn ranks(
    network: &SparseNetwork,
    pruning: Pruning<'_>,
    scratch: &mut GradientScratch,
) -> Vec<usize> {
    let candidates = pruning.training_set.candidates(network, pruning.seed, scratch);
    let saliency = |(connection, weight): (Connection, f32)| {
        let weight = f64::from(weight);
        weight * weight * candidates.curvature(connection)
    };
    let weights = network.connections().into_iter().zip(network.weights());
    let links = weights.filter(|(connection, _)| matches!(connection, Connection::Link { .. }));
    let saliencies: Vec<f64> = links.map(saliency).collect();
    let mut order: Vec<usize> = (0..saliencies.len()).collect();
    order.sort_by(|&a, &b| saliencies[a].total_cmp(&saliencies[b]).then(a.cmp(&b)));
    let mut ranks = vec![0; order.len()];
    for (rank, link) in order.into_iter().enumerate() {
        ranks[link] = rank + 1;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost_model::CostModel;
    use crate::testing;
    use mge_net::{Link, Output, Source};

    #[test]
    fn the_link_of_lowest_saliency_goes_whatever_the_size_of_its_weight() {
        // The second input is a hundred times the first, so its small weight does more.
        let first = (0..32).map(|row| (row % 5) as f32 - 2.0);
        let second = (0..32).map(|row| 100.0 * ((row % 7) as f32 - 3.0));
        let labels = (0..32).map(|row| row % 2).collect();
        let table = testing::TestTable::new(vec![first.collect(), second.collect()], labels);
        let training_set = &table.training_set(1);
        let link = |input, weight| Link { source: Source::Input(input), weight };
        let links = vec![link(0, 0.1), link(1, 0.02)];
        let mut network = SparseNetwork::new(2, vec![Output { bias: Some(0.0), links }]);
        let (cost_model, regularization) = (CostModel::OPERATIONS, testing::no_regularization());
        let pruning = Pruning { training_set, cost_model, budget: 8, regularization, seed: 1 };
        prune_by_saliency(&mut network, pruning, &mut GradientScratch::new());
        assert_eq!(network.outputs()[0].links, vec![link(1, 0.02)]);
    }
}

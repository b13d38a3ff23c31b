use super::*;
use crate::testing::{TestTable, no_regularization, random_network};
use mge_net::gradient::invert;
use mge_net::{Connection, Source};
use proptest::prelude::*;

fn pruning(training_set: &TrainingSet, budget: usize) -> Pruning<'_> {
    let (cost_model, regularization) = (CostModel::OPERATIONS, no_regularization());
    Pruning { training_set, cost_model, budget, regularization, seed: 1 }
}

/// The cost of a network without connections.
fn empty_cost(cost_model: CostModel, outputs: usize) -> usize {
    cost_model.output * outputs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pruning_stops_at_the_budget(
        hidden in 0usize..5, outputs in 1usize..4, budget in 4usize..120, feature in 0usize..30,
        seed: u64,
    ) {
        let table = TestTable::rings(60, 4, (outputs as u32).max(2));
        let training_set = &table.training_set(1);
        let outputs = training_set.evaluator().outputs();
        let cost_model = CostModel { feature, ..CostModel::OPERATIONS };
        let pruning = Pruning { cost_model, ..pruning(training_set, budget) };
        let before = random_network(4, hidden, outputs, seed);
        let mut network = before.clone();
        prune_to_budget(&mut network, pruning, &mut GradientScratch::new());
        let cost = cost_model.cost(&network);
        prop_assert!(cost <= budget.max(empty_cost(cost_model, outputs)), "{cost} of {budget}");
        prop_assert!(network.to_network().is_ok());
        prop_assert!(network.size() <= before.size());
        if cost_model.cost(&before) <= budget {
            prop_assert_eq!(network, before);
        }
    }

    #[test]
    fn what_is_left_was_there_before_and_in_the_same_order(budget in 10usize..60, seed: u64) {
        let table = TestTable::rings(60, 4, 3);
        let training_set = &table.training_set(1);
        // Without hidden neurons no connection is renumbered.
        let before = random_network(4, 0, 3, seed);
        let mut after = before.clone();
        prune_to_budget(&mut after, pruning(training_set, budget), &mut GradientScratch::new());
        let mut left = before.connections().into_iter();
        prop_assert!(after.connections().iter().all(|own| left.any(|other| other == *own)));
    }

    #[test]
    fn the_target_of_lowest_loss_for_its_cost_is_removed(
        hidden in 0usize..3, seed: u64,
    ) {
        let table = TestTable::rings(80, 2, 3);
        let training_set = &table.training_set(1);
        let scratch = &mut GradientScratch::new();
        let network = random_network(2, hidden, 3, seed);
        let (expected_kept, expected_weights) = brute_force(&network, training_set, scratch);
        let budget = CostModel::OPERATIONS.cost(&network) - 1;
        let mut pruned = network.clone();
        prune_to_budget(&mut pruned, pruning(training_set, budget), scratch);
        let mut expected = network.clone();
        expected.set_weights(&expected_weights);
        expected.retain_connections(&expected_kept);
        expected.simplify();
        prop_assert_eq!(pruned.connections(), expected.connections());
        for (found, expected) in pruned.weights().into_iter().zip(expected.weights()) {
            prop_assert!((found - expected).abs() < 1e-3 * (1.0 + expected.abs()));
        }
    }

    #[test]
    fn saliency_keeps_the_links_of_highest_saliency(budget in 12usize..40, seed: u64) {
        let table = TestTable::rings(60, 6, 3);
        let training_set = &table.training_set(1);
        let scratch = &mut GradientScratch::new();
        let before = random_network(6, 0, 3, seed);
        let candidates = training_set.candidates(&before, 1, scratch);
        let saliency = |(connection, weight): (Connection, f32)| {
            f64::from(weight) * f64::from(weight) * candidates.curvature(connection)
        };
        let mut after = before.clone();
        prune_by_saliency(&mut after, pruning(training_set, budget), scratch);
        let kept = after.connections();
        let all = before.connections().into_iter().zip(before.weights());
        let links = all.filter(|(connection, _)| matches!(connection, Connection::Link { .. }));
        let (kept, removed): (Vec<_>, Vec<_>) =
            links.partition(|(connection, _)| kept.contains(connection));
        let lowest_kept = kept.into_iter().map(saliency).fold(f64::INFINITY, f64::min);
        let highest_removed = removed.into_iter().map(saliency).fold(0.0, f64::max);
        prop_assert!(highest_removed <= lowest_kept);
    }
}

/// The best single removal by trying all weights and neurons on the quadratic model: which
/// connections stay, and the weights that compensate.
fn brute_force(
    network: &SparseNetwork,
    training_set: &TrainingSet,
    scratch: &mut GradientScratch,
) -> (Vec<bool>, Vec<f32>) {
    let size = network.size();
    let fisher = training_set.fisher_matrix(network, 1, scratch);
    let mean = fisher.diagonal().sum::<f64>() / size as f64;
    let mut matrix = fisher.values().to_vec();
    for k in 0..size {
        matrix[k * size + k] += 1e-4 * mean + 1e-9;
    }
    let weights: Vec<f64> = network.weights().into_iter().map(f64::from).collect();
    let connections = network.connections();
    let reads = |neuron: usize| {
        let source = Source::Neuron(neuron as u32);
        move |k: &usize| matches!(connections_source(&network.connections()[*k]), Some(s) if s == source)
    };
    let mut best: Option<(f64, Vec<bool>, Vec<f32>)> = None;
    let mut consider = |gone: Vec<usize>, dead: Vec<usize>, saved: usize| {
        let (loss, after) = without(&matrix, &weights, &gone);
        let is_kept: Vec<bool> =
            (0..size).map(|k| !gone.contains(&k) && !dead.contains(&k)).collect();
        let score = loss / saved as f64;
        if best.as_ref().is_none_or(|best| score < best.0) {
            best = Some((score, is_kept, after));
        }
    };
    for k in 0..size {
        // A neuron goes with its only reader; it is tried as a neuron below.
        let only =
            (0..network.neurons().len()).any(|n| reads(n)(&k) && network.readers(n).len() == 1);
        if !only {
            consider(vec![k], Vec::new(), 2);
        }
    }
    for neuron in 0..network.neurons().len() {
        let readers: Vec<usize> = (0..size).filter(reads(neuron)).collect();
        let own: Vec<usize> = (0..size).filter(|&k| connections[k].unit() == neuron).collect();
        let saved = 2 * (readers.len() + own.len()) + 4;
        consider(readers, own, saved);
    }
    let (_, is_kept, after) = best.expect("some weight");
    (is_kept, after)
}

fn connections_source(connection: &Connection) -> Option<Source> {
    match connection {
        Connection::Link { source, .. } => Some(*source),
        Connection::Bias { .. } => None,
    }
}

/// The least of `d' F d / 2` over all changes `d` that set some weights to zero, and the weights
/// after that change: the others solve `F_kk d_k = -F_kg d_g`.
fn without(matrix: &[f64], weights: &[f64], gone: &[usize]) -> (f64, Vec<f32>) {
    let size = weights.len();
    let kept: Vec<usize> = (0..size).filter(|k| !gone.contains(k)).collect();
    let mut part: Vec<f64> = kept
        .iter()
        .flat_map(|&row| kept.iter().map(move |&column| matrix[row * size + column]))
        .collect();
    invert(&mut part, kept.len());
    let mut change = vec![0.0; size];
    for &k in gone {
        change[k] = -weights[k];
    }
    let force: Vec<f64> = kept
        .iter()
        .map(|&row| gone.iter().map(|&k| matrix[row * size + k] * change[k]).sum::<f64>())
        .collect();
    for (index, &row) in kept.iter().enumerate() {
        let own = &part[index * kept.len()..][..kept.len()];
        change[row] = -own.iter().zip(&force).map(|(a, b)| a * b).sum::<f64>();
    }
    let mut loss = 0.0;
    for row in 0..size {
        for column in 0..size {
            loss += 0.5 * change[row] * matrix[row * size + column] * change[column];
        }
    }
    let after = weights.iter().zip(&change).map(|(w, d)| (w + d) as f32).collect();
    (loss, after)
}

#[test]
fn free_biases_stay() {
    let table = TestTable::rings(60, 4, 3);
    let training_set = &table.training_set(1);
    let cost_model = CostModel { bias: 0, ..CostModel::OPERATIONS };
    let mut network = random_network(4, 0, 3, 1);
    let budget = empty_cost(cost_model, 3);
    let pruning = Pruning { cost_model, ..pruning(training_set, budget) };
    prune_to_budget(&mut network, pruning, &mut GradientScratch::new());
    assert_eq!((network.biases(), network.links().count()), (3, 0));
}

#[test]
fn expensive_features_go_as_a_whole() {
    let table = TestTable::rings(200, 6, 3);
    let training_set = &table.training_set(1);
    let cost_model = CostModel { feature: 1000, ..CostModel::OPERATIONS };
    let mut network = random_network(6, 3, 3, 1);
    let budget = cost_model.cost(&network) - 3500;
    let pruning = Pruning { cost_model, ..pruning(training_set, budget) };
    prune_to_budget(&mut network, pruning, &mut GradientScratch::new());
    assert_eq!(network.features().len(), 2);
    assert!(network.links().count() > 10);
}

#[test]
fn large_networks_are_pruned_to_their_budget_too() {
    let table = TestTable::rings(60, 40, 3);
    let training_set = &table.training_set(1);
    let mut network = random_network(40, 20, 3, 1);
    assert!(network.size() > MAX_OBS_WEIGHTS);
    for budget in [1200, 700, 100, 20] {
        prune_to_budget(&mut network, pruning(training_set, budget), &mut GradientScratch::new());
        let cost = CostModel::OPERATIONS.cost(&network);
        assert!(cost <= budget, "{cost} of {budget}");
        assert!(network.to_network().is_ok());
    }
}

use super::*;
use crate::testing::{TestTable, random_network};
use mge_net::Activation;

const SIZE: TableShape = TableShape { rows: 600, inputs: 5, outputs: 3 };

fn is_linear(config: &TrainingConfig) -> bool {
    config.hidden_neurons == 0 && config.curves_per_input == 0
}

#[test]
fn for_each_penalty_of_a_small_table_the_linear_configuration_comes_first() {
    let configs = TrainingConfig::first_of_small_table(&HybridParams::default(), SIZE);
    assert_eq!(configs.len(), 16);
    for of_penalty in configs.chunks(4) {
        assert!(is_linear(&of_penalty[0]));
        assert!(of_penalty[1..].iter().all(|config| !is_linear(config)));
        assert!(of_penalty.iter().all(|config| config.l2 == of_penalty[0].l2));
    }
}

#[test]
fn a_large_table_starts_wide_with_and_without_scaled_penalties() {
    let settings = HybridParams::default();
    let configs = TrainingConfig::first_of_large_table(&settings, SIZE);
    let scaled: Vec<bool> = configs.iter().map(|config| config.range_scaled).collect();
    assert_eq!(scaled, [true, true, false, false, false]);
    assert!(is_linear(&configs[4]) && configs[..4].iter().all(|config| !is_linear(config)));
    assert!(configs.iter().all(|config| config.l1 > 0.0));
    let unscaled = HybridParams { range_scaled_penalty: false, ..settings };
    let configs = TrainingConfig::first_of_large_table(&unscaled, SIZE);
    assert!(configs.len() == 3 && configs.iter().all(|config| !config.range_scaled));
}

#[test]
fn given_networks_come_last_on_small_tables_and_alone_on_large_ones() {
    let network = |hidden| random_network(5, hidden, 3, 1).to_network().expect("valid");
    let settings = HybridParams { start: vec![network(1), network(4)], ..Default::default() };
    let small = TrainingConfig::first_of_small_table(&settings, SIZE);
    let warm: Vec<Option<usize>> = small.iter().map(|config| config.warm_start).collect();
    assert_eq!(warm[14..], [None, None, Some(1), Some(0)], "the most expensive first");
    let large = TrainingConfig::first_of_large_table(&settings, SIZE);
    assert_eq!((large.len(), large[0].warm_start, large[0].l1), (1, Some(1), 0.0));
}

#[test]
fn a_wide_start_links_everything() {
    let table = TestTable::rings(60, 5, 3);
    let set = table.training_set(1);
    let settings = HybridParams::default();
    let config = TrainingConfig {
        hidden_neurons: 3,
        curves_per_input: 2,
        activation: Activation::Sin,
        ..TrainingConfig::linear(&settings, 0.01)
    };
    let network = config.start_network(&set, &settings);
    assert_eq!(network.neurons().len(), 2 * 5 + 3);
    let links = |neuron: usize| network.neurons()[neuron].links.len();
    assert!((0..10).all(|neuron| links(neuron) == 1) && (10..13).all(|neuron| links(neuron) == 5));
    assert!(network.neurons().iter().all(|neuron| neuron.activation == Activation::Sin));
    assert!((0..13).all(|neuron| network.readers(neuron).len() == 3));
    assert_eq!(network.outputs()[0].links.len(), 5 + 13);
    let without = TrainingConfig { direct_links: false, ..config.clone() };
    assert_eq!(without.start_network(&set, &settings).outputs()[0].links.len(), 13);
    let other_seed = TrainingConfig { seed: 2, ..config.clone() };
    assert_ne!(other_seed.start_network(&set, &settings), network);
    assert_eq!(config.start_network(&set, &settings), network);
}

#[test]
fn neurons_of_a_modular_start_feed_one_output() {
    let table = TestTable::rings(60, 5, 3);
    let settings = HybridParams { modular: true, ..Default::default() };
    let config = TrainingConfig { hidden_neurons: 6, ..TrainingConfig::linear(&settings, 0.01) };
    let network = config.start_network(&table.training_set(1), &settings);
    assert!((0..6).all(|neuron| network.readers(neuron) == [6 + neuron % 3]));
}

#[test]
fn curves_are_left_out_where_there_would_be_too_many() {
    let columns = (0..150).map(|k| (0..20).map(|row| ((row * k) % 7) as f32).collect()).collect();
    let table = TestTable::new(columns, (0..20).map(|row| row % 2).collect());
    let settings = HybridParams::default();
    let curves = |curves_per_input| TrainingConfig {
        curves_per_input,
        hidden_neurons: 1,
        ..TrainingConfig::linear(&settings, 0.01)
    };
    let neurons = |config: TrainingConfig| {
        config.start_network(&table.training_set(1), &settings).neurons().len()
    };
    assert_eq!([1, 2].map(|count| neurons(curves(count))), [151, 1]);
}

#[test]
fn a_warm_start_keeps_the_structure_and_draws_weights_anew_on_small_tables() {
    let table = TestTable::rings(60, 5, 3);
    let given = random_network(5, 2, 3, 1);
    let settings =
        HybridParams { start: vec![given.to_network().expect("valid")], ..Default::default() };
    let config = TrainingConfig { warm_start: Some(0), ..TrainingConfig::linear(&settings, 0.01) };
    let network = config.start_network(&table.training_set(1), &settings);
    assert_eq!(network.connections(), given.connections());
    assert_ne!(network.weights(), given.weights());
}

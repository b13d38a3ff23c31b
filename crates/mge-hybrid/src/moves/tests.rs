use super::*;
use crate::testing::{TestTable, random_network};
use mge_net::reference;
use mge_random::Purpose;
use proptest::prelude::*;

fn stream(seed: u64) -> Stream {
    Stream::at(seed, Purpose::Mutation, 0, 0)
}

/// Two outputs, two inputs; the first neuron feeds both outputs, the second one the second only.
fn network(seed: u64) -> SparseNetwork {
    let mut stream = stream(seed);
    let mut weight = || (2.0 * stream.unit() - 1.0) as f32;
    let outputs = (0..2).map(|_| {
        let links = vec![Link { source: Source::Input(1), weight: weight() }];
        Output { bias: Some(weight()), links }
    });
    let mut network = SparseNetwork::new(2, outputs.collect());
    for feeds in [vec![0, 1], vec![1]] {
        let links = (0..2).map(|input| Link { source: Source::Input(input), weight: weight() });
        let (links, bias) = (links.collect(), Some(weight()));
        let feeds: Vec<_> = feeds.into_iter().map(|output| (output, weight())).collect();
        network.push_neuron(Activation::Gauss, bias, links, feeds);
    }
    network
}

fn outputs(network: &SparseNetwork) -> Vec<f64> {
    reference::outputs(&network.to_network().expect("valid"), &[0.3, -0.8])
}

/// The last neuron reads the first; all have the same weights otherwise.
fn deep_network() -> SparseNetwork {
    let mut deep = random_network(2, 1, 2, 5);
    let first = deep.neurons()[0].clone();
    for reads_first in [false, true] {
        let mut links = first.links.clone();
        if reads_first {
            links.push(Link { source: Source::Neuron(0), weight: 1.0 });
        }
        deep.push_neuron(first.activation, first.bias, links, [(0, 1.0)]);
    }
    deep
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_mutation_leaves_a_valid_network(
        seed: u64, hidden in 0usize..4, other_hidden in 0usize..4, modular: bool, is_deep: bool,
    ) {
        let table = TestTable::rings(40, 2, 3);
        let set = table.training_set(1);
        let settings = HybridParams {
            crossover_rate: 0.7,
            activation_mutation_rate: 0.7,
            neuron_addition_rate: 0.7,
            modular,
            ..Default::default()
        };
        let other = random_network(2, other_hidden, 3, seed ^ 1).to_network().expect("valid");
        let mut network = if is_deep {
            let mut deep = deep_network();
            deep.simplify();
            let outputs = deep.outputs().iter().cloned().chain([Output::default()]).collect();
            let deep = Network::new(2, deep.neurons().to_vec(), outputs).expect("valid");
            SparseNetwork::from(&deep)
        } else {
            random_network(2, hidden, 3, seed)
        };
        let (mut stream, scratch) = (stream(seed), &mut GradientScratch::new());
        for _ in 0..6 {
            mutate_structure(&mut network, &other, &settings, &set, &mut stream, scratch);
            prop_assert!(network.to_network().is_ok());
            prop_assert_eq!(network.outputs().len(), 3);
        }
    }
}

#[test]
fn without_chances_nothing_changes() {
    let table = TestTable::rings(40, 2, 3);
    let settings = HybridParams {
        crossover_rate: 0.0,
        activation_mutation_rate: 0.0,
        neuron_addition_rate: 0.0,
        ..Default::default()
    };
    let before = random_network(2, 3, 3, 1);
    let mut after = before.clone();
    let (other, set) = (before.to_network().expect("valid"), table.training_set(1));
    let scratch = &mut GradientScratch::new();
    mutate_structure(&mut after, &other, &settings, &set, &mut stream(1), scratch);
    assert_eq!(after, before);
}

#[test]
fn a_copied_module_computes_what_it_did_in_its_own_network() {
    let (mut own, other) = (network(1), network(2));
    let before = outputs(&own);
    copy_module(&mut own, &other.to_network().expect("valid"), 1);
    assert_eq!(outputs(&own), [before[0], outputs(&other)[1]]);
    // The neuron that fed the second output only is gone, two have come.
    assert_eq!(own.neurons().len(), 3);
}

#[test]
fn a_copied_neuron_adds_half_of_what_it_gave_its_own_network() {
    let (mut own, other) = (network(1), network(2));
    let before = outputs(&own);
    copy_neuron(&mut own, &other.to_network().expect("valid"), 0);
    let mut without = other.clone();
    without.remove_neuron(0);
    let (with, without) = (outputs(&other), outputs(&without));
    for (output, value) in outputs(&own).into_iter().enumerate() {
        let expected = before[output] + 0.5 * (with[output] - without[output]);
        assert!((value - expected).abs() < 1e-6, "{value} {expected}");
    }
}

#[test]
fn neurons_that_read_neurons_are_not_copied() {
    let deep = deep_network().to_network().expect("valid");
    let mut own = network(1);
    let before = own.clone();
    copy_neuron(&mut own, &deep, 2);
    assert_eq!(own, before);
    copy_module(&mut own, &deep, 0);
    assert!(own.neurons().iter().all(|neuron| !reads_neurons(neuron)));
}

#[test]
fn two_halves_of_a_neuron_merge_to_the_whole() {
    let before = network(3);
    let mut split = before.clone();
    split.split_neuron(0, |weight| weight);
    for seed in 0..10 {
        merge_similar(&mut split, true, &mut stream(seed));
    }
    assert_eq!(split.neurons().len(), 2);
    for (new, old) in outputs(&split).iter().zip(outputs(&before)) {
        assert!((new - old).abs() < 1e-6, "{new} {old}");
    }
}

#[test]
fn neurons_that_point_apart_are_not_merged() {
    let mut apart = SparseNetwork::new(2, vec![Output::default(); 2]);
    for sign in [1.0, -1.0] {
        let link = |input| Link { source: Source::Input(input), weight: sign * 0.7 };
        let links = (0..2).map(link).collect();
        apart.push_neuron(Activation::Gauss, Some(sign * 0.2), links, [(0, 1.0), (1, 1.0)]);
    }
    let before = apart.clone();
    for seed in 0..5 {
        merge_similar(&mut apart, false, &mut stream(seed));
    }
    assert_eq!(apart, before);
}

#[test]
fn neurons_of_deep_networks_are_not_merged() {
    let mut deep = deep_network();
    // Only the second neuron reads no neuron and is read by none.
    let before = deep.clone();
    for seed in 0..20 {
        merge_similar(&mut deep, false, &mut stream(seed));
    }
    assert_eq!(deep, before);
}

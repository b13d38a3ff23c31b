//! Edits of sparse networks: all keep a network valid, and those that promise it keep its function.

use crate::networks::{self, Shape};
use mge_net::{Activation, Connection, Link, Network, Size, Source, SparseNetwork, reference};
use proptest::prelude::*;
use std::collections::HashSet;

fn any_network() -> impl Strategy<Value = Network> {
    networks::any_network(Shape::default())
}

/// What a network computes for a few rows.
fn outputs(network: &SparseNetwork) -> Vec<f64> {
    let network = network.to_network().unwrap();
    let row = |k: usize| (0..network.inputs()).map(|i| ((i + k) as f32 * 0.7).sin()).collect();
    let rows: [Vec<f32>; 3] = std::array::from_fn(row);
    rows.iter().flat_map(|row| reference::outputs(&network, row)).collect()
}

fn assert_same(before: &[f64], after: &[f64]) -> Result<(), TestCaseError> {
    for (before, after) in before.iter().zip(after) {
        prop_assert!((before - after).abs() < 1e-4 * (1.0 + before.abs()), "{before} {after}");
    }
    Ok(())
}

/// Connections that a network could have and has not.
fn missing(network: &SparseNetwork) -> Vec<Connection> {
    let present: HashSet<Connection> = network.connections().into_iter().collect();
    let hidden = network.neurons().len();
    let of_unit = |unit: usize| {
        let inputs = (0..network.inputs() as u32).map(Source::Input);
        let neurons = (0..unit.min(hidden) as u32).map(Source::Neuron);
        let links = inputs.chain(neurons).map(move |source| Connection::Link { unit, source });
        links.chain([Connection::Bias { unit }])
    };
    (0..network.units()).flat_map(of_unit).filter(|c| !present.contains(c)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn conversion_there_and_back_changes_nothing(network in any_network()) {
        let sparse = SparseNetwork::from(&network);
        prop_assert_eq!(sparse.to_network().unwrap(), network.clone());
        let size = Size::of(&network);
        prop_assert_eq!(sparse.size(), size.connections);
        prop_assert_eq!(sparse.features().len(), size.features);
        prop_assert_eq!(sparse.units(), size.neurons + size.outputs);
    }

    #[test]
    fn weights_and_connections_have_the_same_order(network in any_network()) {
        let mut sparse = SparseNetwork::from(&network);
        let connections = sparse.connections();
        let numbers: Vec<f32> = (0..sparse.size()).map(|k| k as f32).collect();
        sparse.set_weights(&numbers);
        prop_assert_eq!(sparse.weights(), numbers.clone());
        prop_assert!(sparse.weights_mut().map(|weight| *weight).eq(numbers));
        prop_assert_eq!(sparse.connections(), connections.clone());
        prop_assert_eq!(sparse.is_link().len(), connections.len());
        for (k, connection) in connections.into_iter().enumerate() {
            let weight = match connection {
                Connection::Bias { unit } => sparse.bias_of(unit).unwrap(),
                Connection::Link { unit, source } => {
                    let own = sparse.links_of(unit).iter().find(|link| link.source == source);
                    own.unwrap().weight
                }
            };
            prop_assert_eq!(weight, k as f32);
        }
    }

    #[test]
    fn added_connections_change_no_output(network in any_network(), draws: [usize; 3]) {
        let mut sparse = SparseNetwork::from(&network);
        let before = outputs(&sparse);
        for draw in draws {
            let missing = missing(&sparse);
            if !missing.is_empty() {
                sparse.add(missing[draw % missing.len()]);
            }
        }
        prop_assert_eq!(outputs(&sparse), before);
    }

    #[test]
    fn simplifying_removes_what_has_no_effect_and_keeps_the_function(network in any_network()) {
        let mut sparse = SparseNetwork::from(&network);
        let before = outputs(&sparse);
        sparse.simplify();
        assert_same(&before, &outputs(&sparse))?;
        for neuron in 0..sparse.neurons().len() {
            prop_assert!(!sparse.readers(neuron).is_empty());
            prop_assert!(!sparse.neurons()[neuron].links.is_empty());
        }
        let once = sparse.clone();
        sparse.simplify();
        prop_assert_eq!(sparse, once);
    }

    #[test]
    fn removed_neurons_leave_a_valid_network(network in any_network(), max in 0usize..8) {
        let mut sparse = SparseNetwork::from(&network);
        sparse.truncate_neurons(max);
        prop_assert!(sparse.neurons().len() <= max);
        prop_assert!(sparse.to_network().is_ok());
        let mut sparse = SparseNetwork::from(&network);
        while sparse.neurons().len() > max {
            sparse.remove_neuron(max);
            prop_assert!(sparse.to_network().is_ok());
        }
    }

    #[test]
    fn kept_connections_keep_their_weights(network in any_network(), bits: u64) {
        let before = SparseNetwork::from(&network);
        let is_kept: Vec<bool> = (0..before.size()).map(|k| bits >> (k % 64) & 1 == 1).collect();
        let mut after = before.clone();
        after.retain_connections(&is_kept);
        prop_assert!(after.to_network().is_ok());
        let pairs = |network: &SparseNetwork| -> Vec<(Connection, f32)> {
            network.connections().into_iter().zip(network.weights()).collect()
        };
        let expected = pairs(&before).into_iter().zip(is_kept).filter(|(_, kept)| *kept);
        let expected: Vec<_> = expected.map(|(pair, _)| pair).collect();
        prop_assert_eq!(pairs(&after), expected);
    }

    #[test]
    fn features_are_limited_to_those_of_the_largest_weights(
        network in any_network(), max in 1usize..4,
    ) {
        let before = SparseNetwork::from(&network);
        let weight_of = |input: u32| -> f64 {
            let own = before.links().filter(|link| link.source == Source::Input(input));
            own.map(|link| f64::from(link.weight * link.weight)).sum()
        };
        let mut after = before.clone();
        after.keep_features(max);
        prop_assert!(after.to_network().is_ok());
        let (used, kept) = (before.features(), after.features());
        prop_assert!(kept.len() <= max && kept.iter().all(|input| used.contains(input)));
        let heavier = |&input: &u32| {
            used.iter().filter(|&&other| weight_of(other) > weight_of(input)).count()
        };
        prop_assert!(kept.iter().all(|input| heavier(input) < max));
    }

    #[test]
    fn a_neuron_that_is_split_in_equal_halves_keeps_the_function(
        network in any_network(), draw: usize,
    ) {
        let mut sparse = SparseNetwork::from(&network);
        prop_assume!(!sparse.neurons().is_empty());
        let before = outputs(&sparse);
        sparse.split_neuron(draw % network.neurons().len(), |weight| weight);
        prop_assert_eq!(sparse.neurons().len(), network.neurons().len() + 1);
        assert_same(&before, &outputs(&sparse))?;
    }

    #[test]
    fn merging_two_halves_restores_the_function(network in shallow_network(), draw: usize) {
        let mut sparse = SparseNetwork::from(&network);
        sparse.simplify();
        prop_assume!(!sparse.neurons().is_empty());
        let count = sparse.neurons().len();
        let before = outputs(&sparse);
        let neuron = draw % count;
        sparse.split_neuron(neuron, |weight| weight);
        sparse.merge_neurons(neuron, count);
        prop_assert_eq!(sparse.neurons().len(), count);
        assert_same(&before, &outputs(&sparse))?;
    }

    #[test]
    fn merged_neurons_leave_a_valid_network(network in shallow_network(), draws: [usize; 2]) {
        let mut sparse = SparseNetwork::from(&network);
        let count = sparse.neurons().len();
        prop_assume!(count > 1);
        let one = draws[0] % count;
        let other = (one + 1 + draws[1] % (count - 1)) % count;
        sparse.merge_neurons(one, other);
        prop_assert!(sparse.to_network().is_ok());
        prop_assert!(sparse.neurons().len() < count);
    }

    #[test]
    fn scaled_outputs_are_multiplied(network in any_network()) {
        let mut sparse = SparseNetwork::from(&network);
        let before = outputs(&sparse);
        sparse.scale_outputs(2.0);
        let doubled: Vec<f64> = before.iter().map(|value| 2.0 * value).collect();
        assert_same(&doubled, &outputs(&sparse))?;
    }
}

/// Neurons that read inputs only and feed outputs only.
fn shallow_network() -> impl Strategy<Value = Network> {
    any_network().prop_map(|network| {
        let mut sparse = SparseNetwork::from(&network);
        let hidden = sparse.neurons().len();
        let from_input = |connection: &Connection| match *connection {
            Connection::Link { unit, source } => {
                unit >= hidden || matches!(source, Source::Input(_))
            }
            Connection::Bias { .. } => true,
        };
        let is_kept: Vec<bool> = sparse.connections().iter().map(from_input).collect();
        sparse.retain_connections(&is_kept);
        sparse.to_network().unwrap()
    })
}

#[test]
fn a_neuron_without_inputs_becomes_a_bias() {
    let output =
        mge_net::Output { bias: None, links: vec![Link { source: Source::Input(1), weight: 1.0 }] };
    let mut network = SparseNetwork::new(2, vec![output]);
    let input = vec![Link { source: Source::Input(0), weight: 2.0 }];
    network.push_neuron(Activation::Tanh, Some(0.5), input.clone(), []);
    network.push_neuron(Activation::Identity, Some(0.5), Vec::new(), [(0, 3.0)]);
    network.push_neuron(Activation::Tanh, None, input, [(0, -1.0)]);
    network.simplify();
    assert_eq!(network.neurons().len(), 1);
    assert_eq!(network.outputs()[0].bias, Some(1.5));
    let last = Link { source: Source::Neuron(0), weight: -1.0 };
    assert_eq!(network.outputs()[0].links[1], last);
}

#[test]
fn weights_that_are_not_finite_are_refused_at_the_door_and_can_be_cleared() {
    let links = vec![Link { source: Source::Input(0), weight: f32::NAN }];
    let mut network = SparseNetwork::new(1, vec![mge_net::Output { bias: Some(1.0), links }]);
    assert!(!network.is_finite());
    assert!(network.to_network().is_err());
    network.zero_non_finite();
    assert_eq!(network.weights(), [1.0, 0.0]);
    assert!(network.to_network().is_ok());
}

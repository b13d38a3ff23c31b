//! Searches that start from given networks.

use crate::tables::{Size, rings, rings_for, run, search, search_with};
use mge_hybrid::{HybridError, HybridParams};
use mge_net::{Activation, Link, Network, Neuron, Output, Source};

#[test]
fn a_search_from_a_front_begins_about_as_good_as_that_front() {
    let table = rings(1200, 3);
    let earlier = search(&table, 3, Size::Large);
    let front = run(&earlier, 6);
    let members = &front.members[..earlier.budgets().len()];
    let networks = || members.iter().map(|member| member.network.clone()).collect();
    let known = |params| HybridParams { start: networks(), ..params };
    let again = search_with(&table, 3, Size::Large, known).unwrap();
    let front_again = run(&again, 1);
    for (before, after) in members.iter().zip(&front_again.members) {
        let accuracy = |network| again.accuracy(network);
        assert!(after.loss <= 1.05 * before.loss + 0.01, "{} after {}", after.loss, before.loss);
        assert!(accuracy(&after.network) >= accuracy(&before.network) - 0.02);
    }
}

#[test]
fn a_search_may_start_from_a_deep_network() {
    let table = rings(1200, 3);
    let link = |source| Link { source, weight: 0.5 };
    let neuron = |sources: &[Source]| Neuron {
        activation: Activation::Gauss,
        bias: Some(0.1),
        links: sources.iter().copied().map(link).collect(),
    };
    let [x, y, first, second] =
        [Source::Input(0), Source::Input(1), Source::Neuron(0), Source::Neuron(1)];
    let hidden = vec![neuron(&[x, y]), neuron(&[x, y]), neuron(&[x, first]), neuron(&[y, second])];
    let output =
        |k: u32| Output { bias: None, links: (k..4).map(Source::Neuron).map(link).collect() };
    let deep = Network::new(5, hidden, (0..3).map(output).collect()).unwrap();
    let search = search_with(&table, 3, Size::Large, |params| HybridParams {
        start: vec![deep.clone()],
        activation_mutation_rate: 1.0,
        crossover_rate: 1.0,
        ..params
    });
    let front = run(&search.unwrap(), 6);
    assert!(front.members.iter().any(|member| member.accuracy > 0.5));
}

#[test]
fn a_start_network_of_another_shape_is_refused() {
    let table = rings_for(Size::Small, 3);
    let output = Output { bias: None, links: vec![Link { source: Source::Input(0), weight: 1.0 }] };
    let network = Network::new(4, Vec::new(), vec![output; 3]).unwrap();
    let start = |params| HybridParams { start: vec![network.clone()], ..params };
    let error = search_with(&table, 3, Size::Small, start).err().unwrap();
    assert!(matches!(error, HybridError::Start { features: 4, expected_features: 5, .. }));
    assert!(
        error.to_string().contains("has 4 features and 3 outputs, expected 5 and 3"),
        "{error}"
    );
}

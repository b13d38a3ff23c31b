use super::*;
use crate::testing::{TestTable, random_network};
use mge_random::Purpose;
use proptest::prelude::*;

fn stream(seed: u64) -> Stream {
    Stream::at(seed, Purpose::Mutation, 0, 0)
}

/// A network with some connections missing.
fn sparse(hidden: usize, seed: u64) -> SparseNetwork {
    let mut network = random_network(4, hidden, 3, seed);
    let mut stream = stream(seed);
    let is_kept: Vec<bool> = (0..network.size()).map(|_| stream.chance(0.4)).collect();
    network.retain_connections(&is_kept);
    network.simplify();
    network
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn growth_adds_the_wanted_number_and_keeps_the_function(
        hidden in 0usize..4, count in 0usize..40, noise in 0.0..1.0, shared: bool, seed: u64,
    ) {
        let table = TestTable::rings(60, 4, 3);
        let set = table.training_set(1);
        let scratch = &mut GradientScratch::new();
        let before = sparse(hidden, seed);
        let mut after = before.clone();
        let growth = Growth { count, noise, shared };
        grow_connections(&mut after, growth, &set, &mut stream(seed), scratch);
        let missing = missing_connections(&before, shared).len();
        prop_assert_eq!(after.size(), before.size() + count.min(missing));
        prop_assert!(after.to_network().is_ok());
        prop_assert_eq!(set.score(&after, scratch), set.score(&before, scratch));
        let mut again = before.clone();
        grow_connections(&mut again, growth, &set, &mut stream(seed), scratch);
        prop_assert_eq!(again, after);
    }

    #[test]
    fn without_noise_the_largest_gains_are_added(count in 1usize..6, seed: u64) {
        let table = TestTable::rings(60, 4, 3);
        let set = table.training_set(1);
        let scratch = &mut GradientScratch::new();
        let before = sparse(2, seed);
        // The same sample: the stream gives its seed first.
        let candidates = set.candidates(&before, stream(seed).bits(), scratch);
        let mut missing = missing_connections(&before, true);
        prop_assume!(missing.len() > count);
        let mut after = before.clone();
        let growth = Growth { count, noise: 0.0, shared: true };
        grow_connections(&mut after, growth, &set, &mut stream(seed), scratch);
        let present = after.connections();
        let gain = |connection: &Connection| candidates.gain(*connection, DAMPING);
        missing.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        prop_assert!(missing[..count].iter().all(|connection| present.contains(connection)));
    }
}

#[test]
fn a_modular_network_gets_no_links_from_neurons() {
    let network = sparse(3, 1);
    let is_from_neuron = |connection: &Connection| {
        matches!(connection, Connection::Link { source: Source::Neuron(_), .. })
    };
    assert!(!missing_connections(&network, false).iter().any(is_from_neuron));
    let hidden = network.neurons().len();
    for connection in missing_connections(&network, true).iter().filter(|c| is_from_neuron(c)) {
        assert!(connection.unit() >= hidden, "hidden neurons read inputs only");
    }
}

#[test]
fn a_full_network_does_not_grow() {
    let table = TestTable::rings(60, 4, 3);
    let mut network = random_network(4, 2, 3, 1);
    let before = network.clone();
    let growth = Growth { count: 10, noise: 0.5, shared: true };
    let (set, scratch) = (table.training_set(1), &mut GradientScratch::new());
    grow_connections(&mut network, growth, &set, &mut stream(1), scratch);
    assert_eq!(network, before);
}

/// Growth looks at a sample first, and then at all training rows.
#[test]
fn a_large_table_confirms_the_candidates_of_a_sample() {
    let table = TestTable::rings(14_000, 4, 3);
    let set = table.training_set(1);
    assert!(set.is_sampled());
    let scratch = &mut GradientScratch::new();
    let before = sparse(2, 3);
    let mut after = before.clone();
    let growth = Growth { count: 2, noise: 0.0, shared: true };
    grow_connections(&mut after, growth, &set, &mut stream(3), scratch);
    assert_eq!(after.size(), before.size() + 2);
    let added: Vec<Connection> =
        after.connections().into_iter().filter(|c| !before.connections().contains(c)).collect();
    // With the exact derivatives no missing connection has a much larger gain than those added.
    let mut full = before.clone();
    missing_connections(&before, true).into_iter().for_each(|connection| full.add(connection));
    let gradient = set.gradient(&full, scratch);
    let derivatives = full.connections().into_iter().zip(gradient);
    let candidates = set.candidates(&before, stream(3).bits(), scratch);
    let gains: Vec<(Connection, f64)> = derivatives
        .filter(|(connection, _)| !before.connections().contains(connection))
        .map(|(connection, slope)| (connection, candidates.gain_with(slope, connection, DAMPING)))
        .collect();
    let of_added = gains.iter().filter(|(connection, _)| added.contains(connection));
    let min = of_added.map(|(_, gain)| *gain).fold(f64::INFINITY, f64::min);
    let better = gains.iter().filter(|(_, gain)| *gain > 1.0001 * min).count();
    assert!(better < 2, "{better} candidates are better");
}

#[test]
fn a_new_neuron_reads_promising_inputs_and_feeds_outputs() {
    let table = TestTable::rings(200, 20, 3);
    let set = table.training_set(1);
    for (shared, feeds) in [(true, 3), (false, 1)] {
        let mut network = random_network(20, 1, 3, 1);
        let scratch = &mut GradientScratch::new();
        add_neuron(&mut network, Activation::Gauss, shared, &set, &mut stream(5), scratch);
        let neuron = &network.neurons()[1];
        assert_eq!((neuron.activation, neuron.links.len()), (Activation::Gauss, NEURON_INPUTS));
        assert_eq!(network.readers(1).len(), feeds);
        assert!(network.to_network().is_ok());
        // Its weights point along the gradient, with some noise.
        let length: f32 = neuron.links.iter().map(|link| link.weight * link.weight).sum();
        assert!((0.3..3.0).contains(&length), "{length}");
    }
}

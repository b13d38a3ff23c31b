//! Mapping against its slow twin, and networks of genomes made by hand.

use mge_neat::vary::{add_link, add_node, random, toggle_link};
use mge_neat::{
    CheckedNeat, Genome, InnovationCounters, Innovations, LinkGene, Mapper, NeatParams, NodeId,
    NodeKind, Shape, Workspace,
};
use mge_net::{
    BatchEvaluator, Columns, Loss, Network, OutputLink, Scratch, Source, Targets, reference,
};
use mge_random::{Purpose, Stream};
use proptest::prelude::*;

const SHAPE: Shape = Shape { inputs: 3, outputs: 2 };

fn params(recurrent: bool) -> CheckedNeat {
    NeatParams { recurrent, initial_links: 0.5, ..Default::default() }.check(SHAPE).unwrap()
}

fn map(genome: &Genome) -> Option<Network> {
    Mapper::new(&params(false)).map(genome, &mut Workspace::default())
}

/// A genome after many structural mutations.
fn grown(params: &CheckedNeat, seed: u64, mutations: usize) -> Genome {
    let mut stream = Stream::at(seed, Purpose::Mutation, 0, 0);
    let mut innovations = Innovations::new(SHAPE, InnovationCounters::first(SHAPE));
    let mut genome = random(params, &mut stream);
    for _ in 0..mutations {
        // Each mutation is in a generation of its own, as in a run.
        innovations = Innovations::new(SHAPE, innovations.counters());
        match stream.index(5) {
            0 | 1 => add_node(&mut genome, params, &mut innovations, &mut stream),
            2 | 3 => add_link(&mut genome, params, &mut innovations, &mut stream),
            _ => toggle_link(&mut genome, &mut stream),
        }
    }
    genome
}

/// The links of the network, one by one in the order of innovation numbers.
fn links_of_network(genome: &Genome) -> Vec<LinkGene> {
    let mut kept: Vec<LinkGene> = Vec::new();
    for &link in genome.links().iter().filter(|link| link.enabled) {
        if matches!(SHAPE.kind(link.from), NodeKind::Output(_)) {
            continue;
        }
        let mut reached = vec![link.to];
        while let Some(next) =
            kept.iter().find(|known| reached.contains(&known.from) && !reached.contains(&known.to))
        {
            reached.push(next.to);
        }
        if !reached.contains(&link.from) {
            kept.push(link);
        }
    }
    kept
}

/// The value of a node, computed from those of its sources; `None` without any input.
fn value(node: NodeId, links: &[LinkGene], row: &[f32]) -> Option<f64> {
    match SHAPE.kind(node) {
        NodeKind::Input(input) => return Some(f64::from(row[input as usize])),
        NodeKind::Bias => return Some(1.0),
        _ => {}
    }
    let into = links.iter().filter(|link| link.to == node);
    let term = |link: &LinkGene| {
        value(link.from, links, row).map(|value| f64::from(link.weight * 4.9) * value)
    };
    let terms: Vec<f64> = into.filter_map(term).collect();
    let sum: f64 = terms.iter().sum();
    match SHAPE.kind(node) {
        NodeKind::Hidden => (!terms.is_empty()).then(|| 1.0 / (1.0 + libm::exp(-sum))),
        _ => Some(sum),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_network_agrees_with_the_slow_twin(seed: u64, mutations in 0..25usize, recurrent: bool) {
        let genome = grown(&params(recurrent), seed, mutations);
        let links = links_of_network(&genome);
        let row = [0.3, -1.5, 0.8];
        let expected: Vec<f64> =
            (0..2).map(|o| value(SHAPE.output(o), &links, &row).unwrap_or(0.0)).collect();
        match map(&genome) {
            None => prop_assert_eq!(expected, vec![0.0; 2]),
            Some(network) => {
                for (found, expected) in reference::outputs(&network, &row).iter().zip(&expected) {
                    prop_assert!((found - expected).abs() < 1e-9, "{} {}", found, expected);
                }
                // Every neuron leads to an output.
                for index in 0..network.neurons().len() {
                    let reads = |link: &mge_net::Link| link.source == Source::Neuron(index as u32);
                    prop_assert!(
                        network.neurons().iter().any(|n| n.links.iter().any(reads))
                            || network.outputs().iter().any(|o| o.links.iter().any(reads))
                    );
                }
            }
        }
    }
}

proptest! {
    /// With direct links, biases of outputs and large weights.
    #[test]
    fn the_fast_evaluator_agrees_with_the_reference(seed: u64, scale in 0.1..8.0f32) {
        let genome = grown(&params(false), seed, 12);
        let scaled = |link: &LinkGene| LinkGene { weight: link.weight * scale, ..*link };
        let links = genome.links().iter().map(scaled).collect();
        let genome = Genome::new(SHAPE, genome.hidden().to_vec(), links).unwrap();
        let Some(network) = map(&genome) else { return Ok(()) };
        let rows = 20;
        let mut stream = Stream::at(seed, Purpose::Initialisation, 0, 0);
        let columns = Columns::from_fn(rows, SHAPE.inputs, |_, values| {
            values.fill_with(|| (4.0 * stream.unit() - 2.0) as f32);
        });
        let labels: Vec<u32> = (0..rows as u32).map(|row| row % 2).collect();
        let targets = Targets::Classes { labels: &labels, link: OutputLink::for_outputs(2) };
        let exact = reference::probabilities_of(&network, targets.link(), &columns).unwrap();
        let exact = Loss::CrossEntropy.of(&exact, targets).unwrap();
        let fast = BatchEvaluator::new(&columns, targets, Loss::CrossEntropy).unwrap();
        let fast = fast.loss(&network, &mut Scratch::new());
        prop_assert!((fast - exact).abs() < 1e-4 * (1.0 + exact), "{} {}", fast, exact);
    }
}

fn link(innovation: u32, from: u32, to: u32, weight: f32) -> LinkGene {
    LinkGene { innovation, from: NodeId(from), to: NodeId(to), weight, enabled: true }
}

fn genome(hidden: &[u32], links: Vec<LinkGene>) -> Genome {
    Genome::new(SHAPE, hidden.iter().map(|&id| NodeId(id)).collect(), links).unwrap()
}

#[test]
fn direct_links_and_biases_belong_to_the_outputs() {
    let network = map(&genome(&[], vec![link(0, 0, 4, 2.0), link(3, 3, 4, -1.0)])).unwrap();
    let [first, second] = network.outputs() else { panic!("two outputs") };
    assert_eq!((first.bias, first.links.len()), (Some(-4.9), 1));
    assert_eq!((first.links[0].source, first.links[0].weight), (Source::Input(0), 9.8));
    assert_eq!((second.bias, second.links.len()), (None, 0));
}

#[test]
fn unused_and_silent_neurons_are_omitted() {
    let links = vec![
        link(0, 0, 4, 1.0),
        link(20, 0, 6, 1.0), // 6 has no link out of it
        link(21, 7, 8, 1.0), // 7 has no input, so 8 has none
        link(22, 8, 4, 1.0),
        link(23, 3, 9, 1.0), // the bias is an input
        link(24, 9, 5, 1.0),
    ];
    let network = map(&genome(&[6, 7, 8, 9], links)).unwrap();
    assert_eq!(network.neurons().len(), 1);
    assert_eq!(network.neurons()[0].bias, Some(4.9));
    assert_eq!(network.outputs()[0].links.len(), 1);
}

#[test]
fn the_link_that_closes_a_cycle_is_omitted() {
    let links = vec![
        link(20, 0, 6, 1.0),
        link(21, 6, 7, 1.0),
        link(22, 7, 6, 1.0),
        link(23, 6, 6, 1.0),
        link(24, 4, 6, 1.0),
        link(25, 7, 4, 1.0),
    ];
    let network = map(&genome(&[6, 7], links)).unwrap();
    let sources: Vec<Vec<Source>> = network
        .neurons()
        .iter()
        .map(|neuron| neuron.links.iter().map(|link| link.source).collect())
        .collect();
    assert_eq!(sources, [[Source::Input(0)], [Source::Neuron(0)]]);
}

#[test]
fn a_genome_without_a_path_to_an_output_maps_to_nothing() {
    assert_eq!(map(&genome(&[], vec![])), None);
    assert_eq!(map(&genome(&[6], vec![link(20, 6, 4, 1.0)])), None);
    let off = LinkGene { enabled: false, ..link(0, 0, 4, 1.0) };
    assert_eq!(map(&genome(&[], vec![off])), None);
}

#[test]
fn a_very_deep_genome_maps() {
    let depth = 20_000;
    let mut links = vec![link(20, 0, 6, 0.1)];
    links.extend((1..depth).map(|i| link(20 + i, 5 + i, 6 + i, 0.1)));
    links.push(link(20 + depth, 5 + depth, 4, 0.1));
    let hidden: Vec<u32> = (6..6 + depth).collect();
    assert_eq!(map(&genome(&hidden, links)).unwrap().neurons().len(), depth as usize);
}

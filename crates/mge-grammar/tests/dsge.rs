//! Dynamic Structured Grammatical Evolution: hand-made genotypes, growing references, repair, and no
//! invalid individuals.

#![allow(clippy::unwrap_used)]

mod common;

use common::{bind, stream};
use mge_evolve::Representation;
use mge_grammar::dsge::{DsgeParams, Genotype, Mapper, MapperError, Variation};
use mge_grammar::network_mapper::{NetworkMapper, Workspace};
use mge_grammar::shipped;
use mge_net::{Link, Network, Size, Source};
use proptest::prelude::*;

fn method(text: &str, shape: (usize, usize), params: DsgeParams) -> (Mapper, Variation) {
    let params = params.check().unwrap();
    let mapper = Mapper::new(bind(text, shape.0, shape.1), &params).unwrap();
    let variation = Variation::new(&mapper, params);
    (mapper, variation)
}

fn default(features: usize, outputs: usize) -> (Mapper, Variation) {
    method(shipped::DSGE.text, (features, outputs), DsgeParams::default())
}

/// A genotype of named lists; the others are empty.
fn genotype(mapper: &Mapper, lists: &[(&str, &[u16])]) -> Genotype {
    let grammar = mapper.grammar();
    Genotype::of(grammar.symbols().map(|symbol| {
        let list = lists.iter().find(|(name, _)| *name == grammar.name(symbol));
        list.map_or(&[][..], |(_, list)| list)
    }))
}

/// Two layers, of two neurons and of one; two outputs.
fn hand_made(mapper: &Mapper) -> Genotype {
    let lists: [(&str, &[u16]); 8] = [
        ("Layers", &[1, 0]),
        ("Neurons", &[1, 0, 0]),
        ("Sum", &[0, 0, 1, 0]),
        // The third neuron reads x4 and h2: number 5 among four features and two neurons.
        ("xnList", &[0, 1, 3, 5]),
        ("OutputSum", &[1, 0, 0]),
        ("Hidden", &[0, 2, 1]),
        ("Number", &[0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
        (
            "Digit",
            &[
                0, 3, 0, 0, 1, 5, // sig(0.30*x1 + 0.15)
                4, 1, 0, 1, 0, 0, // sig(-4.10*x2 + 1.00)
                1, 0, 0, 0, 5, 0, 0, 2, 0, // sig(1.00*x4 + 0.50*h2 + 0.20)
                2, 0, 0, 3, 0, 0, 0, 5, 0, // 2.00*h1 + -3.00*h3 + 0.50
                1, 0, 0, 0, 0, 0, // 1.00*h2 + 0.00
            ],
        ),
    ];
    genotype(mapper, &lists)
}

#[test]
fn a_hand_made_genotype_maps_to_its_network() {
    let (mapper, variation) = default(4, 2);
    let genotype = hand_made(&mapper);
    assert!(variation.is_valid(&genotype));
    let sentences: Vec<_> =
        mapper.trace(&genotype).iter().map(|trace| trace.sentence().unwrap().to_owned()).collect();
    let layered = "sig(0.30*x1 + 0.15) & sig(-4.10*x2 + 1.00) | sig(1.00*x4 + 0.50*h2 + 0.20) -> \
                   2.00*h1 + -3.00*h3 + 0.50";
    assert_eq!(sentences, [layered, "1.00*h2 + 0.00"]);
    let mut workspace = Workspace::default();
    let mapped = mapper.map(&genotype, &mut workspace);
    assert_eq!(workspace.sentence(), "1.00*h2 + 0.00");
    assert_eq!(mapped.codons_used, genotype.codons.len());
    let network = mapped.network.unwrap();
    let link = |neuron, weight| Link { source: Source::Neuron(neuron), weight };
    assert_eq!(network.neurons()[2].links[1], link(1, 0.5));
    assert_eq!(network.outputs()[0].links, [link(0, 2.0), link(2, -3.0)]);
    assert_eq!(Size::of(&network).hidden_layers, 2);
}

#[test]
fn neurons_of_one_layer_do_not_read_each_other_unless_there_are_no_layers() {
    let flat = shipped::DSGE.text.replace("<Layer>     ::=", "<Group>     ::=");
    let flat = flat.replace("<Layer> |", "<Group> |").replace("<Layer> '|'", "<Group> '|'");
    let within_layers = |text: &str| {
        let (mapper, variation) = method(text, (2, 1), DsgeParams::default());
        let sentences: Vec<String> = (0..300)
            .map(|index| {
                let genotype = variation.random(&mut stream(index));
                mapper.trace(&genotype)[0].sentence().unwrap().to_owned()
            })
            .collect();
        sentences.iter().filter(|text| text.split(" -> ").next().unwrap().contains('h')).count()
    };
    // Without <Layer> the sentence reads alike, but its references are those of other neurons.
    assert!(within_layers(shipped::DSGE.text) > 20);
    assert!(within_layers(&flat) > within_layers(shipped::DSGE.text));
}

#[test]
fn short_lists_and_lost_neurons_are_repaired() {
    let params = DsgeParams { mutation_rate: 0.0, ..DsgeParams::default() };
    let (mapper, variation) = method(shipped::DSGE.text, (4, 2), params);
    let whole = hand_made(&mapper);
    let mut same = whole.clone();
    variation.mutate(&mut same, &mut stream(0));
    assert_eq!(same, whole, "a valid genotype is not changed");

    // Only one neuron is left: references to h2 and h3 are gone, codons behind the end too.
    let grammar = mapper.grammar();
    let lists = grammar.symbols().map(|symbol| match grammar.name(symbol) {
        "Layers" | "Neurons" => &[0][..],
        "Digit" => &whole.list(symbol)[..10],
        _ => whole.list(symbol),
    });
    let broken = Genotype::of(lists);
    let mut workspace = Workspace::default();
    assert_eq!(mapper.map(&broken, &mut workspace).network, None);
    assert!(!variation.is_valid(&broken));
    let mut repaired = broken.clone();
    variation.mutate(&mut repaired, &mut stream(1));
    assert!(variation.is_valid(&repaired));
    let list = |name| repaired.list(grammar.symbol(name).unwrap());
    assert!(list("Hidden").is_empty(), "one neuron is no choice");
    assert_eq!((list("xnList"), list("Digit").len()), (&[0][..], 3 * list("Number").len()));
    assert_eq!(list("Digit")[..10], broken.list(grammar.symbol("Digit").unwrap())[..]);
    let network = mapper.map(&repaired, &mut workspace).network.unwrap();
    assert_eq!(network.neurons().len(), 1);
    let mut again = broken.clone();
    variation.mutate(&mut again, &mut stream(1));
    assert_eq!(again, repaired, "the stream decides");
}

/// Depth of the deepest derivation tree, as the trace prints it: two spaces for each level.
fn height(mapper: &Mapper, genotype: &Genotype) -> usize {
    let trees = mapper.trace(genotype).into_iter().map(|trace| trace.tree.to_string());
    let indents = |tree: String| {
        tree.lines().map(|line| line.len() - line.trim_start().len()).max().unwrap_or(0)
    };
    trees.map(indents).max().unwrap()
}

#[test]
fn depth_bounds_the_tree() {
    let sizes = [0, 5, 12].map(|depth| {
        let params = DsgeParams { initial_depth: depth, max_depth: depth, ..Default::default() };
        let (mapper, variation) = method(shipped::DSGE.text, (6, 1), params);
        let genotypes: Vec<_> =
            (0..400).map(|index| variation.random(&mut stream(index))).collect();
        let deepest = genotypes.iter().map(|genotype| height(&mapper, genotype)).max().unwrap();
        let longest = genotypes.iter().map(|genotype| genotype.codons.len()).max().unwrap();
        (deepest, longest)
    });
    // One neuron with one input, one output: 4 numbers of 4 codons, a feature, 4 that end at once.
    assert_eq!(sizes[0].1, 21);
    assert!(sizes[0].0 < sizes[1].0 && sizes[1].0 < sizes[2].0, "{sizes:?}");
}

#[test]
fn mutation_changes_one_codon_where_nothing_grows() {
    let text = "<Network> ::= <Neuron> -> <Output>
        <Neuron> ::= sig(<W>*<x> + <W>*<x>)
        <Output> ::= <W>*h1 + <W>
        <W> ::= 0..9
        <x> ::= x1..xd";
    let params = DsgeParams { mutation_rate: 1.0, ..DsgeParams::default() };
    let (_, variation) = method(text, (300, 1), params);
    let mut wide = false;
    for index in 0..300 {
        let mut stream = stream(index);
        let parent = variation.random(&mut stream);
        assert_eq!(parent.codons.len(), 6);
        let mut mutant = parent.clone();
        variation.mutate(&mut mutant, &mut stream);
        let changed = parent.codons.iter().zip(&mutant.codons).filter(|(a, b)| a != b).count();
        assert_eq!(changed, 1);
        wide |= parent.codons.iter().any(|codon| *codon > 255);
    }
    assert!(wide, "a list has codons for all features");
}

#[test]
fn crossover_exchanges_whole_lists() {
    let (mapper, variation) = default(30, 1);
    let mut exchanged = 0;
    for index in 0..100 {
        let mut stream = stream(index);
        let parents = [variation.random(&mut stream), variation.random(&mut stream)];
        let [mut one, mut other] = parents.clone();
        variation.crossover(&mut one, &mut other, &mut stream);
        for symbol in mapper.grammar().symbols() {
            let lists = [&one, &other].map(|genotype| genotype.list(symbol));
            let before = [&parents[0], &parents[1]].map(|genotype| genotype.list(symbol));
            assert!(lists == before || lists == [before[1], before[0]]);
            exchanged += usize::from(lists != before && mapper.grammar().name(symbol) == "Digit");
        }
    }
    assert!((30..70).contains(&exchanged), "{exchanged}");
}

#[test]
fn grammars_without_the_named_rules_are_refused() {
    let params = DsgeParams::default().check().unwrap();
    let message = |text| Mapper::new(bind(text, 3, 1), &params).unwrap_err().to_string();
    assert_eq!(
        message("<s> ::= sig(x1) -> 1"),
        "the grammar has no rule <Neuron>, which makes a hidden neuron"
    );
    assert!(message("<s> ::= <Neuron> -> 1\n<Neuron> ::= sig(x1)").contains("<Output>"));
    let (mapper, variation) = method(
        "<s> ::= <Neuron> <Output>\n<Neuron> ::= sig(x1)\n<Output> ::= h1",
        (3, 1),
        DsgeParams::default(),
    );
    assert!(matches!(mapper.check(&variation), Err(MapperError::NotANetwork { .. })));
}

#[test]
fn hostile_genotypes_are_not_accepted_and_do_not_panic() {
    let (mapper, variation) = default(4, 2);
    let good = hand_made(&mapper);
    let mut workspace = Workspace::default();
    let changed = |change: &dyn Fn(&mut Genotype)| {
        let mut genotype = good.clone();
        change(&mut genotype);
        genotype
    };
    let hostile = [
        Genotype::default(),
        changed(&|g| g.bounds.truncate(3)),
        changed(&|g| g.bounds[3] = u32::MAX),
        changed(&|g| g.bounds[0] = 1),
        changed(&|g| g.bounds.swap(3, 12)),
        changed(&|g| g.codons.truncate(20)),
        changed(&|g| g.codons.fill(u16::MAX)),
        changed(&|g| *g.codons.last_mut().unwrap() = 3),
        changed(&|g| g.codons.push(0)),
    ];
    for genotype in hostile {
        assert!(!variation.is_valid(&genotype), "{genotype:?}");
        assert_eq!(mapper.map(&genotype, &mut workspace).network, None);
        let _ = mapper.trace(&genotype);
    }
    // A list that is longer than what is read maps, but no variation makes it.
    let long = changed(&|g| {
        g.codons.push(0);
        *g.bounds.last_mut().unwrap() += 1;
    });
    assert!(!variation.is_valid(&long));
    assert!(mapper.map(&long, &mut workspace).network.is_some());
}

#[test]
fn settings_are_checked() {
    let message = |params: DsgeParams| params.check().unwrap_err().to_string();
    let default = DsgeParams::default;
    assert!(message(DsgeParams { max_depth: 9, ..default() }).contains("initial_depth is 10"));
    assert!(message(DsgeParams { max_depth: 2000, ..default() }).contains("<= 1000"));
    assert!(message(DsgeParams { mutation_rate: f64::NAN, ..default() }).contains("from 0 to 1"));
    assert!(message(DsgeParams { mutations: 0, ..default() }).starts_with("mutations is 0"));
    assert!(serde_json::from_str::<DsgeParams>(r#"{"depth": 2}"#).is_err());
}

#[test]
fn random_networks_have_layers_and_no_unused_neurons() {
    let (mapper, variation) = default(30, 3);
    let mut workspace = Workspace::default();
    let networks: Vec<Network> = (0..500)
        .map(|index| mapper.map(&variation.random(&mut stream(index)), &mut workspace))
        .map(|mapped| mapped.network.unwrap())
        .collect();
    let mean = |measure: &dyn Fn(&Network) -> usize| {
        networks.iter().map(measure).sum::<usize>() as f64 / networks.len() as f64
    };
    let layers = mean(&|network| Size::of(network).hidden_layers);
    let neurons = mean(&|network| network.neurons().len());
    assert!((1.0..3.0).contains(&layers) && (2.0..6.0).contains(&neurons), "{layers} {neurons}");
    for network in &networks {
        let read = |index: u32| {
            let later = network.neurons().iter().map(|neuron| &neuron.links);
            let links = later.chain(network.outputs().iter().map(|output| &output.links)).flatten();
            links.into_iter().any(|link| link.source == Source::Neuron(index))
        };
        assert!((0..network.neurons().len() as u32).all(read));
    }
}

/// Neurons without layers, and recursion of several kinds.
const TANGLED: &str = "<Network> ::= <Hiddens> -> <Output>
<Hiddens> ::= <Neuron> | <Hiddens> '|' <Hiddens>
<Neuron> ::= tanh(<Sum>) | <Loud>
<Loud> ::= sig(<Sum> + <W>)
<Sum> ::= <W>*<x> | <Sum> + <Sum>
<Output> ::= <W>*<h> | <Output> + <Output>
<W> ::= 0.<D> | -<W>
<D> ::= 0..9 | <D><D>
<x> ::= x1..xd
<h> ::= h1";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// 100 cases of 200 offspring: codons always suffice, and the fast mapping agrees with the slow
    /// one.
    #[test]
    fn every_offspring_maps(
        seed in any::<u64>(), depth in 0..14usize, outputs in 1..4usize, tangled in any::<bool>(),
    ) {
        let text = if tangled { TANGLED } else { shipped::DSGE.text };
        let (initial_depth, max_depth) = (depth / 2, depth);
        let params = DsgeParams { initial_depth, max_depth, mutations: 3, ..Default::default() };
        let (mapper, variation) = method(text, (6, outputs), params);
        let mut workspace = Workspace::default();
        let mut stream = stream(seed);
        let mut pair = [variation.random(&mut stream), variation.random(&mut stream)];
        for step in 0..100 {
            let [one, other] = &mut pair;
            variation.crossover(one, other, &mut stream);
            variation.mutate(one, &mut stream);
            variation.mutate(other, &mut stream);
            for genotype in [&*one, &*other] {
                let mapped = mapper.map(genotype, &mut workspace);
                prop_assert!(mapped.network.is_some());
                prop_assert_eq!(mapped.codons_used, genotype.codons.len());
                if step % 20 == 0 {
                    prop_assert!(variation.is_valid(genotype));
                    let trace = mapper.trace(genotype).pop().unwrap();
                    prop_assert_eq!(trace.sentence(), Some(workspace.sentence()));
                    prop_assert_eq!(trace.outcome.unwrap().codons_used, mapped.codons_used);
                }
            }
        }
    }

    #[test]
    fn the_same_stream_makes_the_same_genotype(seed in any::<u64>()) {
        let (_, variation) = default(6, 2);
        let make = || {
            let mut stream = stream(seed);
            let (mut one, mut other) = (variation.random(&mut stream), variation.random(&mut stream));
            variation.crossover(&mut one, &mut other, &mut stream);
            variation.mutate(&mut one, &mut stream);
            (one, other)
        };
        prop_assert_eq!(make(), make());
    }
}

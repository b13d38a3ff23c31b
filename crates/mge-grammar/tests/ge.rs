//! Grammatical Evolution: worked examples, golden mappings of a reference implementation, and
//! properties of the representation.

#![allow(clippy::unwrap_used)]

mod common;

use common::{bind, stream};
use mge_evolve::Representation;
use mge_grammar::ge::{
    CheckedGe, GeParamError, GeParams, Genotype, Mapper, MapperError, NetworkFailure, Variation,
};
use mge_grammar::network_mapper::{NetworkMapper, Workspace};
use mge_grammar::{DecodeOptions, Sentence, shipped};
use mge_net::{Link, Network, Source};
use proptest::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;

fn method(text: &str, shape: (usize, usize), params: GeParams) -> (Mapper, Variation) {
    let grammar = bind(text, shape.0, shape.1);
    let params = params.check(&grammar).unwrap();
    (Mapper::new(grammar, &params).unwrap(), Variation::new(params))
}

fn checked(params: GeParams) -> Result<CheckedGe, GeParamError> {
    params.check(&bind(shipped::GE.text, 4, 1))
}

fn genotype(codons: &[u16]) -> Genotype {
    Genotype { codons: codons.to_vec() }
}

#[derive(Deserialize)]
struct Golden {
    grammars: BTreeMap<String, String>,
    ge: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    grammar: String,
    codons: Vec<u16>,
    wraps: u32,
    sentence: Option<String>,
    used: Option<usize>,
}

/// See `scripts/mapping-golden.py`.
#[test]
fn codons_map_as_in_the_reference_implementation() {
    let golden: Golden = serde_json::from_str(include_str!("mapping-golden.json")).unwrap();
    assert!(golden.ge.len() > 200);
    let mut sentence = Sentence::default();
    for case in &golden.ge {
        let grammar = bind(&golden.grammars[&case.grammar], 5, 3);
        let options = DecodeOptions { wraps: case.wraps, references: 0 };
        let derived = grammar.derive(grammar.start(), &case.codons, &options, &mut sentence);
        let text = sentence.text().replace(' ', "");
        assert_eq!(derived.is_ok().then_some(text), case.sentence, "{:?}", case.codons);
        assert_eq!(derived.ok().map(|derived| derived.codons_used), case.used);
    }
}

/// 1.5*sig(0.3*x1 + -2.0*x7 + 0.15)
const NODE: [u16; 28] = [
    0, 0, 0, 1, 0, 5, // one node, 1.5
    1, 0, 0, 0, 0, 0, 3, 0, // two inputs, 0.3*x1
    0, 1, 0, 2, 0, 0, 6, // -2.0*x7
    0, 0, 0, 1, 1, 0, 5, // 0.15
];

#[test]
fn each_output_continues_where_the_last_one_ended() {
    let (mapper, _) = method(shipped::GE.text, (8, 1), GeParams::default());
    let mut workspace = Workspace::default();
    let mapped = mapper.map(&genotype(&NODE), &mut workspace);
    assert_eq!(workspace.sentence(), "1.5*sig(0.3*x1 + -2.0*x7 + 0.15)");
    assert_eq!(mapped.codons_used, 28);
    let network = mapped.network.unwrap();
    assert_eq!(network.neurons()[0].links[1], Link { source: Source::Input(6), weight: -2.0 });
    assert_eq!(network.outputs()[0].links[0].weight, 1.5);

    // A second output wraps: it is the first one again. A third one would have to wrap twice.
    let (mapper, _) = method(shipped::GE.text, (8, 2), GeParams::default());
    let network = mapper.map(&genotype(&NODE), &mut workspace).network.unwrap();
    assert_eq!(network.neurons()[0], network.neurons()[1]);
    assert_eq!(network.outputs()[1].links[0].source, Source::Neuron(1));
    let (mapper, _) = method(shipped::GE.text, (8, 3), GeParams::default());
    assert_eq!(mapper.map(&genotype(&NODE), &mut workspace).network, None);
}

#[test]
fn too_few_codons_make_an_invalid_individual() {
    let (mapper, _) = method(shipped::GE.text, (8, 1), GeParams::default());
    let mut workspace = Workspace::default();
    let (failure, used) = mapper.try_map(&genotype(&[1, 1, 1]), &mut workspace);
    assert!(matches!(failure, Err(NetworkFailure::Derivation(_))));
    assert_eq!(used, 6);
    assert_eq!(mapper.map(&genotype(&[]), &mut workspace).network, None);
}

#[test]
fn a_number_beyond_every_weight_makes_an_invalid_individual() {
    let text = "<s> ::= <n>*sig(x1)\n<n> ::= 9 | 99999999999999999999<n>";
    let (mapper, variation) = method(text, (2, 1), GeParams { wraps: 0, ..GeParams::default() });
    let mut workspace = Workspace::default();
    assert!(mapper.map(&genotype(&[1, 0]), &mut workspace).network.is_some());
    let (failure, _) = mapper.try_map(&genotype(&[1, 1, 0]), &mut workspace);
    assert!(matches!(failure, Err(NetworkFailure::Sentence(_))), "{failure:?}");
    assert_eq!(mapper.check(&variation), Ok(()));
}

#[test]
fn grammars_that_make_no_networks_are_refused() {
    let refuse = |text: &str, min_codons| {
        let params = GeParams { min_codons, max_codons: 100, wraps: 0, ..GeParams::default() };
        let (mapper, variation) = method(text, (1, 1), params);
        mapper.check(&variation).unwrap_err()
    };
    assert!(matches!(refuse(shipped::MGE.text, 100), MapperError::NotANetwork { .. }));
    // Every choice leads to a hundred more.
    let long = format!("<s> ::= {0}<b> | {0}-<b>\n<b> ::= x1 | x1", "<b> + ".repeat(100));
    assert!(matches!(refuse(&long, 100), MapperError::NothingMaps { tried: 512 }));
    let beyond = bind("<s> ::= 1.0*sig(<x>)\n<x> ::= x9", 2, 1);
    let params = GeParams::default().check(&beyond).unwrap();
    let error = Mapper::new(beyond, &params).unwrap_err().to_string();
    assert!(error.starts_with("the grammar names x9, but the data has 2 features"), "{error}");
}

#[test]
fn settings_are_checked() {
    let message = |params: GeParams| checked(params).unwrap_err().to_string();
    let default = GeParams::default;
    assert!(message(GeParams { min_codons: 0, ..default() }).contains("1 <= min_codons"));
    assert!(message(GeParams { max_length: 99, ..default() }).contains("max_length 99"));
    assert!(
        message(GeParams { mutation_rate: 1.5, ..default() }).starts_with("mutation_rate is 1.5")
    );
    assert!(message(GeParams { length_mutation_rate: f64::NAN, ..default() }).contains("NaN"));
    assert!(message(GeParams { codon_bits: Some(9), ..default() }).contains("expected 8 or 16"));
    assert!(message(GeParams { length_mutation_step: 0, ..default() }).contains("at least 1"));
    assert!(serde_json::from_str::<GeParams>(r#"{"wrap": 2}"#).is_err());
    let some: GeParams = serde_json::from_str(r#"{"wraps": 2}"#).unwrap();
    assert_eq!(some, GeParams { wraps: 2, ..default() });
    assert_eq!(GeParams::for_classes(10).min_codons, 1000);
}

#[test]
fn wide_rules_get_wide_codons() {
    let grammar = bind(shipped::GE.text, 784, 1);
    let params = GeParams::default().check(&grammar).unwrap();
    assert_eq!(params.codon_bits(), 16);
    let mapper = Mapper::new(grammar, &params).unwrap();
    let mut codons = NODE;
    codons[13] = 783;
    let network = mapper.map(&genotype(&codons), &mut Workspace::default()).network.unwrap();
    assert_eq!(network.neurons()[0].links[0].source, Source::Input(783));
    assert_eq!(checked(GeParams::default()).unwrap().codon_bits(), 8);
}

#[test]
fn crossover_swaps_the_codons_after_a_point_in_each_parent() {
    let params = GeParams { max_length: 1000, ..GeParams::default() };
    let (_, variation) = method(shipped::GE.text, (4, 1), params);
    let mut lengths = [false; 2];
    for index in 0..200 {
        let (mut one, mut other) = (genotype(&[1; 30]), genotype(&[2; 50]));
        variation.crossover(&mut one, &mut other, &mut stream(index));
        let (point, other_point) = (
            one.codons.iter().filter(|codon| **codon == 1).count(),
            other.codons.iter().filter(|codon| **codon == 2).count(),
        );
        assert_eq!(one.codons, [vec![1; point], vec![2; 50 - other_point]].concat());
        assert_eq!(other.codons, [vec![2; other_point], vec![1; 30 - point]].concat());
        lengths[usize::from(one.codons.len() > 40)] = true;
    }
    assert_eq!(lengths, [true; 2]);
}

#[test]
fn mutation_changes_the_expected_fraction_of_codons() {
    let (_, variation) = method(shipped::GE.text, (4, 1), GeParams::default());
    let mut changed = 0;
    for index in 0..2000 {
        let mut mutant = genotype(&[300; 100]);
        variation.mutate(&mut mutant, &mut stream(index));
        assert_eq!(mutant.codons.len(), 100);
        changed += mutant.codons.iter().filter(|codon| **codon != 300).count();
    }
    // 10,000 are expected, with a deviation of about 100.
    assert!((9_500..10_500).contains(&changed), "{changed}");
}

#[test]
fn hostile_genotypes_are_not_accepted() {
    let (_, variation) = method(shipped::GE.text, (4, 1), GeParams::default());
    assert!(variation.is_valid(&genotype(&NODE)));
    assert!(!variation.is_valid(&genotype(&[])));
    assert!(!variation.is_valid(&genotype(&[256])));
    assert!(!variation.is_valid(&genotype(&[0; 1001])));
}

#[test]
fn many_random_genotypes_are_networks() {
    for (outputs, classes, min_valid) in [(1, 2, 1200), (3, 3, 900), (10, 10, 400)] {
        let params = GeParams::for_classes(classes);
        let (mapper, variation) = method(shipped::GE.text, (30, outputs), params);
        assert_eq!(mapper.check(&variation), Ok(()));
        let mut workspace = Workspace::default();
        let valid = (0..2000).filter(|index| {
            mapper.map(&variation.random(&mut stream(*index)), &mut workspace).network.is_some()
        });
        let valid = valid.count();
        assert!(valid > min_valid, "{outputs} outputs: {valid} of 2000");
    }
}

/// The network by the slow twin and the sentences it writes.
fn slow_network(mapper: &Mapper, genotype: &Genotype) -> Option<Vec<String>> {
    let traces = mapper.trace(genotype);
    traces.iter().map(|trace| trace.sentence().map(str::to_owned)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn map_agrees_with_trace(
        codons in prop::collection::vec(any::<u16>(), 0..150), wraps in 0..3u32, outputs in 1..4usize,
    ) {
        let params = GeParams { wraps, ..GeParams::default() };
        let (mapper, _) = method(shipped::GE.text, (6, outputs), params);
        let genotype = Genotype { codons };
        let mut workspace = Workspace::default();
        let (network, used) = mapper.try_map(&genotype, &mut workspace);
        let slow = slow_network(&mapper, &genotype);
        match network {
            Ok(network) => {
                let slow = slow.unwrap();
                prop_assert_eq!(slow.len(), outputs);
                prop_assert_eq!(workspace.sentence(), &slow[outputs - 1]);
                let neurons = slow.iter().map(|text| text.matches("sig(").count()).sum::<usize>();
                prop_assert_eq!(network.neurons().len(), neurons);
                let last = mapper.trace(&genotype).pop().unwrap().outcome.unwrap();
                prop_assert_eq!(last.codons_used, used);
            }
            Err(NetworkFailure::Derivation(_)) => prop_assert!(slow.is_none()),
            Err(_) => {}
        }
    }

    #[test]
    fn variation_stays_within_bounds_and_depends_on_the_stream_alone(
        seed in any::<u64>(), max_length in 20..60usize,
    ) {
        let params = GeParams {
            min_codons: 1,
            max_codons: 20,
            max_length,
            length_mutation_rate: 0.5,
            ..GeParams::default()
        };
        let (mapper, variation) = method(shipped::GE.text, (6, 1), params);
        let evolve = || {
            let mut stream = stream(seed);
            let mut pair = [variation.random(&mut stream), variation.random(&mut stream)];
            for _ in 0..30 {
                let [one, other] = &mut pair;
                variation.crossover(one, other, &mut stream);
                variation.mutate(one, &mut stream);
                variation.mutate(other, &mut stream);
                assert!(variation.is_valid(one) && variation.is_valid(other));
                mapper.map(one, &mut Workspace::default());
            }
            pair
        };
        prop_assert_eq!(evolve(), evolve());
    }
}

/// Every neuron of GE feeds one output and reads features only.
#[test]
fn networks_have_one_hidden_layer() {
    let (mapper, variation) = method(shipped::GE.text, (30, 3), GeParams::for_classes(3));
    let single = |network: &Network| {
        let links = network.neurons().iter().flat_map(|neuron| &neuron.links);
        links.into_iter().all(|link| matches!(link.source, Source::Input(_)))
    };
    let networks = (0..500).filter_map(|index| {
        mapper.map(&variation.random(&mut stream(index)), &mut Workspace::default()).network
    });
    assert!(networks.into_iter().all(|network| single(&network)));
}

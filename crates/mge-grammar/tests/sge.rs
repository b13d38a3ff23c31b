//! Structured Grammatical Evolution: list lengths, hand-made genotypes, and no invalid individuals.

#![allow(clippy::unwrap_used)]

mod common;

use common::{bind, stream};
use mge_evolve::Representation;
use mge_grammar::network_mapper::{NetworkMapper, Workspace};
use mge_grammar::sge::{Genotype, Mapper, MapperError, SgeParams, Variation};
use mge_grammar::shipped;
use mge_net::{Link, Source};
use proptest::prelude::*;

fn method(text: &str, shape: (usize, usize), params: SgeParams) -> (Mapper, Variation) {
    let params = params.check().unwrap();
    let mapper = Mapper::new(bind(text, shape.0, shape.1), &params).unwrap();
    let variation = Variation::new(&mapper, params);
    (mapper, variation)
}

fn recursion(recursion: usize) -> SgeParams {
    SgeParams { recursion, ..SgeParams::default() }
}

/// The length of each list by the name of its rule.
fn lengths(mapper: &Mapper) -> Vec<(String, usize)> {
    let zeros = Genotype { codons: vec![0; mapper.codons()] };
    let grammar = mapper.grammar();
    let length = |symbol| (grammar.name(symbol).to_owned(), mapper.list(&zeros, symbol).len());
    grammar.symbols().map(length).filter(|(_, length)| *length > 0).collect()
}

#[test]
fn lists_are_as_long_as_the_longest_derivation() {
    let (mapper, _) = method("<start> ::= <exp>\n<exp> ::= 0 | 1 <exp>", (1, 1), recursion(2));
    let named = |list: &[(&str, usize)]| -> Vec<(String, usize)> {
        list.iter().map(|(name, length)| ((*name).to_owned(), *length)).collect()
    };
    // The last level has no choice.
    assert_eq!(lengths(&mapper), named(&[("exp", 1), ("exp.1", 1)]));
    // One neuron more and one input more: two neurons of two inputs, for each of three outputs.
    let (mapper, _) = method(shipped::SGE.text, (4, 3), recursion(1));
    // A neuron has two weights of inputs, a bias and a weight of its own.
    let expected = [("Output", 3), ("Sum", 6), ("Number", 24), ("Digit", 72), ("xnList", 12)];
    assert_eq!(lengths(&mapper), named(&expected));
    let (mapper, _) = method(shipped::SGE.text, (30, 1), SgeParams::default());
    assert_eq!(mapper.codons(), 6 + 7 * 6 + 63 + 189 + 49);
}

#[test]
fn a_hand_made_genotype_maps_to_its_network() {
    let (mapper, variation) = method(shipped::SGE.text, (8, 1), recursion(1));
    // Output: one more node. Sum: two inputs, then one. Then signs, digits and inputs.
    let codons = [
        vec![1],
        vec![1, 0],
        vec![0, 0, 1, 0, 1, 0, 0, 0],
        vec![1, 5, 0, 0, 3, 0, 2, 0, 5, 0, 1, 5, 0, 2, 5, 4, 1, 0, 1, 0, 0, 9, 9, 9],
        vec![0, 6, 1, 7],
    ];
    let genotype = Genotype { codons: codons.concat() };
    assert!(variation.is_valid(&genotype));
    let mut workspace = Workspace::default();
    let mapped = mapper.map(&genotype, &mut workspace);
    assert_eq!(
        workspace.sentence(),
        "1.50*sig(0.30*x1 + -2.05*x7 + 0.15) + -0.25*sig(4.10*x2 + 1.00)"
    );
    // A number, three digits and an input are left.
    assert_eq!(mapped.codons_used, genotype.codons.len() - 5);
    let network = mapped.network.unwrap();
    assert_eq!(network.neurons()[0].links[1], Link { source: Source::Input(6), weight: -2.05 });
    let text = mapper.trace(&genotype)[0].to_string();
    assert!(text.ends_with("34 of 39 codons used"), "{text}");
}

#[test]
fn no_recursion_is_one_neuron_of_one_input() {
    let (mapper, variation) = method(shipped::SGE.text, (5, 2), recursion(0));
    let network = mapper.map(&variation.random(&mut stream(1)), &mut Workspace::default()).network;
    let network = network.unwrap();
    assert_eq!(network.neurons().len(), 2);
    assert!(network.neurons().iter().all(|neuron| neuron.links.len() == 1));
}

#[test]
fn too_long_lists_are_refused() {
    let params = recursion(40).check().unwrap();
    let double = bind("<e> ::= <e> + <e> | x1 | x2", 2, 1);
    let error = Mapper::new(double, &params).unwrap_err();
    assert!(matches!(error, MapperError::TooMuchRecursion { recursion: 40, .. }), "{error}");
    let wide = bind(shipped::SGE.text, 70_000, 1);
    assert!(matches!(Mapper::new(wide, &params), Err(MapperError::TooWide { .. })));
    let (mapper, variation) = method(shipped::MGE.text, (3, 1), recursion(2));
    assert!(matches!(mapper.check(&variation), Err(MapperError::NotANetwork { .. })));
}

#[test]
fn all_features_of_wide_data_are_reached() {
    let (mapper, variation) = method(shipped::SGE.text, (784, 10), SgeParams::default());
    let symbol = mapper.grammar().symbol("xnList").unwrap();
    let mut seen = vec![false; 784];
    for index in 0..30 {
        let genotype = variation.random(&mut stream(index));
        mapper.list(&genotype, symbol).iter().for_each(|codon| seen[usize::from(*codon)] = true);
    }
    assert!(seen.iter().all(|seen| *seen));
}

#[test]
fn mutation_changes_one_codon_that_is_read() {
    let params = SgeParams { mutation_rate: 1.0, ..SgeParams::default() };
    let (mapper, variation) = method(shipped::SGE.text, (30, 1), params);
    for index in 0..500 {
        let mut stream = stream(index);
        let parent = variation.random(&mut stream);
        let mut mutant = parent.clone();
        variation.mutate(&mut mutant, &mut stream);
        let changed = parent.codons.iter().zip(&mutant.codons).filter(|(a, b)| a != b).count();
        assert_eq!(changed, 1);
        let text = |genotype| mapper.trace(genotype)[0].sentence().unwrap().to_owned();
        assert_ne!(text(&parent), text(&mutant));
    }
}

#[test]
fn crossover_exchanges_whole_lists() {
    let (mapper, variation) = method(shipped::SGE.text, (30, 1), SgeParams::default());
    let mut exchanged = 0;
    for index in 0..100 {
        let mut stream = stream(index);
        let parents = [variation.random(&mut stream), variation.random(&mut stream)];
        let [mut one, mut other] = parents.clone();
        variation.crossover(&mut one, &mut other, &mut stream);
        for symbol in mapper.grammar().symbols() {
            let lists = [&one, &other].map(|genotype| mapper.list(genotype, symbol));
            let before = [&parents[0], &parents[1]].map(|genotype| mapper.list(genotype, symbol));
            assert!(lists == before || lists == [before[1], before[0]]);
            exchanged += usize::from(lists != before && lists[0].len() > 40);
        }
    }
    // Three long lists, each exchanged half of the time.
    assert!((110..190).contains(&exchanged), "{exchanged}");
}

#[test]
fn hostile_genotypes_are_not_accepted_and_do_not_panic() {
    let (mapper, variation) = method(shipped::SGE.text, (4, 2), SgeParams::default());
    let good = variation.random(&mut stream(3));
    assert!(variation.is_valid(&good));
    let mut workspace = Workspace::default();
    let mut out_of_range = good.clone();
    out_of_range.codons[0] = 2;
    let short = Genotype { codons: good.codons[..20].to_vec() };
    let long = Genotype { codons: [&good.codons[..], &[0]].concat() };
    for (genotype, maps) in
        [(out_of_range, false), (short, false), (Genotype::default(), false), (long, true)]
    {
        assert!(!variation.is_valid(&genotype));
        assert_eq!(mapper.map(&genotype, &mut workspace).network.is_some(), maps);
    }
}

#[test]
fn settings_are_checked() {
    let message = |params: SgeParams| params.check().unwrap_err().to_string();
    let default = SgeParams::default;
    assert!(message(recursion(1001)).starts_with("recursion is 1001"));
    assert!(message(SgeParams { mutation_rate: -0.1, ..default() }).contains("from 0 to 1"));
    assert!(message(SgeParams { mutations: 0, ..default() }).starts_with("mutations is 0"));
    assert!(serde_json::from_str::<SgeParams>(r#"{"depth": 2}"#).is_err());
}

/// A grammar of outputs with recursion of several kinds: linear, double, and through each other.
const TANGLED: &str = "<Output> ::= <Term> | <Output> + <Output>
<Term> ::= <W>*<Call> | <W>
<Call> ::= tanh(<Sum>) | <Call2>
<Call2> ::= sig(<Sum>) | <W>*<Call>
<Sum> ::= <W>*<x> | <Sum> + <Sum>
<W> ::= 0.<D> | -<W>
<D> ::= 0..9 | <D><D>
<x> ::= x1..xd";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// 100 cases of 200 offspring: no invalid individual, and the fast mapping agrees with the slow
    /// one.
    #[test]
    fn every_offspring_maps(
        seed in any::<u64>(), levels in 0..5usize, outputs in 1..4usize, tangled in any::<bool>(),
    ) {
        let text = if tangled { TANGLED } else { shipped::SGE.text };
        let params = SgeParams { mutations: 3, ..recursion(levels) };
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
                prop_assert!(variation.is_valid(genotype));
                let mapped = mapper.map(genotype, &mut workspace);
                prop_assert!(mapped.network.is_some());
                if step % 20 == 0 {
                    let trace = mapper.trace(genotype).pop().unwrap();
                    prop_assert_eq!(trace.sentence(), Some(workspace.sentence()));
                    prop_assert_eq!(trace.outcome.unwrap().codons_used, mapped.codons_used);
                }
            }
        }
    }

    #[test]
    fn the_same_stream_makes_the_same_genotype(seed in any::<u64>()) {
        let (_, variation) = method(shipped::SGE.text, (6, 2), SgeParams::default());
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

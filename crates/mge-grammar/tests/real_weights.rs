//! Real weights in the genes: the fast derivation against its slow twin, values that stay with
//! their slot, and genotypes in files.

#![allow(clippy::unwrap_used)]

use mge_evolve::Representation;
use mge_grammar::mge::{
    Genotype, Mapper, MgeParamError, MgeParams, RealParams, Variant, Variation, Workspace,
};
use mge_grammar::{
    DecodeOptions, GeneValues, Grammar, Sentence, Shape, Template, WeightSlots, WeightSlotsError,
    shipped,
};
use mge_net::{Network, Source};
use mge_random::{Purpose, Stream};
use proptest::prelude::*;

const SHAPE: Shape = Shape { features: 7, outputs: 3 };

fn bound(text: &str) -> Grammar {
    Template::parse("test.bnf", text).unwrap().bind(SHAPE).unwrap()
}

fn grammar_of(variant: Variant) -> Grammar {
    bound(if variant.is_modular() { shipped::MGE.text } else { shipped::MONOLITHIC.text })
}

fn real(grammar: Grammar, variant: Variant) -> (Mapper, Variation) {
    let params = MgeParams::real_for_classes(3).check(&grammar, variant).unwrap();
    let mapper =
        Mapper::new(grammar, variant, 0).unwrap().with_weight_slots(params.weight_slots().cloned());
    (mapper, Variation::new(params))
}

fn stream(seed: u64) -> Stream {
    Stream::at(seed, Purpose::Mutation, 0, 0)
}

fn network(mapper: &Mapper, genotype: &Genotype) -> Option<Network> {
    mapper.map(genotype, &mut Workspace::default()).network
}

#[test]
fn each_slot_reads_its_own_values() {
    let (mapper, _) = real(grammar_of(Variant::Mge), Variant::Mge);
    // The output's weight, the bias, the first input's, the others'.
    let mut values = [0.0; 15];
    values[..5].copy_from_slice(&[0.5, -1.5, 2.0, 3.25, -4.0]);
    let map = |gene: &[u16]| {
        let mut workspace = Workspace::default();
        mapper.map_gene_with_values(gene, &values, 0, &mut workspace).unwrap();
        workspace.sentence().to_owned()
    };
    assert_eq!(map(&[1, 0, 6]), "(output2:+0.5) * sig(+2*x7 + -1.5)");
    assert_eq!(map(&[1, 1, 0, 6, 3]), "(output2:+0.5) * sig(+2*x7 + +3.25*x4 + -1.5)");
    let three = "(output2:+0.5) * sig(+2*x7 + +3.25*x4 + -4*x1 + -1.5)";
    assert_eq!(map(&[1, 1, 1, 0, 6, 3, 0]), three);
}

#[test]
fn a_slot_visited_more_often_than_it_has_values_starts_again() {
    let grammar = bound(shipped::MGE.text);
    let slots = WeightSlots::of(&grammar).unwrap();
    let values: Vec<f32> = (0..slots.values()).map(|number| number as f32).collect();
    // Twenty inputs.
    let gene: Vec<u16> = [vec![0], vec![1; 19], vec![0; 40]].concat();
    let mut sentence = Sentence::default();
    let real = GeneValues { slots: &slots, values: &values };
    let options = DecodeOptions::default();
    grammar.derive_with_values(grammar.start(), &gene, real, &options, &mut sentence).unwrap();
    let numbers: Vec<u16> = sentence.values().iter().map(|(number, _)| *number).collect();
    let expected = [vec![0, 2], (3..15).collect(), (3..10).collect(), vec![1]].concat();
    assert_eq!(numbers, expected);
}

#[test]
fn a_grammar_without_weight_slots_is_refused() {
    let grammar = bound("<S> ::= 1:<Digit>*sig(<Digit>*<x>)\n<Digit> ::= 0..9\n<x> ::= x1..xd");
    let error = MgeParams::real_for_classes(3).check(&grammar, Variant::Mge).unwrap_err();
    assert_eq!(error, MgeParamError::WeightSlots(WeightSlotsError::None));
    assert!(error.to_string().contains("expected a rule named <Number>, <Weight> or <Bias>"));
}

#[test]
fn default_settings_of_tuning_are_not_serialized() {
    let message = |real: RealParams| {
        let raw = MgeParams { real: Some(real), ..MgeParams::real_for_classes(3) };
        raw.check(&grammar_of(Variant::Mge), Variant::Mge).unwrap_err().to_string()
    };
    let default = RealParams::default();
    let expected = "real.tuning is 1001, expected a number from 0 to 1000";
    assert_eq!(message(RealParams { tuning: 1001, ..default.clone() }), expected);
    let expected = "real.tuned_fraction is 1.5, expected a number from 0 to 1";
    assert_eq!(message(RealParams { tuned_fraction: 1.5, ..default.clone() }), expected);
    assert!(
        message(RealParams { tuned_fraction: f64::NAN, ..default.clone() })
            .contains("tuned_fraction")
    );
    assert!(!serde_json::to_string(&default).unwrap().contains("tun"));
    let tuned = RealParams { tuning: 3, tuned_fraction: 0.5, ..default };
    let text = serde_json::to_string(&tuned).unwrap();
    assert_eq!(serde_json::from_str::<RealParams>(&text).unwrap(), tuned);
}

#[test]
fn values_out_of_bounds_are_refused_without_a_panic() {
    let (mapper, variation) = real(grammar_of(Variant::Mge), Variant::Mge);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, -0.0] {
        let mut genotype = variation.random(&mut stream(1));
        genotype.step_and_values_mut(0).unwrap().1.fill(bad);
        network(&mapper, &genotype);
        assert_eq!(variation.is_valid(&genotype), bad.abs() <= 1000.0, "{bad}");
        let mut genotype = variation.random(&mut stream(1));
        *genotype.step_and_values_mut(0).unwrap().0 = bad;
        assert!(!variation.is_valid(&genotype), "a step of {bad}");
    }
    // Genotypes without values, or with other ones.
    let codons =
        Variation::new(MgeParams::default().check(mapper.grammar(), Variant::Mge).unwrap());
    let plain = codons.random(&mut stream(2));
    assert!(codons.is_valid(&plain) && !variation.is_valid(&plain));
    assert!(!codons.is_valid(&variation.random(&mut stream(2))));
    let uneven = r#"{"genes":[[1],[2]],"steps":[1.0,1.0],"values":[[1.0],[1.0,2.0]]}"#;
    assert!(serde_json::from_str::<Genotype>(uneven).is_err());
    let missing = r#"{"genes":[[1],[2]],"steps":[1.0],"values":[[1.0]]}"#;
    assert!(serde_json::from_str::<Genotype>(missing).is_err());
}

#[test]
fn without_real_weights_nothing_is_stored_for_them() {
    let genotype: Genotype = [[1, 2], [3, 4]].into_iter().collect();
    assert_eq!(serde_json::to_string(&genotype).unwrap(), r#"{"genes":[[1,2],[3,4]]}"#);
    let params = serde_json::to_string(&MgeParams::default()).unwrap();
    assert!(!params.contains("real"), "{params}");
}

/// The shipped grammars, and one with other names of weight rules in other positions.
fn texts() -> Vec<&'static str> {
    const OWN: &str = "
        <S> ::= <Conns> * <A>(<Sum> + <bias>) | <Conns>*sig(<Sum> + 0.25)
        <Conns> ::= (<o>:<WEIGHT>) | (<o>: <WEIGHT>)<Conns>
        <Sum> ::= <T> | <T> + <Sum> | <Sum> - <T>
        <T> ::= <x> | <WEIGHT>*<WEIGHT> * <x> | 2 * <bias>*<x>
        <A> ::= sig | tanh
        <WEIGHT> ::= <bias> | 1.<Digit>
        <bias> ::= 0.<Digit><Digit>
        <Digit> ::= 0..9
        <o> ::= output1..outputc
        <x> ::= x1..xd";
    shipped::ALL.iter().map(|grammar| grammar.text).chain([OWN]).collect()
}

proptest! {
    #[test]
    fn the_fast_derivation_agrees_with_the_slow_one(
        text in prop::sample::select(texts()), gene in prop::collection::vec(0u16..300, 0..60),
        seed: u64, references in 0usize..4, wraps in 0u32..2,
    ) {
        let grammar = bound(text);
        let slots = WeightSlots::of(&grammar).unwrap();
        let mut stream = stream(seed);
        // Any bits at all; some genes are short of values.
        let values: Vec<f32> =
            (0..slots.values() - stream.index(2)).map(|_| f32::from_bits(stream.bits() as u32)).collect();
        let values = GeneValues { slots: &slots, values: &values };
        let options = DecodeOptions { wraps, references };
        let mut sentence = Sentence::default();
        let start = grammar.start();
        let derived = grammar.derive_with_values(start, &gene, values, &options, &mut sentence);
        let trace = grammar.trace_with_values(start, &gene, values, &options);
        prop_assert_eq!(trace.outcome, derived);
        if derived.is_ok() {
            prop_assert_eq!(trace.sentence(), Some(sentence.text()));
            let read: Vec<(usize, u32)> =
                sentence.values().iter().map(|&(number, v)| (number.into(), v.to_bits())).collect();
            let slow = trace.steps.iter().filter_map(|step| step.value);
            prop_assert_eq!(slow.map(|(n, v)| (n, v.to_bits())).collect::<Vec<_>>(), read);
        }
    }

    #[test]
    fn a_weight_is_the_value_of_its_gene(seed: u64) {
        let (mapper, variation) = real(grammar_of(Variant::Mge), Variant::Mge);
        let genotype = variation.random(&mut stream(seed));
        let mut workspace = Workspace::default();
        for (gene, codons) in genotype.genes().enumerate() {
            let (_, values) = genotype.step_and_values(gene).unwrap();
            let Ok(neuron) = mapper.map_gene_with_values(&codons, values, 0, &mut workspace) else {
                continue;
            };
            prop_assert_eq!(neuron.outputs[0].1, values[0]);
            prop_assert_eq!(neuron.bias, Some(values[1]));
            let terms = workspace.sentence().matches("*x").count();
            // A feature that is named twice has the sum of two values.
            if neuron.links.len() == terms && terms <= 13 {
                let weights: Vec<f32> = neuron.links.iter().map(|link| link.weight).collect();
                prop_assert_eq!(&weights[..], &values[2..2 + terms]);
            }
        }
    }

    #[test]
    fn a_change_of_one_value_changes_one_neuron(seed: u64, gene: usize, number: usize) {
        for variant in Variant::ALL {
            let (mapper, variation) = real(grammar_of(variant), variant);
            let genotype = variation.random(&mut stream(seed));
            let gene = gene % genotype.len();
            let mut changed = genotype.clone();
            let (_, values) = changed.step_and_values_mut(gene).unwrap();
            let number = number % values.len();
            values[number] += 0.5;
            let (Some(before), Some(after)) = (network(&mapper, &genotype), network(&mapper, &changed))
                else { continue };
            // The same structure; at most one neuron and its output connections differ.
            let weights = |network: &Network| {
                let neurons = network.neurons().iter().map(|neuron| {
                    let links = neuron.links.iter().map(|l| (l.source, l.weight.to_bits()));
                    (links.collect::<Vec<_>>(), neuron.bias.map(f32::to_bits))
                });
                neurons.collect::<Vec<_>>()
            };
            let (before_all, after_all) = (weights(&before), weights(&after));
            prop_assert_eq!(before_all.len(), after_all.len());
            let differ = before_all.iter().zip(&after_all).filter(|(a, b)| a != b).count();
            prop_assert!(differ <= 1);
            for (a, b) in before_all.iter().zip(&after_all) {
                let sources = |links: &[(Source, u32)]| links.iter().map(|l| l.0).collect::<Vec<_>>();
                prop_assert_eq!(sources(&a.0), sources(&b.0));
            }
        }
    }

    #[test]
    fn genes_that_visit_no_slot_map_as_with_codons(
        gene in prop::collection::vec(0u16..256, 1..40), seed: u64,
    ) {
        let text = "<S> ::= <o>:<W> * sig(<T> + <W>) | <o>:0.5 * sig(<Number>*<x>)
            <T> ::= <x> | <T> + <W>*<x>
            <W> ::= 0.<Digit> | -<Digit>.5
            <Number> ::= 0.<Digit>
            <Digit> ::= 0..9
            <o> ::= output1..outputc
            <x> ::= x1..xd";
        let codon = Mapper::new(bound(text), Variant::Mge, 0).unwrap();
        let (real, variation) = real(bound(text), Variant::Mge);
        let random = variation.random(&mut stream(seed));
        let (_, values) = random.step_and_values(0).unwrap();
        let mut workspace = Workspace::default();
        let real = real.map_gene_with_values(&gene, values, 0, &mut workspace);
        // The first codon chooses whether a weight slot is visited.
        if gene[0] % 2 == 0 {
            prop_assert_eq!(real, codon.map_gene(&gene, 0, &mut workspace));
        } else if let Ok(neuron) = real {
            prop_assert_eq!(neuron.links[0].weight, values[0]);
        }
    }

    #[test]
    fn genotypes_are_stored_and_read_back(seed: u64) {
        let (_, variation) = real(grammar_of(Variant::Mge), Variant::Mge);
        let mut stream = stream(seed);
        let (mut one, mut other) = (variation.random(&mut stream), variation.random(&mut stream));
        for _ in 0..10 {
            variation.crossover(&mut one, &mut other, &mut stream);
            variation.mutate(&mut one, &mut stream);
            prop_assert!(variation.is_valid(&one) && variation.is_valid(&other));
        }
        let text = serde_json::to_string(&one).unwrap();
        let back: Genotype = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&back, &one);
        prop_assert_eq!(serde_json::to_string(&back).unwrap(), text);
    }
}

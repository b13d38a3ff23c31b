//! Tuned weights are written back into gene values: completely, exactly where possible, and without
//! a change of codons or steps.

#![allow(clippy::unwrap_used)]

use mge_evolve::Representation;
use mge_grammar::mge::{
    Genotype, MAX_VALUE, Mapper, MgeParams, Variant, Variation, WeightOrigin, WeightOrigins,
    Workspace,
};
use mge_grammar::{Grammar, Shape, Template, shipped};
use mge_net::{Network, SparseNetwork};
use mge_random::{Purpose, Stream};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Products of values, factors and signs.
const OWN: &str = "
    <S> ::= <Conns> * <A>(<Sum> + <bias>) | <Conns>*sig(<Sum> + 0.25)
    <Conns> ::= (<o>:<WEIGHT>) | (<o>: <WEIGHT>)<Conns>
    <Sum> ::= <T> | <T> + <Sum> | <Sum> - <T>
    <T> ::= <x> | <WEIGHT>*<WEIGHT> * <x> | 2 * <bias>*<x>
    <A> ::= sig | tanh
    <WEIGHT> ::= 1
    <bias> ::= 1
    <o> ::= output1..outputc
    <x> ::= x1..xd";

fn bound(text: &str) -> Grammar {
    Template::parse("test.bnf", text).unwrap().bind(Shape { features: 7, outputs: 3 }).unwrap()
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
    Stream::at(seed, Purpose::Tuning, 0, 0)
}

fn mapped(mapper: &Mapper, genotype: &Genotype) -> Option<(Network, WeightOrigins)> {
    mapper.map_with_origins(genotype, &mut Workspace::default())
}

fn steps(genotype: &Genotype) -> Vec<f32> {
    (0..genotype.len()).map(|gene| genotype.step_and_values(gene).unwrap().0).collect()
}

/// How many weights read each value.
fn readers(origins: &WeightOrigins) -> BTreeMap<(usize, usize), usize> {
    let mut readers = BTreeMap::new();
    for origin in origins.weights().flatten() {
        *readers.entry((origin.gene, origin.value)).or_default() += 1;
    }
    readers
}

#[test]
fn values_that_add_up_take_equal_parts_of_the_change() {
    let (mapper, _) = real(grammar_of(Variant::Mge), Variant::Mge);
    let mut genotype = Genotype::with_values(15);
    // `+2*x7 + +3*x4 + -4*x7`: the weight of x7 is the sum of two values.
    genotype.push([1, 1, 1, 0, 6, 3, 6]);
    let (_, values) = genotype.step_and_values_mut(0).unwrap();
    values[..5].copy_from_slice(&[0.5, -1.5, 2.0, 3.0, -4.0]);
    let (network, origins) = mapped(&mapper, &genotype).unwrap();
    let weights = SparseNetwork::from(&network).weights();
    assert_eq!(weights, [-1.5, -2.0, 3.0, 0.5]);
    origins.write(&weights, &[-1.0, 1.0, 5000.0, 0.5], &mut genotype);
    let (_, values) = genotype.step_and_values(0).unwrap();
    assert_eq!(values[..5], [0.5, -1.0, 3.5, MAX_VALUE, -2.5]);
    // A weight that is not finite changes nothing.
    let before = genotype.clone();
    origins.write(&weights, &[f32::NAN, f32::INFINITY, 3.0, 0.5], &mut genotype);
    assert_eq!(genotype, before);
}

#[test]
fn a_value_that_several_weights_read_gets_the_mean_change() {
    let (mapper, _) = real(grammar_of(Variant::Mge), Variant::Mge);
    let mut genotype = Genotype::with_values(15);
    // Fourteen inputs: the first of the twelve later values is read twice, for the second and the
    // fourteenth input. In the first case these two are one feature, in the second they are not.
    for (last, expected) in [(1, 0.5), (2, 1.0)] {
        let inputs = [0, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, last];
        genotype.push([vec![0], vec![1; 13], vec![0], inputs.to_vec()].concat());
        let gene = genotype.len() - 1;
        let (network, origins) = mapped(&mapper, &genotype).unwrap();
        let weights = SparseNetwork::from(&network).weights();
        let derivative_of = |number: usize| {
            let origins = origins.weights().nth(number).unwrap();
            let found = origins.iter().find(|origin| (origin.gene, origin.value) == (gene, 3));
            found.map(|origin| origin.derivative)
        };
        // Every weight that reads the value is raised by one.
        let mut tuned = weights.clone();
        let mut derivatives = Vec::new();
        for (number, weight) in tuned.iter_mut().enumerate() {
            if let Some(derivative) = derivative_of(number) {
                *weight += 1.0;
                derivatives.push(derivative);
            }
        }
        assert_eq!(derivatives, if last == 1 { vec![2.0] } else { vec![1.0; 2] });
        let mut changed = genotype.clone();
        origins.write(&weights, &tuned, &mut changed);
        assert_eq!(changed.step_and_values(gene).unwrap().1[3], expected);
    }
}

#[test]
fn a_value_inside_a_longer_number_is_not_an_origin() {
    let text = "<S> ::= <o>:<Number>1 * sig(1e<Number>*x1 - <Number>*x2)\n<o> ::= output1..outputc\n\
                <Number> ::= 1";
    let (mapper, _) = real(bound(text), Variant::Mge);
    let mut genotype = Genotype::with_values(3);
    genotype.push([0]);
    genotype.step_and_values_mut(0).unwrap().1.fill(2.0);
    let (network, origins) = mapped(&mapper, &genotype).unwrap();
    assert_eq!(SparseNetwork::from(&network).weights(), [100.0, -2.0, 21.0]);
    let origins: Vec<_> = origins.weights().collect();
    assert_eq!(origins, [&[][..], &[WeightOrigin { gene: 0, value: 2, derivative: -1.0 }], &[]]);
}

#[test]
fn without_real_weights_there_is_no_origin() {
    let grammar = grammar_of(Variant::Mge);
    let variation = Variation::new(MgeParams::default().check(&grammar, Variant::Mge).unwrap());
    let mapper = Mapper::new(grammar, Variant::Mge, 0).unwrap();
    let genotype = variation.random(&mut stream(1));
    let (network, origins) = mapped(&mapper, &genotype).unwrap();
    assert_eq!(origins.weights().len(), SparseNetwork::from(&network).size());
    assert!(origins.weights().all(<[_]>::is_empty));
}

proptest! {
    #[test]
    fn the_network_is_the_same_and_tuned_weights_come_back(seed: u64) {
        for variant in Variant::ALL {
            let (mapper, variation) = real(grammar_of(variant), variant);
            let mut stream = stream(seed);
            let genotype = variation.random(&mut stream);
            let plain = mapper.map(&genotype, &mut Workspace::default()).network;
            let Some((network, origins)) = mapped(&mapper, &genotype) else {
                prop_assert_eq!(plain, None);
                continue;
            };
            prop_assert_eq!(Some(&network), plain.as_ref());
            let before = SparseNetwork::from(&network);
            let weights = before.weights();
            prop_assert_eq!(origins.weights().len(), weights.len());
            // All weights of the shipped grammars are values.
            prop_assert!(origins.weights().all(|origins| !origins.is_empty()));
            let tuned: Vec<f32> =
                weights.iter().map(|weight| weight + (stream.unit() * 8.0 - 4.0) as f32).collect();
            let mut changed = genotype.clone();
            origins.write(&weights, &tuned, &mut changed);

            prop_assert!(variation.is_valid(&changed));
            prop_assert!(changed.genes().eq(genotype.genes()));
            prop_assert_eq!(steps(&changed), steps(&genotype));
            let (after, _) = mapped(&mapper, &changed).unwrap();
            let mut after = SparseNetwork::from(&after);
            let written = after.weights();
            after.set_weights(&weights);
            prop_assert_eq!(after, before);
            let readers = readers(&origins);
            for (number, origins) in origins.weights().enumerate() {
                let is_free = |origin: &WeightOrigin| readers[&(origin.gene, origin.value)] == 1;
                if !origins.iter().all(is_free) {
                    continue;
                }
                let (wanted, found) = (tuned[number], written[number]);
                if let [one] = origins && one.derivative == 1.0 {
                    prop_assert_eq!(wanted, found);
                }
                prop_assert!((wanted - found).abs() < 1e-5, "{} {} {:?}", wanted, found, origins);
            }
        }
    }

    #[test]
    fn derivatives_agree_with_differences(seed: u64, index: usize, monolithic in 3usize..5) {
        let variant = Variant::ALL[monolithic];
        let (mapper, variation) = real(bound(OWN), variant);
        let genotype = variation.random(&mut stream(seed));
        let Some((network, origins)) = mapped(&mapper, &genotype) else { return Ok(()) };
        let before = SparseNetwork::from(&network);
        let weights = before.weights();
        prop_assert_eq!(origins.weights().len(), weights.len());
        let origin = origins.weights().flatten().nth(index % readers(&origins).len().max(1));
        let Some(&origin) = origin else { return Ok(()) };
        let mut changed = genotype.clone();
        let (_, values) = changed.step_and_values_mut(origin.gene).unwrap();
        values[origin.value] += 1.0 / 64.0;
        let (after, _) = mapped(&mapper, &changed).unwrap();
        let mut after = SparseNetwork::from(&after);
        let moved = after.weights();
        after.set_weights(&weights);
        prop_assert_eq!(after, before);
        for (number, list) in origins.weights().enumerate() {
            let same = |other: &&WeightOrigin| (other.gene, other.value) == (origin.gene, origin.value);
            let derivative = list.iter().find(same).map_or(0.0, |origin| origin.derivative);
            let measured = f64::from(moved[number] - weights[number]) * 64.0;
            // A value that is read twice may be a factor of itself; then the weight is not linear.
            prop_assert!((derivative - measured).abs() < 0.1, "{} {}", derivative, measured);
        }
    }
}

//! Modular Grammatical Evolution: worked examples and properties of the representation.

#![allow(clippy::unwrap_used)]

use mge_evolve::Representation;
use mge_grammar::mge::{Genotype, Mapper, MgeParams, Variant, Variation, Workspace};
use mge_grammar::{Shape, Template, shipped};
use mge_net::{Network, Size, Source};
use mge_random::{Purpose, Stream};
use proptest::prelude::*;

fn mapper(variant: Variant, features: usize, outputs: usize) -> Mapper {
    let grammar = if variant.is_modular() { shipped::MGE } else { shipped::MONOLITHIC };
    let template = Template::parse(grammar.name, grammar.text).unwrap();
    Mapper::new(template.bind(Shape { features, outputs }).unwrap(), variant, 0).unwrap()
}

fn variation(mapper: &Mapper) -> Variation {
    with_params(mapper, MgeParams::for_classes(10))
}

fn with_params(mapper: &Mapper, params: MgeParams) -> Variation {
    Variation::new(params.check(mapper.grammar(), mapper.variant()).unwrap())
}

fn stream(index: u64) -> Stream {
    Stream::at(11, Purpose::Mutation, 0, index)
}

/// The genes as lists of their own.
fn genes(genotype: &Genotype) -> Vec<Vec<u16>> {
    genotype.genes().collect()
}

fn genotype<const N: usize>(genes: [&[u16]; N]) -> Genotype {
    genes.into_iter().map(|gene| gene.iter().copied()).collect()
}

fn network(mapper: &Mapper, genotype: &Genotype) -> Network {
    mapper.map(genotype, &mut Workspace::default()).network.unwrap()
}

/// The grammar of the paper's mapping example: whole-number weights, one output for a neuron.
const SIMPLE: &str = "
<S> ::= <OutputNeuron>:<Digit>*sig(<Sum> + <Digit>*1)
<Sum> ::= <Digit>*<xnList> | <Sum> + <Digit>*<xnList>
<OutputNeuron> ::= 1..c
<Digit> ::= 0..9
<xnList> ::= x1..xd
";

#[test]
fn the_papers_example_network_costs_58_operations() {
    // h1 is 1:2*sig(5*x1 + 1*x2 + 3*1) as in the text; h2..h4 complete 15 connections in a
    // multi-layer network with three outputs, as in the paper's figure of an individual.
    let template = Template::parse("simple", SIMPLE).unwrap();
    let grammar = template.bind(Shape { features: 3, outputs: 3 }).unwrap();
    let mapper = Mapper::new(grammar, Variant::Beta, 0).unwrap();
    let genotype = genotype([
        // output, weight, Sum: another and the last, digit and source twice, bias
        &[9, 2, 1, 0, 5, 0, 1, 1, 3],
        &[1, 4, 0, 7, 2, 1],
        // reads x1 x2 x3 h1 h2
        &[2, 3, 1, 0, 2, 3, 6, 1, 4],
        // reads x1 x2 x3 h1 h2 h3
        &[0, 1, 1, 0, 8, 5, 9, 0, 2],
    ]);
    let network = network(&mapper, &genotype);
    assert_eq!(network.neurons()[2].links[0].source, Source::Neuron(0));
    let size = Size::of(&network);
    assert_eq!((size.connections, size.neurons + size.outputs), (15, 7));
    assert_eq!((size.operations, size.hidden_layers), (58, 3));
}

#[test]
fn a_neuron_may_feed_several_outputs() {
    let mapper = mapper(Variant::Eta, 3, 5);
    // Two connections, (output5:+0.2)(output3:+0.1), then one input and the bias.
    let gene = [1, 0, 4, 0, 0, 2, 2, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 3];
    let neuron = mapper.map_gene(&gene, 0, &mut Workspace::default()).unwrap();
    assert_eq!(neuron.outputs, [(4, 0.2), (2, 0.1)]);
    let network = network(&mapper, &genotype([&gene]));
    let weights = |output: usize| -> Vec<f32> {
        network.outputs()[output].links.iter().map(|link| link.weight).collect()
    };
    assert_eq!((weights(4), weights(2), weights(0)), (vec![0.2], vec![0.1], vec![]));
}

#[test]
fn random_genes_map_to_small_neurons() {
    let mapper = mapper(Variant::Mge, 30, 1);
    let (mut valid, mut terms) = (0u32, 0usize);
    let mut workspace = Workspace::default();
    for index in 0..20_000 {
        let mut stream = stream(index);
        let gene: Vec<u16> = (0..100).map(|_| stream.below(256) as u16).collect();
        if mapper.map_gene(&gene, 0, &mut workspace).is_ok() {
            valid += 1;
            terms += workspace.sentence().matches('x').count();
        }
    }
    assert!(f64::from(valid) / 20_000.0 > 0.999, "{valid}");
    let mean = terms as f64 / f64::from(valid);
    assert!((mean - 2.0).abs() <= 0.05, "{mean}");
}

/// Which outputs a hidden neuron feeds.
fn feeds(network: &Network, neuron: u32) -> Vec<usize> {
    let outputs = network.outputs().iter().enumerate();
    let fed = outputs.filter(|(_, output)| {
        output.links.iter().any(|link| link.source == Source::Neuron(neuron))
    });
    fed.map(|(index, _)| index).collect()
}

#[test]
fn variants_have_the_structure_they_are_named_for() {
    for variant in Variant::ALL {
        let mapper = mapper(variant, 8, 4);
        let variation = variation(&mapper);
        let (mut several_outputs, mut deep, mut coupled) = (false, false, false);
        for index in 0..20 {
            let network = network(&mapper, &variation.random(&mut stream(index)));
            for (index, neuron) in (0..).zip(network.neurons()) {
                several_outputs |= feeds(&network, index).len() > 1;
                for link in &neuron.links {
                    if let Source::Neuron(earlier) = link.source {
                        deep = true;
                        coupled |= feeds(&network, index) != feeds(&network, earlier);
                    }
                }
            }
        }
        assert_eq!(several_outputs, !variant.is_modular(), "{variant}");
        assert_eq!(deep, variant.is_multi_layer(), "{variant}");
        if variant.is_modular() {
            assert_eq!(coupled, variant == Variant::Beta, "{variant}");
        }
    }
}

#[test]
fn genes_that_do_not_map_are_skipped_and_counted() {
    let mapper = mapper(Variant::Mge, 3, 2);
    let bad: &[u16] = &[1, 1, 1];
    let good: &[u16] = &[0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1];
    let mapped = mapper.map(&genotype([bad, good, bad]), &mut Workspace::default());
    assert_eq!((mapped.network.unwrap().neurons().len(), mapped.invalid_genes), (1, 2));
    let mapped = mapper.map(&genotype([bad]), &mut Workspace::default());
    assert_eq!((mapped.network, mapped.invalid_genes), (None, 1));
}

#[test]
fn mnist_needs_sixteen_bit_codons() {
    let bits = |features, variant| {
        let mapper = mapper(variant, features, 10);
        MgeParams::for_classes(10).check(mapper.grammar(), variant).unwrap().codon_bits()
    };
    let mge = |features| bits(features, Variant::Mge);
    assert_eq!((mge(256), mge(257), mge(784)), (8, 16, 16));
    // 40 neurons may be read beside the features.
    assert_eq!((bits(216, Variant::Beta), bits(217, Variant::Beta)), (8, 16));
}

#[test]
fn grammars_that_make_no_neurons_are_refused() {
    let check = |text: &str, variant| {
        let template = Template::parse("test", text).unwrap();
        let grammar = template.bind(Shape { features: 3, outputs: 2 }).unwrap();
        Mapper::new(grammar, variant, 0).and_then(|mapper| mapper.check(100, 8))
    };
    let message = |text, variant| check(text, variant).unwrap_err().to_string();
    assert!(message("<a> ::= 0 | 1 <a>", Variant::Mge).contains("is not a neuron: column"));
    assert!(message("<a> ::= 1:1*sig(x1)", Variant::Mu).contains("earlier neurons"));
    let never = "<a> ::= <b><b><b><b><b><b><b><b><b>\n<b> ::= <b><b><b> | <b><b><b> | <b><b><b> | <b><b><b> | x";
    assert!(message(never, Variant::Mge).contains("none of 512 random genes of 100 codons"));
    assert!(check("<a> ::= 1:1*sig(<x>)\n<x> ::= x1..xd", Variant::Mu).is_ok());
    let several = message(shipped::MONOLITHIC.text, Variant::Mge);
    assert!(several.contains("feeds 2 outputs"), "{several}");
    let late = "<a> ::= <p><o>:1*sig(<x>)\n<p> ::= \"\" | \" \"\n<o> ::= 1..c\n<x> ::= x1..xd";
    assert!(check(late, Variant::Mge).is_ok());
    assert!(message(late, Variant::Alpha).contains("first codon"));
    assert!(check(shipped::MGE.text, Variant::Alpha).is_ok());
}

#[test]
fn codons_change_at_half_the_drawn_rate() {
    let mapper = mapper(Variant::Mge, 5, 3);
    let params = MgeParams { mutation_rates: vec![0.01], ..MgeParams::for_classes(10) };
    let variation = with_params(&mapper, params);
    let (mut changed, mut all, mut resized) = (0usize, 0usize, 0u32);
    for index in 0..2000 {
        let mut stream = stream(index);
        let before = variation.random(&mut stream);
        let mut after = before.clone();
        variation.mutate(&mut after, &mut stream);
        if after.len() != before.len() {
            resized += 1;
            continue;
        }
        for (a, b) in before.genes().zip(after.genes()) {
            changed += a.iter().zip(&b).filter(|(x, y)| x != y).count();
            all += a.len();
        }
    }
    // A random codon equals the old one with probability 1/256.
    let expected = 0.005 * 255.0 / 256.0;
    let rate = changed as f64 / all as f64;
    assert!((rate - expected).abs() < 0.0001, "{rate}");
    assert!((9..=33).contains(&resized), "2000 offspring at 0.01: {resized}");
}

fn sorted(mut genes: Vec<Vec<u16>>) -> Vec<Vec<u16>> {
    genes.sort();
    genes
}

proptest! {
    #[test]
    fn crossover_keeps_all_genes_of_the_parents(seed: u64) {
        let mapper = mapper(Variant::Mge, 5, 3);
        let short = MgeParams { min_genes: 1, max_genes: 6, gene_length: 5, ..Default::default() };
        let variation = with_params(&mapper, short);
        let mut stream = stream(seed);
        let (one, other) = (variation.random(&mut stream), variation.random(&mut stream));
        let (mut a, mut b) = (one.clone(), other.clone());
        variation.crossover(&mut a, &mut b, &mut stream);
        let [one, other, a, b] = [one, other, a, b].map(|genotype| genes(&genotype));
        prop_assert_eq!((a.len(), b.len()), (one.len(), other.len()));
        let offspring = [a.clone(), b].concat();
        prop_assert_eq!(sorted(offspring), sorted([one.clone(), other.clone()].concat()));
        for (index, gene) in a.iter().enumerate() {
            let aligned = [one.get(index), other.get(index)];
            prop_assert!(aligned.contains(&Some(gene)));
        }
        if one.len().min(other.len()) > 1 {
            prop_assert_eq!(&a[0], &other[0], "the left segments are swapped");
            prop_assert_eq!(a.last(), one.last());
        }
    }

    #[test]
    fn a_change_of_one_gene_changes_no_other_neuron(
        seed: u64, gene: usize, codon: usize, value: u8,
    ) {
        for variant in [Variant::Mge, Variant::Eta] {
            let mapper = mapper(variant, 9, 4);
            let genotype = variation(&mapper).random(&mut stream(seed));
            let changed_gene = gene % genotype.len();
            let mut changed = genes(&genotype);
            let at = codon % changed[changed_gene].len();
            changed[changed_gene][at] = u16::from(value);
            let changed: Genotype = changed.into_iter().collect();

            let mut workspace = Workspace::default();
            let is_valid = |gene: &[u16], workspace: &mut Workspace| {
                mapper.map_gene(gene, 0, workspace).is_ok()
            };
            let skip = |genotype: &Genotype, workspace: &mut Workspace| {
                let genes = genes(genotype);
                let before = &genes[..changed_gene];
                let at = before.iter().filter(|gene| is_valid(gene, workspace)).count();
                let mut neurons = network(&mapper, genotype).neurons().to_vec();
                if is_valid(&genes[changed_gene], workspace) {
                    neurons.remove(at);
                }
                neurons
            };
            prop_assert_eq!(skip(&genotype, &mut workspace), skip(&changed, &mut workspace));
        }
    }

    #[test]
    fn mutation_never_empties_a_genotype(seed: u64) {
        let mapper = mapper(Variant::Mge, 5, 3);
        let wild = MgeParams {
            min_genes: 1,
            max_genes: 2,
            gene_length: 8,
            mutation_rates: vec![1.0],
            ..Default::default()
        };
        let variation = with_params(&mapper, wild);
        let mut stream = stream(seed);
        let mut genotype = variation.random(&mut stream);
        for _ in 0..30 {
            let before = genotype.len();
            variation.mutate(&mut genotype, &mut stream);
            prop_assert!(!genotype.is_empty());
            prop_assert!(genotype.len().abs_diff(before) <= 1);
            prop_assert!(genotype.genes().all(|gene| gene.len() == 8));
            prop_assert!(genotype.genes().flatten().all(|codon| codon < 256));
        }
    }

    #[test]
    fn mapping_never_panics(
        genes in prop::collection::vec(prop::collection::vec(any::<u16>(), 0..60), 0..12),
    ) {
        let genotype: Genotype = genes.iter().cloned().collect();
        for variant in Variant::ALL {
            let mapped = mapper(variant, 4, 3).map(&genotype, &mut Workspace::default());
            let neurons = mapped.network.map_or(0, |network| network.neurons().len());
            prop_assert_eq!(neurons + mapped.invalid_genes as usize, genes.len());
        }
    }
}

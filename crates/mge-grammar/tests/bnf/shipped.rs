//! The shipped grammars: right, free of warnings, and what their first lines promise.

use mge_grammar::shipped::{ALL, Shipped, find};
use mge_grammar::{DecodeOptions, Sentence, Shape, Template};
use mge_random::{Purpose, Stream};

fn samples(shipped: &Shipped, outputs: usize) -> Vec<String> {
    let template = Template::parse(shipped.name, shipped.text).expect(shipped.name);
    assert_eq!(template.warnings(), [], "{}", shipped.name);
    let grammar = template.bind(Shape { features: 12, outputs }).expect(shipped.name);
    assert_eq!(grammar.input_symbols().count(), 1, "{}", shipped.name);
    let mut sentence = Sentence::default();
    let sentences = (0..5000).filter_map(|index| {
        let mut stream = Stream::at(7, Purpose::Initialisation, 0, index);
        let gene: Vec<u16> = (0..100).map(|_| stream.below(256) as u16).collect();
        let derived =
            grammar.derive(grammar.start(), &gene, &DecodeOptions::default(), &mut sentence);
        derived.ok().map(|_| sentence.text().to_owned())
    });
    sentences.collect()
}

#[test]
fn every_shipped_grammar_makes_neurons_for_any_shape() {
    for shipped in &ALL {
        for outputs in [1, 3] {
            let sentences = samples(shipped, outputs);
            assert!(sentences.len() > 4750, "{}: {} valid", shipped.name, sentences.len());
            for sentence in &sentences {
                let (connections, neuron) = sentence.split_once(" * ").unwrap();
                let count = connections.matches("(output").count();
                let modular = !shipped.name.contains("monolithic");
                assert!(count == 1 || (count > 1 && !modular), "{}: {sentence}", shipped.name);
                assert!(connections.ends_with(')') && neuron.ends_with(')'), "{sentence}");
                let activation = neuron.split_once('(').unwrap().0;
                let known = ["sig", "tanh", "tanh25", "relu", "sin", "gauss", "identity"];
                assert!(known.contains(&activation), "{sentence}");
            }
        }
    }
}

#[test]
fn sparse_and_dense_have_the_expected_number_of_inputs() {
    for (name, expected) in [("sparse", 4.0 / 3.0), ("mge", 2.0), ("dense", 2.9)] {
        let sentences = samples(find(name).unwrap(), 1);
        let inputs: usize = sentences.iter().map(|s| s.matches("*x").count()).sum();
        let mean = inputs as f64 / sentences.len() as f64;
        assert!((mean - expected).abs() < 0.1, "{name}: {mean}");
    }
}

#[test]
fn all_activations_and_fixed_digits_occur() {
    let sentences = samples(find("activations").unwrap(), 1);
    for activation in ["sig", "tanh", "tanh25", "relu", "sin", "gauss", "identity"] {
        let call = format!(" * {activation}(");
        assert!(sentences.iter().any(|s| s.contains(&call)), "{activation}");
    }
    let fixed = samples(find("fixed-digits").unwrap(), 1);
    assert!(fixed.iter().all(|s| s.len() >= "(output1:+0.00) * sig(+0.00*x1 + +0.00)".len()));
    assert!(fixed.iter().any(|s| s.starts_with("(output1:-9.")));
    assert_eq!(find("nothing"), None);
}

//! Reading neurons: valid sentences and errors.

#![allow(clippy::unwrap_used)]

use mge_grammar::neuron::{NeuronSentence, ReadError, Scope, read_neuron};
use mge_net::{Activation, Link, Source};
use proptest::prelude::*;

const SCOPE: Scope = Scope { features: 9, outputs: 5, references: 2 };

fn read(sentence: &str) -> Result<NeuronSentence, ReadError> {
    read_neuron(sentence, SCOPE)
}

fn link(source: Source, weight: f32) -> Link {
    Link { source, weight }
}

#[test]
fn the_papers_neuron() {
    let neuron = read("1:2*sig(5*x1 + 1*x2 + 3*1)").unwrap();
    assert_eq!(neuron.outputs, [(0, 2.0)]);
    assert_eq!(neuron.activation, Activation::Sigmoid);
    assert_eq!(neuron.bias, Some(3.0));
    assert_eq!(neuron.links, [link(Source::Input(0), 5.0), link(Source::Input(1), 1.0)]);
}

#[test]
fn several_outputs() {
    for text in [
        "(output5:2),(output3:1)*sig(5*x1 + 1*x2 + 3*1)",
        "(output5:+2)(output3:+1) * sig(+5*x1 + +1*x2 + +3)",
    ] {
        let neuron = read(text).unwrap();
        assert_eq!(neuron.outputs, [(4, 2.0), (2, 1.0)]);
        assert_eq!(neuron.bias, Some(3.0));
    }
}

#[test]
fn weights_of_a_source_named_twice_add_up() {
    let neuron = read("(output1:0.5)(output1:0.25)*relu(0.5*x3 + -0.25*x3 - h2 + 1 + 0.5)");
    let neuron = neuron.unwrap();
    assert_eq!(neuron.outputs, [(0, 0.75)]);
    assert_eq!(neuron.links, [link(Source::Input(2), 0.25), link(Source::Neuron(1), -1.0)]);
    assert_eq!(neuron.bias, Some(1.5));
}

#[test]
fn a_neuron_may_have_no_bias() {
    assert_eq!(read("1:1*gauss(2*x1*-0.5)").unwrap().bias, None);
}

#[test]
fn errors_name_the_column_and_what_was_expected() {
    let message = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(
        message("(output6:1)*sig(1*x1)"),
        "column 8: expected an output neuron that exists, found `6`"
    );
    assert_eq!(
        message("1:1*sigmoid(1*x1)"),
        format!("column 5: expected an activation: {}, found `s`", Activation::names())
    );
    assert_eq!(message("1:1*sig(1*x10)"), "column 12: expected a feature that exists, found `1`");
    assert_eq!(message("1:1*sig(1*h3)"), "column 12: expected an earlier neuron, found `3`");
    assert_eq!(message("1:1*sig(x1"), "column 11: expected `)`, found the end of the sentence");
    assert!(message("1:1*sig(x1*x2)").contains("at most one feature"));
    assert!(message("1:1e99*sig(x1)").contains("a finite number"));
    assert!(message("1:1*sig(x1) 7").contains("expected the end"));
    assert!(message("").contains("an output connection"));
}

proptest! {
    /// Short numbers take a fast path, which must agree with the standard parser.
    #[test]
    fn numbers_agree_with_the_standard_parser(text in "[0-9]{1,9}([.][0-9]{0,12})?|[.][0-9]{1,9}") {
        let neuron = read(&format!("1:{text}*sig(x1)")).unwrap();
        prop_assert_eq!(neuron.outputs[0].1.to_bits(), (text.parse::<f64>().unwrap() as f32).to_bits());
    }

    #[test]
    fn never_panics(text in "\\PC{0,60}") {
        let _ = read(&text);
    }

    #[test]
    fn never_panics_on_almost_neurons(text in "[(]?output[0-9]:[-+0-9.e]{1,6}[)]?[*]sig[(][-+*0-9xh.,é ]{0,20}[)]") {
        let _ = read(&text);
    }
}

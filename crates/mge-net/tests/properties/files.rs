//! Networks keep their bits in a file, and no file makes an invalid network.

use mge_net::{Link, MAX_INPUTS, Network, NetworkError, Output, Source, Unit, merge_links};
use proptest::prelude::*;

use crate::networks::{Shape, any_network};

fn one_link(weight: f32) -> Vec<Output> {
    vec![Output { bias: None, links: vec![Link { source: Source::Input(0), weight }] }]
}

proptest! {
    #[test]
    fn save_and_load_give_an_equal_network(network in any_network(Shape::default())) {
        let text = serde_json::to_string_pretty(&network).unwrap();
        prop_assert_eq!(serde_json::from_str::<Network>(&text).unwrap(), network);
    }

    #[test]
    fn every_finite_weight_keeps_its_bits(bits: u32) {
        let weight = f32::from_bits(bits);
        let network = Network::new(1, vec![], one_link(weight));
        if weight.is_finite() {
            let network = network.unwrap();
            let text = serde_json::to_string(&network).unwrap();
            let back: Network = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(back.outputs()[0].links[0].weight.to_bits(), bits);
        } else {
            let refused = matches!(network, Err(NetworkError::NotFinite { .. }));
            prop_assert!(refused);
        }
    }

    #[test]
    fn damaged_files_are_errors_and_never_panics(
        network in any_network(Shape::default()),
        cut: prop::sample::Index,
        byte: u8,
    ) {
        let mut text = serde_json::to_vec(&network).unwrap();
        let position = cut.index(text.len());
        prop_assert!(serde_json::from_slice::<Network>(&text[..position]).is_err());
        text[position] = byte;
        // A file that can still be read makes a network that can be evaluated.
        if let Ok(network) = serde_json::from_slice::<Network>(&text) {
            let _ = mge_net::Size::of(&network);
            let _ = mge_net::reference::outputs(&network, &vec![1.0; network.inputs()]);
        }
    }
}

#[test]
fn files_are_readable() {
    let text = r#"{
        "inputs": 2,
        "neurons": [
            {"activation": "sig", "bias": 0.1, "links": [{"input": 1, "weight": -0.5}]}
        ],
        "outputs": [{"links": [{"neuron": 0, "weight": 0.25}]}]
    }"#;
    let network: Network = serde_json::from_str(text).unwrap();
    assert_eq!(network.neurons()[0].bias, Some(0.1));
    let compact: String = text.split_whitespace().collect();
    assert_eq!(serde_json::to_string(&network).unwrap(), compact);
}

#[test]
fn hostile_files_are_errors_that_state_the_reason() {
    let unit = |links: &str| format!(r#"{{"activation": "sig", "links": [{links}]}}"#);
    let file = |inputs: usize, neurons: &str, outputs: &str| {
        format!(r#"{{"inputs": {inputs}, "neurons": [{neurons}], "outputs": [{outputs}]}}"#)
    };
    let output = r#"{"links": []}"#;
    let cycle = unit(r#"{"neuron": 0, "weight": 1.0}"#);
    let forward = unit(r#"{"neuron": 1, "weight": 1.0}"#);
    let outside = unit(r#"{"input": 1, "weight": 1.0}"#);
    let twice = unit(r#"{"input": 0, "weight": 1.0}, {"input": 0, "weight": 2.0}"#);
    let huge = unit(r#"{"input": 0, "weight": 1e39}"#);
    let both = unit(r#"{"input": 0, "neuron": 0, "weight": 1.0}"#);
    let neither = unit(r#"{"weight": 1.0}"#);
    for (text, expected) in [
        (file(1, &cycle, output), "neuron 0 links to neuron 0, but only the 0 neurons before it"),
        (file(1, &forward, output), "neuron 0 links to neuron 1"),
        (file(1, "", r#"{"links": [{"neuron": 0, "weight": 1.0}]}"#), "output 0 links to neuron 0"),
        (file(1, &outside, output), "neuron 0 links to input 1, but there are only 1"),
        (file(1, &twice, output), "neuron 0 links twice to Input(0)"),
        (file(1, &huge, output), "number out of range"),
        (file(1, &both, output), "expected either `input` or `neuron`"),
        (file(1, &neither, output), "expected either `input` or `neuron`"),
        (file(1, "", ""), "at least one output"),
        (file(MAX_INPUTS + 1, "", output), "a network may have at most"),
        (file(1, r#"{"activation": "step", "links": []}"#, output), "unknown activation `step`"),
        (file(1, "", r#"{"links": [], "extra": 1}"#), "unknown field `extra`"),
    ] {
        let error = serde_json::from_str::<Network>(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

#[test]
fn repeated_sources_add_up() {
    let link = |index, weight| Link { source: Source::Input(index), weight };
    let merged = merge_links([link(3, 0.5), link(1, 0.25), link(3, -0.25)]);
    assert_eq!(merged, [link(3, 0.25), link(1, 0.25)]);
    let twice = vec![Output { bias: None, links: vec![link(0, 1.0), link(0, 1.0)] }];
    assert_eq!(
        Network::new(1, vec![], twice),
        Err(NetworkError::RepeatedSource { unit: Unit::Output(0), from: Source::Input(0) })
    );
}

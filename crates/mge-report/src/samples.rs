//! Random networks with names, to try pictures and reports on.

use crate::network_diagram::NetworkDiagram;
use mge::net::{Activation, Link, Network, Neuron, Output, OutputLink, Source};
use mge::random::{Purpose, Stream};

/// A network with names for its ends.
pub struct SampleNetwork {
    /// The network.
    pub network: Network,
    /// One name for each input.
    pub features: Vec<String>,
    /// One name for each class.
    pub classes: Vec<String>,
}

impl SampleNetwork {
    /// The network as a diagram.
    pub fn diagram(&self) -> NetworkDiagram<'_> {
        NetworkDiagram::new(&self.network, &self.features, &self.classes)
            .expect("samples have a name for each input and class")
    }
}

/// A modular network of `neurons` hidden neurons in up to `layers` layers: each neuron feeds one
/// output, or a later neuron of the same output. Every tenth feeds two outputs, and some inputs
/// feed outputs directly.
pub fn layered(seed: u64, neurons: usize, layers: usize, outputs: usize) -> SampleNetwork {
    let mut stream = Stream::at(seed, Purpose::Seed, 0, 0);
    let inputs = (neurons / 2).clamp(4, 160);
    let weight = |stream: &mut Stream| (2.0 * stream.unit() - 1.0) as f32;
    let mut hidden: Vec<Neuron> = Vec::new();
    let mut heads: Vec<Output> = vec![Output::default(); outputs];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); outputs];
    for index in 0..neurons as u32 {
        let module = stream.index(outputs);
        let mut links = vec![];
        for _ in 0..=stream.index(3) {
            let source = Source::Input(stream.index(inputs) as u32);
            links.push(Link { source, weight: weight(&mut stream) });
        }
        // One layer after the other: early neurons are the sources of late ones.
        let deep = (index as usize * layers / neurons.max(1)) > 0;
        if let (true, Some(&source)) = (deep, before[module].first()) {
            before[module].rotate_left(1);
            let source = Source::Neuron(source);
            links.push(Link { source, weight: weight(&mut stream) });
        }
        let bias = Some(weight(&mut stream));
        let activation = if stream.chance(0.2) { Activation::Tanh25 } else { Activation::Sigmoid };
        hidden.push(Neuron { activation, bias, links: mge::net::merge_links(links) });
        before[module].push(index);
        let link = Link { source: Source::Neuron(index), weight: weight(&mut stream) };
        heads[module].links.push(link);
        if index % 10 == 9 && outputs > 1 {
            heads[(module + 1) % outputs].links.push(link);
        }
    }
    for head in heads.iter_mut().step_by(2) {
        let source = Source::Input(stream.index(inputs) as u32);
        head.links.push(Link { source, weight: weight(&mut stream) });
    }
    let network = Network::new(inputs, hidden, heads).expect("sources come before their use");
    let classes = OutputLink::for_outputs(network.outputs().len()).classes();
    SampleNetwork {
        network,
        features: (1..=inputs).map(|n| format!("feature_{n}")).collect(),
        classes: (1..=classes).map(|n| format!("class {n}")).collect(),
    }
}

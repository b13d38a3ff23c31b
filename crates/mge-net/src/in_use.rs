//! Which neurons and inputs an answer depends on.

use crate::network::{Link, Network, Source};

impl Network {
    /// Whether some output depends on each neuron. Links of weight zero do not count.
    pub fn neurons_in_use(&self) -> Vec<bool> {
        let mut in_use = vec![false; self.neurons().len()];
        let mark = |links: &[Link], in_use: &mut Vec<bool>| {
            for link in links.iter().filter(|link| link.weight != 0.0) {
                if let Source::Neuron(index) = link.source {
                    in_use[index as usize] = true;
                }
            }
        };
        self.outputs().iter().for_each(|output| mark(&output.links, &mut in_use));
        // Neurons read earlier ones only, so one pass backwards is enough.
        for index in (0..in_use.len()).rev() {
            if in_use[index] {
                mark(&self.neurons()[index].links, &mut in_use);
            }
        }
        in_use
    }

    /// Whether some output depends on each input.
    pub fn inputs_in_use(&self) -> Vec<bool> {
        let mut in_use = vec![false; self.inputs()];
        let neurons = self.neurons().iter().zip(self.neurons_in_use());
        let inside = neurons.filter(|(_, used)| *used).flat_map(|(neuron, _)| &neuron.links);
        let links = inside.chain(self.outputs().iter().flat_map(|output| &output.links));
        for link in links.filter(|link| link.weight != 0.0) {
            if let Source::Input(index) = link.source {
                in_use[index as usize] = true;
            }
        }
        in_use
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::Activation;
    use crate::network::{Neuron, Output};

    #[test]
    fn dead_neurons_and_links_of_weight_zero_use_nothing() {
        let link = |source, weight| Link { source, weight };
        let neuron = |links| Neuron { activation: Activation::Sigmoid, bias: None, links };
        let neurons = vec![
            neuron(vec![link(Source::Input(0), 1.0), link(Source::Input(1), 0.0)]),
            neuron(vec![link(Source::Neuron(0), 1.0)]),
            neuron(vec![link(Source::Input(2), 1.0)]),
        ];
        let links = vec![link(Source::Neuron(1), 1.0), link(Source::Input(4), -0.5)];
        let outputs = vec![Output { bias: None, links }];
        let network = Network::new(5, neurons, outputs).unwrap();
        assert_eq!(network.neurons_in_use(), [true, true, false]);
        assert_eq!(network.inputs_in_use(), [true, false, false, false, true]);
    }
}

//! A network that is being worked on: parts may be added and taken away, and
//! [`Draft::tidy`] removes what no longer has an effect.

use mge_net::{Activation, Link, Network, Neuron, Output, Source};

/// The parts of a network, in the order of [`Network`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    pub(crate) inputs: usize,
    pub(crate) neurons: Vec<Neuron>,
    pub(crate) outputs: Vec<Output>,
}

/// Where a weight is; units are hidden neurons, then outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    Bias(usize),
    Link(usize, Source),
}

impl Draft {
    pub(crate) fn of(network: &Network) -> Self {
        Self {
            inputs: network.inputs(),
            neurons: network.neurons().to_vec(),
            outputs: network.outputs().to_vec(),
        }
    }

    /// The network. Weights that are not finite, which only a diverged training could leave, are
    /// zero in it.
    pub(crate) fn network(&self) -> Network {
        let made = Network::new(self.inputs, self.neurons.clone(), self.outputs.clone());
        made.unwrap_or_else(|_| {
            let mut tame = self.clone();
            for weight in tame.weights_mut().filter(|weight| !weight.is_finite()) {
                *weight = 0.0;
            }
            Network::new(tame.inputs, tame.neurons, tame.outputs)
                .expect("structure moves keep the order of neurons")
        })
    }

    /// Links and biases.
    pub(crate) fn connections(&self) -> usize {
        self.links().count() + self.biases()
    }

    pub(crate) fn biases(&self) -> usize {
        self.neurons.iter().filter(|unit| unit.bias.is_some()).count()
            + self.outputs.iter().filter(|unit| unit.bias.is_some()).count()
    }

    /// Removes neurons that nothing reads, and folds those that read nothing into the biases of
    /// the outputs that read them.
    pub(crate) fn tidy(&mut self) {
        loop {
            let count = self.neurons.len();
            let mut is_read = vec![false; count];
            for link in self.links() {
                if let Source::Neuron(neuron) = link.source {
                    is_read[neuron as usize] = true;
                }
            }
            let is_constant = |unit: &Neuron| unit.links.is_empty();
            let gone = (0..count).find(|&k| !is_read[k] || is_constant(&self.neurons[k]));
            let Some(gone) = gone else { return };
            self.remove(gone);
        }
    }

    /// Removes a neuron. What one that reads nothing gave is left in the biases.
    fn remove(&mut self, gone: usize) {
        let neuron = self.neurons.remove(gone);
        let rest = neuron.activation.apply(f64::from(neuron.bias.unwrap_or(0.0)));
        let is_constant = neuron.links.is_empty();
        let leave = |bias: &mut Option<f32>, links: &mut Vec<Link>| {
            let mut left = 0.0;
            links.retain(|link| {
                let is_gone = link.source == Source::Neuron(gone as u32);
                if is_gone && is_constant {
                    left += f64::from(link.weight) * rest;
                }
                !is_gone
            });
            if left != 0.0 {
                *bias = Some(bias.unwrap_or(0.0) + left as f32);
            }
            for link in links {
                if let Source::Neuron(index) = &mut link.source
                    && *index > gone as u32
                {
                    *index -= 1;
                }
            }
        };
        for unit in &mut self.neurons[gone..] {
            leave(&mut unit.bias, &mut unit.links);
        }
        for unit in &mut self.outputs {
            leave(&mut unit.bias, &mut unit.links);
        }
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        let hidden = self.neurons.iter().flat_map(|unit| &unit.links);
        hidden.chain(self.outputs.iter().flat_map(|unit| &unit.links))
    }

    /// The units that read a neuron.
    pub(crate) fn readers(&self, neuron: usize) -> Vec<usize> {
        let source = Source::Neuron(neuron as u32);
        let links = self.neurons.iter().map(|unit| &unit.links);
        let links = links.chain(self.outputs.iter().map(|unit| &unit.links)).enumerate();
        let reads = |(_, links): &(usize, &Vec<Link>)| links.iter().any(|l| l.source == source);
        links.filter(reads).map(|(unit, _)| unit).collect()
    }

    /// The inputs in use, ascending.
    pub(crate) fn features(&self) -> Vec<u32> {
        let mut used: Vec<u32> = self
            .links()
            .filter_map(|link| match link.source {
                Source::Input(input) => Some(input),
                Source::Neuron(_) => None,
            })
            .collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Keeps the `most` inputs with the largest weights.
    pub(crate) fn drop_features(&mut self, most: usize) {
        let mut sizes: Vec<(f64, u32)> = Vec::new();
        for input in self.features() {
            let own = self.links().filter(|link| link.source == Source::Input(input));
            sizes.push((own.map(|link| f64::from(link.weight * link.weight)).sum(), input));
        }
        sizes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let gone: Vec<u32> = sizes.iter().skip(most).map(|&(_, input)| input).collect();
        self.retain_links(|link| match link.source {
            Source::Input(input) => !gone.contains(&input),
            Source::Neuron(_) => true,
        });
        self.tidy();
    }

    /// Keeps the first `most` hidden neurons.
    pub(crate) fn drop_neurons(&mut self, most: usize) {
        while self.neurons.len() > most {
            self.remove(self.neurons.len() - 1);
        }
    }

    /// How many units may be linked.
    pub(crate) fn units(&self) -> usize {
        self.neurons.len() + self.outputs.len()
    }

    /// Where each weight is, in the order of a [`Topology`](mge_net::Topology) of the network.
    pub(crate) fn places(&self) -> Vec<Place> {
        let units = self.neurons.iter().map(|unit| (unit.bias, &unit.links));
        let units = units.chain(self.outputs.iter().map(|unit| (unit.bias, &unit.links)));
        let mut places = Vec::with_capacity(self.connections());
        for (unit, (bias, links)) in units.enumerate() {
            places.extend(bias.map(|_| Place::Bias(unit)));
            places.extend(links.iter().map(|link| Place::Link(unit, link.source)));
        }
        places
    }

    /// The weights, in the same order.
    pub(crate) fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let hidden = self.neurons.iter_mut().map(|unit| (&mut unit.bias, &mut unit.links));
        let outputs = self.outputs.iter_mut().map(|unit| (&mut unit.bias, &mut unit.links));
        hidden.chain(outputs).flat_map(|(bias, links)| {
            bias.iter_mut().chain(links.iter_mut().map(|link| &mut link.weight))
        })
    }

    /// Adds a connection whose weight is zero, so that the network computes the same.
    pub(crate) fn add(&mut self, place: Place) {
        match place {
            Place::Bias(unit) => *self.unit_mut(unit).0 = Some(0.0),
            Place::Link(unit, source) => {
                self.unit_mut(unit).1.push(Link { source, weight: 0.0 });
            }
        }
    }

    /// Keeps the links of all units that a rule allows.
    pub(crate) fn retain_links(&mut self, mut is_kept: impl FnMut(&Link) -> bool) {
        for unit in 0..self.units() {
            self.unit_mut(unit).1.retain(&mut is_kept);
        }
    }

    /// Units that may be linked: hidden neurons, then outputs.
    pub(crate) fn unit_mut(&mut self, unit: usize) -> (&mut Option<f32>, &mut Vec<Link>) {
        let hidden = self.neurons.len();
        if unit < hidden {
            let neuron = &mut self.neurons[unit];
            (&mut neuron.bias, &mut neuron.links)
        } else {
            let output = &mut self.outputs[unit - hidden];
            (&mut output.bias, &mut output.links)
        }
    }

    /// Multiplies all weights of the outputs.
    pub(crate) fn scale_outputs(&mut self, factor: f32) {
        for Output { bias, links } in &mut self.outputs {
            let links = links.iter_mut().map(|link| &mut link.weight);
            bias.iter_mut().chain(links).for_each(|weight| *weight *= factor);
        }
    }

    /// A copy of a neuron beside it: the inputs of the new one are its own, changed by `change`,
    /// and each takes half of every output.
    pub(crate) fn split(&mut self, neuron: usize, mut change: impl FnMut(f32) -> f32) {
        let mut twin = self.neurons[neuron].clone();
        for link in &mut twin.links {
            link.weight = change(link.weight);
        }
        let new = self.neurons.len() as u32;
        self.neurons.push(twin);
        for output in &mut self.outputs {
            let own = output.links.iter_mut().find(|l| l.source == Source::Neuron(neuron as u32));
            if let Some(own) = own {
                own.weight *= 0.5;
                let weight = own.weight;
                output.links.push(Link { source: Source::Neuron(new), weight });
            }
        }
    }

    /// Makes one neuron of two that read inputs and feed outputs alone: its weights lie between
    /// theirs, and outputs get what both gave.
    pub(crate) fn merge(&mut self, one: usize, other: usize) {
        let gone = self.neurons[other].clone();
        let kept = &mut self.neurons[one];
        kept.links.iter_mut().for_each(|link| link.weight *= 0.5);
        for Link { source, weight } in gone.links {
            match kept.links.iter_mut().find(|link| link.source == source) {
                Some(link) => link.weight += 0.5 * weight,
                None => kept.links.push(Link { source, weight: 0.5 * weight }),
            }
        }
        if kept.bias.is_some() || gone.bias.is_some() {
            kept.bias = Some(0.5 * (kept.bias.unwrap_or(0.0) + gone.bias.unwrap_or(0.0)));
        }
        let (one, other) = (Source::Neuron(one as u32), Source::Neuron(other as u32));
        for output in &mut self.outputs {
            let Some(at) = output.links.iter().position(|link| link.source == other) else {
                continue;
            };
            let weight = output.links[at].weight;
            match output.links.iter_mut().find(|link| link.source == one) {
                Some(link) => link.weight += weight,
                None => output.links.push(Link { source: one, weight }),
            }
            output.links.retain(|link| link.source != other);
        }
        self.tidy();
    }

    /// Appends a neuron that feeds some outputs.
    pub(crate) fn push_neuron(
        &mut self,
        activation: Activation,
        bias: Option<f32>,
        links: Vec<Link>,
        feeds: impl IntoIterator<Item = (usize, f32)>,
    ) {
        let source = Source::Neuron(self.neurons.len() as u32);
        self.neurons.push(Neuron { activation, bias, links });
        for (output, weight) in feeds {
            self.outputs[output].links.push(Link { source, weight });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tariff::Tariff;

    fn link(source: Source, weight: f32) -> Link {
        Link { source, weight }
    }

    #[test]
    fn what_has_no_effect_goes_and_constants_become_biases() {
        let mut draft = Draft {
            inputs: 2,
            neurons: Vec::new(),
            outputs: vec![Output { bias: None, links: vec![link(Source::Input(1), 1.0)] }],
        };
        let input = vec![link(Source::Input(0), 2.0)];
        draft.push_neuron(Activation::Tanh, Some(0.5), input.clone(), []);
        draft.push_neuron(Activation::Identity, Some(0.5), Vec::new(), [(0, 3.0)]);
        draft.push_neuron(Activation::Tanh, None, input, [(0, -1.0)]);
        draft.tidy();
        assert_eq!(draft.neurons.len(), 1);
        assert_eq!(draft.outputs[0].bias, Some(1.5));
        assert_eq!(draft.outputs[0].links[1], link(Source::Neuron(0), -1.0));
        let operations = mge_net::Size::of(&draft.network()).operations;
        assert_eq!(Tariff::OPERATIONS.of(&draft), operations);
    }

    #[test]
    fn a_split_neuron_computes_the_same() {
        let outputs = vec![Output { bias: None, links: Vec::new() }];
        let mut draft = Draft { inputs: 1, neurons: Vec::new(), outputs };
        draft.push_neuron(Activation::Sin, None, vec![link(Source::Input(0), 2.0)], [(0, 3.0)]);
        let before = mge_net::reference::outputs(&draft.network(), &[0.3]);
        draft.split(0, |weight| weight);
        assert_eq!(mge_net::reference::outputs(&draft.network(), &[0.3]), before);
        assert_eq!(draft.neurons.len(), 2);
    }
}

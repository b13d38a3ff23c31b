//! Structural edits. Each keeps the network well formed; the documentation of each says whether
//! the network still computes the same.

use super::{Connection, SparseNetwork};
use crate::activation::Activation;
use crate::network::{Link, Neuron, Output, Source};

impl SparseNetwork {
    /// Adds a connection with a weight of zero; the network computes the same. A bias that exists
    /// becomes zero, and a link that exists must not be added again.
    pub fn add(&mut self, connection: Connection) {
        let (bias, links) = self.parts_mut(connection.unit());
        match connection {
            Connection::Bias { .. } => *bias = Some(0.0),
            Connection::Link { source, .. } => links.push(Link { source, weight: 0.0 }),
        }
    }

    /// Appends a neuron that reads inputs or earlier neurons and feeds outputs, given by their
    /// index and the weight of the link.
    pub fn push_neuron(
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

    /// Replaces the activation of a neuron.
    pub fn set_activation(&mut self, neuron: usize, activation: Activation) {
        self.neurons[neuron].activation = activation;
    }

    /// Replaces an output. Its links must lead from inputs or neurons that exist.
    pub fn set_output(&mut self, index: usize, output: Output) {
        self.outputs[index] = output;
    }

    /// Keeps the links that a rule allows; the rule sees them in the order of weights.
    pub fn retain_links(&mut self, mut is_kept: impl FnMut(&Link) -> bool) {
        for unit in 0..self.units() {
            self.parts_mut(unit).1.retain(&mut is_kept);
        }
    }

    /// Keeps the connections whose entry is true; entries are in the order of weights.
    ///
    /// # Panics
    /// When there are fewer entries than weights.
    pub fn retain_connections(&mut self, is_kept: &[bool]) {
        let mut is_kept = is_kept.iter().copied();
        let mut keep = || is_kept.next().expect("an entry for each weight");
        for unit in 0..self.units() {
            let (bias, links) = self.parts_mut(unit);
            if bias.is_some() && !keep() {
                *bias = None;
            }
            links.retain(|_| keep());
        }
    }

    /// Removes neurons without effect: those that nothing reads, and those that read nothing. What
    /// the latter contribute moves into the biases of their readers, so the network computes the
    /// same up to rounding.
    pub fn simplify(&mut self) {
        loop {
            let mut is_read = vec![false; self.neurons.len()];
            for link in self.links() {
                if let Source::Neuron(neuron) = link.source {
                    is_read[neuron as usize] = true;
                }
            }
            let has_no_effect = |k: &usize| !is_read[*k] || self.neurons[*k].links.is_empty();
            let Some(neuron) = (0..self.neurons.len()).find(has_no_effect) else { return };
            self.remove_neuron(neuron);
        }
    }

    /// Removes a neuron and the links from it. Where it reads nothing, its constant contribution is
    /// added to the biases of its readers.
    pub fn remove_neuron(&mut self, neuron: usize) {
        let removed = self.neurons.remove(neuron);
        let value = removed.activation.apply(f64::from(removed.bias.unwrap_or(0.0)));
        let constant = removed.links.is_empty().then_some(value);
        // Neurons before it cannot read it, nor any neuron that is renumbered.
        for unit in neuron..self.units() {
            let (bias, links) = self.parts_mut(unit);
            let mut contribution = 0.0;
            links.retain(|link| {
                let is_removed = link.source == Source::Neuron(neuron as u32);
                if let (true, Some(value)) = (is_removed, constant) {
                    contribution += f64::from(link.weight) * value;
                }
                !is_removed
            });
            if contribution != 0.0 {
                *bias = Some(bias.unwrap_or(0.0) + contribution as f32);
            }
            for link in links {
                if let Source::Neuron(index) = &mut link.source
                    && *index > neuron as u32
                {
                    *index -= 1;
                }
            }
        }
    }

    /// Removes the last neurons until at most `max` are left.
    pub fn truncate_neurons(&mut self, max: usize) {
        while self.neurons.len() > max {
            self.remove_neuron(self.neurons.len() - 1);
        }
    }

    /// Keeps the `max` inputs whose weights have the largest sums of squares.
    pub fn keep_features(&mut self, max: usize) {
        let mut sizes: Vec<(f64, u32)> = Vec::new();
        for input in self.features() {
            let own = self.links().filter(|link| link.source == Source::Input(input));
            sizes.push((own.map(|link| f64::from(link.weight * link.weight)).sum(), input));
        }
        sizes.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let removed: Vec<u32> = sizes.iter().skip(max).map(|&(_, input)| input).collect();
        self.retain_links(|link| match link.source {
            Source::Input(input) => !removed.contains(&input),
            Source::Neuron(_) => true,
        });
        self.simplify();
    }

    /// Splits a neuron in two. The new one reads the same inputs with weights changed by `change`,
    /// and each gets half of every output weight. With unchanged weights the network computes the
    /// same.
    pub fn split_neuron(&mut self, neuron: usize, mut change: impl FnMut(f32) -> f32) {
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

    /// Merges a neuron into another; both must read inputs and feed outputs only. Its own weights
    /// become the mean of both, and its output weights the sum. Two halves of a split neuron merge
    /// back to a network that computes the same up to rounding.
    pub fn merge_neurons(&mut self, kept: usize, removed: usize) {
        let other = self.neurons[removed].clone();
        let neuron = &mut self.neurons[kept];
        neuron.links.iter_mut().for_each(|link| link.weight *= 0.5);
        for Link { source, weight } in other.links {
            match neuron.links.iter_mut().find(|link| link.source == source) {
                Some(link) => link.weight += 0.5 * weight,
                None => neuron.links.push(Link { source, weight: 0.5 * weight }),
            }
        }
        if neuron.bias.is_some() || other.bias.is_some() {
            neuron.bias = Some(0.5 * (neuron.bias.unwrap_or(0.0) + other.bias.unwrap_or(0.0)));
        }
        let (kept, removed) = (Source::Neuron(kept as u32), Source::Neuron(removed as u32));
        for output in &mut self.outputs {
            let Some(at) = output.links.iter().position(|link| link.source == removed) else {
                continue;
            };
            let weight = output.links[at].weight;
            match output.links.iter_mut().find(|link| link.source == kept) {
                Some(link) => link.weight += weight,
                None => output.links.push(Link { source: kept, weight }),
            }
            output.links.retain(|link| link.source != removed);
        }
        self.simplify();
    }

    /// Multiplies all weights of the outputs, biases included.
    pub fn scale_outputs(&mut self, factor: f32) {
        for Output { bias, links } in &mut self.outputs {
            let links = links.iter_mut().map(|link| &mut link.weight);
            bias.iter_mut().chain(links).for_each(|weight| *weight *= factor);
        }
    }

    /// Sets weights to zero that are not finite, which only a diverged training leaves.
    pub fn zero_non_finite(&mut self) {
        for weight in self.weights_mut().filter(|weight| !weight.is_finite()) {
            *weight = 0.0;
        }
    }

    fn parts_mut(&mut self, unit: usize) -> (&mut Option<f32>, &mut Vec<Link>) {
        let hidden = self.neurons.len();
        if unit < hidden {
            let neuron = &mut self.neurons[unit];
            (&mut neuron.bias, &mut neuron.links)
        } else {
            let output = &mut self.outputs[unit - hidden];
            (&mut output.bias, &mut output.links)
        }
    }
}

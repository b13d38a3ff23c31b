//! Structural mutation and crossover.
//!
//! Neurons are added, split, merged, get another activation, or come with their weights from
//! another network: one neuron, or the whole module of an output.

use crate::grow::add_neuron;
use crate::params::HybridParams;
use crate::training_set::TrainingSet;
use mge_net::{Activation, GradientScratch, Link, Network, Neuron, Output, Source, SparseNetwork};
use mge_random::Stream;

/// The probability that crossover copies a whole module.
const MODULE_PROBABILITY: f64 = 0.2;

/// Draws structural changes for an offspring; `other` is the second parent of a crossover.
pub(crate) fn mutate_structure(
    network: &mut SparseNetwork,
    other: &Network,
    settings: &HybridParams,
    training_set: &TrainingSet,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    if stream.chance(settings.crossover_rate) {
        if stream.chance(MODULE_PROBABILITY) {
            copy_module(network, other, stream.index(network.outputs().len()));
        } else if !other.neurons().is_empty() {
            copy_neuron(network, other, stream.index(other.neurons().len()));
        }
    }
    if stream.chance(settings.activation_mutation_rate) {
        change_activation(network, &settings.activations, stream);
    }
    if stream.chance(0.5 * settings.activation_mutation_rate) {
        merge_similar(network, settings.modular, stream);
    }
    if stream.chance(settings.neuron_addition_rate) {
        let drawn = settings.activations[stream.index(settings.activations.len())];
        let activation = match network.neurons().first() {
            Some(neuron) if stream.chance(0.7) => neuron.activation,
            _ => drawn,
        };
        add_neuron(network, activation, !settings.modular, training_set, stream, scratch);
    } else if !network.neurons().is_empty() && stream.chance(0.25 * settings.neuron_addition_rate) {
        let neuron = stream.index(network.neurons().len());
        network.split_neuron(neuron, |weight| weight * (0.5 + stream.unit()) as f32);
    }
    network.zero_non_finite();
}

/// Draws the activation of a neuron anew; it may stay the same.
fn change_activation(network: &mut SparseNetwork, allowed: &[Activation], stream: &mut Stream) {
    if !network.neurons().is_empty() {
        let neuron = stream.index(network.neurons().len());
        network.set_activation(neuron, allowed[stream.index(allowed.len())]);
    }
}

/// Merges a neuron with the one whose weights have the largest positive cosine to its own, if there
/// is any. If `modular`, both must feed the same output.
fn merge_similar(network: &mut SparseNetwork, modular: bool, stream: &mut Stream) {
    let neurons = network.neurons();
    if neurons.len() < 2 {
        return;
    }
    let one = stream.index(neurons.len());
    // Start networks may be deep; merging would break the order of their neurons.
    let is_deep = |neuron: usize| {
        let is_hidden = |&reader: &usize| reader < neurons.len();
        reads_neurons(&neurons[neuron]) || network.readers(neuron).iter().any(is_hidden)
    };
    if is_deep(one) {
        return;
    }
    let is_mergeable = |&other: &usize| {
        other != one
            && !is_deep(other)
            && neurons[other].activation == neurons[one].activation
            && (!modular || network.readers(other) == network.readers(one))
    };
    let similarity = |other: usize| (cosine(&neurons[one], &neurons[other]), other);
    let best = (0..neurons.len()).filter(is_mergeable).map(similarity);
    if let Some((cosine, other)) = best.max_by(|a, b| a.0.total_cmp(&b.0))
        && cosine > 0.0
    {
        network.merge_neurons(one, other);
    }
}

/// The cosine of the angle between the weights of two neurons.
fn cosine(one: &Neuron, other: &Neuron) -> f64 {
    let product = |a: &Neuron, b: &Neuron| {
        let links = a.links.iter().map(|link| {
            let same = b.links.iter().find(|own| own.source == link.source);
            f64::from(link.weight) * same.map_or(0.0, |own| f64::from(own.weight))
        });
        links.sum::<f64>() + f64::from(a.bias.unwrap_or(0.0)) * f64::from(b.bias.unwrap_or(0.0))
    };
    let size = (product(one, one) * product(other, other)).sqrt();
    if size > 0.0 { product(one, other) / size } else { 0.0 }
}

/// Copies a neuron of another network, with half of its output weights. Neurons that read neurons
/// are not copied.
fn copy_neuron(network: &mut SparseNetwork, other: &Network, index: usize) {
    let neuron = &other.neurons()[index];
    if reads_neurons(neuron) {
        return;
    }
    let reader = |(output, unit): (usize, &Output)| {
        let is_own = |link: &&Link| link.source == Source::Neuron(index as u32);
        unit.links.iter().find(is_own).map(|link| (output, 0.5 * link.weight))
    };
    let feeds: Vec<(usize, f32)> = other.outputs().iter().enumerate().filter_map(reader).collect();
    network.push_neuron(neuron.activation, neuron.bias, neuron.links.clone(), feeds);
}

/// Replaces everything that an output reads by what it reads in another network. Neurons that fed
/// only this output are removed. Copied neurons feed only this output.
fn copy_module(network: &mut SparseNetwork, other: &Network, output: usize) {
    let from = &other.outputs()[output];
    let mut module = Output { bias: from.bias, links: Vec::new() };
    for &Link { source, weight } in &from.links {
        let source = match source {
            Source::Input(_) => source,
            Source::Neuron(index) => {
                let neuron = &other.neurons()[index as usize];
                if reads_neurons(neuron) {
                    continue;
                }
                network.push_neuron(neuron.activation, neuron.bias, neuron.links.clone(), []);
                Source::Neuron(network.neurons().len() as u32 - 1)
            }
        };
        module.links.push(Link { source, weight });
    }
    network.set_output(output, module);
    network.simplify();
}

fn reads_neurons(neuron: &Neuron) -> bool {
    neuron.links.iter().any(|link| matches!(link.source, Source::Neuron(_)))
}

#[cfg(test)]
mod tests;

//! Structure moves beside growing and cutting: neurons are added, split, merged, compute something
//! else, or come with their weights from another network, one by one or as the whole module of an
//! output.

use crate::draft::Draft;
use crate::ground::Ground;
use crate::grow::add_neuron;
use crate::params::HybridParams;
use mge_net::{Activation, GradientScratch, Link, Network, Neuron, Output, Source};
use mge_random::Stream;

/// How often an exchange is one of a whole module.
const MODULES: f64 = 0.2;

/// Draws moves for an offspring; `other` gives what is exchanged.
pub(crate) fn rearrange(
    draft: &mut Draft,
    other: &Network,
    settings: &HybridParams,
    ground: &Ground,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    if stream.chance(settings.exchange) {
        if stream.chance(MODULES) {
            take_module(draft, other, stream.index(draft.outputs.len()));
        } else if !other.neurons().is_empty() {
            take_neuron(draft, other, stream.index(other.neurons().len()));
        }
    }
    if stream.chance(settings.changes) {
        change_activation(draft, &settings.activations, stream);
    }
    if stream.chance(0.5 * settings.changes) {
        merge_alike(draft, settings.modular, stream);
    }
    if stream.chance(settings.new_neurons) {
        let usual = settings.activations[stream.index(settings.activations.len())];
        let activation = match draft.neurons.first() {
            Some(neuron) if stream.chance(0.7) => neuron.activation,
            _ => usual,
        };
        add_neuron(draft, activation, !settings.modular, ground, stream, scratch);
    } else if !draft.neurons.is_empty() && stream.chance(0.25 * settings.new_neurons) {
        let neuron = stream.index(draft.neurons.len());
        draft.split(neuron, |weight| weight * (0.5 + stream.unit()) as f32);
    }
}

/// Draws anew what a neuron computes, which may be what it did.
fn change_activation(draft: &mut Draft, allowed: &[Activation], stream: &mut Stream) {
    if !draft.neurons.is_empty() {
        let neuron = stream.index(draft.neurons.len());
        draft.neurons[neuron].activation = allowed[stream.index(allowed.len())];
    }
}

/// Merges a neuron with the one whose weights point most nearly the same way, if any are less than
/// a right angle away; if `modular`, one of the same output.
fn merge_alike(draft: &mut Draft, modular: bool, stream: &mut Stream) {
    if draft.neurons.len() < 2 {
        return;
    }
    let one = stream.index(draft.neurons.len());
    let alike = |other: usize| (cosine(&draft.neurons[one], &draft.neurons[other]), other);
    // Networks to start from may be deep; there the order of neurons would not be kept.
    let is_deep = |neuron: usize| {
        let is_hidden = |&reader: &usize| reader < draft.neurons.len();
        reads_neurons(&draft.neurons[neuron]) || draft.readers(neuron).iter().any(is_hidden)
    };
    if is_deep(one) {
        return;
    }
    let same = |&other: &usize| {
        other != one
            && !is_deep(other)
            && draft.neurons[other].activation == draft.neurons[one].activation
            && (!modular || draft.readers(other) == draft.readers(one))
    };
    let best = (0..draft.neurons.len()).filter(same).map(alike);
    if let Some((cosine, other)) = best.max_by(|a, b| a.0.total_cmp(&b.0))
        && cosine > 0.0
    {
        draft.merge(one, other);
    }
}

/// Of the angle between the weights of two neurons.
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

/// Copies a neuron of another network, with its readers, of which it takes half. One that reads
/// neurons is left alone.
fn take_neuron(draft: &mut Draft, other: &Network, index: usize) {
    let neuron = &other.neurons()[index];
    if reads_neurons(neuron) {
        return;
    }
    let reader = |(output, unit): (usize, &Output)| {
        let is_own = |link: &&Link| link.source == Source::Neuron(index as u32);
        unit.links.iter().find(is_own).map(|link| (output, 0.5 * link.weight))
    };
    let feeds: Vec<(usize, f32)> = other.outputs().iter().enumerate().filter_map(reader).collect();
    draft.push_neuron(neuron.activation, neuron.bias, neuron.links.clone(), feeds);
}

/// Replaces all that an output reads by what it reads in another network. Neurons that fed it alone
/// go; those that come feed it alone.
fn take_module(draft: &mut Draft, other: &Network, output: usize) {
    let from = &other.outputs()[output];
    let mut module = Output { bias: from.bias, links: Vec::new() };
    for link in &from.links {
        let source = match link.source {
            Source::Neuron(index) if reads_neurons(&other.neurons()[index as usize]) => continue,
            Source::Neuron(index) => {
                draft.neurons.push(other.neurons()[index as usize].clone());
                Source::Neuron(draft.neurons.len() as u32 - 1)
            }
            input => input,
        };
        module.links.push(Link { source, weight: link.weight });
    }
    draft.outputs[output] = module;
    draft.tidy();
}

fn reads_neurons(neuron: &Neuron) -> bool {
    neuron.links.iter().any(|link| matches!(link.source, Source::Neuron(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_net::reference;
    use mge_random::Purpose;

    /// Two outputs, two inputs; the first neuron feeds both outputs, the second the second alone.
    fn draft(seed: u64) -> Draft {
        let mut stream = Stream::at(seed, Purpose::Mutation, 0, 0);
        let mut weight = || (2.0 * stream.unit() - 1.0) as f32;
        let outputs = (0..2).map(|_| {
            let links = vec![Link { source: Source::Input(1), weight: weight() }];
            Output { bias: Some(weight()), links }
        });
        let mut draft = Draft { inputs: 2, neurons: Vec::new(), outputs: outputs.collect() };
        for feeds in [vec![0, 1], vec![1]] {
            let links = (0..2).map(|input| Link { source: Source::Input(input), weight: weight() });
            let (links, bias) = (links.collect(), Some(weight()));
            let feeds: Vec<_> = feeds.into_iter().map(|output| (output, weight())).collect();
            draft.push_neuron(Activation::Gauss, bias, links, feeds);
        }
        draft
    }

    fn outputs(draft: &Draft) -> Vec<f64> {
        reference::outputs(&draft.network(), &[0.3, -0.8])
    }

    #[test]
    fn a_module_computes_in_its_new_network_what_it_did_in_the_old_one() {
        let (mut own, other) = (draft(1), draft(2));
        let before = outputs(&own);
        take_module(&mut own, &other.network(), 1);
        assert_eq!(outputs(&own), [before[0], outputs(&other)[1]]);
        // The neuron that fed the second output alone is gone, two have come.
        assert_eq!(own.neurons.len(), 3);
    }

    #[test]
    fn of_two_halves_one_whole_is_made_again() {
        let before = draft(3);
        let mut split = before.clone();
        split.split(0, |weight| weight);
        for seed in 0..10 {
            merge_alike(&mut split, true, &mut Stream::at(seed, Purpose::Mutation, 0, 0));
        }
        assert_eq!(split.neurons.len(), 2);
        for (new, old) in outputs(&split).iter().zip(outputs(&before)) {
            assert!((new - old).abs() < 1e-6, "{new} {old}");
        }
    }

    #[test]
    fn neurons_that_point_apart_are_not_merged() {
        let mut draft = draft(4);
        draft.neurons[1].links = draft.neurons[0].links.clone();
        draft.neurons[1].links.iter_mut().for_each(|link| link.weight *= -1.0);
        draft.neurons[1].bias = draft.neurons[0].bias.map(|bias| -bias);
        let before = draft.clone();
        for seed in 0..5 {
            merge_alike(&mut draft, false, &mut Stream::at(seed, Purpose::Mutation, 0, 0));
        }
        assert_eq!(draft, before);
    }

    #[test]
    fn neurons_of_deep_networks_are_not_merged() {
        let mut deep = draft(5);
        // The last neuron reads the first; all have the same weights otherwise.
        let (bias, mut links) = (deep.neurons[0].bias, deep.neurons[0].links.clone());
        links.push(Link { source: Source::Neuron(0), weight: 1.0 });
        deep.neurons[1].links = deep.neurons[0].links.clone();
        deep.push_neuron(Activation::Gauss, bias, links, [(0, 1.0)]);
        let before = deep.clone();
        for seed in 0..20 {
            merge_alike(&mut deep, false, &mut Stream::at(seed, Purpose::Mutation, 0, 0));
        }
        assert_eq!(deep, before);
    }
}

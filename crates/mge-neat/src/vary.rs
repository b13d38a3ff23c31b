//! Variation (sections 3.1 and 3.2): new weights, new links, new nodes, aligned crossover.
//!
//! What needs no innovation number is a pure function of genomes and a stream, and may run on any
//! thread. What adds structure takes the [`Innovations`] of the generation and must be called in
//! one order. Genomes without cycles stay without, unless recurrent links are allowed: the child
//! of a crossover has the structure of its fitter parent, and disabled links count when a new
//! link is checked, so enabling one cannot close a cycle either.

use crate::genome::{Genome, LinkGene, NodeId, NodeKind};
use crate::innovation::Innovations;
use crate::params::CheckedNeat;
use mge_random::Stream;

/// How often a place for a new link is drawn before the mutation is given up.
const LINK_TRIES: usize = 20;

/// A genome of the first population: no hidden neurons, direct links with random weights.
pub fn random(params: &CheckedNeat, stream: &mut Stream) -> Genome {
    let (shape, share) = (params.shape(), params.raw().initial_links);
    let sources = shape.inputs + 1;
    let mut links = Vec::with_capacity(if share < 1.0 { 0 } else { shape.direct_links() });
    for output in 0..shape.outputs {
        let to = shape.output(output);
        let gene = |source: usize, stream: &mut Stream| LinkGene {
            innovation: (output * sources + source) as u32,
            from: NodeId(source as u32),
            to,
            weight: new_weight(params, stream),
            enabled: true,
        };
        let before = links.len();
        for source in 0..sources {
            if share >= 1.0 || stream.chance(share) {
                links.push(gene(source, stream));
            }
        }
        if links.len() == before {
            let only = stream.index(sources);
            links.push(gene(only, stream));
        }
    }
    Genome { hidden: Vec::new(), links }
}

/// An even number from minus to plus `most`.
fn even(most: f64, stream: &mut Stream) -> f64 {
    (2.0 * stream.unit() - 1.0) * most
}

fn new_weight(params: &CheckedNeat, stream: &mut Stream) -> f32 {
    let raw = params.raw();
    even(raw.weight_range.min(raw.weight_limit), stream) as f32
}

/// Mutates every weight: most are moved a little, the others are drawn anew.
pub fn mutate_weights(genome: &mut Genome, params: &CheckedNeat, stream: &mut Stream) {
    let raw = params.raw();
    let limit = raw.weight_limit as f32;
    for link in &mut genome.links {
        link.weight = if stream.chance(raw.perturbed) {
            (link.weight + even(raw.weight_power, stream) as f32).clamp(-limit, limit)
        } else {
            new_weight(params, stream)
        };
    }
}

/// Enables a random link if it was disabled, or the other way round.
pub fn toggle_link(genome: &mut Genome, stream: &mut Stream) {
    if !genome.links.is_empty() {
        let place = stream.index(genome.links.len());
        genome.links[place].enabled ^= true;
    }
}

/// Enables the oldest link that is disabled.
pub fn reenable_link(genome: &mut Genome) {
    if let Some(link) = genome.links.iter_mut().find(|link| !link.enabled) {
        link.enabled = true;
    }
}

/// The child of two parents, aligned by innovation number. Genes that both have come from either
/// with equal chance, all others from the fitter one.
pub fn crossover(
    fitter: &Genome,
    other: &Genome,
    inherit_disabled: f64,
    stream: &mut Stream,
) -> Genome {
    let mut child = fitter.clone();
    let mut rest = other.links.as_slice();
    for gene in &mut child.links {
        let skipped = rest.iter().take_while(|link| link.innovation < gene.innovation).count();
        rest = &rest[skipped..];
        let Some(match_) = rest.first().filter(|link| link.innovation == gene.innovation) else {
            continue;
        };
        if stream.chance(0.5) {
            gene.weight = match_.weight;
        }
        if !(gene.enabled && match_.enabled) {
            gene.enabled = !stream.chance(inherit_disabled);
        }
    }
    child
}

/// Splits a random enabled link by a new node: the link in has weight 1, the link out the old
/// one, so that little changes at first. Links from the bias are not split: the node would be one
/// more constant.
pub fn add_node(
    genome: &mut Genome,
    params: &CheckedNeat,
    innovations: &mut Innovations,
    stream: &mut Stream,
) {
    let bias = params.shape().bias();
    let can_split = |link: &LinkGene| link.enabled && link.from != bias;
    let choices = genome.links.iter().filter(|link| can_split(link)).count();
    if choices == 0 {
        return;
    }
    let chosen = stream.index(choices);
    let Some(link) = genome.links.iter_mut().filter(|link| can_split(link)).nth(chosen) else {
        return;
    };
    let Some(split) = innovations.split(link.innovation) else {
        return;
    };
    link.enabled = false;
    let old = *link;
    let place = genome.hidden.partition_point(|&node| node < split.node);
    genome.hidden.insert(place, split.node);
    let entering = LinkGene {
        innovation: split.innovation_in,
        from: old.from,
        to: split.node,
        weight: params.raw().weight_limit.min(1.0) as f32,
        enabled: true,
    };
    genome.insert(entering);
    genome.insert(LinkGene {
        innovation: split.innovation_out,
        from: split.node,
        to: old.to,
        weight: old.weight,
        ..entering
    });
}

/// Links two nodes that were not linked, if a place for it is found.
pub fn add_link(
    genome: &mut Genome,
    params: &CheckedNeat,
    innovations: &mut Innovations,
    stream: &mut Stream,
) {
    let Some((from, to)) = free_place(genome, params, stream) else {
        return;
    };
    if let Some(innovation) = innovations.link(from, to) {
        let weight = new_weight(params, stream);
        genome.insert(LinkGene { innovation, from, to, weight, enabled: true });
    }
}

/// Two nodes that may be linked.
fn free_place(
    genome: &Genome,
    params: &CheckedNeat,
    stream: &mut Stream,
) -> Option<(NodeId, NodeId)> {
    let (shape, recurrent) = (params.shape(), params.raw().recurrent);
    let (sensors, hidden) = (shape.inputs + 1, genome.hidden.len());
    if hidden == 0 && !recurrent && genome.links.len() == shape.direct_links() {
        return None;
    }
    let outputs_as_sources = if recurrent { shape.outputs } else { 0 };
    for _ in 0..LINK_TRIES {
        let from = match stream.index(sensors + hidden + outputs_as_sources) {
            sensor if sensor < sensors => NodeId(sensor as u32),
            inner if inner < sensors + hidden => genome.hidden[inner - sensors],
            output => shape.output(output - sensors - hidden),
        };
        let to = match stream.index(hidden + shape.outputs) {
            inner if inner < hidden => genome.hidden[inner],
            output => shape.output(output - hidden),
        };
        let may_cycle = shape.kind(from) == NodeKind::Hidden && shape.kind(to) == NodeKind::Hidden;
        let is_free =
            !genome.has_link(from, to) && (recurrent || !may_cycle || !genome.leads_to(to, from));
        if is_free {
            return Some((from, to));
        }
    }
    None
}

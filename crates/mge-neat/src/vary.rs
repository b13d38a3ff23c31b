//! Variation (sections 3.1 and 3.2): new weights, new links, new nodes, aligned crossover.
//!
//! Functions without innovation numbers are pure functions of genomes and a stream, and may run on
//! any thread. Functions that add structure take the [`Innovations`] of the generation and must be
//! called in a fixed order.
//!
//! A genome without cycles stays so, unless recurrent links are allowed. The child of a crossover
//! has the structure of its fitter parent. Disabled links count when a new link is checked, so
//! enabling one closes no cycle.

use crate::genome::{Genome, LinkGene, NodeId, NodeKind};
use crate::innovation::Innovations;
use crate::params::CheckedNeat;
use mge_random::Stream;

/// How many pairs of nodes are drawn for a new link before the mutation is given up.
const MAX_LINK_ATTEMPTS: usize = 20;

/// A genome of the first population: no hidden neurons, direct links with random weights.
pub fn random(params: &CheckedNeat, stream: &mut Stream) -> Genome {
    let (shape, density) = (params.shape(), params.raw().initial_links);
    let sources = shape.inputs + 1;
    let mut links = Vec::with_capacity(if density < 1.0 { 0 } else { shape.direct_links() });
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
            if density >= 1.0 || stream.chance(density) {
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

/// A number from minus to plus `limit`, uniformly distributed.
fn uniform(limit: f64, stream: &mut Stream) -> f64 {
    (2.0 * stream.unit() - 1.0) * limit
}

fn new_weight(params: &CheckedNeat, stream: &mut Stream) -> f32 {
    let raw = params.raw();
    uniform(raw.weight_range.min(raw.weight_limit), stream) as f32
}

/// Mutates every weight: it is perturbed with probability `perturbed`, else drawn anew.
pub fn mutate_weights(genome: &mut Genome, params: &CheckedNeat, stream: &mut Stream) {
    let raw = params.raw();
    let limit = raw.weight_limit as f32;
    for link in &mut genome.links {
        link.weight = if stream.chance(raw.perturbed) {
            (link.weight + uniform(raw.weight_power, stream) as f32).clamp(-limit, limit)
        } else {
            new_weight(params, stream)
        };
    }
}

/// Enables a random link if it was disabled; disables it otherwise.
pub fn toggle_link(genome: &mut Genome, stream: &mut Stream) {
    if !genome.links.is_empty() {
        let index = stream.index(genome.links.len());
        genome.links[index].enabled ^= true;
    }
}

/// Enables the oldest link that is disabled.
pub fn reenable_link(genome: &mut Genome) {
    if let Some(link) = genome.links.iter_mut().find(|link| !link.enabled) {
        link.enabled = true;
    }
}

/// The child of two parents, aligned by innovation number. A gene that both have comes from either
/// with equal probability. All other genes come from the fitter parent.
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
        let Some(matching) = rest.first().filter(|link| link.innovation == gene.innovation) else {
            continue;
        };
        if stream.chance(0.5) {
            gene.weight = matching.weight;
        }
        if !(gene.enabled && matching.enabled) {
            gene.enabled = !stream.chance(inherit_disabled);
        }
    }
    child
}

/// Splits a random enabled link by a new node. The link into it has weight 1, the link out of it
/// the old weight, so that the output changes little. A link from the bias is never split: its
/// node would be constant.
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
    let index = genome.hidden.partition_point(|&node| node < split.node);
    genome.hidden.insert(index, split.node);
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

/// Links two nodes that were not linked, if such a pair is found.
pub fn add_link(
    genome: &mut Genome,
    params: &CheckedNeat,
    innovations: &mut Innovations,
    stream: &mut Stream,
) {
    let Some((from, to)) = unlinked_pair(genome, params, stream) else {
        return;
    };
    if let Some(innovation) = innovations.link(from, to) {
        let weight = new_weight(params, stream);
        genome.insert(LinkGene { innovation, from, to, weight, enabled: true });
    }
}

/// Draws pairs of nodes until one may be linked.
fn unlinked_pair(
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
    for _ in 0..MAX_LINK_ATTEMPTS {
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

//! Genome to network: the feed-forward network that a genome describes.
//!
//! - A link is part of the network if it is enabled, does not leave an output, and closes no cycle
//!   with enabled links of lower innovation number.
//! - A hidden neuron is part of it if a path leads from it to an output and a link enters it. A
//!   neuron without inputs is silent, as in the authors' own program.
//! - The slope of the sigmoid is multiplied into all weights, also those of outputs. The sums of
//!   outputs go into the sigmoid or soft-max of the loss.

use crate::genome::{Genome, LinkGene, NodeKind, Shape};
use crate::params::CheckedNeat;
use mge_evolve::{Evaluate, Evaluation};
use mge_net::{Activation, Link, Network, Neuron, Output, Scratch, Source};
use rayon::prelude::*;

/// Maps genomes of one shape to networks.
#[derive(Debug, Clone)]
pub struct Mapper {
    shape: Shape,
    slope: f32,
}

/// Memory for mapping, reused by the next genome.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The links that may be part of the network, sorted by target.
    links: Vec<IndexedLink>,
    /// For each target, the start of its links; at the end, their number.
    starts: Vec<u32>,
    /// For each hidden neuron of the genome, the state of the search.
    visits: Vec<Visit>,
    /// The path of the search: a target, and which of its links comes next.
    stack: Vec<(u32, u32)>,
    /// Hidden neurons of the network, each after all that it reads.
    order: Vec<u32>,
}

/// A link whose ends are indices. Targets are the hidden neurons of the genome, then the outputs.
#[derive(Debug, Clone, Copy)]
struct IndexedLink {
    from: LinkSource,
    to: u32,
    weight: f32,
}

#[derive(Debug, Clone, Copy)]
enum LinkSource {
    Input(u32),
    Bias,
    /// An index into the genome's list of hidden neurons.
    Hidden(u32),
}

/// The state of a hidden neuron in the depth-first search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    NotVisited,
    /// On the current path.
    OnPath,
    /// Leads to an output, but has no inputs.
    Silent,
    /// Is this neuron of the network.
    Neuron(u32),
}

/// The links form a cycle.
struct CycleFound;

impl Mapper {
    /// A mapper for genomes made with these settings.
    pub fn new(params: &CheckedNeat) -> Self {
        Self { shape: params.shape(), slope: params.raw().slope as f32 }
    }

    /// The shape of the genomes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The network of a genome; `None` when no link enters any output, or it is too large.
    ///
    /// # Panics
    /// May panic for a genome of another shape.
    pub fn map(&self, genome: &Genome, workspace: &mut Workspace) -> Option<Network> {
        workspace.collect(self.shape, genome, |_| true);
        if workspace.sort(genome.hidden.len(), self.shape.outputs).is_err() {
            let kept = acyclic_links(self.shape, genome);
            workspace.collect(self.shape, genome, |index| kept[index]);
            workspace.sort(genome.hidden.len(), self.shape.outputs).ok()?;
        }
        self.assemble(genome.hidden.len(), workspace)
    }

    fn assemble(&self, hidden: usize, workspace: &Workspace) -> Option<Network> {
        let unit = |target: usize| {
            let incoming = workspace.links_into(target);
            let (mut bias, mut links) = (None, Vec::with_capacity(incoming.len()));
            for link in incoming {
                let weight = link.weight * self.slope;
                match (link.from, workspace.source(link.from)) {
                    (LinkSource::Bias, _) => bias = Some(weight),
                    (_, Some(source)) => links.push(Link { source, weight }),
                    (_, None) => {}
                }
            }
            (bias, links)
        };
        let neuron = |&target: &u32| {
            let (bias, links) = unit(target as usize);
            Neuron { activation: Activation::Sigmoid, bias, links }
        };
        let output = |index: usize| {
            let (bias, links) = unit(hidden + index);
            Output { bias, links }
        };
        let neurons = workspace.order.iter().map(neuron).collect();
        let outputs: Vec<Output> = (0..self.shape.outputs).map(output).collect();
        if outputs.iter().all(|output| output.bias.is_none() && output.links.is_empty()) {
            return None;
        }
        Network::new(self.shape.inputs, neurons, outputs).ok()
    }
}

impl Workspace {
    /// Collects the enabled links that `keep` accepts, sorted by target. The sort is stable: links
    /// with one target stay in the order of their innovation numbers.
    fn collect(&mut self, shape: Shape, genome: &Genome, keep: impl Fn(usize) -> bool) {
        let hidden = genome.hidden.len();
        let index_of = |node| genome.hidden.binary_search(&node).ok().map(|index| index as u32);
        let indexed = |(index, link): (usize, &LinkGene)| {
            if !link.enabled || !keep(index) {
                return None;
            }
            let from = match shape.kind(link.from) {
                NodeKind::Input(input) => LinkSource::Input(input),
                NodeKind::Bias => LinkSource::Bias,
                NodeKind::Hidden => LinkSource::Hidden(index_of(link.from)?),
                NodeKind::Output(_) => return None,
            };
            let to = match shape.kind(link.to) {
                NodeKind::Hidden => index_of(link.to)?,
                NodeKind::Output(output) => hidden as u32 + output,
                NodeKind::Input(_) | NodeKind::Bias => return None,
            };
            Some(IndexedLink { from, to, weight: link.weight })
        };
        self.links.clear();
        self.links.extend(genome.links.iter().enumerate().filter_map(indexed));
        self.links.sort_by_key(|link| link.to);
        self.starts.clear();
        self.starts.resize(hidden + shape.outputs + 1, 0);
        for link in &self.links {
            self.starts[link.to as usize + 1] += 1;
        }
        for target in 1..self.starts.len() {
            self.starts[target] += self.starts[target - 1];
        }
    }

    fn links_into(&self, target: usize) -> &[IndexedLink] {
        &self.links[self.starts[target] as usize..self.starts[target + 1] as usize]
    }

    /// The source in the network; `None` for a silent neuron and the bias.
    fn source(&self, from: LinkSource) -> Option<Source> {
        match from {
            LinkSource::Input(input) => Some(Source::Input(input)),
            LinkSource::Bias => None,
            LinkSource::Hidden(hidden) => match self.visits[hidden as usize] {
                Visit::Neuron(index) => Some(Source::Neuron(index)),
                _ => None,
            },
        }
    }

    /// Sorts the hidden neurons of the network topologically, by a depth-first search from the
    /// outputs. The stack is explicit: a genome may be too deep for recursion.
    fn sort(&mut self, hidden: usize, outputs: usize) -> Result<(), CycleFound> {
        self.visits.clear();
        self.visits.resize(hidden, Visit::NotVisited);
        self.order.clear();
        for output in hidden..hidden + outputs {
            self.stack.clear();
            self.stack.push((output as u32, 0));
            while let Some((target, next)) = self.stack.pop() {
                let Some(link) = self.links_into(target as usize).get(next as usize) else {
                    if (target as usize) < hidden {
                        self.finish(target);
                    }
                    continue;
                };
                let from = link.from;
                self.stack.push((target, next + 1));
                if let LinkSource::Hidden(source) = from {
                    match self.visits[source as usize] {
                        Visit::NotVisited => {
                            self.visits[source as usize] = Visit::OnPath;
                            self.stack.push((source, 0));
                        }
                        Visit::OnPath => return Err(CycleFound),
                        Visit::Silent | Visit::Neuron(_) => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Decides whether a hidden neuron is part of the network, once all its sources are decided.
    fn finish(&mut self, hidden: u32) {
        let has_signal = |link: &IndexedLink| {
            matches!(link.from, LinkSource::Input(_) | LinkSource::Bias)
                || self.source(link.from).is_some()
        };
        self.visits[hidden as usize] = if self.links_into(hidden as usize).iter().any(has_signal) {
            self.order.push(hidden);
            Visit::Neuron(self.order.len() as u32 - 1)
        } else {
            Visit::Silent
        };
    }
}

/// For each link of a genome with cycles, whether it is part of the network: in the order of
/// innovation numbers, each link that closes no cycle with those before it.
fn acyclic_links(shape: Shape, genome: &Genome) -> Vec<bool> {
    let mut so_far = Genome { hidden: genome.hidden.clone(), links: Vec::new() };
    let mut keep = |link: &LinkGene| {
        let leaves_output = matches!(shape.kind(link.from), NodeKind::Output(_));
        let keeps = link.enabled && !leaves_output && !so_far.leads_to(link.to, link.from);
        if keeps {
            so_far.links.push(*link);
        }
        keeps
    };
    genome.links.iter().map(&mut keep).collect()
}

/// An [`Evaluate`] that maps genomes and calls a function for the loss of each network, on the
/// threads of the current `rayon` pool.
#[derive(Debug)]
pub struct NetworkLoss<F> {
    mapper: Mapper,
    loss: F,
}

/// Genomes that a thread takes at once.
const GENOMES_PER_TASK: usize = 4;

impl<F: Fn(&Network, &mut Scratch) -> f64 + Sync> NetworkLoss<F> {
    /// An evaluator with this mapper and this loss function.
    pub fn new(mapper: Mapper, loss: F) -> Self {
        Self { mapper, loss }
    }

    /// The mapper.
    pub fn mapper(&self) -> &Mapper {
        &self.mapper
    }
}

impl<F: Fn(&Network, &mut Scratch) -> f64 + Sync> Evaluate<Genome> for NetworkLoss<F> {
    fn evaluate(&self, genomes: &[Genome]) -> Vec<Evaluation> {
        let evaluate = |(workspace, scratch): &mut (Workspace, Scratch), genome: &Genome| match self
            .mapper
            .map(genome, workspace)
        {
            Some(network) => Evaluation::valid((self.loss)(&network, scratch)),
            None => Evaluation::invalid(),
        };
        let memory = <(Workspace, Scratch)>::default;
        genomes
            .par_iter()
            .with_min_len(GENOMES_PER_TASK)
            .map_init(memory, |memory, genome| evaluate(memory, genome))
            .collect()
    }
}

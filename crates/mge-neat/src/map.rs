//! Genome to network: what a genome computes when rows pass through it once, forwards.
//!
//! A link exists in the network if it is enabled, does not leave an output and closes no cycle
//! with enabled links of lower innovation number. A hidden neuron exists if it leads to an output
//! and something leads to it; a neuron that nothing leads to is silent, as in the authors' own
//! program. The slope of the sigmoid is multiplied into the weights of outputs as well: their
//! plain sums go into the sigmoid or soft-max of the loss.

use crate::genome::{Genome, LinkGene, NodeKind, Shape};
use crate::params::CheckedNeat;
use mge_evolve::{Evaluate, Evaluation};
use mge_net::{Activation, Link, Network, Neuron, Output, Scratch, Source};
use rayon::prelude::*;

/// Maps genomes of one shape.
#[derive(Debug, Clone)]
pub struct Mapper {
    shape: Shape,
    slope: f32,
}

/// Memory for mapping, reused by the next genome.
#[derive(Debug, Default)]
pub struct Workspace {
    /// Links between or out of hidden neurons and into outputs that exist, by their end.
    links: Vec<Inner>,
    /// Where the links into each hidden neuron, and then into each output, start.
    starts: Vec<u32>,
    marks: Vec<Mark>,
    stack: Vec<(u32, u32)>,
    /// Hidden neurons, each after all that it reads.
    order: Vec<u32>,
}

/// A link with its ends as places: sources as [`Source`] has them, ends counted from the first
/// hidden neuron, outputs after them.
#[derive(Debug, Clone, Copy)]
struct Inner {
    from: Origin,
    to: u32,
    weight: f32,
}

#[derive(Debug, Clone, Copy)]
enum Origin {
    Input(u32),
    Bias,
    /// A place in the genome's list of hidden neurons.
    Hidden(u32),
}

/// What is known of a hidden neuron while they are put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Unknown,
    /// On the way from an output to the inputs.
    Open,
    /// Leads to an output, but nothing leads to it.
    Silent,
    /// Exists, as this neuron of the network.
    Exists(u32),
}

struct Cycle;

impl Mapper {
    /// A mapper for genomes that were made with these settings.
    pub fn new(params: &CheckedNeat) -> Self {
        Self { shape: params.shape(), slope: params.raw().slope as f32 }
    }

    /// The shape of the genomes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The network of a genome; `None` when nothing leads to any output, or it is too large.
    ///
    /// # Panics
    /// May panic for a genome of another shape.
    pub fn map(&self, genome: &Genome, workspace: &mut Workspace) -> Option<Network> {
        workspace.collect(self.shape, genome, |_| true);
        if workspace.sort(genome.hidden.len(), self.shape.outputs).is_err() {
            let kept = without_cycles(self.shape, genome);
            workspace.collect(self.shape, genome, |index| kept[index]);
            workspace.sort(genome.hidden.len(), self.shape.outputs).ok()?;
        }
        self.assemble(genome.hidden.len(), workspace)
    }

    fn assemble(&self, hidden: usize, workspace: &Workspace) -> Option<Network> {
        let unit = |place: usize| {
            let read = workspace.links_into(place);
            let (mut bias, mut links) = (None, Vec::with_capacity(read.len()));
            for link in read {
                let weight = link.weight * self.slope;
                match (link.from, workspace.source(link.from)) {
                    (Origin::Bias, _) => bias = Some(weight),
                    (_, Some(source)) => links.push(Link { source, weight }),
                    (_, None) => {}
                }
            }
            (bias, links)
        };
        let neuron = |&place: &u32| {
            let (bias, links) = unit(place as usize);
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
    /// Takes the links that exist, sorted by their end. A stable counting sort: links of one end
    /// stay in the order of their innovation.
    fn collect(&mut self, shape: Shape, genome: &Genome, keep: impl Fn(usize) -> bool) {
        let hidden = genome.hidden.len();
        let place_of = |node| genome.hidden.binary_search(&node).ok().map(|place| place as u32);
        let existing = |(index, link): (usize, &LinkGene)| {
            if !link.enabled || !keep(index) {
                return None;
            }
            let from = match shape.kind(link.from) {
                NodeKind::Input(input) => Origin::Input(input),
                NodeKind::Bias => Origin::Bias,
                NodeKind::Hidden => Origin::Hidden(place_of(link.from)?),
                NodeKind::Output(_) => return None,
            };
            let to = match shape.kind(link.to) {
                NodeKind::Hidden => place_of(link.to)?,
                NodeKind::Output(output) => hidden as u32 + output,
                NodeKind::Input(_) | NodeKind::Bias => return None,
            };
            Some(Inner { from, to, weight: link.weight })
        };
        self.links.clear();
        self.links.extend(genome.links.iter().enumerate().filter_map(existing));
        self.links.sort_by_key(|link| link.to);
        self.starts.clear();
        self.starts.resize(hidden + shape.outputs + 1, 0);
        for link in &self.links {
            self.starts[link.to as usize + 1] += 1;
        }
        for place in 1..self.starts.len() {
            self.starts[place] += self.starts[place - 1];
        }
    }

    /// The links into a hidden neuron or, counted on, an output.
    fn links_into(&self, place: usize) -> &[Inner] {
        &self.links[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The source in the network; `None` for a silent neuron and the bias.
    fn source(&self, from: Origin) -> Option<Source> {
        match from {
            Origin::Input(input) => Some(Source::Input(input)),
            Origin::Bias => None,
            Origin::Hidden(place) => match self.marks[place as usize] {
                Mark::Exists(index) => Some(Source::Neuron(index)),
                _ => None,
            },
        }
    }

    /// Orders the hidden neurons that exist, from the outputs backwards, depth first. The stack
    /// is a list of its own, because a genome may be as deep as it likes.
    fn sort(&mut self, hidden: usize, outputs: usize) -> Result<(), Cycle> {
        self.marks.clear();
        self.marks.resize(hidden, Mark::Unknown);
        self.order.clear();
        for output in hidden..hidden + outputs {
            self.stack.clear();
            self.stack.push((output as u32, 0));
            while let Some((place, next)) = self.stack.pop() {
                let Some(link) = self.links_into(place as usize).get(next as usize) else {
                    if (place as usize) < hidden {
                        self.close(place);
                    }
                    continue;
                };
                let from = link.from;
                self.stack.push((place, next + 1));
                if let Origin::Hidden(source) = from {
                    match self.marks[source as usize] {
                        Mark::Unknown => {
                            self.marks[source as usize] = Mark::Open;
                            self.stack.push((source, 0));
                        }
                        Mark::Open => return Err(Cycle),
                        Mark::Silent | Mark::Exists(_) => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// All that a hidden neuron reads is known: does it exist?
    fn close(&mut self, place: u32) {
        let is_live = |link: &Inner| {
            matches!(link.from, Origin::Input(_) | Origin::Bias) || self.source(link.from).is_some()
        };
        self.marks[place as usize] = if self.links_into(place as usize).iter().any(is_live) {
            self.order.push(place);
            Mark::Exists(self.order.len() as u32 - 1)
        } else {
            Mark::Silent
        };
    }
}

/// Which links of a genome with cycles exist: in the order of innovation, all that close none.
fn without_cycles(shape: Shape, genome: &Genome) -> Vec<bool> {
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

/// An [`Evaluate`] that maps genomes and asks a function for the loss of each network, on the
/// threads of the current `rayon` pool.
#[derive(Debug)]
pub struct NetworkLoss<F> {
    mapper: Mapper,
    loss: F,
}

/// Genomes handed to a thread at once.
const GENOMES_PER_TASK: usize = 4;

impl<F: Fn(&Network, &mut Scratch) -> f64 + Sync> NetworkLoss<F> {
    /// An evaluator with its mapper and its function.
    pub fn new(mapper: Mapper, loss: F) -> Self {
        Self { mapper, loss }
    }

    /// The mapping.
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

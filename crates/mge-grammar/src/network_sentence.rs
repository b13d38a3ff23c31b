//! Reads a whole network from sentences, for the representations that derive it as one.
//!
//! ```text
//! layered = layer { "|" layer } "->" output
//! layer   = neuron { "&" neuron }                 neurons read features and earlier layers
//! neuron  = activation "(" sum ")"
//! output  = term { ("+" | "-") term }
//! term    = factor { "*" factor }                 at most one factor that is no number
//! factor  = number | "x" index | "h" index | neuron
//! ```
//!
//! Each output is a sentence of its own. The first may be a layered one, whose neurons all outputs
//! can read.
//!
//! Sums, terms and numbers are those of [`neuron`](crate::neuron). A neuron inside an output is a
//! hidden neuron that only this output reads. Terms without a source add up to the output's bias.
//! Neurons are numbered from `h1` in the order of the layers.

use crate::grammar::Shape;
use crate::neuron::{Expected, ReadError, Reader, Scope, rounded};
use crate::{Grammar, MapFailure};
use mge_net::{Network, NetworkError, Neuron, Output, Source};
use thiserror::Error;

/// Why an individual is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NetworkFailure {
    /// A derivation did not end.
    #[error(transparent)]
    Derivation(#[from] MapFailure),
    /// A sentence is not part of a network.
    #[error(transparent)]
    Sentence(#[from] ReadError),
    /// The network is out of bounds.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// A grammar that cannot be used to map genotypes to networks.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MapperError {
    /// The grammar names features or outputs that the data does not have.
    #[error(
        "the grammar names {names}, but the data has {} features and needs {} output neurons",
        shape.features,
        shape.outputs
    )]
    BeyondShape {
        /// The names.
        names: String,
        /// What the data has.
        shape: Shape,
    },
    /// Some sentence of the grammar is not part of a network.
    #[error("the grammar derives `{sentence}`, which is not part of a network: {source}")]
    NotANetwork {
        /// The sentence.
        sentence: String,
        /// What is wrong with it.
        source: ReadError,
    },
    /// No genotype that was tried maps.
    #[error(
        "none of {tried} random genotypes maps to a network; expected a grammar with shorter \
         sentences, or longer genotypes"
    )]
    NothingMaps {
        /// How many genotypes were tried.
        tried: u32,
    },
    /// A rule that the method needs is missing.
    #[error("the grammar has no rule <{name}>, which {what}")]
    NoRule {
        /// The name of the rule.
        name: &'static str,
        /// What it is for.
        what: &'static str,
    },
    /// A rule with more alternatives than a codon can have values.
    #[error("rule <{name}> has {count} alternatives, expected at most 65536")]
    TooWide {
        /// The name of the rule.
        name: String,
        /// How many alternatives it has.
        count: usize,
    },
    /// More rules than the method can use.
    #[error("the grammar has {count} rules, expected at most {limit}")]
    TooManyRules {
        /// How many it has.
        count: usize,
        /// The largest valid number.
        limit: usize,
    },
    /// The lists of a genotype would be too long.
    #[error(
        "with {recursion} levels of recursion a genotype needs more than {limit} codons or rules; \
         expected less recursion"
    )]
    TooMuchRecursion {
        /// The bound on recursion.
        recursion: usize,
        /// The largest valid number.
        limit: usize,
    },
}

/// How many alternatives a codon can choose from at most.
const MAX_ALTERNATIVES: usize = 1 << 16;

impl MapperError {
    /// The checks that all methods share.
    pub(crate) fn check(grammar: &Grammar) -> Result<(), Self> {
        let names = grammar.names_beyond_shape();
        if !names.is_empty() {
            let (names, shape) = (names.join(", "), grammar.shape());
            return Err(Self::BeyondShape { names, shape });
        }
        for symbol in grammar.symbols() {
            let count = grammar.alternatives(symbol);
            if count > MAX_ALTERNATIVES {
                let name = grammar.name(symbol).to_owned();
                return Err(Self::TooWide { name, count });
            }
        }
        Ok(())
    }
}

/// How many random genotypes [`try_genotypes`] maps.
const TRIALS: u32 = 512;

/// Maps random genotypes, to find out before a run whether the grammar is usable. `map` maps the
/// genotype with an index, and returns the last sentence as well.
pub(crate) fn try_genotypes(
    mut map: impl FnMut(u32) -> (Result<Network, NetworkFailure>, String),
) -> Result<(), MapperError> {
    let mut mapped = 0;
    let mut error = None;
    for index in 0..TRIALS {
        match map(index) {
            (Ok(_), _) => mapped += 1,
            // A number may have too many digits by chance. Every other error is the grammar's.
            (Err(NetworkFailure::Sentence(source)), sentence) => {
                if source.expected != Expected::Number {
                    return Err(MapperError::NotANetwork { sentence, source });
                }
                error.get_or_insert(MapperError::NotANetwork { sentence, source });
            }
            (Err(NetworkFailure::Derivation(_) | NetworkFailure::Network(_)), _) => {}
        }
    }
    match error {
        _ if mapped > 0 => Ok(()),
        Some(error) => Err(error),
        None => Err(MapperError::NothingMaps { tried: TRIALS }),
    }
}

/// Reads the sentences of a network.
#[derive(Debug)]
pub(crate) struct NetworkReader {
    shape: Shape,
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
    /// How many neurons can be referred to: those of the layers.
    named: usize,
}

impl NetworkReader {
    pub(crate) fn new(shape: Shape) -> Self {
        let (neurons, outputs) = (Vec::with_capacity(8), Vec::with_capacity(shape.outputs));
        Self { shape, neurons, outputs, named: 0 }
    }

    fn scope(&self) -> Scope {
        let Shape { features, outputs } = self.shape;
        Scope { features, outputs, references: self.named }
    }

    /// Reads the hidden layers and the first output.
    pub(crate) fn layered(&mut self, sentence: &str) -> Result<(), ReadError> {
        let mut reader = Reader::new(sentence, self.scope());
        loop {
            let neuron = neuron(&mut reader)?;
            self.neurons.push(neuron);
            if reader.take(b'&') {
                continue;
            }
            self.named = self.neurons.len();
            reader.scope.references = self.named;
            if reader.take(b'-') && reader.take(b'>') {
                return self.terms(&mut reader);
            }
            if !reader.take(b'|') {
                return Err(reader.error(Expected::NeuronOrArrow));
            }
        }
    }

    /// Reads the next output.
    pub(crate) fn output(&mut self, sentence: &str) -> Result<(), ReadError> {
        self.terms(&mut Reader::new(sentence, self.scope()))
    }

    fn terms(&mut self, reader: &mut Reader<'_>) -> Result<(), ReadError> {
        let neurons = &mut self.neurons;
        let sum = reader.terms(Reader::at_end, Expected::PlusOrEnd, |reader| {
            let neuron = neuron(reader)?;
            neurons.push(neuron);
            Ok(Source::Neuron(neurons.len() as u32 - 1))
        })?;
        let (bias, links) = rounded(sum);
        self.outputs.push(Output { bias, links });
        Ok(())
    }

    /// The network, without the neurons that no output depends on.
    pub(crate) fn network(mut self) -> Result<Network, NetworkError> {
        if self.named > 0 {
            self.remove_unused_neurons();
        }
        Network::new(self.shape.features, self.neurons, self.outputs)
    }

    fn remove_unused_neurons(&mut self) {
        let mut used = vec![false; self.neurons.len()];
        let sources = self.outputs.iter().flat_map(|output| &output.links);
        sources.for_each(|link| mark(&mut used, link.source));
        for index in (0..used.len()).rev() {
            if used[index] {
                self.neurons[index].links.iter().for_each(|link| mark(&mut used, link.source));
            }
        }
        if used.iter().all(|used| *used) {
            return;
        }
        let mut kept = 0;
        let new_indices: Vec<u32> = used
            .iter()
            .map(|used| {
                kept += u32::from(*used);
                kept.wrapping_sub(1)
            })
            .collect();
        let mut index = 0;
        self.neurons.retain(|_| {
            index += 1;
            used[index - 1]
        });
        let of_neurons = self.neurons.iter_mut().flat_map(|neuron| &mut neuron.links);
        let of_outputs = self.outputs.iter_mut().flat_map(|output| &mut output.links);
        for link in of_neurons.chain(of_outputs) {
            if let Source::Neuron(neuron) = &mut link.source {
                *neuron = new_indices[*neuron as usize];
            }
        }
    }
}

fn mark(used: &mut [bool], source: Source) {
    if let Source::Neuron(neuron) = source {
        used[neuron as usize] = true;
    }
}

fn neuron(reader: &mut Reader<'_>) -> Result<Neuron, ReadError> {
    let activation = reader.activation()?;
    let (bias, links) = rounded(reader.sum()?);
    Ok(Neuron { activation, bias, links })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_net::{Activation, Link};

    const SHAPE: Shape = Shape { features: 4, outputs: 2 };

    fn read(first: &str, second: &str) -> Result<Network, NetworkFailure> {
        let mut reader = NetworkReader::new(SHAPE);
        if first.contains('>') {
            reader.layered(first)?
        } else {
            reader.output(first)?
        }
        reader.output(second)?;
        Ok(reader.network()?)
    }

    fn message(first: &str, second: &str) -> String {
        read(first, second).expect_err("a wrong sentence").to_string()
    }

    fn neuron_link(neuron: u32, weight: f32) -> Link {
        Link { source: Source::Neuron(neuron), weight }
    }

    #[test]
    fn an_output_may_contain_neurons() {
        let first = "0.5*sig(2*x1 + -1*x4 + 0.25) + -3.0*tanh(x2)";
        let network = read(first, "sig(x3)*2 - 1 + 0.25").expect("a network");
        assert_eq!(network.neurons().len(), 3);
        assert_eq!(network.neurons()[0].bias, Some(0.25));
        assert_eq!(network.neurons()[1].activation, Activation::Tanh);
        assert_eq!(network.outputs()[0].links, [neuron_link(0, 0.5), neuron_link(1, -3.0)]);
        assert_eq!(network.outputs()[1].links, [neuron_link(2, 2.0)]);
        assert_eq!((network.outputs()[0].bias, network.outputs()[1].bias), (None, Some(-0.75)));
    }

    #[test]
    fn a_layered_network_has_no_unused_neurons() {
        // Nothing reads h2; h3 reads h1.
        let layered = "sig(x1) & relu(x2 + 1) | sig(0.5*h1 + x3) -> 2*h3 + 0.5";
        let network = read(layered, "h1 + -1*h3").expect("a network");
        assert_eq!(network.neurons().len(), 2);
        assert_eq!(network.neurons()[1].links[0], neuron_link(0, 0.5));
        assert_eq!(network.outputs()[0].links, [neuron_link(1, 2.0)]);
        assert_eq!(network.outputs()[1].links, [neuron_link(0, 1.0), neuron_link(1, -1.0)]);
    }

    #[test]
    fn a_neuron_reads_earlier_layers_only() {
        assert_eq!(
            message("sig(x1) & sig(h1) -> h1", "h1"),
            "column 16: expected an earlier neuron, found `1`"
        );
        assert!(message("sig(x1) ; sig(x2) -> h1", "h1").contains("expected `&`, `|` or `->`"));
        assert!(message("sig(x1) - > h2", "h1").contains("an earlier neuron"));
        assert!(message("-> 1", "h1").contains("expected an activation"));
    }

    #[test]
    fn sentences_that_are_not_outputs_are_refused() {
        assert!(message("sig(x1)*sig(x2)", "1").contains("at most one feature or neuron"));
        assert!(message("2*sig(x1) 3", "1").contains("expected `+` or the end"));
        assert!(message("2*", "1").contains("expected an activation"));
        assert!(message("sig(sig(x1))", "1").contains("expected a number, a feature"));
    }
}

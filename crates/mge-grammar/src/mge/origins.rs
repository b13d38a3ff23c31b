//! Which values of the genes each weight of a network was read from, so that tuned weights can be
//! written back into the genes and crossover hands them on: acquired traits are inherited, as
//! Lamarck thought.
//!
//! With the shipped grammars a weight is one value, or the sum of several where a neuron names a
//! source more than once. In general it is a sum of products, of which the derivatives by the
//! values are known. The change of a weight is then the smallest change of its values that makes
//! it, to first order: one value takes it all, `k` values that add up take one `k`-th each. A value
//! that several weights read (its place was come to more often than it has values) gets the mean
//! of what they ask for. The weights then are not those that were asked for, so whoever writes has
//! to look at what came of it.

use super::Genotype;
use super::map::{Assembly, Mapper, Workspace};
use super::real::bounded;
use crate::neuron::{Amounts, read_amounts};
use crate::traced::Traced;
use mge_net::Network;
use std::collections::BTreeMap;

/// For each weight of a network, the values it was read from. Weights are in the order of
/// [`SparseNetwork::weights`](mge_net::SparseNetwork::weights).
#[derive(Debug, Clone, PartialEq)]
pub struct Origins {
    weights: Vec<Vec<Origin>>,
}

/// A value of a gene that a weight was read from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Origin {
    /// Which gene.
    pub gene: usize,
    /// Which of its values.
    pub value: usize,
    /// The derivative of the weight by the value.
    pub slope: f64,
}

impl Origins {
    /// Of each weight, the values it was read from, each once.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = &[Origin]> {
        self.weights.iter().map(Vec::as_slice)
    }

    /// Writes into the genes how weights changed; codons and steps stay. Values stay within their
    /// bounds, and changes that are no numbers are left out.
    ///
    /// # Panics
    /// When the weights or the genotype are others than those of the network.
    pub fn write(&self, before: &[f32], tuned: &[f32], genotype: &mut Genotype) {
        assert_eq!([before.len(), tuned.len()], [self.weights.len(); 2], "weights of the network");
        // For each value: the sum of what weights ask for, and how many ask.
        let mut changes: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        for ((origins, &before), &tuned) in self.weights.iter().zip(before).zip(tuned) {
            let square: f64 = origins.iter().map(|origin| origin.slope * origin.slope).sum();
            let share = (f64::from(tuned) - f64::from(before)) / square;
            if !share.is_finite() {
                continue;
            }
            for origin in origins {
                let (sum, count) = changes.entry((origin.gene, origin.value)).or_default();
                *sum += share * origin.slope;
                *count += 1.0;
            }
        }
        for ((gene, value), (sum, count)) in changes {
            let change = sum / count;
            if change != 0.0
                && let Some((_, values)) = genotype.reals_mut(gene)
                && let Some(value) = values.get_mut(value)
            {
                *value = bounded(f64::from(*value) + change);
            }
        }
    }
}

/// The origins of one neuron's weights.
struct NeuronOrigins {
    /// Of the bias, if there is one, then of each link.
    sum: Vec<Vec<Origin>>,
    /// Of each connection, with its output.
    outputs: Vec<(usize, Vec<Origin>)>,
}

impl Mapper {
    /// What [`Mapper::map`] maps to, and where its weights come from. `None` for an invalid
    /// individual. Without real weights no weight comes from a value.
    pub fn map_with_origins(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
    ) -> Option<(Network, Origins)> {
        let mut assembly = Assembly::new(self.outputs());
        let mut weights = Vec::new();
        let mut of_outputs = vec![Vec::new(); self.outputs()];
        self.walk(genotype, |gene, references, first| {
            let Ok((neuron, _)) = self.derive_gene(gene, references, workspace) else {
                return false;
            };
            assembly.add(neuron, first);
            let NeuronOrigins { sum, outputs } =
                self.neuron_origins(gene.index, references, workspace);
            weights.extend(sum);
            outputs.into_iter().for_each(|(output, origins)| of_outputs[output].push(origins));
            true
        });
        weights.extend(of_outputs.into_iter().flatten());
        let network = assembly.network(self.grammar().shape().features)?;
        Some((network, Origins { weights }))
    }

    /// Of the neuron whose sentence the workspace holds.
    fn neuron_origins(
        &self,
        gene: usize,
        references: usize,
        workspace: &Workspace,
    ) -> NeuronOrigins {
        let sentence = workspace.derived();
        let Ok(amounts) = read_amounts::<Traced>(sentence.text(), self.scope(references)) else {
            unreachable!("the sentence was read as a neuron before");
        };
        let origins = |traced: Traced| {
            let mut slopes: BTreeMap<usize, f64> = BTreeMap::new();
            for (at, slope) in traced.slopes {
                // A number that ends elsewhere is the value with more text behind it.
                let spans = sentence.value_spans();
                let Ok(read) = spans.binary_search_by_key(&at.start, |span| span.start + 1) else {
                    continue;
                };
                if spans[read].end == at.end {
                    // The number in the text has no sign, the value does.
                    let (value, number) = sentence.values()[read];
                    let sign = if number.is_sign_negative() { -1.0 } else { 1.0 };
                    *slopes.entry(usize::from(value)).or_default() += slope * sign;
                }
            }
            let origin = |(value, slope)| Origin { gene, value, slope };
            slopes.into_iter().map(origin).collect::<Vec<Origin>>()
        };
        let Amounts { outputs, sum: (bias, links), .. } = amounts;
        let sum = bias.into_iter().chain(links.into_iter().map(|(_, traced)| traced));
        let outputs = outputs.into_iter().map(|(to, traced)| (to as usize, origins(traced)));
        NeuronOrigins { outputs: outputs.collect(), sum: sum.map(origins).collect() }
    }
}

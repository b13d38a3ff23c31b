//! The gene values that each weight of a network was read from. With them, tuned weights are written
//! back into the genes, so that offspring inherit them (Lamarckian evolution).
//!
//! With the shipped grammars a weight is one value, or the sum of several if a neuron names a source
//! more than once. In general it is a sum of products, whose derivatives by the values are known.
//! [`WeightOrigins::write`] makes the smallest change of the values that gives the new weight, to
//! first order. One value takes the whole change; `k` values that add up take one `k`-th each.
//!
//! Several weights may read the same value, if its slot is visited more often than it has values.
//! Such a value gets the mean of the wanted changes. The weights then differ from the tuned ones, so
//! the caller must evaluate the result.

use super::Genotype;
use super::map::{Assembly, Mapper, Workspace};
use super::real_weights::bounded;
use crate::dual_number::DualNumber;
use crate::neuron::{Amounts, read_amounts};
use mge_net::Network;
use std::collections::BTreeMap;

/// For each weight of a network, the values it was read from. Weights are in the order of
/// [`SparseNetwork::weights`](mge_net::SparseNetwork::weights).
#[derive(Debug, Clone, PartialEq)]
pub struct WeightOrigins {
    weights: Vec<Vec<WeightOrigin>>,
}

/// A gene value that a weight was read from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightOrigin {
    /// The index of the gene.
    pub gene: usize,
    /// The index of the value in the gene.
    pub value: usize,
    /// The derivative of the weight by the value.
    pub derivative: f64,
}

impl WeightOrigins {
    /// For each weight, the values it was read from, each once.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = &[WeightOrigin]> {
        self.weights.iter().map(Vec::as_slice)
    }

    /// Writes the change of the weights into the values of the genes. Codons and steps do not
    /// change. Values stay within their bounds. A change that is not finite is ignored.
    ///
    /// # Panics
    /// When the weights or the genotype are not those of the network.
    pub fn write(&self, before: &[f32], tuned: &[f32], genotype: &mut Genotype) {
        assert_eq!([before.len(), tuned.len()], [self.weights.len(); 2], "weights of the network");
        // For each value: the sum of the wanted changes and their number.
        let mut changes: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        for ((origins, &before), &tuned) in self.weights.iter().zip(before).zip(tuned) {
            let square: f64 =
                origins.iter().map(|origin| origin.derivative * origin.derivative).sum();
            let factor = (f64::from(tuned) - f64::from(before)) / square;
            if !factor.is_finite() {
                continue;
            }
            for origin in origins {
                let (sum, count) = changes.entry((origin.gene, origin.value)).or_default();
                *sum += factor * origin.derivative;
                *count += 1.0;
            }
        }
        for ((gene, value), (sum, count)) in changes {
            let change = sum / count;
            if change != 0.0
                && let Some((_, values)) = genotype.step_and_values_mut(gene)
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
    sum: Vec<Vec<WeightOrigin>>,
    /// Of each output connection, with the index of its output.
    outputs: Vec<(usize, Vec<WeightOrigin>)>,
}

impl Mapper {
    /// The network of [`Mapper::map`] and the origins of its weights. `None` for an invalid
    /// individual. Without real weights all lists of origins are empty.
    pub fn map_with_origins(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
    ) -> Option<(Network, WeightOrigins)> {
        let mut assembly = Assembly::new(self.outputs());
        let mut weights = Vec::new();
        let mut of_outputs = vec![Vec::new(); self.outputs()];
        self.visit_genes(genotype, |gene, scope| {
            let Ok((neuron, _)) = self.derive_gene(gene, scope.references, workspace) else {
                return false;
            };
            assembly.add(neuron, scope.first);
            let NeuronOrigins { sum, outputs } =
                self.neuron_origins(gene.index, scope.references, workspace);
            weights.extend(sum);
            outputs.into_iter().for_each(|(output, origins)| of_outputs[output].push(origins));
            true
        });
        weights.extend(of_outputs.into_iter().flatten());
        let network = assembly.network(self.grammar().shape().features)?;
        Some((network, WeightOrigins { weights }))
    }

    /// The origins of the neuron whose sentence the workspace holds.
    fn neuron_origins(
        &self,
        gene: usize,
        references: usize,
        workspace: &Workspace,
    ) -> NeuronOrigins {
        let sentence = workspace.derived();
        let Ok(amounts) = read_amounts::<DualNumber>(sentence.text(), self.scope(references))
        else {
            unreachable!("the sentence was read as a neuron before");
        };
        let origins = |number: DualNumber| {
            let mut derivatives: BTreeMap<usize, f64> = BTreeMap::new();
            for (at, derivative) in number.derivatives {
                let spans = sentence.value_spans();
                let Ok(index) = spans.binary_search_by_key(&at.start, |span| span.start + 1) else {
                    continue;
                };
                // A number with another end has more digits after the value, so it is not the value.
                if spans[index].end == at.end {
                    // The span of a value includes its sign, the number in the text does not.
                    let (value, number) = sentence.values()[index];
                    let sign = if number.is_sign_negative() { -1.0 } else { 1.0 };
                    *derivatives.entry(usize::from(value)).or_default() += derivative * sign;
                }
            }
            let origin = |(value, derivative)| WeightOrigin { gene, value, derivative };
            derivatives.into_iter().map(origin).collect::<Vec<WeightOrigin>>()
        };
        let Amounts { outputs, sum: (bias, links), .. } = amounts;
        let sum = bias.into_iter().chain(links.into_iter().map(|(_, number)| number));
        let outputs = outputs.into_iter().map(|(to, number)| (to as usize, origins(number)));
        NeuronOrigins { outputs: outputs.collect(), sum: sum.map(origins).collect() }
    }
}

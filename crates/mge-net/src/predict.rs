//! Predictions of many rows, block by block.
//!
//! Probabilities have the bits of [`reference`](mod@crate::reference): the same operations in the
//! same order, for many rows at a time. Classes are found faster. The sums of the outputs are
//! computed as the batch evaluator does, in `f32` and with approximate activations, and their largest
//! error is bounded by weights and data. Where two classes are closer than that error, the row is
//! computed again by the reference. So classes are those of the reference, too.

use crate::activation::Activation;
use crate::batch::dispatch::{self, Kernel};
use crate::cost::used_inputs;
use crate::error::EvaluationError;
use crate::network::{Link, Network, Source};
use crate::reference;
use crate::simd::{Level, UsableLevel};
use crate::targets::OutputLink;

/// One rounding of `f32`, with room for the roundings of a product and a sum.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;
/// Beyond this argument the approximation of sine is not known to be good.
const MAX_SINE: f64 = 1e6;

/// Predicts rows in blocks. It reads the inputs that its network uses, and no others.
///
/// ```
/// use mge_net::{Link, Network, Output, OutputLink, Predictor, Source};
///
/// let output = Output { bias: Some(-1.0), links: vec![Link { source: Source::Input(3), weight: 2.0 }] };
/// let network = Network::new(9, vec![], vec![output])?;
/// let mut predictor = Predictor::new(&network, OutputLink::Logistic)?;
/// assert_eq!(predictor.inputs(), [3]);
/// let mut classes = [0; 3];
/// predictor.classes(&mut classes, |_, values| values.copy_from_slice(&[0.0, 0.5, 2.0]));
/// assert_eq!(classes, [0, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Predictor<'n> {
    network: &'n Network,
    link: OutputLink,
    level: UsableLevel,
    /// The inputs that are used, and the position of each input among them.
    inputs: Vec<u32>,
    slots: Vec<usize>,
    /// The values of used inputs in this block, one after another.
    values: Vec<f32>,
    hidden: Vec<f32>,
    exact_hidden: Vec<f64>,
    sums: Vec<f64>,
    /// The largest error of each output's sum in this block.
    errors: Vec<f64>,
}

impl<'n> Predictor<'n> {
    /// As many rows as a block should have: few enough that all values stay in a near cache.
    pub const BLOCK: usize = 512;

    /// A predictor of a network.
    ///
    /// # Errors
    /// When the network does not have the outputs of the link, and when the forced SIMD level cannot
    /// be used.
    pub fn new(network: &'n Network, link: OutputLink) -> Result<Self, EvaluationError> {
        let (expected, found) = (link.outputs(), network.outputs().len());
        if expected != found {
            return Err(EvaluationError::OutputCount { found, expected });
        }
        let inputs = used_inputs(network);
        let mut slots = vec![usize::MAX; network.inputs()];
        for (slot, &input) in inputs.iter().enumerate() {
            slots[input as usize] = slot;
        }
        Ok(Self {
            network,
            link,
            level: UsableLevel::new(Level::chosen()?)?,
            inputs,
            slots,
            values: Vec::new(),
            hidden: Vec::new(),
            exact_hidden: Vec::new(),
            sums: Vec::new(),
            errors: Vec::new(),
        })
    }

    /// The inputs that the network uses, ascending.
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    /// The class of each row. `fill` gets the index of an input and writes its values.
    pub fn classes(&mut self, into: &mut [u32], fill: impl FnMut(u32, &mut [f32])) {
        let rows = into.len();
        self.read(rows, fill);
        self.bound_errors(rows);
        let level = self.level;
        dispatch::run(level, FastSums { predictor: self, rows });
        let count = self.network.outputs().len();
        for (row, class) in into.iter_mut().enumerate() {
            let sum = |output: usize| self.sums[output * rows + row];
            *class = if count == 1 {
                match sum(0) {
                    sum if sum > self.errors[0] => 1,
                    sum if sum < -self.errors[0] => 0,
                    _ => self.exact_class(row, rows),
                }
            } else {
                let mut best = 0;
                for output in 1..count {
                    if sum(output) > sum(best) {
                        best = output;
                    }
                }
                let is_clear_of =
                    |other: usize| sum(best) - sum(other) > self.errors[best] + self.errors[other];
                if (0..count).all(|other| other == best || is_clear_of(other)) {
                    best as u32
                } else {
                    self.exact_class(row, rows)
                }
            };
        }
    }

    /// The probability of each class, row by row, with the bits of the reference.
    ///
    /// # Panics
    /// When `into` does not have one number for each class of whole rows.
    pub fn probabilities(&mut self, into: &mut [f64], fill: impl FnMut(u32, &mut [f32])) {
        let classes = self.link.classes();
        assert!(into.len().is_multiple_of(classes), "whole rows of {classes}");
        let rows = into.len() / classes;
        self.exact_sums(rows, fill);
        let count = self.network.outputs().len();
        let mut sums = vec![0.0; count];
        for (row, into) in into.chunks_exact_mut(classes).enumerate() {
            for (output, sum) in sums.iter_mut().enumerate() {
                *sum = self.sums[output * rows + row];
            }
            self.link.probabilities(&sums, into);
        }
    }

    /// The sum of each output, row by row, with the bits of the reference.
    ///
    /// # Panics
    /// When `into` does not have one number for each output of whole rows.
    pub fn outputs(&mut self, into: &mut [f64], fill: impl FnMut(u32, &mut [f32])) {
        let count = self.network.outputs().len();
        assert!(into.len().is_multiple_of(count), "whole rows of {count}");
        let rows = into.len() / count;
        self.exact_sums(rows, fill);
        for (row, into) in into.chunks_exact_mut(count).enumerate() {
            for (output, sum) in into.iter_mut().enumerate() {
                *sum = self.sums[output * rows + row];
            }
        }
    }

    fn read(&mut self, rows: usize, mut fill: impl FnMut(u32, &mut [f32])) {
        self.values.resize(self.inputs.len() * rows, 0.0);
        for (&input, values) in self.inputs.iter().zip(self.values.chunks_exact_mut(rows.max(1))) {
            fill(input, values);
        }
    }

    /// The sums in `f64`, each row in the order of the reference.
    fn exact_sums(&mut self, rows: usize, fill: impl FnMut(u32, &mut [f32])) {
        self.read(rows, fill);
        let Self { network, slots, values, exact_hidden, sums, .. } = self;
        exact_hidden.resize(network.neurons().len() * rows, 0.0);
        sums.resize(network.outputs().len() * rows, 0.0);
        let add = |links: &[Link], bias: Option<f32>, hidden: &[f64], total: &mut [f64]| {
            total.fill(0.0);
            for link in links {
                let weight = f64::from(link.weight);
                match link.source {
                    Source::Input(input) => {
                        let values = &values[slots[input as usize] * rows..][..rows];
                        for (total, &value) in total.iter_mut().zip(values) {
                            *total += weight * f64::from(value);
                        }
                    }
                    Source::Neuron(neuron) => {
                        let values = &hidden[neuron as usize * rows..][..rows];
                        for (total, &value) in total.iter_mut().zip(values) {
                            *total += weight * value;
                        }
                    }
                }
            }
            let bias = f64::from(bias.unwrap_or(0.0));
            total.iter_mut().for_each(|total| *total += bias);
        };
        for (index, neuron) in network.neurons().iter().enumerate() {
            let (before, own) = exact_hidden.split_at_mut(index * rows);
            let own = &mut own[..rows];
            add(&neuron.links, neuron.bias, before, own);
            own.iter_mut().for_each(|value| *value = neuron.activation.apply(*value));
        }
        for (output, total) in network.outputs().iter().zip(sums.chunks_exact_mut(rows.max(1))) {
            add(&output.links, output.bias, exact_hidden, total);
        }
    }

    /// The class of one row of the block, by the reference.
    fn exact_class(&self, row: usize, rows: usize) -> u32 {
        let mut inputs = vec![0.0; self.network.inputs()];
        for (slot, &input) in self.inputs.iter().enumerate() {
            inputs[input as usize] = self.values[slot * rows + row];
        }
        let probabilities = reference::probabilities(self.network, self.link, &inputs);
        self.link.predicted_class(&probabilities) as u32
    }

    /// Bounds the error of each fast sum over the values of this block.
    fn bound_errors(&mut self, rows: usize) {
        let largest = |values: &[f32]| {
            let is_finite = values.iter().all(|x| x.is_finite());
            let max = values.iter().fold(0.0f32, |max, x| max.max(x.abs()));
            if is_finite { max } else { f32::INFINITY }
        };
        let blocks = self.values.chunks_exact(rows.max(1));
        let inputs: Vec<(f64, f64)> =
            blocks.map(|values| (f64::from(largest(values)), 0.0)).collect();
        // The largest absolute value of each source, and its largest error.
        let mut hidden: Vec<(f64, f64)> = Vec::with_capacity(self.network.neurons().len());
        let slots = &self.slots;
        let of_sum = |links: &[Link], bias: Option<f32>, hidden: &[(f64, f64)]| {
            let bias = f64::from(bias.unwrap_or(0.0).abs());
            let (mut size, mut error) = (bias, 0.0);
            for link in links {
                let (value, wrong) = match link.source {
                    Source::Input(input) => inputs[slots[input as usize]],
                    Source::Neuron(neuron) => hidden[neuron as usize],
                };
                let weight = f64::from(link.weight.abs());
                size += weight * value;
                error += weight * wrong;
            }
            (size, error + ROUNDING * (links.len() + 2) as f64 * (size + error))
        };
        for neuron in self.network.neurons() {
            let activation = neuron.activation;
            let (size, error) = of_sum(&neuron.links, neuron.bias, &hidden);
            let value = if activation.is_bounded() { 1.0 } else { size + error };
            let is_known = activation != Activation::Sin || size + error <= MAX_SINE;
            let error = activation.max_derivative() * error + activation.fast_error();
            hidden.push((value, if is_known { error } else { f64::INFINITY }));
        }
        self.errors.clear();
        for output in self.network.outputs() {
            let (size, error) = of_sum(&output.links, output.bias, &hidden);
            // A sum that is not finite must never look certain.
            let is_finite = size < 1e30 && error < 1e30;
            self.errors.push(if is_finite { error } else { f64::INFINITY });
        }
    }
}

/// The sums of the outputs of a block, approximately.
struct FastSums<'p, 'n> {
    predictor: &'p mut Predictor<'n>,
    rows: usize,
}

impl Kernel for FastSums<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { predictor, rows } = self;
        let Predictor { network, slots, values, hidden, sums, .. } = predictor;
        hidden.resize(network.neurons().len() * rows, 0.0);
        sums.resize(network.outputs().len() * rows, 0.0);
        for (index, neuron) in network.neurons().iter().enumerate() {
            let (before, own) = hidden.split_at_mut(index * rows);
            let own = &mut own[..rows];
            own.fill(neuron.bias.unwrap_or(0.0));
            for link in &neuron.links {
                let source = source(link.source, slots, values, before, rows);
                let weight = link.weight;
                for (sum, &value) in own.iter_mut().zip(source) {
                    *sum += weight * value;
                }
            }
            neuron.activation.apply_fast(own);
        }
        for (output, total) in network.outputs().iter().zip(sums.chunks_exact_mut(rows.max(1))) {
            total.fill(f64::from(output.bias.unwrap_or(0.0)));
            for link in &output.links {
                let source = source(link.source, slots, values, hidden, rows);
                let weight = f64::from(link.weight);
                for (sum, &value) in total.iter_mut().zip(source) {
                    *sum += weight * f64::from(value);
                }
            }
        }
    }
}

#[inline(always)]
fn source<'v>(
    source: Source,
    slots: &[usize],
    values: &'v [f32],
    hidden: &'v [f32],
    rows: usize,
) -> &'v [f32] {
    match source {
        Source::Input(input) => &values[slots[input as usize] * rows..][..rows],
        Source::Neuron(neuron) => &hidden[neuron as usize * rows..][..rows],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Neuron, Output};
    use mge_columns::Columns;
    use proptest::prelude::*;

    fn links(sources: usize, inputs: u32) -> impl Strategy<Value = Vec<Link>> {
        let source = move |index: u32| match index {
            input if input < inputs => Source::Input(input),
            neuron => Source::Neuron(neuron - inputs),
        };
        let link = (0..inputs + sources as u32, -3.0f32..3.0)
            .prop_map(move |(index, weight)| Link { source: source(index), weight });
        prop::collection::vec(link, 0..5)
    }

    /// Networks of four inputs, with up to six neurons that read earlier ones.
    fn networks(outputs: usize) -> impl Strategy<Value = Network> {
        let activation = prop::sample::select(Activation::ALL.to_vec());
        let bias = || prop::option::of(-2.0f32..2.0);
        let neurons: Vec<_> = (0..6)
            .map(|index| {
                (activation.clone(), bias(), links(index, 4))
                    .prop_map(|(activation, bias, links)| Neuron { activation, bias, links })
            })
            .collect();
        let output = (bias(), links(6, 4)).prop_map(|(bias, links)| Output { bias, links });
        (neurons, prop::collection::vec(output, outputs)).prop_map(|(neurons, outputs)| {
            let merged = |links: Vec<Link>| crate::merge_links(links);
            let neurons = neurons.into_iter();
            let neurons = neurons.map(|n| Neuron { links: merged(n.links), ..n }).collect();
            let outputs = outputs.into_iter();
            let outputs = outputs.map(|o| Output { links: merged(o.links), ..o }).collect();
            Network::new(4, neurons, outputs).expect("a valid network")
        })
    }

    fn rows() -> impl Strategy<Value = Vec<[f32; 4]>> {
        let cell = prop_oneof![8 => -4.0f32..4.0, 1 => -1e4f32..1e4, 1 => Just(0.0f32)];
        prop::collection::vec(prop::array::uniform4(cell), 1..60)
    }

    fn agree(network: &Network, rows: &[[f32; 4]]) {
        let link = OutputLink::for_outputs(network.outputs().len());
        let columns = Columns::from_fn(rows.len(), 4, |column, values| {
            values.iter_mut().zip(rows).for_each(|(value, row)| *value = row[column]);
        });
        let expected = reference::probabilities_of(network, link, &columns).unwrap();
        let fill = |input: u32, values: &mut [f32]| {
            values.copy_from_slice(columns.column(input as usize));
        };
        let mut predictor = Predictor::new(network, link).unwrap();
        let mut classes = vec![9; rows.len()];
        predictor.classes(&mut classes, fill);
        let wanted: Vec<u32> = expected.predicted_classes().map(|class| class as u32).collect();
        assert_eq!(classes, wanted);
        let mut found = vec![0.0; rows.len() * link.classes()];
        predictor.probabilities(&mut found, fill);
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
        let expected: Vec<f64> = expected.iter().flatten().copied().collect();
        assert_eq!(bits(&found), bits(&expected));
        let mut sums = vec![0.0; rows.len() * network.outputs().len()];
        predictor.outputs(&mut sums, fill);
        let expected: Vec<f64> =
            rows.iter().flat_map(|row| reference::outputs(network, row)).collect();
        assert_eq!(bits(&sums), bits(&expected));
    }

    proptest! {
        #[test]
        fn two_classes_are_those_of_the_reference(network in networks(1), rows in rows()) {
            agree(&network, &rows);
        }

        #[test]
        fn three_classes_are_those_of_the_reference(network in networks(3), rows in rows()) {
            agree(&network, &rows);
        }
    }

    #[test]
    fn equal_sums_are_computed_exactly() {
        let link = |weight| vec![Link { source: Source::Input(0), weight }];
        let output = |weight| Output { bias: None, links: link(weight) };
        let two = Network::new(4, vec![], vec![output(1.0), output(1.0)]).unwrap();
        agree(&two, &[[0.0; 4], [1.0; 4], [-1.0; 4]]);
        let one = Network::new(4, vec![], vec![output(1.0)]).unwrap();
        agree(&one, &[[0.0; 4], [1e-30; 4], [-1e-30; 4], [f32::MAX; 4]]);
    }

    #[test]
    fn a_network_of_other_outputs_is_refused() {
        let network = Network::new(1, vec![], vec![Output::default()]).unwrap();
        let error = Predictor::new(&network, OutputLink::for_classes(3)).unwrap_err();
        assert_eq!(error, EvaluationError::OutputCount { found: 1, expected: 3 });
    }
}

//! The linear classifier that both logistic regressions share. It is a [`Network`] without hidden
//! neurons, so its cost is counted like that of every network.

use crate::PredictionCost;
use crate::rows::LabelledRows;
use mge_net::{Columns, Link, Loss, Network, Output, PROBABILITY_FLOOR, Size, Source, table_bytes};

/// The limit of links of linear baselines. A fit with more links takes minutes.
pub(crate) const MAX_LINKS: usize = 1 << 18;

/// The network before training: all features are linked to all outputs with zero weights, and the
/// biases are the log-odds of the class frequencies.
pub(crate) fn start(rows: &LabelledRows<'_>) -> Network {
    let features = rows.columns().count() as u32;
    let links: Vec<Link> =
        (0..features).map(|input| Link { source: Source::Input(input), weight: 0.0 }).collect();
    let counts = rows.class_counts();
    // Half a row is added to each class, so that the logarithm is finite for a class without rows.
    let log = |class: usize| libm::log(counts.get(class).map_or(0.0, |&n| n as f64) + 0.5);
    let biases: Vec<f64> = match rows.outputs() {
        1 => vec![log(1) - log(0)],
        outputs => (0..outputs).map(|class| log(class) - log(0)).collect(),
    };
    let output = |bias: f64| Output { bias: Some(bias as f32), links: links.clone() };
    Network::new(features as usize, Vec::new(), biases.into_iter().map(output).collect())
        .expect("few enough links, all from inputs, all finite")
}

/// The network without the links of weight zero.
pub(crate) fn without_zeros(network: &Network) -> Network {
    let output = |output: &Output| {
        let links = output.links.iter().copied().filter(|link| link.weight != 0.0).collect();
        Output { bias: output.bias, links }
    };
    let outputs = network.outputs().iter().map(output).collect();
    Network::new(network.inputs(), Vec::new(), outputs)
        .expect("a valid network stays valid without some links")
}

/// The sum of each output for each row: the sums of [`mge_net::reference`], computed column by
/// column.
fn sums(network: &Network, columns: &Columns) -> Vec<Vec<f64>> {
    assert_eq!(columns.count(), network.inputs(), "columns must match the training rows");
    let of = |output: &Output| {
        let mut sums = vec![0.0; columns.rows()];
        for link in &output.links {
            let Source::Input(input) = link.source else { continue };
            let weight = f64::from(link.weight);
            let values = columns.column(input as usize);
            sums.iter_mut().zip(values).for_each(|(sum, &x)| *sum += weight * f64::from(x));
        }
        let bias = f64::from(output.bias.unwrap_or(0.0));
        sums.iter_mut().for_each(|sum| *sum += bias);
        sums
    };
    network.outputs().iter().map(of).collect()
}

/// Predicts the class with the largest sum, the first among equals.
pub(crate) fn predict(network: &Network, columns: &Columns) -> Vec<u32> {
    let sums = sums(network, columns);
    let of_row = |row: usize| match sums.as_slice() {
        [only] => u32::from(only[row] > 0.0),
        _ => {
            let mut best = 0;
            for (class, sums_of_class) in sums.iter().enumerate() {
                if sums_of_class[row] > sums[best][row] {
                    best = class;
                }
            }
            best as u32
        }
    };
    (0..columns.rows()).map(of_row).collect()
}

/// The cross-entropy of each row.
pub(crate) fn losses(network: &Network, rows: &LabelledRows<'_>) -> Vec<f64> {
    let sums = sums(network, rows.columns());
    let max_loss = -libm::log(PROBABILITY_FLOOR);
    let of_row = |(row, &label): (usize, &u32)| {
        let label = label as usize;
        if let [only] = sums.as_slice() {
            let margin = if label == 1 { -only[row] } else { only[row] };
            return softplus(margin).min(max_loss);
        }
        let largest = sums.iter().map(|sums| sums[row]).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = sums.iter().map(|sums| libm::exp(sums[row] - largest)).sum();
        (libm::log(total) + largest - sums[label][row]).min(max_loss)
    };
    rows.labels().iter().enumerate().map(of_row).collect()
}

/// `ln(1 + e^x)`.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// The cost of a prediction by this network.
pub(crate) fn cost(network: &Network) -> PredictionCost {
    PredictionCost { operations: Size::of(network).operations, bytes: table_bytes(network) }
}

/// The loss that training minimises.
pub(crate) const LOSS: Loss = Loss::CrossEntropy;

#[cfg(test)]
mod tests {
    use super::*;
    use mge_net::reference;

    #[test]
    fn predictions_and_losses_equal_the_reference() {
        let rows = 40;
        let columns = Columns::from_fn(rows, 3, |column, values| {
            for (row, value) in values.iter_mut().enumerate() {
                *value = ((row * (3 + column)) % 11) as f32 / 3.0 - 1.5;
            }
        });
        for classes in [2, 4] {
            let labels: Vec<u32> = (0..rows).map(|row| (row * 7 % classes) as u32).collect();
            let rows = LabelledRows::new(&columns, &labels, classes).unwrap();
            let mut outputs = start(&rows).outputs().to_vec();
            for (index, output) in outputs.iter_mut().enumerate() {
                for (position, link) in output.links.iter_mut().enumerate() {
                    link.weight = (index * 2 + position * 3) as f32 / 2.0 - 2.0;
                }
            }
            let network = Network::new(3, Vec::new(), outputs).unwrap();
            let exact =
                reference::probabilities_of(&network, rows.targets().link(), &columns).unwrap();
            let expected: Vec<u32> = exact.predicted_classes().map(|class| class as u32).collect();
            assert_eq!(predict(&network, &columns), expected);
            for (row, found) in losses(&network, &rows).into_iter().enumerate() {
                let expected = LOSS.of_row(exact.row(row), labels[row] as usize);
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }
}

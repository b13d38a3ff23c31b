//! Gradients against finite differences and against their slow twin; optimisers never worsen.

use crate::networks::{self, Rows, Shape};
use mge_net::gradient::{
    AdamParams, FisherSampling, LbfgsParams, Penalty, SMOOTH_CORNER, adam, lbfgs, slow_gradient,
    slow_loss,
};
use mge_net::{
    Activation, Columns, Connection, GradientEvaluator, GradientScratch, Level, Link, Loss,
    Network, Neuron, Output, OutputLink, Source, SparseNetwork, Targets, reference,
};
use proptest::prelude::*;

/// A network of any depth with rows and a loss for it: of classes or of numbers.
fn any_case(rows: usize) -> impl Strategy<Value = (Network, Rows, Loss)> {
    let of_classes = (case(rows), networks::class_loss());
    let of_classes = of_classes.prop_map(|((network, rows), loss)| (network, rows, loss));
    prop_oneof![of_classes, value_case(rows)]
}

/// The same, for numbers.
fn value_case(rows: usize) -> impl Strategy<Value = (Network, Rows, Loss)> {
    (1usize..5, 1usize..4).prop_flat_map(move |(inputs, outputs)| {
        let network = networks::network(inputs, outputs, Shape::default());
        (network, networks::rows_of_values(inputs, outputs, rows), networks::value_loss())
    })
}

/// A network of any depth, with or without direct links and biases, and rows for it.
fn case(rows: usize) -> impl Strategy<Value = (Network, Rows)> {
    (1usize..5, 1usize..5).prop_flat_map(move |(inputs, outputs)| {
        let classes = OutputLink::for_outputs(outputs).classes();
        let shape = Shape::default();
        (networks::network(inputs, outputs, shape), networks::rows(inputs, classes, rows))
    })
}

fn evaluator(network: &Network, rows: &Rows, loss: Loss, level: Level) -> GradientEvaluator {
    let targets = rows.targets_of(network);
    GradientEvaluator::with_level(&rows.columns, targets, loss, level).unwrap()
}

/// The loss with rounded corners.
fn exact_loss(network: &Network, rows: &Rows, loss: Loss) -> f64 {
    slow_loss(network, &rows.columns, rows.targets_of(network), loss)
}

/// Differences find no derivative at the corner of `relu`, and a poor one where the slope of `softsign`
/// has a corner.
fn without_corners(network: &Network) -> Network {
    let smooth = |neuron: &Neuron| {
        let mut neuron = neuron.clone();
        if matches!(neuron.activation, Activation::Relu | Activation::Softsign) {
            neuron.activation = Activation::Tanh;
        }
        neuron
    };
    let neurons = network.neurons().iter().map(smooth).collect();
    Network::new(network.inputs(), neurons, network.outputs().to_vec()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_slow_gradient_is_what_differences_say((network, rows, loss) in any_case(12)) {
        let network = without_corners(&network);
        let sparse = SparseNetwork::from(&network);
        let weights = sparse.weights();
        let gradient = slow_gradient(&network, &rows.columns, rows.targets_of(&network), loss);
        for (k, &derivative) in gradient.iter().enumerate() {
            let at = |step: f32| {
                let mut moved = weights.clone();
                moved[k] += step;
                let mut other = sparse.clone();
                other.set_weights(&moved);
                (f64::from(moved[k]), exact_loss(&other.to_network().unwrap(), &rows, loss))
            };
            // Small against the parabola at the corner of `mae`.
            let step = if rows.values.is_some() { 2e-5 } else { 1e-3 };
            let ((low, below), (high, above)) = (at(-step), at(step));
            let difference = (above - below) / (high - low);
            prop_assert!(
                (difference - derivative).abs() < 2e-3 * (1.0 + derivative.abs()),
                "weight {k}: {derivative} but {difference}"
            );
        }
    }

    #[test]
    fn the_fast_gradient_is_the_slow_one((network, rows, loss) in any_case(600)) {
        let sparse = SparseNetwork::from(&network);
        let slow = slow_gradient(&network, &rows.columns, rows.targets_of(&network), loss);
        let mut first: Option<(f64, Vec<f64>)> = None;
        for level in Level::available() {
            let evaluator = evaluator(&network, &rows, loss, level);
            let mut scratch = GradientScratch::new();
            let mut gradient = vec![0.0; sparse.size()];
            let all = 0..evaluator.blocks();
            let value = evaluator.gradient(&sparse, all.clone(), &mut scratch, &mut gradient);
            prop_assert_eq!(value, evaluator.loss(&sparse, all.clone(), &mut scratch));
            for &other in Loss::for_link(evaluator.link()) {
                let again = evaluator.with_loss(other).with_loss(loss);
                prop_assert_eq!(value, again.loss(&sparse, all.clone(), &mut scratch));
            }
            let truth = exact_loss(&network, &rows, loss);
            prop_assert!((value - truth).abs() < 1e-4 * (1.0 + truth), "{value} but {truth}");
            for (k, (fast, slow)) in gradient.iter().zip(&slow).enumerate() {
                prop_assert!(
                    (fast - slow).abs() < 2e-4 * (1.0 + slow.abs()),
                    "weight {k}: {fast} but {slow}"
                );
            }
            match &first {
                None => first = Some((value, gradient)),
                Some(first) => prop_assert_eq!(first, &(value, gradient), "at level {}", level),
            }
        }
    }

    #[test]
    fn optimisers_never_worsen_what_they_minimise(
        (network, rows, loss) in any_case(80),
        l1 in prop_oneof![Just(0.0), 0.0..0.1],
        l2 in prop_oneof![Just(0.0), 0.0..0.1],
    ) {
        let evaluator = evaluator(&network, &rows, loss, Level::chosen().unwrap());
        let start = SparseNetwork::from(&network);
        let mut scratch = GradientScratch::new();
        let penalty = Penalty { l1, l2 };
        let all = 0..evaluator.blocks();
        let objective = |network: &SparseNetwork, scratch: &mut GradientScratch| {
            evaluator.loss(network, all.clone(), scratch)
                + penalty.of(&network.weights(), &network.is_link())
        };
        let before = objective(&start, &mut scratch);
        let mut trained = start.clone();
        let params = LbfgsParams { iterations: 20, penalty, ..Default::default() };
        let reached = lbfgs(&evaluator, &mut trained, all.clone(), &params, &mut scratch);
        prop_assert!(reached <= before);
        prop_assert_eq!(reached, objective(&trained, &mut scratch));
        let mut trained = start.clone();
        let params = AdamParams { epochs: 3, rate: 0.1, penalty, ..Default::default() };
        let reverse = |order: &mut [usize]| order.reverse();
        let reached =
            adam(&evaluator, &mut trained, all.clone(), &params, reverse, &mut scratch);
        prop_assert!(reached <= before);
        prop_assert_eq!(reached, objective(&trained, &mut scratch));
    }

    /// A quarter is a power of two, so nothing is rounded.
    #[test]
    fn weight_scales_act_as_smaller_inputs_would((network, rows) in case(80)) {
        let level = Level::chosen().unwrap();
        let start = SparseNetwork::from(&network);
        let scale = |connection: &Connection| match connection {
            Connection::Link { source: Source::Input(_), .. } => 4.0,
            _ => 1.0,
        };
        let weight_scales: Vec<f64> = start.connections().iter().map(scale).collect();
        let columns = Columns::from_fn(rows.columns.rows(), rows.columns.count(), |index, values| {
            let source = rows.columns.column(index);
            values.iter_mut().zip(source).for_each(|(value, x)| *value = x * 0.25);
        });
        let smaller = Rows { columns, labels: rows.labels.clone(), values: None };
        let penalty = Penalty { l1: 0.01, l2: 0.02 };
        let params = AdamParams { epochs: 3, rate: 0.1, penalty, ..Default::default() };
        let mut scratch = GradientScratch::new();
        let mut train = |rows: &Rows, params: &AdamParams<'_>, network: &mut SparseNetwork| {
            let evaluator = evaluator(&start.to_network().unwrap(), rows, Loss::CrossEntropy, level);
            let all = 0..evaluator.blocks();
            adam(&evaluator, network, all, params, |_| (), &mut scratch)
        };
        let mut trained = start.clone();
        let scaled_params = AdamParams { weight_scales: &weight_scales, ..params };
        let reached = train(&rows, &scaled_params, &mut trained);
        let scaled = |network: &SparseNetwork| -> Vec<f32> {
            let pairs = network.weights().into_iter().zip(&weight_scales);
            pairs.map(|(weight, &scale)| weight * scale as f32).collect()
        };
        let mut other = start.clone();
        other.set_weights(&scaled(&start));
        prop_assert_eq!(reached, train(&smaller, &params, &mut other));
        prop_assert_eq!(scaled(&trained), other.weights());
    }

    #[test]
    fn information_and_candidates_are_what_single_rows_say((network, rows) in case(20)) {
        prop_assume!(rows.columns.rows() > 0);
        let evaluator = evaluator(&network, &rows, Loss::CrossEntropy, Level::chosen().unwrap());
        let sparse = SparseNetwork::from(&network);
        let mut scratch = GradientScratch::new();
        let all = 0..evaluator.blocks();
        let fisher =
            evaluator.fisher_matrix(&sparse, all.clone(), FisherSampling::Exact, &mut scratch);
        let targets = rows.targets_of(&network);
        let probabilities =
            reference::probabilities_of(&network, targets.link(), &rows.columns).unwrap();
        let size = sparse.size();
        let mut expected = vec![0.0; size * size];
        for row in 0..rows.columns.rows() {
            let one = rows.columns.select(&[row as u32]);
            for (class, p) in probabilities.row(row).iter().enumerate() {
                let labels = &[class as u32];
                let targets = Targets::Classes { labels, link: targets.link() };
                let g = slow_gradient(&network, &one, targets, Loss::CrossEntropy);
                for a in 0..size {
                    for b in 0..size {
                        expected[a * size + b] += p * g[a] * g[b] / rows.columns.rows() as f64;
                    }
                }
            }
        }
        for (fast, slow) in fisher.values().iter().zip(&expected) {
            prop_assert!((fast - slow).abs() < 1e-3 * (1.0 + slow.abs()), "{fast} but {slow}");
        }
        // A connection that exists is a candidate as well, and its derivative is the gradient.
        let candidates = evaluator.candidates(&sparse, all.clone(), &mut scratch);
        let mut gradient = vec![0.0; size];
        evaluator.gradient(&sparse, all, &mut scratch, &mut gradient);
        for (connection, derivative) in sparse.connections().into_iter().zip(gradient) {
            prop_assert!((candidates.derivative(connection) - derivative).abs() < 1e-4);
            prop_assert!(candidates.gain(connection, 1e-6) >= 0.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn curvature_and_candidates_of_numbers_are_what_single_rows_say(
        (network, rows, loss) in value_case(20)
    ) {
        prop_assume!(rows.columns.rows() > 0);
        let evaluator = evaluator(&network, &rows, loss, Level::chosen().unwrap());
        let sparse = SparseNetwork::from(&network);
        let mut scratch = GradientScratch::new();
        let all = 0..evaluator.blocks();
        let fisher =
            evaluator.fisher_matrix(&sparse, all.clone(), FisherSampling::Exact, &mut scratch);
        let (size, outputs) = (sparse.size(), network.outputs().len());
        let count = rows.columns.rows();
        let values = rows.values.clone().unwrap();
        let predicted = reference::values_of(&network, &rows.columns).unwrap();
        let mut expected = vec![0.0; size * size];
        for row in 0..count {
            let one = rows.columns.select(&[row as u32]);
            for output in 0..outputs {
                // The derivative of this sum: half that of the square of an error of one.
                let at = |o: usize| predicted[o * count + row];
                let shift = |o: usize| if o == output { 1.0 } else { 0.0 };
                let shifted: Vec<f32> = (0..outputs).map(|o| (at(o) - shift(o)) as f32).collect();
                let targets = Targets::values(&shifted, outputs);
                let g = slow_gradient(&network, &one, targets, Loss::MeanSquaredError);
                let error = at(output) - f64::from(values[output * count + row]);
                let curvature = loss.curvature_of_error(error, SMOOTH_CORNER) / outputs as f64;
                let half = outputs as f64 / 2.0;
                for a in 0..size {
                    for b in 0..size {
                        expected[a * size + b] +=
                            curvature * (half * g[a]) * (half * g[b]) / count as f64;
                    }
                }
            }
        }
        for (fast, slow) in fisher.values().iter().zip(&expected) {
            prop_assert!((fast - slow).abs() < 2e-3 * (1.0 + slow.abs()), "{fast} but {slow}");
        }
        let candidates = evaluator.candidates(&sparse, all.clone(), &mut scratch);
        let mut gradient = vec![0.0; size];
        evaluator.gradient(&sparse, all, &mut scratch, &mut gradient);
        for (connection, derivative) in sparse.connections().into_iter().zip(gradient) {
            let scale = 1e-4 * (1.0 + derivative.abs());
            prop_assert!((candidates.derivative(connection) - derivative).abs() < scale);
            prop_assert!(candidates.gain(connection, 1e-6) >= 0.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_missing_connection_has_the_derivative_of_a_weight_of_zero(
        (network, rows) in case(60), draw: usize,
    ) {
        let evaluator = evaluator(&network, &rows, Loss::CrossEntropy, Level::chosen().unwrap());
        let mut sparse = SparseNetwork::from(&network);
        let mut scratch = GradientScratch::new();
        let all = 0..evaluator.blocks();
        let candidates = evaluator.candidates(&sparse, all.clone(), &mut scratch);
        let unit = draw % sparse.units();
        let input = (draw / sparse.units()) % network.inputs();
        let link = Connection::Link { unit, source: Source::Input(input as u32) };
        let present = sparse.connections();
        for connection in [link, Connection::Bias { unit }] {
            if present.contains(&connection) {
                continue;
            }
            sparse.add(connection);
            let mut gradient = vec![0.0; sparse.size()];
            evaluator.gradient(&sparse, all.clone(), &mut scratch, &mut gradient);
            let index = sparse.connections().iter().position(|own| *own == connection).unwrap();
            let (found, expected) = (candidates.derivative(connection), gradient[index]);
            prop_assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
    }

    #[test]
    fn the_loss_of_all_blocks_is_the_mean_of_their_losses((network, rows) in case(1500)) {
        let evaluator = evaluator(&network, &rows, Loss::CrossEntropy, Level::chosen().unwrap());
        let sparse = SparseNetwork::from(&network);
        let mut scratch = GradientScratch::new();
        let mut sum = 0.0;
        for block in 0..evaluator.blocks() {
            let loss = evaluator.loss(&sparse, [block], &mut scratch);
            sum += loss * evaluator.rows_within(block..block + 1) as f64;
        }
        let all = evaluator.loss(&sparse, 0..evaluator.blocks(), &mut scratch);
        let mean = sum / evaluator.rows().max(1) as f64;
        prop_assert!((all - mean).abs() < 1e-9 * (1.0 + all), "{all} {mean}");
        let batch = evaluator.batch().loss(&network, &mut mge_net::Scratch::new());
        prop_assert!((all - batch).abs() < 1e-4 * (1.0 + all), "{all} {batch}");
    }

    #[test]
    fn leading_blocks_hold_only_leading_rows((network, rows) in case(1500), leading in 0usize..1600) {
        let evaluator = evaluator(&network, &rows, Loss::CrossEntropy, Level::chosen().unwrap());
        let blocks = evaluator.blocks_covering(leading);
        prop_assert!(evaluator.rows_within(blocks.clone()) <= leading);
        if blocks.end < evaluator.blocks() {
            prop_assert!(evaluator.rows_within(0..blocks.end + 1) > leading);
        }
    }
}

#[test]
fn the_sampled_fisher_matrix_is_right_on_average() {
    let links = |weights: [f32; 2]| {
        let link = |(k, &weight)| Link { source: Source::Input(k as u32), weight };
        weights.iter().enumerate().map(link).collect()
    };
    let output = |bias, weights| Output { bias: Some(bias), links: links(weights) };
    let outputs = vec![output(0.2, [0.5, -1.0]), output(-0.4, [0.0, 0.7]), output(0.0, [1.0, 0.3])];
    let network = SparseNetwork::new(2, outputs);
    let columns = Columns::from_fn(64, 2, |column, values| {
        let value = |row: usize| ((row * (7 + column)) % 13) as f32 / 4.0 - 1.5;
        values.iter_mut().enumerate().for_each(|(row, x)| *x = value(row));
    });
    let labels: Vec<u32> = (0..64).map(|row| row % 3).collect();
    let evaluator =
        GradientEvaluator::new(&columns, Targets::classes(&labels, 3), Loss::CrossEntropy).unwrap();
    let mut scratch = GradientScratch::new();
    let mut fisher = |sampling| {
        let all = 0..evaluator.blocks();
        evaluator.fisher_matrix(&network, all, sampling, &mut scratch).values().to_vec()
    };
    let exact = fisher(FisherSampling::Exact);
    const SAMPLES: u64 = 400;
    let mut mean = vec![0.0; exact.len()];
    for seed in 0..SAMPLES {
        for (sum, value) in mean.iter_mut().zip(fisher(FisherSampling::MonteCarlo(seed))) {
            *sum += value / SAMPLES as f64;
        }
    }
    for (mean, exact) in mean.iter().zip(&exact) {
        assert!((mean - exact).abs() < 0.02, "{mean} {exact}");
    }
}

#[test]
fn the_sampled_curvature_of_numbers_is_right_on_average() {
    let links = |weights: [f32; 2]| {
        let link = |(k, &weight)| Link { source: Source::Input(k as u32), weight };
        weights.iter().enumerate().map(link).collect()
    };
    let hidden = Neuron { activation: Activation::Tanh, bias: Some(0.1), links: links([0.6, 0.4]) };
    let output = |weight| Output {
        bias: Some(0.3),
        links: vec![Link { source: Source::Neuron(0), weight }],
    };
    let network = Network::new(2, vec![hidden], vec![output(0.7), output(-1.2)]).unwrap();
    let network = SparseNetwork::from(&network);
    let columns = Columns::from_fn(64, 2, |column, values| {
        let value = |row: usize| ((row * (7 + column)) % 13) as f32 / 4.0 - 1.5;
        values.iter_mut().enumerate().for_each(|(row, x)| *x = value(row));
    });
    let values: Vec<f32> = (0..128).map(|index| (index % 11) as f32 / 5.0 - 1.0).collect();
    let targets = Targets::values(&values, 2);
    let evaluator = GradientEvaluator::new(&columns, targets, Loss::MeanSquaredError).unwrap();
    let mut scratch = GradientScratch::new();
    let mut curvature = |sampling| {
        let all = 0..evaluator.blocks();
        evaluator.fisher_matrix(&network, all, sampling, &mut scratch).values().to_vec()
    };
    let exact = curvature(FisherSampling::Exact);
    const SAMPLES: u64 = 400;
    let mut mean = vec![0.0; exact.len()];
    for seed in 0..SAMPLES {
        let sampled = curvature(FisherSampling::MonteCarlo(distant_seed(seed)));
        for (sum, value) in mean.iter_mut().zip(sampled) {
            *sum += value / SAMPLES as f64;
        }
    }
    for (mean, exact) in mean.iter().zip(&exact) {
        assert!((mean - exact).abs() < 0.02, "{mean} {exact}");
    }
}

/// Seeds that are far apart: outputs of one row draw with neighbouring ones.
fn distant_seed(index: u64) -> u64 {
    index.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[test]
fn linear_regression_and_quantiles_are_found() {
    // A line with errors that are mostly small and sometimes large, always upwards.
    let rows = 500;
    let x: Vec<f32> = (0..rows).map(|row| (row * 37 % 101) as f32 / 50.0 - 1.0).collect();
    let error = |row: usize| if row.is_multiple_of(5) { 2.0 } else { 0.0 };
    let values: Vec<f32> = (0..rows).map(|row| 0.8 * x[row] - 0.3 + error(row)).collect();
    let columns = Columns::from_columns([x]).unwrap();
    let links = vec![Link { source: Source::Input(0), weight: 0.0 }];
    let outputs = vec![Output { bias: Some(0.0), links }];
    let start = SparseNetwork::from(&Network::new(1, vec![], outputs).unwrap());
    let fitted = |loss| {
        let evaluator =
            GradientEvaluator::new(&columns, Targets::values(&values, 1), loss).unwrap();
        let mut network = start.clone();
        let mut scratch = GradientScratch::new();
        let all = 0..evaluator.blocks();
        lbfgs(&evaluator, &mut network, all, &LbfgsParams::default(), &mut scratch);
        network.weights()
    };
    let is_near = |found: Vec<f32>, bias: f32, weight: f32| {
        assert!((found[0] - bias).abs() < 0.03 && (found[1] - weight).abs() < 0.05, "{found:?}");
    };
    // The mean is pulled up by the large errors, the median is not.
    is_near(fitted(Loss::MeanSquaredError), 0.1, 0.8);
    is_near(fitted(Loss::MeanAbsoluteError), -0.3, 0.8);
    is_near(fitted(Loss::Pinball { quantile: 0.5 }), -0.3, 0.8);
    is_near(fitted(Loss::Pinball { quantile: 0.95 }), 1.7, 0.8);
    is_near(fitted(Loss::Huber { delta: 0.2 }), -0.25, 0.8);
}

#[test]
fn logistic_regression_is_found() {
    // Two classes that overlap along one of three features; the slope is the log-odds.
    let rows = 400;
    let mut columns = vec![vec![0.0; rows]; 3];
    let mut labels = vec![0; rows];
    for row in 0..rows {
        columns[0][row] = if row % 2 == 0 { 1.0 } else { -1.0 };
        columns[1][row] = (row * 37 % 101) as f32 / 50.0 - 1.0;
        labels[row] = u32::from((row % 2 == 0) != (row % 10 < 2));
    }
    let rows = Rows { columns: Columns::from_columns(columns).unwrap(), labels, values: None };
    let links =
        (0..3).map(|k| mge_net::Link { source: mge_net::Source::Input(k), weight: 0.0 }).collect();
    let outputs = vec![mge_net::Output { bias: Some(0.0), links }];
    let network = Network::new(3, vec![], outputs).unwrap();
    let evaluator = evaluator(&network, &rows, Loss::CrossEntropy, Level::chosen().unwrap());
    let mut sparse = SparseNetwork::from(&network);
    let mut scratch = GradientScratch::new();
    let all = 0..evaluator.blocks();
    lbfgs(&evaluator, &mut sparse, all.clone(), &LbfgsParams::default(), &mut scratch);
    // Four of five rows are right: ln(0.8 / 0.2).
    let weights = sparse.weights();
    assert!((f64::from(weights[1]) - libm::log(4.0)).abs() < 0.05, "{weights:?}");
    let penalty = Penalty { l1: 0.02, l2: 0.0 };
    let params = LbfgsParams { penalty, ..Default::default() };
    lbfgs(&evaluator, &mut sparse, all, &params, &mut scratch);
    assert_eq!(sparse.weights()[2..], [0.0, 0.0], "L1 leaves only what tells the classes apart");
}

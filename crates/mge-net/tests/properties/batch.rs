//! The fast evaluator agrees with the reference, and every SIMD level gives the same bits.

use mge_net::{
    Activation, BatchEvaluator, Columns, EvaluationError, Level, Link, Loss, Network, NetworkPart,
    Neuron, Output, OutputLink, PartLists, PopulationEvaluator, Scratch, Source, Targets,
    reference,
};
use proptest::prelude::*;
use std::sync::Arc;

use crate::networks::{Rows, Shape, class_loss, network, rows, rows_of_values, value_loss};

/// The largest difference to the reference, as the documentation of `batch` states it.
const TOLERANCE: f64 = 1e-5;

/// A network, rows for it and a loss: of classes or of numbers.
fn case(shape: Shape, max_rows: usize) -> impl Strategy<Value = (Network, Rows, Loss)> {
    prop_oneof![class_case(shape, max_rows), value_case(shape, max_rows)]
}

/// Rows with numbers.
fn value_case(shape: Shape, max_rows: usize) -> impl Strategy<Value = (Network, Rows, Loss)> {
    (1usize..6, 1usize..5).prop_flat_map(move |(inputs, outputs)| {
        let rows = rows_of_values(inputs, outputs, max_rows);
        (network(inputs, outputs, shape), rows, value_loss())
    })
}

/// Rows with classes.
fn class_case(shape: Shape, max_rows: usize) -> impl Strategy<Value = (Network, Rows, Loss)> {
    let outputs = prop_oneof![Just(1usize), 2usize..5, Just(26usize)];
    (1usize..6, outputs).prop_flat_map(move |(inputs, outputs)| {
        let rows = rows(inputs, OutputLink::for_outputs(outputs).classes(), max_rows);
        (network(inputs, outputs, shape), rows, class_loss())
    })
}

fn losses(network: &Network, rows: &Rows, loss: Loss) -> Vec<f64> {
    let targets = rows.targets_of(network);
    let evaluate = |level| {
        let evaluator = BatchEvaluator::with_level(&rows.columns, targets, loss, level).unwrap();
        evaluator.loss(network, &mut Scratch::new())
    };
    Level::available().into_iter().map(evaluate).collect()
}

fn exact(network: &Network, rows: &Rows, loss: Loss) -> f64 {
    let targets = rows.targets_of(network);
    if rows.values.is_some() {
        let values = reference::values_of(network, &rows.columns).unwrap();
        return loss.of_values(&values, targets).unwrap();
    }
    let probabilities = reference::probabilities_of(network, targets.link(), &rows.columns);
    loss.of(&probabilities.unwrap(), targets).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_level_agrees_with_the_reference(
        (network, rows, loss) in case(Shape::default(), 70)
    ) {
        let found = losses(&network, &rows, loss);
        let exact = exact(&network, &rows, loss);
        for &found in &found {
            prop_assert_eq!(found.to_bits(), loss_with_used_scratch(&network, &rows, loss).to_bits());
            prop_assert!((found - exact).abs() <= TOLERANCE * (1.0 + exact), "{} {}", found, exact);
        }
    }

    #[test]
    fn accuracy_agrees_with_the_reference((network, rows, loss) in class_case(Shape::default(), 70)) {
        let targets = rows.targets_of(&network);
        let probabilities =
            reference::probabilities_of(&network, targets.link(), &rows.columns).unwrap();
        // Rows whose two best classes are almost equal may be counted either way.
        let (mut certain, mut uncertain) = (0, 0);
        for (row, &label) in probabilities.iter().zip(&rows.labels) {
            let own = row[label as usize];
            let others = row.iter().enumerate().filter(|&(class, _)| class != label as usize);
            let best_other = others.map(|(_, &p)| p).fold(0.0, f64::max);
            if (own - best_other).abs() < 1e-4 { uncertain += 1 } else if own > best_other { certain += 1 }
        }
        for level in Level::available() {
            let evaluator =
                BatchEvaluator::with_level(&rows.columns, targets, loss, level).unwrap();
            let accuracy = evaluator.accuracy(&network, &mut Scratch::new());
            let correct = (accuracy * rows.columns.rows() as f64).round() as usize;
            prop_assert!((certain..=certain + uncertain).contains(&correct), "{} {}", correct, certain);
        }
    }

    #[test]
    fn the_score_of_numbers_is_one_minus_the_squared_error(
        (network, rows, loss) in value_case(Shape::default(), 70)
    ) {
        let exact = 1.0 - exact(&network, &rows, Loss::MeanSquaredError);
        for level in Level::available() {
            let targets = rows.targets_of(&network);
            let evaluator =
                BatchEvaluator::with_level(&rows.columns, targets, loss, level).unwrap();
            let found = evaluator.accuracy(&network, &mut Scratch::new());
            prop_assert!((found - exact).abs() <= TOLERANCE * (2.0 - exact), "{} {}", found, exact);
        }
    }

    #[test]
    fn populations_of_numbers_have_the_losses_of_their_networks(
        (network, rows, loss) in value_case(Shape::default(), 600),
        weights in proptest::collection::vec(-3f32..3.0, 12),
    ) {
        // Networks that share neurons and outputs, as offspring do.
        let neurons = network.neurons();
        prop_assume!(!neurons.is_empty());
        let outputs = network.outputs().len();
        let relatives: Vec<Network> = weights
            .chunks_exact(2)
            .enumerate()
            .map(|(index, pair)| {
                let mut ends = vec![Output::default(); outputs];
                for (output, end) in ends.iter_mut().enumerate() {
                    let source = Source::Neuron(((index / 3 + output) % neurons.len()) as u32);
                    end.links.push(Link { source, weight: pair[output % 2] });
                }
                Network::new(network.inputs(), neurons.to_vec(), ends).unwrap()
            })
            .collect();
        let parts: Vec<_> = relatives.iter().map(|one| NetworkPart::all_of(one).unwrap()).collect();
        let lists = || {
            let mut lists = PartLists::default();
            for parts in &parts {
                parts.iter().for_each(|part| lists.push(part, 0));
                lists.close();
            }
            lists
        };
        for level in Level::available() {
            let targets = rows.targets_of(&network);
            let evaluator =
                BatchEvaluator::with_level(&rows.columns, targets, loss, level).unwrap();
            let alone: Vec<f64> = relatives
                .iter()
                .map(|network| evaluator.loss(network, &mut Scratch::new()))
                .collect();
            let mut shared = PopulationEvaluator::new(Arc::new(evaluator), 1 << 20);
            // The second time from the cache.
            for _ in 0..2 {
                for (found, alone) in shared.losses(&[lists()]).into_iter().zip(&alone) {
                    prop_assert!(found.is_none_or(|found| found.to_bits() == alone.to_bits()));
                }
            }
        }
    }

    #[test]
    fn sums_beyond_fixed_point_agree_with_the_reference((network, rows, loss) in case(
        Shape { neurons: 3, links: 3, weight: 1000.0 }, 40
    )) {
        // With weights this large, sigmoids saturate and sines have no meaning.
        let smooth = network.neurons().iter().all(|neuron| {
            matches!(neuron.activation, Activation::Relu | Activation::Identity)
        });
        let found = losses(&network, &rows, loss);
        prop_assert!(found.iter().all(|loss| loss.to_bits() == found[0].to_bits()));
        if smooth {
            let exact = exact(&network, &rows, loss);
            prop_assert!((found[0] - exact).abs() <= 0.01 * (1.0 + exact), "{} {}", found[0], exact);
        }
    }

    #[test]
    fn the_loss_is_finite_for_every_network((network, rows, loss) in case(
        Shape { neurons: 8, links: 5, weight: 1e37 }, 20
    )) {
        let found = losses(&network, &rows, loss);
        prop_assert!(found.iter().all(|loss| loss.is_finite() && *loss >= 0.0), "{:?}", found);
        prop_assert!(found.iter().all(|loss| loss.to_bits() == found[0].to_bits()));
    }

    #[test]
    fn the_order_of_output_links_has_no_effect(
        (network, rows, loss) in case(Shape::default(), 40)
    ) {
        let mut outputs = network.outputs().to_vec();
        outputs.iter_mut().for_each(|output| output.links.reverse());
        let reversed =
            Network::new(network.inputs(), network.neurons().to_vec(), outputs).unwrap();
        prop_assume!(has_bounded_sums(&network));
        prop_assert_eq!(losses(&network, &rows, loss), losses(&reversed, &rows, loss));
    }
}

/// The loss of the baseline level, with scratch memory that another network has used.
fn loss_with_used_scratch(network: &Network, rows: &Rows, loss: Loss) -> f64 {
    let targets = rows.targets_of(network);
    let evaluator =
        BatchEvaluator::with_level(&rows.columns, targets, loss, Level::Baseline).unwrap();
    let other = chain(network.inputs(), targets.outputs());
    let mut scratch = Scratch::new();
    evaluator.loss(&other, &mut scratch);
    evaluator.loss(network, &mut scratch)
}

/// A chain of twenty neurons, the last of which feeds all outputs.
fn chain(inputs: usize, outputs: usize) -> Network {
    let neuron = |index: u32| Neuron {
        activation: Activation::Tanh,
        bias: Some(0.5),
        links: vec![Link {
            source: if index == 0 { Source::Input(0) } else { Source::Neuron(index - 1) },
            weight: 2.0,
        }],
    };
    let links = vec![Link { source: Source::Neuron(19), weight: 1.0 }];
    let output = Output { bias: None, links };
    Network::new(inputs, (0..20).map(neuron).collect(), vec![output; outputs]).unwrap()
}

/// Whether all neurons are bounded, so that fixed point holds the sums.
fn has_bounded_sums(network: &Network) -> bool {
    network.neurons().iter().all(|neuron| neuron.activation.is_bounded())
}

#[test]
fn many_blocks_agree_with_the_reference() {
    for (rows, outputs) in [(511, 1), (512, 3), (513, 1), (5000, 7), (1600, 300)] {
        let columns = Columns::from_columns([
            (0..rows).map(|row| (row % 101) as f32 / 25.0 - 2.0).collect::<Vec<f32>>(),
            (0..rows).map(|row| (row % 37) as f32 / 10.0 - 1.5).collect(),
        ]);
        let classes = OutputLink::for_outputs(outputs).classes();
        let labels = (0..rows).map(|row| (row * 7 % classes) as u32).collect();
        let rows = Rows { columns: columns.unwrap(), labels, values: None };
        let mut network = chain(2, outputs);
        let mut outputs = network.outputs().to_vec();
        for (index, output) in outputs.iter_mut().enumerate() {
            output.bias = Some(index as f32 * 0.01);
            output
                .links
                .push(Link { source: Source::Input(1), weight: 0.3 - index as f32 * 0.002 });
        }
        network = Network::new(2, network.neurons().to_vec(), outputs).unwrap();
        let numbers = (0..rows.columns.rows() * network.outputs().len())
            .map(|index| (index * 7 % 61) as f32 / 30.0 - 1.0)
            .collect();
        for rows in [rows.clone(), Rows { values: Some(numbers), ..rows }] {
            for &loss in Loss::for_link(rows.targets_of(&network).link()) {
                let exact = exact(&network, &rows, loss);
                let found = losses(&network, &rows, loss);
                assert!(found.iter().all(|loss| loss.to_bits() == found[0].to_bits()));
                assert!((found[0] - exact).abs() <= TOLERANCE * (1.0 + exact), "{found:?} {exact}");
            }
        }
    }
}

#[test]
fn rows_below_the_probability_floor_cost_the_floor() {
    let columns = Columns::from_columns([[1.0, -1.0]]).unwrap();
    for (outputs, labels) in [(1, [1, 0]), (3, [1, 1])] {
        let end =
            |weight| Output { bias: None, links: vec![Link { source: Source::Input(0), weight }] };
        let ends = (0..outputs).map(|index| end(900.0 * index as f32 - 900.0)).collect();
        let network = Network::new(1, vec![], ends).unwrap();
        let rows = Rows { columns: columns.clone(), labels: labels.to_vec(), values: None };
        let exact = exact(&network, &rows, Loss::CrossEntropy);
        assert!((exact - 34.538776).abs() < 1e-5, "{exact}");
        for found in losses(&network, &rows, Loss::CrossEntropy) {
            assert!((found - exact).abs() < 1e-4, "{found} {exact}");
        }
    }
}

/// No bound holds for these products, so sums are computed in `f64`: a sum that is infinite in `f32`
/// times a weight of zero, and a value of zero times a weight that is infinite in steps.
#[test]
fn zero_times_infinity_contributes_nothing() {
    let columns = Columns::from_columns([[2.0, -3.0], [0.0, 0.0]]).unwrap();
    let rows = Rows { columns, labels: vec![0, 2], values: None };
    for (activation, input, weight, to_output) in
        [(Activation::Identity, 0, 3e38, 0.0), (Activation::Relu, 1, 1.0, 3e38)]
    {
        let links = vec![Link { source: Source::Input(input), weight }];
        let neuron = Neuron { activation, bias: None, links };
        let mut ends = vec![Output::default(); 3];
        ends[1].links.push(Link { source: Source::Neuron(0), weight: to_output });
        let network = Network::new(2, vec![neuron], ends).unwrap();
        let exact = exact(&network, &rows, Loss::CrossEntropy);
        let found = losses(&network, &rows, Loss::CrossEntropy);
        assert!(found.iter().all(|loss| loss.to_bits() == found[0].to_bits()), "{found:?}");
        assert!((found[0] - exact).abs() < 1e-6, "{activation}: {found:?} {exact}");
        let parts = NetworkPart::all_of(&network).unwrap();
        let mut lists = PartLists::default();
        parts.iter().for_each(|part| lists.push(part, 0));
        lists.close();
        let evaluator =
            BatchEvaluator::new(&rows.columns, rows.targets_of(&network), Loss::CrossEntropy);
        let shared =
            PopulationEvaluator::new(Arc::new(evaluator.unwrap()), 1 << 20).losses(&[lists]);
        assert_eq!(shared, [None], "the caller evaluates it alone");
    }
}

#[test]
fn wrong_data_is_an_error() {
    let mut values = [0.0; 3];
    let labels = [0, 1, 0];
    let make = |values: &[f32; 3], labels: &[u32], outputs| {
        let columns = Columns::from_columns([values]).unwrap();
        let targets = Targets::Classes { labels, link: OutputLink::for_outputs(outputs) };
        BatchEvaluator::new(&columns, targets, Loss::CrossEntropy).map(|_| ())
    };
    assert_eq!(make(&values, &labels, 1), Ok(()));
    assert!(matches!(make(&values, &labels, 0), Err(EvaluationError::Outputs { outputs: 0 })));
    assert!(matches!(make(&values, &labels[1..], 1), Err(EvaluationError::Labels { .. })));
    assert!(matches!(
        make(&values, &[0, 1, 2], 1),
        Err(EvaluationError::NoSuchClass { row: 2, .. })
    ));
    values[1] = f32::NAN;
    assert!(matches!(make(&values, &labels, 1), Err(EvaluationError::NotFinite { row: 1, .. })));
    values[1] = 0.0;
    let columns = Columns::from_columns([&values]).unwrap();
    let make = |values: &[f32], outputs, loss| {
        BatchEvaluator::new(&columns, Targets::values(values, outputs), loss).map(|_| ())
    };
    assert_eq!(make(&values, 1, Loss::MeanAbsoluteError), Ok(()));
    assert!(matches!(
        make(&values, 1, Loss::CrossEntropy),
        Err(EvaluationError::Loss { loss: Loss::CrossEntropy, .. })
    ));
    assert!(matches!(
        make(&values, 2, Loss::MeanSquaredError),
        Err(EvaluationError::Values { values: 3, outputs: 2, rows: 3 })
    ));
    assert!(matches!(
        make(&[0.0, f32::NAN, 0.0], 1, Loss::MeanSquaredError),
        Err(EvaluationError::TargetNotFinite { row: 1, output: 0, .. })
    ));
}

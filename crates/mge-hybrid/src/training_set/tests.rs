use super::*;
use crate::testing::{TestTable, no_regularization, random_network};
use mge_net::{Link, Output};

fn training(effort: f64) -> Training {
    Training { regularization: no_regularization(), effort, seed: 1 }
}

/// A set whose last rows validate.
fn with_validation(table: &TestTable, rows: u32, training_rows: usize) -> TrainingSet {
    let rows: Vec<u32> = (0..rows).collect();
    TrainingSet::new(&table.data(), &rows, training_rows, Optimiser::Adam(Some(2))).expect("valid")
}

#[test]
fn training_returns_the_objective_and_never_raises_it() {
    let table = TestTable::rings(300, 3, 3);
    let scratch = &mut GradientScratch::new();
    for seed in 0..4 {
        let set = table.training_set(15);
        let mut network = random_network(3, 3, 3, seed);
        let before = set.score(&network, scratch).loss;
        let objective = set.train(&mut network, training(1.0), scratch);
        assert!(objective <= before);
        assert_eq!(objective, set.score(&network, scratch).loss);
    }
}

#[test]
fn only_training_rows_train() {
    let table = TestTable::rings(1200, 3, 3);
    let rows = |last: u32| (0..1024).chain(last..last + 100).collect::<Vec<u32>>();
    let trained = |last: u32| {
        let optimiser = Optimiser::Adam(Some(2));
        let set = TrainingSet::new(&table.data(), &rows(last), 1024, optimiser).expect("valid");
        assert!(set.has_validation());
        let mut network = random_network(3, 3, 3, 1);
        set.train(&mut network, training(1.0), &mut GradientScratch::new());
        network
    };
    // The input ranges are those of all rows, but only scaled penalties use them.
    assert_eq!(trained(1024), trained(1100));
}

#[test]
fn each_block_of_the_validation_part_has_a_score() {
    let table = TestTable::rings(2000, 3, 3);
    let set = with_validation(&table, 2000, 1024);
    let network = random_network(3, 2, 3, 1);
    let scores = set.validate(&network, &mut GradientScratch::new());
    assert_eq!(scores.held_out.len(), set.validation.len());
    let held_out: usize = scores.held_out.iter().map(|score| score.rows).sum();
    let trained = set.evaluator().rows_within(set.training.clone());
    assert_eq!(held_out + trained, 2000);
    assert!(trained <= 1024 && scores.training_loss.is_some());
    // The means over both parts are the score on all rows.
    let all = set.score(&network, &mut GradientScratch::new());
    let sum =
        scores.training_loss.expect("some") * trained as f64 + scores.loss().mean * held_out as f64;
    assert!((sum / 2000.0 - all.loss).abs() < 1e-9);
}

#[test]
fn samples_lie_in_the_training_rows_and_change_with_the_seed() {
    let table = TestTable::rings(20_000, 2, 2);
    let set = with_validation(&table, 20_000, 18_000);
    assert!(set.is_sampled());
    let samples: Vec<Range<usize>> = (0..20).map(|seed| set.sample(seed)).collect();
    for sample in &samples {
        assert!(sample.end <= set.training.end);
        assert!(set.evaluator().rows_within(sample.clone()) >= SAMPLED_ROWS);
    }
    assert!(samples.iter().any(|sample| *sample != samples[0]));
    let few = with_validation(&table, 3000, 2500);
    assert!(!few.is_sampled());
    assert_eq!(few.sample(1), few.training);
}

#[test]
fn penalties_are_scaled_by_the_ranges_of_inputs() {
    let columns = vec![vec![0.0, 4.0, 1.0], vec![-1.0, -1.0, -1.0]];
    let table = TestTable::new(columns, vec![0, 1, 0]);
    let set = table.training_set(1);
    let network = random_network(2, 1, 1, 1);
    assert!(set.weight_scales(&network, no_regularization()).is_empty());
    let regularization = Regularization { range_scaled: true, ..no_regularization() };
    let scales = set.weight_scales(&network, regularization);
    // Biases, links from neurons and inputs that are constant have a scale of one.
    for (connection, scale) in network.connections().into_iter().zip(scales) {
        let is_first = matches!(connection, Connection::Link { source: Source::Input(0), .. });
        assert_eq!(scale, if is_first { 4.0 } else { 1.0 }, "{connection:?}");
    }
}

#[test]
fn the_final_refit_uses_all_rows_and_fits_the_loss_of_the_search() {
    let table = TestTable::rings(1500, 3, 3);
    let set = with_validation(&table, 1500, 1024);
    let scratch = &mut GradientScratch::new();
    let mut network = random_network(3, 4, 3, 1);
    set.train(&mut network, training(5.0), scratch);
    let before = set.score(&network, scratch);
    set.final_refit(Loss::CrossEntropy, &mut network, training(5.0), scratch);
    let after = set.score(&network, scratch);
    assert!(after.loss <= before.loss, "{} after {}", after.loss, before.loss);
    // Trained for the squared error, the outputs are scaled for the cross-entropy.
    let mut other = network.clone();
    set.final_refit(Loss::MeanSquaredError, &mut other, training(5.0), scratch);
    let scaled = set.score(&other, scratch);
    set.scale_outputs(&mut other, scratch);
    assert!((set.score(&other, scratch).loss - scaled.loss).abs() < 1e-3);
}

#[test]
fn a_diverged_training_leaves_the_weights_as_they_were() {
    let columns = vec![vec![f32::MAX / 4.0, -f32::MAX / 4.0, 1.0]];
    let table = TestTable::new(columns, vec![0, 1, 0]);
    let set = table.training_set(20);
    let mut network = random_network(1, 2, 1, 3);
    set.train(&mut network, training(1.0), &mut GradientScratch::new());
    assert!(network.is_finite());
}

#[test]
fn outputs_are_scaled_for_the_loss_and_no_row_changes_its_class() {
    let mut stream = Stream::at(1, Purpose::Seed, 0, 0);
    let values: Vec<f32> = (0..300).map(|_| (4.0 * stream.unit() - 2.0) as f32).collect();
    // The log-odds of the second class are the input itself.
    let odds = |x: f32| 1.0 / (1.0 + libm::exp(-f64::from(x)));
    let labels = values.iter().map(|&x| u32::from(stream.unit() < odds(x))).collect();
    let set = TestTable::new(vec![values], labels).training_set(1);
    let scratch = &mut GradientScratch::new();
    for weight in [0.3, 1.0, 3.5] {
        let links = vec![Link { source: Source::Input(0), weight }];
        let mut network = SparseNetwork::new(1, vec![Output { bias: Some(0.1 * weight), links }]);
        let before = set.score(&network, scratch);
        set.scale_outputs(&mut network, scratch);
        let after = set.score(&network, scratch);
        assert_eq!(before.accuracy, after.accuracy);
        assert!(after.loss <= before.loss);
        let found = network.outputs()[0].links[0].weight;
        assert!((0.7..1.4).contains(&found), "{weight} became {found}");
    }
}

//! Tables whose targets are numbers.

use crate::tables::{BOTH, Size, rings_for, run, some_generations};
use mge_hybrid::{Dependence, Hybrid, HybridError, HybridParams, TrainingData};
use mge_net::{Columns, EvaluationError, Loss, Targets};

/// The radius around the origin of the first two features, and the product of two others: both
/// scaled to mean 0 and deviation 1.
fn targets(columns: &Columns) -> Vec<f32> {
    let rows = columns.rows();
    let of = |row: usize| {
        let x = |column: usize| columns.column(column)[row];
        (x(0) * x(0) + x(1) * x(1), x(2) * x(3))
    };
    let (first, second): (Vec<f32>, Vec<f32>) = (0..rows).map(of).unzip();
    let scaled = |values: Vec<f32>| -> Vec<f32> {
        let mean = values.iter().sum::<f32>() / rows as f32;
        let squares = values.iter().map(|value| (value - mean) * (value - mean));
        let deviation = (squares.sum::<f32>() / rows as f32).sqrt();
        values.iter().map(|value| (value - mean) / deviation).collect()
    };
    [scaled(first), scaled(second)].concat()
}

fn params(size: Size) -> HybridParams {
    HybridParams {
        max_ops: Some(90),
        budget_ratio: Some(1.5),
        cv_folds: 3,
        cv_repeats: Some(1),
        iterations: 60,
        epochs: Some(60),
        large_table_rows: if size == Size::Large { 1000 } else { 10_000 },
        ..Default::default()
    }
}

fn search(
    columns: &Columns,
    values: &[f32],
    (loss, size): (Loss, Size),
    is_balanced: bool,
) -> Result<Hybrid, HybridError> {
    let targets = Targets::values(values, values.len() / columns.rows());
    let dependence = Dependence::Independent;
    let data = TrainingData { columns, targets, loss, is_balanced, dependence };
    Hybrid::new(data, params(size).check().unwrap(), 5)
}

#[test]
fn numbers_are_learned_with_every_loss() {
    for size in BOTH {
        let table = rings_for(size, 3);
        let all = targets(&table.columns);
        let one = &all[..table.columns.rows()];
        for loss in [
            Loss::MeanSquaredError,
            Loss::MeanAbsoluteError,
            Loss::Huber { delta: 0.5 },
            Loss::Pinball { quantile: 0.5 },
        ] {
            let search = search(&table.columns, one, (loss, size), false).unwrap();
            let front = search.final_front(&run(&search, some_generations(size)));
            let best = front.last().unwrap();
            let explained = search.accuracy(&best.network);
            assert!(explained > 0.9, "{size:?} {loss}: {explained}");
            assert!(best.loss < front[0].loss, "{loss}: {} {}", best.loss, front[0].loss);
            assert!((best.accuracy - explained).abs() < 0.2, "{} {explained}", best.accuracy);
        }
    }
}

#[test]
fn several_numbers_share_a_network() {
    for size in BOTH {
        let table = rings_for(size, 3);
        let values = targets(&table.columns);
        let task = (Loss::MeanSquaredError, size);
        let search = search(&table.columns, &values, task, false).unwrap();
        let front = search.final_front(&run(&search, some_generations(size)));
        let best = front.last().unwrap();
        assert_eq!(best.network.outputs().len(), 2);
        let explained = search.accuracy(&best.network);
        assert!(explained > 0.7, "{size:?}: {explained}");
    }
}

#[test]
fn a_quantile_has_its_fraction_of_rows_below() {
    let table = rings_for(Size::Small, 3);
    let rows = table.columns.rows();
    // Noise that no network can explain.
    let noise = |row: usize| (row * 61 % 150) as f32 / 75.0 - 1.0;
    let values: Vec<f32> =
        (0..rows).map(|row| 0.4 * table.columns.column(0)[row] + noise(row)).collect();
    let loss = Loss::Pinball { quantile: 0.8 };
    let search = search(&table.columns, &values, (loss, Size::Small), false).unwrap();
    let front = search.final_front(&run(&search, 2));
    let predicted = mge_net::reference::values_of(&front[0].network, &table.columns).unwrap();
    let below = (0..rows).filter(|&row| f64::from(values[row]) < predicted[row]).count();
    assert!((0.7..0.9).contains(&(below as f64 / rows as f64)), "{below} of {rows}");
}

#[test]
fn what_only_classes_have_is_refused() {
    let table = rings_for(Size::Small, 3);
    let values = targets(&table.columns);
    let refused =
        |loss, is_balanced| search(&table.columns, &values, (loss, Size::Small), is_balanced).err();
    assert_eq!(
        refused(Loss::MeanSquaredError, true),
        Some(EvaluationError::NothingToBalance.into())
    );
    let error = refused(Loss::CrossEntropy, false);
    assert!(matches!(error, Some(HybridError::Evaluation(EvaluationError::Loss { .. }))));
    let data = TrainingData {
        columns: &table.columns,
        targets: Targets::classes(&table.labels, 3),
        loss: Loss::CrossEntropy,
        is_balanced: false,
        dependence: Dependence::Independent,
    };
    let params = HybridParams { refit_loss: Loss::MeanAbsoluteError, ..params(Size::Small) };
    assert!(Hybrid::new(data, params.check().unwrap(), 5).is_err());
}

//! All baselines of numeric targets: compared with scikit-learn, on unusual tables, and twice with
//! one seed.

use mge_net::{Columns, EvaluationError};
use serde::Deserialize;

use super::boosted_stumps::BoostedStumps;
use super::nearest_neighbours::NearestNeighbours;
use super::regression_tree::RegressionTree;
use super::rows::TargetRows;
use super::*;

/// See `scripts/sklearn-regression-golden.py`.
#[derive(Deserialize)]
struct Golden {
    train: usize,
    columns: Vec<Vec<f32>>,
    values: Vec<f64>,
    predictions: std::collections::BTreeMap<String, Vec<f64>>,
}

/// The model that scikit-learn's is called by.
fn model_of(name: &str, rows: &TargetRows<'_>) -> Box<dyn BaselineRegressor> {
    let (kind, number) = match name.rsplit_once(' ') {
        Some((kind, number)) if number.parse::<f64>().is_ok() => (kind, number),
        _ => (name, ""),
    };
    let count = || number.parse().unwrap();
    let strength = || number.parse().unwrap();
    match kind {
        "least squares" => Box::new(linear_regression::fit(rows)),
        "ridge" => Box::new(ridge::with_strength(rows, strength())),
        "lasso" => Box::new(lasso::with_strength(rows, strength())),
        "tree" => Box::new(RegressionTree::grow(rows).with_splits(count())),
        "stumps" => Box::new(BoostedStumps::with_rounds(rows, count())),
        "neighbours" => Box::new(NearestNeighbours::with_neighbours(rows, count())),
        _ => panic!("no model for {name}"),
    }
}

#[test]
fn models_equal_those_of_scikit_learn() {
    let golden: Golden =
        serde_json::from_str(include_str!("../../tests/golden/sklearn-regression.json")).unwrap();
    assert_eq!(golden.predictions.len(), 11);
    let columns = Columns::from_columns(&golden.columns).unwrap();
    let order: Vec<u32> = (0..golden.train as u32).collect();
    let train = columns.select(&order);
    let rows = TargetRows { columns: &train, values: &golden.values[..golden.train] };
    for (name, theirs) in &golden.predictions {
        let ours = model_of(name, &rows).predict(&columns);
        for (row, (a, b)) in ours.iter().zip(theirs).enumerate() {
            assert!((a - b).abs() < 2e-5, "{name}, row {row}: {a} {b}");
        }
    }
}

/// Two features that matter, one of noise, and a constant one.
fn bent(rows: usize) -> (Columns, Vec<Vec<f64>>) {
    let noise =
        |row: usize, salt: usize| ((row * 7919 + salt * 104_729) % 1009) as f32 / 504.5 - 1.0;
    let columns = Columns::from_fn(rows, 4, |column, values| {
        for (row, value) in values.iter_mut().enumerate() {
            *value = if column == 3 { 2.5 } else { noise(row, column + 1) };
        }
    });
    let value = |row: usize| {
        let (a, b) = (f64::from(noise(row, 1)), f64::from(noise(row, 2)));
        100.0 + 3.0 * a + if b > 0.3 { 2.0 } else { 0.0 } + 0.1 * f64::from(noise(row, 9))
    };
    (columns, vec![(0..rows).map(value).collect()])
}

fn rmse(predictions: &[f64], values: &[f64]) -> f64 {
    let squares: f64 = predictions.iter().zip(values).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / values.len().max(1) as f64).sqrt()
}

#[test]
fn what_can_be_learned_is_learned_at_the_expected_cost() {
    let (columns, values) = bent(400);
    let rows = ValueRows::new(&columns, &values).unwrap();
    let fit = |name: &str| find_regression(name).unwrap().fit(&rows, 1).unwrap();
    let error = |name: &str| rmse(&fit(name).predict(&columns)[0], &values[0]);
    let mean = error("mean");
    assert!(mean > 1.8, "{mean}");
    for name in ["linear regression", "ridge regression", "L1 regression"] {
        assert!(error(name) < 0.35 * mean, "{name}: {} of {mean}", error(name));
    }
    assert!(error("small tree") < 0.25 * mean);
    assert!(error("boosted stumps") < 0.15 * mean);
    assert!(error("nearest neighbours") < 0.3 * mean);
    let cost = |name: &str| (fit(name).cost().operations, fit(name).cost().bytes);
    assert_eq!(cost("mean"), (0, 4));
    // Three features of four, since the constant one has no link, and a bias.
    assert_eq!(cost("linear regression"), (2 * 4 + 4, 3 + 3 * 2));
    assert!(cost("L1 regression").0 <= cost("linear regression").0);
    assert!(cost("small tree").0 <= 5);
    assert_eq!(cost("nearest neighbours").1, 400 * 5 * 4);
}

#[test]
fn several_targets_get_a_model_each() {
    let (columns, mut values) = bent(100);
    values.push(values[0].iter().map(|value| 1e6 * value).collect());
    let rows = ValueRows::new(&columns, &values).unwrap();
    for baseline in &REGRESSION_BASELINES {
        let fitted = baseline.fit(&rows, 5).unwrap();
        let predicted = fitted.predict(&columns);
        for (a, b) in predicted[0].iter().zip(&predicted[1]) {
            assert!((1e6 * a - b).abs() < 1.0, "{}: {a} {b}", baseline.name);
        }
        let one = baseline.fit(&ValueRows::new(&columns, &values[..1]).unwrap(), 5).unwrap();
        assert_eq!(fitted.cost().bytes, 2 * one.cost().bytes, "{}", baseline.name);
    }
}

#[test]
fn validation_predicts_rows_that_a_fit_did_not_see() {
    let (columns, values) = bent(203);
    let rows = ValueRows::new(&columns, &values).unwrap();
    for baseline in &REGRESSION_BASELINES {
        let found = baseline.validation_predictions(&rows, 3).unwrap().unwrap();
        let mut order = found.rows.clone();
        order.sort_unstable();
        assert_eq!(order, (0..203).collect::<Vec<u32>>(), "{}", baseline.name);
        let truth: Vec<f64> = found.rows.iter().map(|&row| values[0][row as usize]).collect();
        let (unseen, seen) = (
            rmse(&found.predictions[0], &truth),
            rmse(&baseline.fit(&rows, 3).unwrap().predict(&columns)[0], &values[0]),
        );
        // Models without a choice of their own are always worse on rows that they did not see.
        let is_plain = ["mean", "linear regression"].contains(&baseline.name);
        assert!(!is_plain || unseen > seen, "{}: {unseen} {seen}", baseline.name);
        assert!(unseen < 2.0, "{}: {unseen}", baseline.name);
    }
    // Two rows: each is predicted by a fit of the other one.
    let two = Columns::from_columns([[1.0f32, 2.0]]).unwrap();
    let values = [vec![10.0, 20.0]];
    let rows = ValueRows::new(&two, &values).unwrap();
    let found = find_regression("mean").unwrap().validation_predictions(&rows, 3).unwrap().unwrap();
    for (row, predicted) in found.rows.iter().zip(&found.predictions[0]) {
        assert_eq!(*predicted, [20.0, 10.0][*row as usize]);
    }
}

#[test]
fn unusual_tables_give_models_too() {
    let copy: Vec<f32> = (0..12).map(|row| row as f32).collect();
    let odd = [
        // One row; two rows; a constant target; constant features; a copied feature; more features
        // than rows.
        (vec![vec![1.0]], vec![7.0]),
        (vec![vec![1.0, 2.0]], vec![7.0, 8.0]),
        (vec![vec![1.0, 2.0, 3.0]], vec![7.0; 3]),
        (vec![vec![3.0; 9], vec![0.0; 9]], (0..9).map(f64::from).collect()),
        (vec![copy.clone(), copy.clone()], (0..12).map(|row| 2.0 * f64::from(row)).collect()),
        ((0..20).map(|f| vec![f as f32, 1.0, (f % 3) as f32]).collect(), vec![1.0, 2.0, 4.0]),
    ];
    for (index, (columns, values)) in odd.into_iter().enumerate() {
        let (columns, values) = (Columns::from_columns(&columns).unwrap(), [values]);
        let rows = ValueRows::new(&columns, &values).unwrap();
        let mean = rmse(
            &vec![values[0].iter().sum::<f64>() / values[0].len() as f64; values[0].len()],
            &values[0],
        );
        for baseline in &REGRESSION_BASELINES {
            let predicted = baseline.fit(&rows, 1).unwrap().predict(&columns);
            let error = rmse(&predicted[0], &values[0]);
            assert!(error <= mean + 1e-9, "table {index}, {}: {error} {mean}", baseline.name);
        }
    }
    let none = Columns::from_fn(5, 0, |_, _| ());
    let values = [vec![1.0, 2.0, 3.0, 4.0, 5.0]];
    let rows = ValueRows::new(&none, &values).unwrap();
    for baseline in &REGRESSION_BASELINES {
        assert!(baseline.fit(&rows, 1).unwrap().predict(&none)[0].iter().all(|x| x.is_finite()));
    }
}

#[test]
fn equal_seeds_give_equal_models_for_any_number_of_threads() {
    let (columns, values) = bent(300);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let rows = ValueRows::new(&columns, &values).unwrap();
            let of = |baseline: &RegressionBaseline| {
                baseline.fit(&rows, 9).unwrap().predict(&columns).concat()
            };
            REGRESSION_BASELINES.iter().map(of).collect::<Vec<Vec<f64>>>()
        })
    };
    assert_eq!(fit(1), fit(3));
}

#[test]
fn large_tables_are_learnt() {
    // One validation part in place of folds.
    let (columns, values) = bent(4_500);
    let rows = ValueRows::new(&columns, &values).unwrap();
    for baseline in REGRESSION_BASELINES.iter().filter(|baseline| baseline.name != "mean") {
        let fitted = baseline.fit(&rows, 3).unwrap();
        let error = rmse(&fitted.predict(&columns)[0], &values[0]);
        assert!(error < 0.7, "{}: {error}", baseline.name);
    }
}

#[test]
fn too_many_features_and_invalid_rows_are_errors() {
    let wide = Columns::from_fn(3, 20_000, |_, _| ());
    let values = [vec![1.0, 2.0, 3.0]];
    for baseline in &REGRESSION_BASELINES {
        let fitted = baseline.fit(&ValueRows::new(&wide, &values).unwrap(), 1);
        match baseline.max_features {
            None => assert!(fitted.is_ok(), "{}", baseline.name),
            Some(max) => {
                let (name, links) = (baseline.name, 20_000);
                assert_eq!(fitted.unwrap_err(), BaselineError::TooLarge { name, links, max });
            }
        }
    }
    let columns = Columns::from_columns([[1.0f32, 2.0]]).unwrap();
    let error = |values: &[Vec<f64>]| ValueRows::new(&columns, values).unwrap_err();
    assert!(matches!(error(&[]), BaselineError::Evaluation(EvaluationError::Outputs { .. })));
    assert!(matches!(
        error(&[vec![1.0]]),
        BaselineError::Evaluation(EvaluationError::Labels { .. })
    ));
    assert!(matches!(error(&[vec![1.0, f64::NAN]]), BaselineError::Value { row: 1, .. }));
    let columns = Columns::from_columns([[1.0f32, f32::NAN]]).unwrap();
    assert!(ValueRows::new(&columns, &[vec![1.0, 2.0]]).is_err());
}

#[test]
fn every_baseline_has_its_own_name_and_a_summary() {
    for (index, baseline) in REGRESSION_BASELINES.iter().enumerate() {
        assert!(REGRESSION_BASELINES[..index].iter().all(|other| other.name != baseline.name));
        assert!(baseline.summary.ends_with('.'), "{}", baseline.summary);
    }
    assert!(find_regression("random forest").is_none());
}

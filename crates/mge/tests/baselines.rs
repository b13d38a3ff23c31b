//! The baselines of a fit: asked for or not, the same on any number of threads, and what is said.

#![allow(clippy::unwrap_used)]

use mge::{BaselineErrors, BaselineResult, Fit, Method};

fn fit() -> Fit<'static> {
    Fit::new().method(Method::MGE).seed(4).population(20).generations(3)
}

#[test]
fn baselines_come_when_asked_for_and_change_nothing() {
    let data = mge::data::load("wdbc", &Default::default()).unwrap();
    let alone = fit().run(&data).unwrap();
    let one = fit().with_baselines().threads(1).run(&data).unwrap();
    let three = fit().with_baselines().threads(3).run(&data).unwrap();
    assert!(alone.baselines.is_empty());
    assert_eq!(one.baselines, three.baselines);
    assert_eq!(one.model.network, alone.model.network);
    let names: Vec<&str> = one.baselines.iter().map(|one| one.name.as_str()).collect();
    let expected =
        ["majority class", "logistic regression", "L1 logistic regression", "small tree"];
    assert_eq!(names, expected);
    let [majority, logistic, lasso, tree] = one.baselines.as_slice() else { unreachable!() };
    assert!(majority.test_accuracy < 0.75);
    let validated = one.baselines.iter().map(|one| one.validation_accuracy.unwrap());
    let validated: Vec<f64> = validated.collect();
    assert!((validated[0] - majority.train_accuracy).abs() < 0.01, "{validated:?}");
    assert!(validated[1] > 0.93 && validated[1] <= logistic.train_accuracy, "{validated:?}");
    // 30 features and a bias into one output.
    assert_eq!((logistic.operations, logistic.bytes), (66, 63));
    assert!(logistic.test_accuracy > 0.93 && lasso.test_accuracy > 0.93, "{logistic:?} {lasso:?}");
    assert!(lasso.operations < 66);
    assert!(tree.test_accuracy > 0.85 && tree.operations <= 5, "{tree:?}");
}

#[test]
fn simpler_and_as_good_is_said() {
    let data = mge::data::load("wine", &Default::default()).unwrap();
    let model = fit().run(&data).unwrap().model;
    let own = BaselineResult::of(&model);
    let error =
        (own.test_accuracy * (1.0 - own.test_accuracy) / model.metrics.test.rows as f64).sqrt();
    let other = |change: f64, operations: usize, bytes: usize| BaselineResult {
        name: "other".to_owned(),
        test_accuracy: own.test_accuracy + change,
        operations,
        bytes,
        ..own.clone()
    };
    let remark = |change, operations, bytes| {
        BaselineResult::remark(&[other(change, operations, bytes)], &model)
    };
    let (operations, bytes) = (own.operations, own.bytes);
    assert!(remark(0.0, operations, bytes).unwrap().starts_with("other is as good here: "));
    assert!(remark(-0.9 * error, operations, bytes).unwrap().contains("as good"));
    assert_eq!(remark(-1.1 * error, 7, 5), None);
    assert_eq!(remark(-0.1 * error, operations + 1, bytes), None, "as good, but larger");
    assert_eq!(remark(-0.1 * error, operations, bytes + 1), None, "as good, but larger");
    // A more accurate one is named whatever it costs.
    let better = remark(1.1 * error, 10 * operations, 10 * bytes).unwrap();
    assert!(better.starts_with("other is more accurate here: "), "{better}");
    assert!(!better.contains("standard error"), "{better}");
    assert!(remark(1.1 * error, 7, 5).unwrap().ends_with("with 7 operations and 5 bytes"));
    assert!(remark(0.9 * error, 7, 5).unwrap().contains("within one standard error"));
    // A smaller one that is as good is named, too.
    let both = [other(1.1 * error, 10 * operations, bytes), other(0.0, 7, 5)];
    let both = BaselineResult::remark(&both, &model).unwrap();
    assert_eq!(both.lines().count(), 2, "{both}");
    assert_eq!(BaselineResult::remark(&[], &model), None);
}

#[test]
fn numbers_have_baselines_of_their_own() {
    let data = mge::data::load("yacht", &Default::default()).unwrap();
    let one = fit().with_baselines().threads(1).run(&data).unwrap();
    let three = fit().with_baselines().threads(3).run(&data).unwrap();
    assert_eq!(one.baselines, three.baselines);
    let names: Vec<&str> = one.baselines.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "mean",
            "linear regression",
            "ridge regression",
            "L1 regression",
            "small tree",
            "boosted stumps",
            "nearest neighbours"
        ]
    );
    let [mean, linear, .., stumps, _] = &one.baselines[..] else { panic!("seven") };
    assert!(mean.test_accuracy.abs() < 0.1 && mean.train_accuracy.abs() < 1e-9);
    let (mean, linear) = (mean.errors.unwrap(), linear.errors.unwrap());
    assert!(linear.test_rmse < 0.8 * mean.test_rmse, "{linear:?} {mean:?}");
    assert!(linear.validation_rmse.unwrap() > linear.train_rmse);
    assert!(stumps.test_accuracy > 0.95 && stumps.validation_accuracy.unwrap() > 0.95);

    // The sentence compares R2, by the standard error of the baseline.
    let own = BaselineResult::of(&one.model);
    let remark = |change: f64| {
        let errors = own.errors.map(|errors| BaselineErrors { r2_error: Some(0.01), ..errors });
        let test_accuracy = own.test_accuracy + change;
        let other = BaselineResult { name: "other".into(), test_accuracy, errors, ..own.clone() };
        BaselineResult::remark(&[other], &one.model)
    };
    assert!(remark(-0.009).unwrap().starts_with("other is as good here: RMSE "));
    assert!(remark(0.011).unwrap().starts_with("other is more accurate here: RMSE "));
    assert_eq!(remark(-0.011), None);
}

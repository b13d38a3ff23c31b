use super::*;

#[test]
fn names_are_the_same_in_files() {
    let with_parameters = [Loss::Huber { delta: 1.25 }, Loss::Pinball { quantile: 0.05 }];
    for loss in Loss::ALL.into_iter().chain(with_parameters) {
        assert_eq!(loss.to_string().parse(), Ok(loss));
        assert_eq!(serde_json::to_string(&loss).unwrap(), format!("\"{loss}\""));
        assert_eq!(serde_json::from_str::<Loss>(&format!("\"{loss}\"")).unwrap(), loss);
    }
    assert_eq!(Loss::CrossEntropy.to_string(), "ce");
    assert_eq!("PINBALL : 0.9".parse(), Ok(Loss::Pinball { quantile: 0.9 }));
}

#[test]
fn texts_that_are_no_loss_say_what_was_expected() {
    let message = |text: &str| text.parse::<Loss>().unwrap_err().to_string();
    assert!(message("rmse").contains("ce, mse, mae, huber or pinball"), "{}", message("rmse"));
    for wrong in ["pinball:1", "pinball:0", "pinball:NaN", "pinball:", "pinball:often"] {
        assert!(message(wrong).contains("between 0 and 1"), "{wrong}");
    }
    for wrong in ["huber:0", "huber:-1", "huber:inf"] {
        assert!(message(wrong).contains("above zero"), "{wrong}");
    }
    assert!(message("mse:2").contains("no parameter"));
}

#[test]
fn a_loss_fits_one_kind_of_targets_and_the_squared_error_both() {
    let names = |link| Loss::for_link(link).iter().map(|loss| loss.name()).collect::<Vec<_>>();
    assert_eq!(names(OutputLink::Logistic), ["ce", "mse"]);
    assert_eq!(names(OutputLink::Softmax { classes: 3 }), ["ce", "mse"]);
    let values = OutputLink::Identity { outputs: 2 };
    assert_eq!(names(values), ["mse", "mae", "huber", "pinball"]);
    assert!(Loss::Pinball { quantile: 0.9 }.fits(values));
    assert!(Loss::CrossEntropy.check(values).is_err());
    assert!(Loss::MeanAbsoluteError.check(OutputLink::Logistic).is_err());
    assert!(Loss::Pinball { quantile: 1.5 }.check(values).is_err());
    assert!(Loss::Huber { delta: f32::NAN }.check(values).is_err());
}

#[test]
fn losses_of_rows_are_those_computed_by_hand() {
    let half = -libm::log(0.5);
    assert_eq!(Loss::CrossEntropy.of_row(&[0.5, 0.5], 1), half);
    assert_eq!(Loss::CrossEntropy.of_row(&[0.0, 1.0], 0), -libm::log(1e-15));
    // Two classes: (0.8 - 1)^2, whichever way it is counted.
    assert!((Loss::MeanSquaredError.of_row(&[0.2, 0.8], 1) - 0.04).abs() < 1e-15);
    let three = (0.04 + 0.25 + 0.49) / 3.0;
    assert!((Loss::MeanSquaredError.of_row(&[0.2, 0.5, 0.3], 2) - three).abs() < 1e-15);
}

#[test]
fn losses_of_numbers_are_those_computed_by_hand() {
    let of = |loss: Loss, error| loss.of_error(error, 0.0);
    assert_eq!(of(Loss::MeanSquaredError, -3.0), 9.0);
    assert_eq!(of(Loss::MeanAbsoluteError, -3.0), 3.0);
    assert_eq!(of(Loss::Huber { delta: 0.5 }, 0.25), 0.5 * 0.0625);
    assert_eq!(of(Loss::Huber { delta: 0.5 }, -3.0), 0.5 * (3.0 - 0.25));
    // A prediction that is too low costs the quantile, one that is too high the rest.
    assert_eq!(of(Loss::Pinball { quantile: 0.75 }, -2.0), 1.5);
    assert_eq!(of(Loss::Pinball { quantile: 0.75 }, 2.0), 0.5);
    for loss in Loss::for_link(OutputLink::Identity { outputs: 1 }) {
        assert_eq!(of(*loss, 0.0), 0.0, "{loss}");
        assert!(of(*loss, f64::NAN).is_finite() && of(*loss, f64::INFINITY).is_finite());
    }
}

#[test]
fn slopes_and_curvatures_are_those_of_the_loss() {
    const CORNER: f64 = 0.25;
    for loss in [
        Loss::MeanSquaredError,
        Loss::MeanAbsoluteError,
        Loss::Huber { delta: 0.5 },
        Loss::Pinball { quantile: 0.8 },
    ] {
        for step in -40..40 {
            let error = f64::from(step) * 0.05 + 0.013;
            let at = |error| loss.of_error(error, CORNER);
            let difference = (at(error + 1e-6) - at(error - 1e-6)) / 2e-6;
            let slope = loss.slope_of_error(error, CORNER);
            assert!((difference - slope).abs() < 1e-5, "{loss} at {error}: {difference} {slope}");
            // The parabola is nowhere below the loss.
            let curvature = loss.curvature_of_error(error, CORNER);
            for other in -40..40 {
                let moved = f64::from(other) * 0.1 - error;
                let parabola = at(error) + slope * moved + 0.5 * curvature * moved * moved;
                assert!(parabola >= at(error + moved) - 1e-12, "{loss} at {error} to {moved}");
            }
        }
    }
}

#[test]
fn no_rows_have_loss_zero_and_wrong_labels_are_errors() {
    let none = Probabilities::from_values(OutputLink::Logistic, Vec::new());
    let two = |labels| Targets::classes(labels, 2);
    assert_eq!(Loss::CrossEntropy.of(&none, two(&[])), Ok(0.0));
    let one = Probabilities::from_values(OutputLink::Logistic, vec![0.25, 0.75]);
    assert!(matches!(
        Loss::CrossEntropy.of(&one, two(&[])),
        Err(EvaluationError::Labels { labels: 0, rows: 1 })
    ));
    assert!(matches!(
        Loss::CrossEntropy.of(&one, two(&[2])),
        Err(EvaluationError::NoSuchClass { row: 0, label: 2, classes: 2 })
    ));
    let three = Targets::classes(&[2], 3);
    assert!(matches!(
        Loss::CrossEntropy.of(&one, three),
        Err(EvaluationError::ClassCount { found: 2, expected: 3 })
    ));
}

#[test]
fn the_loss_of_several_outputs_is_their_mean() {
    let targets = Targets::values(&[1.0, 2.0, 10.0, 20.0], 2);
    let loss = Loss::MeanSquaredError.of_values(&[1.0, 3.0, 10.0, 17.0], targets);
    assert_eq!(loss, Ok((1.0 + 9.0) / 4.0));
    assert_eq!(Loss::MeanAbsoluteError.of_values(&[], Targets::values(&[], 2)), Ok(0.0));
    assert!(matches!(
        Loss::MeanSquaredError.of_values(&[1.0], targets),
        Err(EvaluationError::Values { values: 4, outputs: 2, rows: 0 })
    ));
    assert!(Loss::CrossEntropy.of_values(&[1.0; 4], targets).is_err());
    assert!(Loss::MeanSquaredError.of_values(&[1.0], Targets::classes(&[0], 2)).is_err());
}

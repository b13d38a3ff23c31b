//! Holds every activation of the table to the contract of [`Function`](super::function::Function).

use super::*;

/// Every 4099th positive and negative finite `f32`, so that every magnitude is there.
fn all_magnitudes() -> impl Iterator<Item = f32> {
    let positive = (0..f32::INFINITY.to_bits()).step_by(4099).map(f32::from_bits);
    positive.flat_map(|x| [x, -x]).chain([f32::MAX, f32::MIN])
}

/// A fine grid where the functions are not yet flat.
fn fine_grid() -> impl Iterator<Item = f32> {
    (-200_000..=200_000).map(|step| step as f32 * 1e-4)
}

fn fast(activation: Activation, x: impl Iterator<Item = f32>) -> (Vec<f32>, Vec<f32>) {
    let x: Vec<f32> = x.collect();
    let mut values = x.clone();
    activation.apply_fast(&mut values);
    (x, values)
}

#[test]
fn names_are_the_same_in_files_and_grammars() {
    for activation in Activation::ALL {
        assert_eq!(activation.name().parse(), Ok(activation));
        let json = serde_json::to_string(&activation).unwrap();
        assert_eq!(json, format!("\"{}\"", activation.name()));
        assert_eq!(serde_json::from_str::<Activation>(&json).unwrap(), activation);
    }
    let error = "sigmoid".parse::<Activation>().unwrap_err();
    assert!(error.to_string().contains("expected sig, tanh, tanh25"), "{error}");
}

#[test]
fn the_lines_of_the_table_keep_their_numbers() {
    let numbers = ["sig", "tanh", "tanh25", "relu", "sin", "gauss", "identity"];
    let found = Activation::ALL.map(Activation::name);
    assert_eq!(found[..numbers.len()], numbers, "checkpoints store these numbers");
}

#[test]
fn known_values() {
    assert_eq!(Activation::Sigmoid.apply(0.0), 0.5);
    assert_eq!(Activation::Tanh25.apply(0.4), Activation::Tanh.apply(1.0));
    assert_eq!(Activation::Relu.apply(-3.0), 0.0);
    assert_eq!(Activation::Relu.apply(3.0), 3.0);
    assert_eq!(Activation::Gauss.apply(0.0), 1.0);
    assert_eq!(Activation::Identity.apply(-7.5), -7.5);
    assert!((Activation::Sin.apply(std::f64::consts::FRAC_PI_2) - 1.0).abs() < 1e-15);
}

#[test]
fn fast_values_stay_within_the_error_bound() {
    for activation in Activation::ALL {
        let max = activation.max_fast_argument();
        let arguments = all_magnitudes().chain(fine_grid()).filter(|x| x.abs() <= max);
        let (x, values) = fast(activation, arguments);
        let mut error = 0.0f64;
        for (&x, &value) in x.iter().zip(&values) {
            assert!(value.is_finite(), "{activation}: {value} at {x}");
            error = error.max((f64::from(value) - activation.apply(f64::from(x))).abs());
        }
        let bound = activation.fast_error();
        assert!(error <= bound, "{activation}: error {error:e} above {bound:e}");
        assert!(
            error > bound / 8.0 || bound == 0.0,
            "{activation}: error {error:e}, so {bound:e} is too high a bound"
        );
    }
}

#[test]
fn bounded_activations_map_every_number_into_their_range() {
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    for activation in Activation::ALL.into_iter().filter(|activation| activation.is_bounded()) {
        let (x, values) = fast(activation, all_magnitudes().chain(special));
        for (x, value) in x.into_iter().zip(values) {
            assert!((-1.0..=1.0).contains(&value), "{activation}: {value} at {x}");
        }
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    for activation in Activation::ALL {
        for step in -500..500 {
            // Never at zero, where relu has its corner.
            let x = (f64::from(step) + 0.5) * 0.02;
            let difference = (activation.apply(x + 1e-6) - activation.apply(x - 1e-6)) / 2e-6;
            let derivative = activation.derivative(x);
            assert!((derivative - difference).abs() < 1e-8, "{activation}: {derivative} at {x}");
            let max = activation.max_derivative();
            assert!(derivative.abs() <= max, "{activation}: {derivative} at {x} is above {max}");
        }
    }
}

#[test]
fn fast_derivatives_are_near_the_exact_ones() {
    for activation in Activation::ALL {
        let (x, values) = fast(activation, (-500..500).map(|step| (step as f32 + 0.5) * 0.02));
        let mut derivatives = x.clone();
        activation.derive_fast(&values, &mut derivatives);
        for (&x, &fast) in x.iter().zip(&derivatives) {
            let exact = activation.derivative(f64::from(x));
            assert!((f64::from(fast) - exact).abs() < 1e-5, "{activation}: {fast} at {x}");
        }
    }
}

#[test]
fn source_text_is_complete() {
    for activation in Activation::ALL {
        let SourceText { c, rust, python, numpy, javascript, onnx } = activation.source_text();
        for text in [c.expression, rust.expression, python, numpy, javascript] {
            assert!(text.contains('z') || text.contains('.'), "{activation}: `{text}`");
        }
        for helper in [c.helper, rust.helper] {
            assert!(helper.is_empty() || helper.ends_with("}\n"), "{activation}: {helper}");
        }
        let mut outputs = vec!["z"];
        for node in onnx.nodes {
            assert!(node.inputs.iter().all(|input| outputs.contains(input)), "{activation}");
            outputs.push(node.output);
        }
        if let Some((last, others)) = onnx.nodes.split_last() {
            assert_eq!(last.output, "", "{activation}: the last node gives the value");
            assert!(others.iter().all(|node| !node.output.is_empty()), "{activation}");
        }
    }
}

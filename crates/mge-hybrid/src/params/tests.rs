use super::*;
use serde_json::json;

fn error_of(params: HybridParams) -> String {
    params.check().expect_err("out of range").to_string()
}

#[test]
fn errors_name_the_setting_the_value_and_the_range() {
    let base = HybridParams::default;
    let cases = [
        (
            HybridParams { budget_ratio: Some(1.0), ..base() },
            "budget_ratio is 1, expected 1.02 to 4",
        ),
        (
            HybridParams { validation_fraction: Some(0.7), ..base() },
            "validation_fraction is 0.7, expected 0.01 to 0.5",
        ),
        (
            HybridParams { large_table_rows: 10, ..base() },
            "large_table_rows is 10, expected at least 1000",
        ),
        (HybridParams { cv_folds: 1, ..base() }, "cv_folds is 1, expected 2 to 20"),
        (HybridParams { cv_repeats: Some(0), ..base() }, "cv_repeats is 0, expected 1 to 20"),
        (HybridParams { min_z_score: -1.0, ..base() }, "min_z_score is -1, expected 0 to 10"),
        (HybridParams { growth: f64::NAN, ..base() }, "growth is NaN, expected 0 to 4"),
        (HybridParams { crossover_rate: 2.0, ..base() }, "crossover_rate is 2, expected 0 to 1"),
        (HybridParams { iterations: 0, ..base() }, "iterations is 0, expected at least 1"),
        (HybridParams { epochs: Some(0), ..base() }, "epochs is 0, expected at least 1"),
        (HybridParams { max_ops: Some(5), ..base() }, "max_ops is 5, expected 6 to 1000000"),
        (
            HybridParams { max_features: Some(0), ..base() },
            "max_features is 0, expected at least 1",
        ),
        (
            HybridParams { activations: Vec::new(), ..base() },
            "no activations are allowed, expected at least one",
        ),
    ];
    for (params, message) in cases {
        assert_eq!(error_of(params), message);
    }
    assert!(HybridParams::default().check().is_ok());
}

#[test]
fn settings_of_older_files_are_read_by_their_old_names() {
    let old = json!({
        "ratio": 1.5, "large_rows": 2000, "folds": 4, "repeats": 3, "caution": 1.0,
        "validation": 0.2, "last_loss": "ce", "exchange": 0.3, "new_neurons": 0.4,
        "changes": 0.5, "ranges": false,
    });
    let expected = HybridParams {
        budget_ratio: Some(1.5),
        large_table_rows: 2000,
        cv_folds: 4,
        cv_repeats: Some(3),
        min_z_score: 1.0,
        validation_fraction: Some(0.2),
        refit_loss: Loss::CrossEntropy,
        crossover_rate: 0.3,
        neuron_addition_rate: 0.4,
        activation_mutation_rate: 0.5,
        range_scaled_penalty: false,
        ..Default::default()
    };
    assert_eq!(serde_json::from_value::<HybridParams>(old).expect("old names"), expected);
    let written = serde_json::to_value(&expected).expect("text keys");
    assert_eq!(serde_json::from_value::<HybridParams>(written).expect("new names"), expected);
}

#[test]
fn unknown_settings_are_refused() {
    let error = serde_json::from_value::<HybridParams>(json!({ "max_opps": 3 })).unwrap_err();
    assert!(error.to_string().contains("unknown field `max_opps`"), "{error}");
}

#[test]
fn enough_rows_validate_to_tell_networks_apart() {
    let params = HybridParams::default();
    let rows = [1000, 5000, 10_000, 60_000];
    assert_eq!(rows.map(|rows| params.validation_rows(rows)), [300, 1500, 2000, 6000]);
    let given = HybridParams { validation_fraction: Some(0.05), ..params };
    assert_eq!(given.validation_rows(10_000), 500);
}

#[test]
fn folds_are_drawn_twice_on_few_rows() {
    let params = HybridParams::default();
    assert_eq!([100, 999, 1000].map(|rows| params.cv_repeats(rows)), [2, 2, 1]);
    let given = HybridParams { cv_repeats: Some(4), ..params };
    assert_eq!(given.cv_repeats(5000), 4);
}

#[test]
fn the_default_rule_follows_the_limits() {
    let checked = |params: HybridParams| params.check().expect("valid");
    assert_eq!(checked(HybridParams::default()).pick(), Pick::Recommended);
    let limited = HybridParams { max_neurons: Some(3), ..Default::default() };
    assert_eq!(checked(limited.clone()).pick(), Pick::LowestLoss);
    let given = HybridParams { pick: Some(Pick::Knee), ..limited };
    assert_eq!(checked(given).pick(), Pick::Knee);
}

#[test]
fn structures_are_limited_in_features_neurons_and_operations() {
    let network = crate::testing::random_network(4, 2, 1, 1);
    let operations = CostModel::OPERATIONS.cost(&network);
    let allows = |params: HybridParams| params.check().expect("valid").allows_structure(&network);
    let base = HybridParams::default;
    assert!(allows(base()));
    assert!(!allows(HybridParams { max_features: Some(3), ..base() }));
    assert!(!allows(HybridParams { max_neurons: Some(1), ..base() }));
    // Where operations are the cost, the budgets limit them.
    assert!(allows(HybridParams { max_ops: Some(operations - 1), ..base() }));
    let bytes = HybridParams { objective: Objective::Bytes, ..base() };
    assert!(!allows(HybridParams { max_ops: Some(operations - 1), ..bytes.clone() }));
    assert!(allows(HybridParams { max_ops: Some(operations), ..bytes }));
}

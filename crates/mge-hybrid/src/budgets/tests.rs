use super::*;
use crate::params::HybridParams;

fn budgets(params: HybridParams, inputs: usize, outputs: usize, is_large: bool) -> Budgets {
    Budgets::new(&params.check().expect("valid settings"), inputs, outputs, is_large)
}

fn up_to(max_ops: usize) -> HybridParams {
    HybridParams { max_ops: Some(max_ops), ..Default::default() }
}

#[test]
fn budgets_ascend_to_the_highest_and_no_further() {
    for max_ops in [6, 10, 45, 300, 1500] {
        for outputs in [1, 3] {
            for is_large in [false, true] {
                let budgets = budgets(up_to(max_ops), 20, outputs, is_large);
                assert!(budgets.all().is_sorted_by(|a, b| a < b), "{budgets:?}");
                assert_eq!(budgets.on_front().last(), Some(&max_ops));
                assert_eq!(budgets.highest(), *budgets.all().last().expect("some"));
            }
        }
    }
}

#[test]
fn neighbouring_budgets_differ_by_the_ratio_or_by_a_connection() {
    let params = HybridParams { budget_ratio: Some(1.5), ..up_to(400) };
    let budgets = budgets(params, 20, 1, false);
    for pair in budgets.on_front().windows(2) {
        let (low, high) = (pair[0] as f64, pair[1] as f64);
        assert!(high <= (low + 1.0) * 1.5 + 1.0 && high >= low + 1.0, "{low} {high}");
    }
}

#[test]
fn the_default_grows_with_the_classes_up_to_a_limit() {
    let highest = |outputs| {
        *budgets(HybridParams::default(), 20, outputs, false).on_front().last().expect("some")
    };
    assert_eq!([1, 3, 10, 26].map(highest), [300, 450, 1500, 2000]);
}

#[test]
fn wanted_budgets_are_on_the_front_where_they_can_be() {
    let params = HybridParams { budgets: vec![3, 33, 61, 500], ..up_to(90) };
    let budgets = budgets(params, 20, 3, false);
    let on_front = budgets.on_front();
    assert!(on_front.contains(&33) && on_front.contains(&61));
    assert!(!on_front.contains(&3) && !on_front.contains(&500));
}

#[test]
fn only_large_tables_have_auxiliary_budgets() {
    let small = budgets(up_to(61), 5, 3, false);
    assert_eq!(small.all(), small.on_front());
    let large = budgets(up_to(61), 5, 3, true);
    assert_eq!((large.on_front().last(), large.highest()), (Some(&61), 183));
    // Near the default there is no need for them.
    let near = budgets(up_to(440), 5, 3, true);
    assert_eq!(near.all(), near.on_front());
}

#[test]
fn features_that_cost_raise_the_highest_budget() {
    let params = HybridParams { feature_cost: 40, ..up_to(90) };
    let budgets = budgets(params, 5, 3, true);
    assert_eq!(budgets.highest(), 90 + 5 * 40);
    assert_eq!(budgets.all(), budgets.on_front(), "auxiliary budgets are for operations only");
}

#[test]
fn a_limit_of_bytes_has_budgets_close_to_it() {
    let params =
        HybridParams { max_bytes: Some(100), objective: Objective::Bytes, ..Default::default() };
    let budgets = budgets(params, 20, 3, false);
    for budget in [80, 87, 93, 100] {
        assert!(budgets.on_front().contains(&budget), "{budgets:?}");
    }
    assert_eq!(budgets.highest(), 100);
}

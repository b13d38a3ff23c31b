//! Rankings of methods over data sets.

use crate::{plan, results_with};
use mge_experiment::ExperimentPlan;

fn three_methods() -> ExperimentPlan {
    plan("data = ['wine', 'heart', 'wdbc']\nmethods = ['mge', 'mu', 'ge']\nprotocol = '3x70/30'")
}

/// The same order of methods on every data set.
fn accuracy_of(method: &str) -> f64 {
    match method {
        "mge" => 0.9,
        "mu" => 0.8,
        _ => 0.7,
    }
}

#[test]
fn mean_ranks_follow_the_mean_accuracies() {
    let results = results_with(&three_methods(), |run| accuracy_of(&run.method));
    let ranking = results.ranking().unwrap().unwrap();
    assert_eq!(ranking.methods, ["mge", "mu", "ge"]);
    assert_eq!(ranking.friedman.mean_ranks, [1.0, 2.0, 3.0]);
    assert!((ranking.critical_difference - 1.9137).abs() < 1e-3, "{ranking:?}");
    let notes = ranking.notes();
    assert!(notes[1].starts_with("Mean ranks: mge 1.00, mu 2.00, ge 3.00;"), "{notes:?}");
}

#[test]
fn tied_methods_have_the_mean_rank() {
    let results = results_with(&three_methods(), |run| match run.method.as_str() {
        "ge" => 0.7,
        _ => 0.9,
    });
    assert_eq!(results.ranking().unwrap().unwrap().friedman.mean_ranks, [1.5, 1.5, 3.0]);
}

#[test]
fn data_sets_without_all_methods_are_left_out() {
    let plan = plan(
        "protocol = '2x70/30'\n[[parts]]\ndata = ['wine', 'heart']\nmethods = ['mge', 'mu', 'ge']\n\
         [[parts]]\ndata = ['wdbc']\nmethods = ['mge', 'mu']",
    );
    let results = results_with(&plan, |run| accuracy_of(&run.method));
    assert_eq!(results.ranking().unwrap().unwrap().friedman.blocks, 2);
}

#[test]
fn two_methods_or_one_data_set_give_no_ranking() {
    for text in [
        "data = ['wine', 'heart']\nmethods = ['mge', 'mu']\nprotocol = '2x70/30'",
        "data = ['wine']\nmethods = ['mge', 'mu', 'ge']\nprotocol = '2x70/30'",
    ] {
        let results = results_with(&plan(text), |run| accuracy_of(&run.method));
        assert_eq!(results.ranking().unwrap(), None);
    }
}

//! A method that a program registers takes part in experiments like the built-in ones. It is the
//! method of the facade's example `own_method`. The registry belongs to the process, so this test
//! has a process of its own.

#![allow(clippy::unwrap_used)]

#[path = "../../mge/examples/own_method.rs"]
mod example;

use mge::Method;
use mge::method::register;
use mge_experiment::{
    ExperimentOptions, ExperimentPlan, Results, RunSummary, Store, estimate, run_experiment,
};
use std::sync::OnceLock;

/// The method, registered once for all tests.
fn method() -> Method {
    static METHOD: OnceLock<Method> = OnceLock::new();
    *METHOD.get_or_init(|| register(&example::RANDOM_SEARCH).unwrap())
}

fn plan() -> ExperimentPlan {
    method();
    let text = "
        name = 'own'
        data = ['wine', 'heart']
        protocol = '2x70/30'
        methods = [
            'random-search',
            { name = 'tiny', method = 'random-search', settings = { random-search = { neurons = 1 } } },
            'mge',
        ]
        settings = { stop = { generations = 3 } }
    ";
    ExperimentPlan::parse("own", text).unwrap()
}

#[test]
fn a_registered_method_is_run_stored_and_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let plan = plan();
    assert!(plan.unavailable_methods().is_empty());
    let runs = plan.runs().unwrap();
    let run = || run_experiment(&runs, &store, &ExperimentOptions::default(), |_| {}).unwrap();
    assert_eq!(run(), RunSummary { done: 12, ..RunSummary::default() });
    assert_eq!(run(), RunSummary { finished_before: 12, ..RunSummary::default() });

    let finished = store.read().unwrap();
    assert_eq!(estimate(&runs, &finished).guessed, 0);
    let results = Results::of(&plan, &finished).unwrap();
    let titles: Vec<String> = results.rows.iter().map(|row| row.title()).collect();
    assert_eq!(titles[..3], ["random-search", "tiny", "mge"]);
    assert!(results.rows.iter().all(|row| row.runs.len() == 2));
    assert!(results.rows[1].runs.iter().all(|run| run.size.neurons <= 1), "the table is read");
    assert!(results.rows[0].runs.iter().all(|run| run.search.evaluations == 3 * 200));
    assert_eq!(results.ranking().unwrap().unwrap().methods, ["random-search", "tiny", "mge"]);
}

#[test]
fn its_settings_are_part_of_the_key_and_of_the_written_plan() {
    let plan = plan();
    let runs = plan.runs().unwrap();
    assert_ne!(runs[0].key(), runs[2].key());
    assert_eq!(runs[0].algorithm_version(), method().algorithm_version());
    let files = plan.to_toml().unwrap();
    let again = ExperimentPlan::parse("again", &files[0].text).unwrap();
    assert_eq!(again.runs().unwrap(), runs, "{}", files[0].text);
}

#[test]
fn errors_name_it_and_check_its_table() {
    method();
    let error = |text: &str| {
        let plan = ExperimentPlan::parse("own", text);
        plan.and_then(|plan| plan.runs()).unwrap_err().to_string()
    };
    let unknown = error("data = ['wine']\nmethods = ['random']");
    assert!(unknown.contains("random-search"), "{unknown}");
    let wrong = error("data = ['wine']\nmethods = ['mge']\nsettings.random-search.neuron = 2");
    assert!(wrong.contains("unknown field `neuron`"), "{wrong}");
}

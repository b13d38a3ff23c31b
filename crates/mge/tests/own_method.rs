//! A method that a program registers has what the built-in ones have: a name, settings, models,
//! test accuracy, run folders, checkpoints. It is that of `examples/own_method.rs`.

#![allow(clippy::unwrap_used)]

#[path = "../examples/own_method.rs"]
mod example;

use example::RANDOM_SEARCH;
use mge::data::{Loaded, load};
use mge::method::{RegisterError, register};
use mge::{Fit, Fitted, Method, Model, ResolvedSettings, RunOptions, Settings};
use std::sync::OnceLock;
use std::time::Duration;

/// The method, registered once for all tests of this process.
fn method() -> Method {
    static METHOD: OnceLock<Method> = OnceLock::new();
    *METHOD.get_or_init(|| register(&RANDOM_SEARCH).unwrap())
}

fn wine() -> Loaded {
    load("wine", &Default::default()).unwrap()
}

fn fit(generations: u64) -> Fit<'static> {
    Fit::new().method(method()).seed(3).generations(generations)
}

#[test]
fn it_fits_a_model_that_comes_back_from_its_file() {
    let fitted: Fitted = fit(20).run(&wine()).unwrap();
    assert!(fitted.model.metrics.test.accuracy > 0.5);
    assert_eq!(fitted.model.search.evaluations, 20 * 200);
    let json = fitted.model.to_json();
    assert!(json.contains(r#""name": "random-search""#));
    let again = Model::from_json("m", json.as_bytes()).unwrap();
    assert_eq!(again, fitted.model);
    assert_eq!(again.settings.method.to_string(), "method random-search");
}

#[test]
fn its_table_is_read_and_checked() {
    method();
    let text = "method = 'random-search'\n[random-search]\nneurons = 2\ndraws = 5\n";
    let settings: Settings = toml::from_str(text).unwrap();
    let model = Fit::with(settings).seed(1).generations(2).run(&wine()).unwrap().model;
    assert_eq!((model.size.neurons, model.search.evaluations), (2, 10));
    let error = toml::from_str::<Settings>("[random-search]\nneuron = 2").unwrap_err().to_string();
    assert!(error.contains("unknown field `neuron`"), "{error}");
    let error = Settings::of_entries(&["random-search.draws=9"]).unwrap().resolve(&wine());
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("random-search.draws is a setting of method random-search"),
        "{error}"
    );
    let error = fit(1).population(9).run(&wine()).unwrap_err().to_string();
    assert!(error.starts_with("population is not a setting of method random-search"), "{error}");
}

#[test]
fn a_stopped_run_resumes_to_the_same_model() {
    let (data, folder) = (wine(), tempfile::tempdir().unwrap());
    let whole = fit(9).run(&data).unwrap();
    let run = |generations| {
        let resolved: ResolvedSettings = fit(generations).resolve(&data).unwrap();
        let json = serde_json::to_string(&resolved).unwrap();
        let resolved: ResolvedSettings = serde_json::from_str(&json).unwrap();
        let prepared = resolved.prepare(&data, RunOptions::new()).unwrap();
        let file = folder.path().join("checkpoint.bin");
        prepared.run_with_checkpoints(file, Duration::ZERO).unwrap().model
    };
    assert_eq!(run(4).search.generations, 4);
    let resumed = run(9);
    assert_eq!(resumed.network, whole.model.network);
    assert_eq!(resumed.search, whole.model.search);
}

#[test]
fn a_name_is_registered_once() {
    let method = method();
    assert_eq!("Random-Search".parse(), Ok(method));
    assert!(Method::all().contains(&method));
    let error = register(&RANDOM_SEARCH).unwrap_err();
    assert_eq!(error, RegisterError::Taken { name: "random-search" });
}

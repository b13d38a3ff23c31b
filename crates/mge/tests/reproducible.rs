//! Same seed, same bytes: for any number of threads, for both ways to evaluate, and for runs that
//! were stopped and resumed.

#![allow(clippy::unwrap_used)]

use mge::data::{Loaded, load};
use mge::{ClassWeight, DataSettings, EvaluationMode, Fit, Method, Model, Settings, Variant};
use proptest::prelude::*;
use std::time::Duration;

fn wine() -> Loaded {
    load("wine", &Default::default()).unwrap()
}

/// A way to search: a variant of MGE, the same with real weights, with those tuned by gradient, or
/// another method.
#[derive(Debug, Clone, Copy)]
enum Case {
    Mge(Variant),
    Real(Variant),
    Tuned(Variant),
    Other(Method),
}

fn cases() -> impl Iterator<Item = Case> {
    let others = Method::all().into_iter().filter(|&method| method != Method::MGE);
    let variants =
        Variant::ALL.into_iter().flat_map(|v| [Case::Mge(v), Case::Real(v), Case::Tuned(v)]);
    variants.chain(others.map(Case::Other))
}

/// Not all, so that the choice of those to tune is reproduced too.
const TUNED_FRACTION: &str = "mge.real.tuned_fraction=0.5";

fn paper() -> Fit<'static> {
    Fit::new().method(Method::MGE)
}

fn short(case: Case) -> Fit<'static> {
    let fit = |fit: Fit<'static>| fit.generations(25).seed(3);
    match case {
        Case::Mge(variant) => fit(paper()).population(40).variant(variant),
        Case::Real(variant) => {
            let mut settings = Settings { method: Some(Method::MGE), ..Settings::default() };
            settings.methods.of("mge").set("weights", "real");
            fit(Fit::with(settings)).population(40).variant(variant)
        }
        Case::Tuned(variant) => {
            let tuned = ["method=mge", "mge.weights=real", "mge.real.tuning=2", TUNED_FRACTION];
            let settings = Settings::of_entries(&tuned).unwrap();
            fit(Fit::with(settings)).population(40).variant(variant)
        }
        Case::Other(Method::HYBRID) => fit(small_front()),
        Case::Other(method) => fit(Fit::new()).population(40).method(method),
    }
}

/// The hybrid method, with little training.
fn small_front() -> Fit<'static> {
    let entries =
        ["method=hybrid", "hybrid.max_ops=40", "hybrid.budget_ratio=1.5", "hybrid.cv_repeats=1"];
    let settings = Settings::of_entries(&entries).unwrap();
    let quick = Settings::of_entries(&["hybrid.cv_folds=2", "hybrid.iterations=15"]).unwrap();
    Fit::with(quick.over(settings))
}

/// The whole model file: time and machine are elsewhere.
fn bytes(model: Model) -> String {
    model.to_json()
}

#[test]
fn threads_do_not_matter() {
    let data = wine();
    for case in cases() {
        let fit = |threads| bytes(short(case).threads(threads).run(&data).unwrap().model);
        let one = fit(1);
        assert_eq!(one, fit(2), "{case:?}");
        assert_eq!(one, fit(7), "{case:?}");
    }
}

#[test]
fn incremental_evaluation_does_not_matter() {
    let data = wine();
    for case in cases() {
        let fit = |evaluation| {
            let fitted = short(case).evaluation(evaluation).run(&data).unwrap();
            (bytes(fitted.model), fitted.history)
        };
        let full = fit(EvaluationMode::Full);
        assert_eq!(full, fit(EvaluationMode::default()), "{case:?}");
        assert_eq!(full, fit(EvaluationMode::Incremental { mebibytes: 0 }), "{case:?}, no memory");
    }
}

#[test]
fn a_stopped_run_resumes_to_the_same_model_and_history() {
    let data = wine();
    let folder = tempfile::tempdir().unwrap();
    for (case, cut) in cases().flat_map(|case| [1, 7, 24].map(|cut| (case, cut))) {
        let whole = short(case).run(&data).unwrap();
        let file = folder.path().join(format!("checkpoint-{case:?}-{cut}"));
        let run = |generations| {
            let fit = short(case).generations(generations);
            let ready = fit.prepare(&data).unwrap();
            ready.run_with_checkpoints(&file, Duration::ZERO).unwrap()
        };
        run(cut);
        let rest = run(25);
        assert_eq!(bytes(rest.model), bytes(whole.model), "{case:?} cut at {cut}");
        assert_eq!(rest.history, whole.history);
        assert_eq!(rest.genotype, whole.genotype);
    }
}

#[test]
fn patience_ends_a_stopped_run_where_it_ends_a_whole_one() {
    let data = wine();
    let folder = tempfile::tempdir().unwrap();
    for case in [Case::Mge(Variant::Mge), Case::Other(Method::NEAT), Case::Other(Method::HYBRID)] {
        let fit = |generations| short(case).generations(generations).patience(3);
        let whole = fit(1000).run(&data).unwrap();
        assert_eq!(whole.model.search.stop_reason, mge::evolve::StopReason::Patience, "{case:?}");
        let losses: Vec<f64> = whole.history.iter().map(|record| record.best_loss).collect();
        let (end, before) = (losses.len() as u64, losses.len() - 4);
        assert!(losses[before..].iter().all(|loss| *loss >= losses[before]), "{case:?} {losses:?}");
        let file = folder.path().join(format!("checkpoint-{case:?}"));
        // Stopped before patience ends, and once more after its end.
        for generations in [end - 2, end - 1, 1000, 1000] {
            let ready = fit(generations).prepare(&data).unwrap();
            let fitted = ready.run_with_checkpoints(&file, Duration::ZERO).unwrap();
            assert_eq!(fitted.model.search.generations, end.min(generations), "{case:?}");
        }
    }
}

#[test]
fn a_checkpoint_never_continues_under_other_settings_or_data() {
    let data = wine();
    let folder = tempfile::tempdir().unwrap();
    let run = |fit: Fit<'_>, data: &Loaded| {
        let ready = fit.prepare(data).unwrap();
        ready.run_with_checkpoints(folder.path().join("checkpoint"), Duration::ZERO)
    };
    let mge = || short(Case::Mge(Variant::Mge));
    run(mge(), &data).unwrap();
    let message = |fit, data| run(fit, data).unwrap_err().to_string();
    assert!(message(short(Case::Mge(Variant::Beta)), &data).contains("belongs to another run"));
    assert!(message(short(Case::Other(Method::NEAT)), &data).contains("belongs to another run"));
    assert!(message(short(Case::Real(Variant::Mge)), &data).contains("belongs to another run"));
    assert!(message(short(Case::Tuned(Variant::Mge)), &data).contains("belongs to another run"));
    assert!(message(mge().seed(4), &data).contains("belongs to another run"));
    let other = load("heart", &Default::default()).unwrap();
    assert!(message(mge(), &other).contains("belongs to another run"));
}

#[test]
fn the_search_saw_the_loss_that_the_model_has() {
    let data = wine();
    // One-versus-all saw the losses of its binary searches, not that of all classes together, and
    // the hybrid method looks at rows that did not train.
    let others = [Method::OVA_NEAT, Method::HYBRID];
    for case in cases().filter(|case| !matches!(case, Case::Other(other) if others.contains(other)))
    {
        let model = short(case).run(&data).unwrap().model;
        let (seen, measured) = (model.search.best_loss, model.metrics.train.loss);
        assert!((seen - measured).abs() < 1e-4 * (1.0 + measured), "{case:?}: {seen} {measured}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn weighted_classes_have_the_same_loss_in_both_ways(
        seed: u64, variant in prop::sample::select(Variant::ALL.to_vec()), mebibytes in 0usize..2,
        threads in 1usize..4,
    ) {
        let data = wine();
        let weighted = DataSettings { class_weight: Some(ClassWeight::Balanced), ..Default::default() };
        let fit = |evaluation| {
            let fit = Fit::with(Settings { data: weighted.clone(), ..Default::default() })
                .method(Method::MGE).variant(variant).population(30).generations(12).seed(seed).threads(threads);
            let fitted = fit.evaluation(evaluation).run(&data).unwrap();
            (bytes(fitted.model), fitted.history)
        };
        let full = fit(EvaluationMode::Full);
        prop_assert_eq!(full, fit(EvaluationMode::Incremental { mebibytes }));
    }

    #[test]
    fn test_rows_change_nothing_in_the_model(seed in 0u64..1000, noise in -5.0f32..5.0) {
        use mge::data::{Split, Table, Values};
        let data = wine();
        let split = Split::by_fraction(data.table.rows(), 0.7, seed).unwrap();
        let mut columns = data.table.columns().to_vec();
        for column in &mut columns {
            if let Values::Number(cells) = &mut column.values {
                split.test.iter().for_each(|&row| cells[row as usize] += noise);
            }
        }
        let mut changed = data.clone();
        changed.table = Table::new(data.table.name(), columns).unwrap();
        for fit in [|| paper().population(20), small_front] {
            let fit = |data: &Loaded| {
                let model = fit().generations(5).seed(seed).run(data).unwrap().model;
                (model.network, model.preprocess, model.metrics.train)
            };
            prop_assert_eq!(fit(&data), fit(&changed));
        }
    }
}

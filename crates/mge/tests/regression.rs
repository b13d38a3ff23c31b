//! Targets that are numbers: every method, in the units of the target, the same bytes for any
//! number of threads and after a stop.

#![allow(clippy::unwrap_used)]

use mge::data::{LoadOptions, Loaded, TargetColumn, load_bytes};
use mge::net::{Loss, reference};
use mge::{
    EvaluationMode, Fit, FitError, Method, Model, Settings, SplitRecord, TaskKind, TaskName,
    Variant,
};
use std::fmt::Write;
use std::time::Duration;

/// Rows with two measurements, `y` and `z`, a group and a day.
fn text(rows: usize) -> String {
    let mut text = String::from("a,b,colour,group,day,y,z\n");
    for row in 0..rows {
        let a = (row * 37 % 101) as f64 / 50.0 - 1.0;
        let b = (row * 61 % 97) as f64 / 48.0 - 1.0;
        let noise = (row * 17 % 23) as f64 / 230.0;
        let (y, z) = (500.0 + 40.0 * a * a + 25.0 * b + noise, 0.01 * a - 0.02 * b + noise * 0.01);
        let colour = ["red", "blue"][row % 2];
        writeln!(text, "{a},{b},{colour},{},{row},{y},{z}", row / 5).unwrap();
    }
    text
}

fn table_of(text: &str, target: &str) -> Loaded {
    let target = TargetColumn::Named(target.to_owned());
    load_bytes("t.csv", text, &LoadOptions { target, ..LoadOptions::default() }).unwrap()
}

fn table(target: &str) -> Loaded {
    table_of(&text(160), target)
}

fn settings(entries: &[&str]) -> Settings {
    Settings::of_entries(entries).unwrap()
}

const HYBRID: &[&str] = &[
    "hybrid.max_ops=60",
    "hybrid.budget_ratio=1.6",
    "hybrid.cv_repeats=1",
    "hybrid.cv_folds=3",
    "hybrid.iterations=40",
    "stop.generations=4",
    "seed=3",
    "data.drop=['z','group','day']",
];

fn small_hybrid() -> Fit<'static> {
    Fit::with(settings(HYBRID))
}

/// Every method that takes numbers, and every variant of method mge.
fn cases() -> Vec<(String, Vec<String>)> {
    let common = ["stop.generations=20", "seed=3", "data.drop=['z','group','day']"];
    let of = |name: String, own: &[&str]| {
        let entries = common.iter().chain(own).map(|entry| (*entry).to_owned()).collect();
        (name, entries)
    };
    let mut cases = Vec::new();
    for variant in Variant::ALL {
        let variant_entry = format!("variant={variant}");
        for own in [
            &["mge.weights=codon"][..],
            &["mge.weights=real"],
            &["mge.weights=real", "mge.real.tuning=2", "mge.real.tuned_fraction=0.5"],
        ] {
            let own: Vec<&str> = ["method=mge", "evolution.population=40", &variant_entry]
                .into_iter()
                .chain(own.iter().copied())
                .collect();
            cases.push(of(format!("{variant} {:?}", &own[3..]), &own));
        }
    }
    for method in Method::all() {
        let name = method.name();
        let method_entry = format!("method={name}");
        match method {
            Method::MGE | Method::OVA_NEAT => {}
            Method::HYBRID => {
                let entries = HYBRID.iter().map(|entry| (*entry).to_owned()).collect();
                cases.push((name.to_owned(), entries));
            }
            Method::NEAT => cases.push(of(name.into(), &[&method_entry, "neat.population=40"])),
            _ => cases.push(of(name.into(), &[&method_entry, "evolution.population=40"])),
        }
    }
    cases
}

fn fit_of(entries: &[String]) -> Fit<'static> {
    Fit::with(Settings::of_entries(entries).unwrap())
}

#[test]
fn every_method_learns_a_number_with_the_same_bytes_on_any_threads_and_in_any_evaluation() {
    let data = table("y");
    for (name, entries) in cases() {
        let fit = || fit_of(&entries);
        let model = fit().threads(1).run(&data).unwrap().model;
        assert_eq!(model.kind(), TaskKind::Values { outputs: 1 }, "{name}");
        assert_eq!(model.settings.loss, Loss::MeanSquaredError);
        // Better than the mean.
        assert!(model.metrics.train.accuracy > 0.1, "{name}: {:?}", model.metrics.train);
        let bytes = model.to_json();
        for threads in [2, 7] {
            assert_eq!(bytes, fit().threads(threads).run(&data).unwrap().model.to_json(), "{name}");
        }
        for mode in [EvaluationMode::Full, EvaluationMode::Incremental { mebibytes: 0 }] {
            assert_eq!(bytes, fit().evaluation(mode).run(&data).unwrap().model.to_json(), "{name}");
        }
    }
}

#[test]
fn a_stopped_run_resumes_to_the_same_model() {
    let data = table("y");
    let folder = tempfile::tempdir().unwrap();
    for (index, (name, entries)) in cases().into_iter().enumerate() {
        let whole = fit_of(&entries).run(&data).unwrap();
        let generations = whole.model.search.generations;
        let file = folder.path().join(format!("checkpoint-{index}"));
        let run = |generations| {
            let ready = fit_of(&entries).generations(generations).prepare(&data).unwrap();
            ready.run_with_checkpoints(&file, Duration::ZERO).unwrap()
        };
        run(generations / 2);
        let rest = run(generations);
        assert_eq!(rest.model.to_json(), whole.model.to_json(), "{name}");
        assert_eq!(rest.history, whole.history, "{name}");
    }
}

#[test]
fn one_versus_all_refuses_numbers() {
    let own = Settings { method: Some(Method::OVA_NEAT), ..Settings::default() };
    let error = Fit::with(own).run(&table("y")).unwrap_err().to_string();
    assert!(error.contains("one network for each class"), "{error}");
}

#[test]
fn metrics_are_those_of_the_predictions_in_the_units_of_the_target() {
    let data = table("y");
    let fitted = small_hybrid().run(&data).unwrap();
    let model = &fitted.model;
    assert!(model.metrics.test.accuracy > 0.9, "{:?}", model.metrics.test);
    let measured = model.evaluate(&data.table).unwrap().metrics;
    let predictions = model.predict(&data.table).unwrap();
    let truth = data.value_target().unwrap();
    let (predicted, truth) = (&predictions.values()[0], &truth.values()[0]);
    let rows = truth.len() as f64;
    let squares: f64 = predicted.iter().zip(truth).map(|(p, t)| (p - t) * (p - t)).sum();
    assert!((measured.rmse - (squares / rows).sqrt()).abs() < 1e-9);
    let mean = truth.iter().sum::<f64>() / rows;
    let variance: f64 = truth.iter().map(|t| (t - mean) * (t - mean)).sum();
    assert!((measured.accuracy - (1.0 - squares / variance)).abs() < 1e-9);
    let mae = predicted.iter().zip(truth).map(|(p, t)| (p - t).abs()).sum::<f64>() / rows;
    let values = measured.values.unwrap();
    assert!((values.mae - mae).abs() < 1e-9);
    assert!(values.median_absolute_error <= values.mae * 2.0);
    // The loss is that of scaled targets.
    let deviation = model.target_scale().unwrap().columns()[0].deviation;
    assert!((measured.loss - squares / rows / deviation / deviation).abs() < 1e-6);
    // Parts of the run are measured in the same way.
    let SplitRecord::Fraction { .. } = model.data.split else { panic!("a fraction") };
    let strata = mge::Task::of(&data, TaskName::Regress).unwrap().strata();
    let split = model.data.split.rows(&data.table, &strata, model.settings.seed).unwrap();
    let test = model.evaluate(&data.table.select(&split.test)).unwrap().metrics;
    assert_eq!(test, model.metrics.test);
    // The front has the same targets.
    let front = fitted.front.unwrap();
    assert!(front.points.iter().all(|point| point.metrics.as_ref().unwrap().test.values.is_some()));
}

#[test]
fn the_network_in_units_computes_the_predictions() {
    let data = table("y,z");
    let fit = Fit::with(settings(&["data.drop=['group','day']"]).over(settings(HYBRID)));
    let model = fit.run(&data).unwrap().model;
    let columns = model.preprocess.apply(&data.table, None).unwrap().columns;
    let sums = reference::values_of(&model.network_in_units(), &columns).unwrap();
    let predictions = model.predict(&data.table).unwrap();
    for (index, column) in predictions.values().iter().enumerate() {
        let deviation = model.target_scale().unwrap().columns()[index].deviation;
        for (row, value) in column.iter().enumerate() {
            let sum = sums[index * data.table.rows() + row];
            assert!((sum - value).abs() < 1e-5 * deviation.max(value.abs()), "{sum} {value}");
        }
    }
}

#[test]
fn several_targets_share_one_network() {
    let data = table("y,z");
    let fit = Fit::with(settings(&["data.drop=['group','day']"]).over(settings(HYBRID)));
    let model = fit.run(&data).unwrap().model;
    assert_eq!(model.kind(), TaskKind::Values { outputs: 2 });
    assert_eq!(model.target_columns(), ["y", "z"]);
    assert!(!model.preprocess.feature_names().iter().any(|name| *name == "y" || *name == "z"));
    let values = model.metrics.test.values.clone().unwrap();
    assert_eq!(values.outputs.len(), 2);
    assert!(values.outputs.iter().all(|output| output.r2 > 0.5), "{values:?}");
    assert!((values.r2 - (values.outputs[0].r2 + values.outputs[1].r2) / 2.0).abs() < 1e-12);
}

#[test]
fn a_shifted_and_stretched_target_gives_the_same_network() {
    let stretched = |factor: f64, shift: f64| {
        let mut lines = text(160).lines().map(str::to_owned).collect::<Vec<_>>();
        for line in &mut lines[1..] {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            let y: f64 = cells[5].parse().unwrap();
            cells[5] = format!("{}", y * factor + shift);
            *line = cells.join(",");
        }
        let data = table_of(&(lines.join("\n") + "\n"), "y");
        small_hybrid().run(&data).unwrap().model
    };
    // Powers of two round nothing.
    let (own, larger) = (stretched(1.0, 0.0), stretched(1024.0, 0.0));
    assert_eq!(own.network, larger.network);
    assert_eq!(own.metrics.test.rmse * 1024.0, larger.metrics.test.rmse);
    assert_eq!(own.metrics.test.accuracy, larger.metrics.test.accuracy);
    // Far from zero.
    let shifted = stretched(1.0, 1e6);
    assert!((own.metrics.test.rmse - shifted.metrics.test.rmse).abs() < 0.5, "{shifted:?}");
}

#[test]
fn every_loss_trains_and_quantiles_enclose_their_rows() {
    let data = table("y");
    let fraction_below = |loss: &str| {
        let own = settings(&[&format!("loss='{loss}'")]);
        let model = Fit::with(own.over(settings(HYBRID))).run(&data).unwrap().model;
        assert_eq!(model.settings.loss.to_string(), loss);
        assert_eq!(Model::from_json("m", model.to_json().as_bytes()).unwrap(), model);
        assert!(model.metrics.test.accuracy > 0.4, "{loss}: {:?}", model.metrics.test);
        let predictions = model.predict(&data.table).unwrap();
        let truth = data.value_target().unwrap();
        let pairs = predictions.values()[0].iter().zip(&truth.values()[0]);
        pairs.filter(|(p, t)| t <= p).count() as f64 / data.table.rows() as f64
    };
    for loss in ["mae", "huber:0.5"] {
        fraction_below(loss);
    }
    let (low, high) = (fraction_below("pinball:0.1"), fraction_below("pinball:0.9"));
    assert!(low < 0.3 && high > 0.7, "{low} {high}");
}

#[test]
fn model_files_come_back_and_say_their_version() {
    let model = small_hybrid().run(&table("y")).unwrap().model;
    let json = model.to_json();
    assert!(json.contains("\"version\": 3") && json.contains("\"task\": \"regress\""), "{json}");
    assert!(json.contains("\"r2\"") && !json.contains("\"confusion\""));
    assert_eq!(Model::from_json("m", json.as_bytes()).unwrap(), model);
    let error = |from: &str, to: &str| {
        assert!(json.contains(from), "{from}");
        Model::from_json("m", json.replace(from, to).as_bytes()).unwrap_err().to_string()
    };
    assert!(error("\"version\": 3", "\"version\": 2").contains("the version is 2, expected 3"));
    assert!(error("\"version\": 3", "\"version\": 4").contains("4"));
    assert!(error("\"loss\": \"mse\"", "\"loss\": \"ce\"").contains("the task and the loss"));
    assert!(error("\"deviation\": ", "\"deviation\": -").contains("deviation above 0"));
}

#[test]
fn folds_groups_and_time_split_numbers_too() {
    let data = table("y");
    let run =
        |own: &[&str]| Fit::with(settings(own).over(settings(HYBRID))).run(&data).unwrap().model;
    let model = run(&["data.folds=3", "stop.generations=1", "data.stratified=true"]);
    let folds = model.cross_validation.unwrap();
    assert_eq!(folds.folds, 3);
    assert!(folds.accuracy.mean > 0.2, "{folds:?}");
    let values = model.metrics.test.values.unwrap();
    assert!((values.r2 - folds.accuracy.mean).abs() < 0.01, "{values:?} {folds:?}");
    for own in ["data.groups='group'", "data.time='day'", "data.stratified=true"] {
        let own = [own, "stop.generations=1", "data.drop=['z']"];
        // One generation makes a linear model.
        let metrics = run(&own).metrics.test;
        assert!(metrics.accuracy > 0.2 && metrics.values.is_some(), "{own:?} {metrics:?}");
    }
}

#[test]
fn large_tables_are_learned_by_their_own_strategy() {
    let data = table_of(&text(1500), "y");
    let own = settings(&["hybrid.large_table_rows=1000", "stop.generations=3"]);
    let fit = || Fit::with(own.clone().over(settings(HYBRID)));
    let model = fit().threads(1).run(&data).unwrap().model;
    assert!(model.metrics.test.accuracy > 0.9, "{:?}", model.metrics.test);
    assert_eq!(model.to_json(), fit().threads(3).run(&data).unwrap().model.to_json());
}

#[test]
fn the_task_may_be_asked_for() {
    let data = table("y");
    let error = Fit::with(settings(&["task=classify"])).run(&data).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("class"), "{error}");
    // Few whole numbers are classes unless somebody says otherwise.
    let rows: String = (0..90).map(|row| format!("{},{}\n", row % 9, row % 3)).collect();
    let data = table_of(&format!("x,y\n{rows}"), "y");
    let kind = |own: &[&str]| Fit::with(settings(own)).prepare(&data).unwrap().task().kind();
    assert_eq!(kind(&[]), TaskKind::Classes(3));
    assert_eq!(kind(&["task=regress"]), TaskKind::Values { outputs: 1 });
}

#[test]
fn what_cannot_be_learned_is_a_clear_error() {
    let fails = |own: &[&str], text: &str| -> String {
        let own = settings(own).over(settings(&["task=regress", "stop.generations=1"]));
        let error: FitError = Fit::with(own).run(&table_of(text, "y")).map(|_| ()).unwrap_err();
        error.to_string()
    };
    let good = text(40);
    let message = fails(&["data.class_weight=balanced"], &good);
    assert!(message.contains("data.class_weight is about classes"), "{message}");
    let message = fails(&["loss=ce"], &good);
    assert!(message.contains("loss ce") && message.contains("pinball"), "{message}");
    let with = |y: &str| good.clone() + &format!("0.5,0.5,red,9,41,{y},0.1\n");
    for (cell, expected) in
        [("high", "`high`"), ("", "without a number"), ("1e30", "1e30"), ("inf", "inf")]
    {
        let message = fails(&[], &with(cell));
        assert!(message.contains(expected), "{cell}: {message}");
    }
    assert!(fails(&[], "a,y\n1,2\n2,2\n3,2\n4,2\n").contains("in every row"));
    assert!(fails(&[], "a,y\n1,2\n").contains("1 row"));
    // Constant where it trains, and not where it tests.
    let rows: String = (0..20).map(|row| format!("{row},{}\n", u32::from(row > 17))).collect();
    let message = fails(&["data.time='a'", "data.time_feature=true"], &format!("a,y\n{rows}"));
    assert!(message.contains("the training part"), "{message}");
}

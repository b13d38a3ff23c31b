//! Numbers on the command line: fit, predict and evaluate agree, and say what they do.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

/// Rows with two measurements. Only the first quarter of `y` is far from the rest.
fn table(folder: &Path) {
    let mut text = String::from("a,b,kind,y,z\n");
    for row in 0..120 {
        let (a, b) = ((row * 37 % 101) as f64 / 50.0 - 1.0, (row * 61 % 97) as f64 / 48.0 - 1.0);
        let kind = ["left", "right"][row % 2];
        let y = 2000.0 + 12.5 * a * a + 4.0 * b + (row * 17 % 23) as f64 / 46.0;
        let missing = if row == 7 { "?".to_owned() } else { format!("{a:.3}") };
        writeln!(text, "{missing},{b:.3},{kind},{y:.3},{:.4}", 0.01 * b - 0.004 * a).unwrap();
    }
    std::fs::write(folder.join("numbers.csv"), text).unwrap();
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn succeed(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = run(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn fail(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const QUICK: [&str; 8] =
    ["--seed", "3", "--generations", "2", "--max-ops", "60", "--no-baselines", "--quiet"];

#[test]
fn predictions_give_the_metrics_that_evaluate_prints() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path());
    let fit = ["fit", "numbers.csv", "--target", "y", "--drop", "z", "--out", "run"];
    let (summary, notes) = succeed(folder.path(), &[&fit[..], &QUICK].concat());
    assert!(notes.contains("regression: ") && notes.contains("--task classify"), "{notes}");
    assert!(summary.contains("r2 ") && summary.contains("mae "), "{summary}");
    let model = "run/model.json";
    let (predicted, _) = succeed(folder.path(), &["predict", model, "numbers.csv", "--header"]);
    let mut lines = predicted.lines();
    assert_eq!(lines.next(), Some("y"));
    let predicted: Vec<f64> = lines.map(|line| line.parse().unwrap()).collect();
    let text = std::fs::read_to_string(folder.path().join("numbers.csv")).unwrap();
    let cell = |line: &str| line.split(',').nth(3).unwrap().parse().unwrap();
    let truth: Vec<f64> = text.lines().skip(1).map(cell).collect();
    assert_eq!(predicted.len(), truth.len());
    let errors = || predicted.iter().zip(&truth).map(|(p, t)| p - t);
    let rows = truth.len() as f64;
    let squares: f64 = errors().map(|error| error * error).sum();
    let mean = truth.iter().sum::<f64>() / rows;
    let variance: f64 = truth.iter().map(|t| (t - mean) * (t - mean)).sum();
    let (json, _) = succeed(folder.path(), &["evaluate", model, "numbers.csv", "--json"]);
    let measured: Value = serde_json::from_str(&json).unwrap();
    let is = |name: &str, expected: f64| {
        let found = measured[name].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{name}: {found}");
    };
    is("rmse", (squares / rows).sqrt());
    is("r2", 1.0 - squares / variance);
    is("mae", errors().map(f64::abs).sum::<f64>() / rows);
    assert_eq!(measured["targets"], serde_json::json!(["y"]));
    assert!(measured["r2"].as_f64().unwrap() > 0.9, "{json}");
    assert!(measured.get("accuracy").is_none() && measured.get("confusion").is_none(), "{json}");
    let (test, _) = succeed(folder.path(), &["evaluate", model, "numbers.csv", "--part", "test"]);
    assert!(test.contains("(36 rows)") && test.contains("r2 "), "{test}");
    let (shown, _) = succeed(folder.path(), &["show", model]);
    assert!(shown.contains("y = output1") && !shown.contains("softmax"), "{shown}");
    let error = fail(folder.path(), &["predict", model, "numbers.csv", "--proba"]);
    assert!(error.contains("--proba is about classes"), "{error}");
    let error = fail(folder.path(), &["export", model, "--to", "c", "--out", "code"]);
    assert!(error.contains("predicts numbers"), "{error}");
}

#[test]
fn several_targets_are_predicted_in_columns() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path());
    let fit = ["fit", "numbers.csv", "--target", "y,z", "--json", "--out", "run"];
    let (json, _) = succeed(folder.path(), &[&fit[..], &QUICK].concat());
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["targets"], serde_json::json!(["y", "z"]));
    assert!(report["test_r2"].is_number() && report.get("test_accuracy").is_none(), "{json}");
    let predict = ["predict", "run/model.json", "numbers.csv", "--header"];
    let (predicted, _) = succeed(folder.path(), &predict);
    assert_eq!(predicted.lines().next(), Some("y,z"));
    assert_eq!(predicted.lines().nth(1).unwrap().split(',').count(), 2);
    let (text, _) = succeed(folder.path(), &["evaluate", "run/model.json", "numbers.csv"]);
    assert!(text.contains("target") && text.lines().any(|line| line.starts_with("z ")), "{text}");
}

#[test]
fn tasks_and_losses_may_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path());
    let fit = |own: &[&'static str]| {
        [&["fit", "numbers.csv", "--target", "y", "--drop", "z"][..], own, &QUICK].concat()
    };
    let (json, _) = succeed(folder.path(), &fit(&["--quantile", "0.9", "--out", "high", "--json"]));
    assert!(json.contains("test_r2"), "{json}");
    let model = std::fs::read_to_string(folder.path().join("high/model.json")).unwrap();
    assert!(model.contains("\"loss\": \"pinball:0.9\""));
    let error = fail(folder.path(), &fit(&["--quantile", "1.5"]));
    assert!(error.contains("between 0 and 1"), "{error}");
    let error = fail(folder.path(), &fit(&["--loss", "ce"]));
    assert!(error.contains("loss ce") && error.contains("pinball"), "{error}");
    let error = fail(folder.path(), &fit(&["--class-weight", "balanced"]));
    assert!(error.contains("about classes"), "{error}");
    let error = fail(folder.path(), &fit(&["--task", "classify"]));
    assert!(error.contains("class"), "{error}");
    let ova = ["fit", "numbers.csv", "--target", "y", "--method", "ova-neat"];
    let error = fail(folder.path(), &ova);
    assert!(error.contains("one network for each class"), "{error}");
    // A run that ended continues in the same task.
    let resume = ["fit", "--resume", "high", "--generations", "3", "--quiet"];
    let (text, _) = succeed(folder.path(), &resume);
    assert!(text.contains("r2 "), "{text}");
}

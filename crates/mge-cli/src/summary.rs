//! What `mge fit` prints at its end: the summary for people, or one JSON object.

use crate::choices::{self, Choice};
use crate::{pick, print};
use mge::hybrid::{HybridParams, Limits};
use mge::net::{Metrics, confusion};
use mge::{BaselineResult, CrossValidation, Fitted, Model, NetworkFront, RunFolder};
use serde::Serialize;

/// What `fit --json` prints.
#[derive(Serialize)]
struct FitReport<'a> {
    dataset: &'a str,
    method: String,
    /// Of MGE only.
    variant: Option<&'a str>,
    seed: u64,
    generations: u64,
    evaluations: u64,
    stop_reason: String,
    seconds: f64,
    train_loss: f64,
    #[serde(flatten)]
    scores: Scores,
    train_rmse: f64,
    test_rmse: f64,
    hidden_layers: usize,
    neurons: usize,
    connections: usize,
    features: usize,
    operations: usize,
    sparsity: f64,
    invalid_genes: u64,
    invalid_individuals: u64,
    /// Of methods that map by a grammar.
    grammar: Option<&'a str>,
    train_rows: usize,
    test_rows: usize,
    test_loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_validation: Option<&'a CrossValidation>,
    /// As an int8 table.
    bytes: usize,
    #[serde(skip_serializing_if = "<[BaselineResult]>::is_empty")]
    baselines: &'a [BaselineResult],
    /// Of methods that keep one.
    #[serde(skip_serializing_if = "Option::is_none")]
    front: Option<Vec<pick::FrontLine>>,
    /// The networks of the front that a user may want.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<Choice>,
    model: String,
}

/// The scores of a task, in the names of that task.
#[derive(Serialize)]
#[serde(untagged)]
enum Scores {
    Classes {
        train_accuracy: f64,
        test_accuracy: f64,
        /// The 95 % Wilson interval of the test accuracy.
        test_accuracy_interval: (f64, f64),
        test_balanced_accuracy: f64,
        test_macro_f1: f64,
    },
    Values {
        targets: Vec<String>,
        train_r2: f64,
        test_r2: f64,
        train_mae: f64,
        test_mae: f64,
        train_median_absolute_error: f64,
        test_median_absolute_error: f64,
    },
}

impl Scores {
    fn of(model: &Model) -> Self {
        let (train, test) = (&model.metrics.train, &model.metrics.test);
        match (&train.values, &test.values) {
            (Some(of_train), Some(of_test)) => Self::Values {
                targets: model.target_columns(),
                train_r2: of_train.r2,
                test_r2: of_test.r2,
                train_mae: of_train.mae,
                test_mae: of_test.mae,
                train_median_absolute_error: of_train.median_absolute_error,
                test_median_absolute_error: of_test.median_absolute_error,
            },
            _ => Self::Classes {
                train_accuracy: train.accuracy,
                test_accuracy: test.accuracy,
                test_accuracy_interval: accuracy_interval(test),
                test_balanced_accuracy: confusion::balanced_accuracy(&test.confusion),
                test_macro_f1: confusion::macro_f1(&test.confusion),
            },
        }
    }
}

/// The name of the score in which higher is better.
pub fn score_name(metrics: &Metrics) -> &'static str {
    if metrics.values.is_some() { "r2" } else { "accuracy" }
}

/// Score, RMSE and loss on both parts; of a regression in the units of the targets.
pub fn metric_lines(model: &Model) -> Vec<(&'static str, String)> {
    let (train, test) = (&model.metrics.train, &model.metrics.test);
    if test.rows == 0 {
        let score = format!("training {:.4}; no row was kept for a test", train.accuracy);
        return vec![(score_name(train), score), ("rmse", format!("training {:.4}", train.rmse))];
    }
    let both = |test: f64, train: f64| format!("test {test:.4}, training {train:.4}");
    let (Some(of_train), Some(of_test)) = (&train.values, &test.values) else {
        return class_lines(train, test);
    };
    let mut lines = vec![(score_name(test), both(test.accuracy, train.accuracy))];
    let in_units = |test: f64, train: f64| {
        format!("test {}, training {}", print::short(test), print::short(train))
    };
    lines.push(("rmse", in_units(test.rmse, train.rmse)));
    lines.push(("mae", in_units(of_test.mae, of_train.mae)));
    lines
}

fn loss_line(train: &Metrics, test: &Metrics) -> String {
    match test.rows {
        0 => format!("training {:.4}", train.loss),
        _ => format!("test {:.4}, training {:.4}", test.loss, train.loss),
    }
}

/// Accuracy and RMSE. Where some classes have far fewer rows than others, also what the accuracy
/// hides.
fn class_lines(train: &Metrics, test: &Metrics) -> Vec<(&'static str, String)> {
    let (low, high) = accuracy_interval(test);
    let accuracy = format!(
        "test {:.4} (95 % interval {low:.4} to {high:.4}), training {:.4}",
        test.accuracy, train.accuracy
    );
    let mut lines = vec![("accuracy", accuracy)];
    if confusion::is_uneven(&test.confusion) {
        let balanced = confusion::balanced_accuracy(&test.confusion);
        let f1 = confusion::macro_f1(&test.confusion);
        lines.push(("by class", format!("test {balanced:.4} balanced accuracy, {f1:.4} macro F1")));
    }
    lines.push(("rmse", format!("test {:.4}, training {:.4}", test.rmse, train.rmse)));
    lines
}

/// The 95 % interval of an accuracy.
fn accuracy_interval(metrics: &Metrics) -> (f64, f64) {
    let correct = (0..metrics.confusion.len()).map(|class| metrics.confusion[class][class]).sum();
    confusion::wilson_interval(correct, metrics.rows as u64)
}

/// Prints the summary of a fit, or its JSON object.
pub fn print(fitted: &Fitted, folder: &RunFolder, json: bool) -> anyhow::Result<()> {
    let model = &fitted.model;
    let (train, test, size) = (&model.metrics.train, &model.metrics.test, &model.size);
    let method = &model.settings.method;
    let path = folder.model_file().display().to_string();
    let choices = fitted.front.as_ref().map_or_else(Vec::new, |front| {
        choices::of(front, &limits(model), &model.network, folder.path())
    });
    if json {
        return print::json(&FitReport {
            dataset: &model.data.name,
            method: method.method().to_string(),
            variant: method.variant(),
            seed: model.settings.seed,
            generations: model.search.generations,
            evaluations: model.search.evaluations,
            stop_reason: model.search.stop_reason.to_string(),
            seconds: fitted.run.seconds,
            train_loss: train.loss,
            scores: Scores::of(model),
            train_rmse: train.rmse,
            test_rmse: test.rmse,
            hidden_layers: size.hidden_layers,
            neurons: size.neurons,
            connections: size.connections,
            features: size.features,
            operations: size.operations,
            sparsity: size.sparsity,
            invalid_genes: model.search.invalid_genes,
            invalid_individuals: model.search.invalid_individuals,
            grammar: method.grammar().map(|grammar| grammar.name.as_str()),
            train_rows: train.rows,
            test_rows: test.rows,
            test_loss: test.loss,
            cross_validation: model.cross_validation.as_ref(),
            bytes: mge::net::table_bytes(&model.network),
            baselines: &fitted.baselines,
            front: fitted.front.as_ref().map(|front| pick::lines(front, &model.network, false)),
            choices,
            model: path,
        });
    }
    let search = &model.search;
    let rate = search.evaluations as f64 / fitted.run.seconds.max(1e-9);
    if let Some(folds) = &model.cross_validation {
        print::out(&crate::folds::summary(folds, score_name(test)))?;
    }
    let mut lines = metric_lines(model);
    lines.extend([
        ("loss", loss_line(train, test)),
        ("network", crate::show::size_line(size)),
        ("cost", format!("{} operations for each prediction", size.operations)),
        (
            "search",
            format!(
                "{}, {} evaluations in {:.2} s ({rate:.0}/s); end: {}",
                print::count(search.generations as usize, "generation"),
                search.evaluations,
                fitted.run.seconds,
                search.stop_reason
            ),
        ),
    ]);
    if method.population().is_some() {
        let individuals = print::count(search.invalid_individuals as usize, "individual");
        let genes = print::count(search.invalid_genes as usize, "gene");
        lines.push(("invalid", format!("{genes}, {individuals}")));
    }
    if let Some(front) = &fitted.front {
        lines.push(("front", front_line(front, score_name(test))));
    }
    lines.push(("seed", model.settings.seed.to_string()));
    lines.push(("model", path));
    let mut text = print::table(&lines);
    if !choices.is_empty() {
        text += &format!("\n{}", choices::table(&choices, score_name(test)));
    }
    print::out(&text)?;
    crate::baselines::print(fitted)
}

/// The front in one line; `mge pick` shows all of it.
fn front_line(front: &NetworkFront, score: &str) -> String {
    let networks = print::count(front.points.len(), "network");
    let operations = || front.points.iter().map(|point| point.member.operations);
    let scores = || front.points.iter().map(|point| point.member.accuracy);
    if front.points.is_empty() {
        return networks;
    }
    format!(
        "{networks} from {} to {} operations, validation {score} {:.4} to {:.4}",
        operations().min().unwrap_or(0),
        operations().max().unwrap_or(0),
        scores().fold(f64::INFINITY, f64::min),
        scores().fold(f64::NEG_INFINITY, f64::max),
    )
}

/// The limits of a run of method hybrid.
fn limits(model: &Model) -> Limits {
    let params = model.settings.method.get::<HybridParams>().cloned().unwrap_or_default();
    let HybridParams { max_ops, max_bytes, max_features, max_neurons, .. } = params;
    Limits { max_ops, max_bytes, max_features, max_neurons }
}

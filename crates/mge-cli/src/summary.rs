//! What `mge fit` prints at its end: the summary for people, or one JSON object.

use crate::{pick, print};
use mge::hybrid::{HybridParams, Limits, Pick};
use mge::{BaselineResult, CrossValidation, Fitted, Model, NetworkFront, RunFolder};
use serde::Serialize;
use std::path::Path;

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
    train_accuracy: f64,
    test_accuracy: f64,
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
    model: String,
}

/// Prints the summary of a fit, or its JSON object.
pub fn print(fitted: &Fitted, folder: &RunFolder, json: bool) -> anyhow::Result<()> {
    let model = &fitted.model;
    let (train, test, size) = (&model.metrics.train, &model.metrics.test, &model.size);
    let method = &model.settings.method;
    let path = folder.model_file().display().to_string();
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
            train_accuracy: train.accuracy,
            test_accuracy: test.accuracy,
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
            model: path,
        });
    }
    let search = &model.search;
    let rate = search.evaluations as f64 / fitted.run.seconds.max(1e-9);
    if let Some(folds) = &model.cross_validation {
        print::out(&crate::folds::summary(folds))?;
    }
    let mut lines = vec![
        ("accuracy", format!("test {:.4}, training {:.4}", test.accuracy, train.accuracy)),
        ("rmse", format!("test {:.4}, training {:.4}", test.rmse, train.rmse)),
        ("loss", format!("test {:.4}, training {:.4}", test.loss, train.loss)),
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
    ];
    if method.population().is_some() {
        let individuals = print::count(search.invalid_individuals as usize, "individual");
        let genes = print::count(search.invalid_genes as usize, "gene");
        lines.push(("invalid", format!("{genes}, {individuals}")));
    }
    if let Some(front) = &fitted.front {
        lines.push(("front", front_line(front)));
        lines.extend(pick_line(front, model, folder.path()).map(|line| ("picked", line)));
    }
    lines.push(("seed", model.settings.seed.to_string()));
    lines.push(("model", path));
    print::out(&print::table(&lines))?;
    crate::baselines::print(fitted)
}

/// The front in one line; `mge pick` shows all of it.
fn front_line(front: &NetworkFront) -> String {
    let networks = print::count(front.points.len(), "network");
    let operations = || front.points.iter().map(|point| point.member.operations);
    match (front.points.first(), front.points.last()) {
        (Some(cheapest), Some(dearest)) => format!(
            "{networks} from {} to {} operations, validation accuracy {:.4} to {:.4}",
            operations().min().unwrap_or(0),
            operations().max().unwrap_or(0),
            cheapest.member.accuracy,
            dearest.member.accuracy,
        ),
        _ => networks,
    }
}

/// What was picked without being asked for, and how to get the most accurate network instead: that
/// with the lowest validation loss.
/// `None` if the user gave a rule or a limit.
fn pick_line(front: &NetworkFront, model: &Model, run: &Path) -> Option<String> {
    let params = model.settings.method.get::<HybridParams>()?;
    let &HybridParams { pick, max_ops, max_bytes, max_features, max_neurons, .. } = params;
    let limits = Limits { max_ops, max_bytes, max_features, max_neurons };
    if pick.is_some() || limits != Limits::default() {
        return None;
    }
    let best = &front.pick(&Limits::default(), Pick::Accuracy)?.member;
    if best.network == model.network {
        return Some(
            "the knee of the front, which is also the best on the validation rows".to_owned(),
        );
    }
    let own = front.points.iter().find(|point| point.member.network == model.network)?;
    Some(format!(
        "the knee of the front, validation accuracy {:.4}; the best has {} operations, {:.4}: \
         mge pick {} --pick accuracy --out FILE",
        own.member.accuracy,
        best.operations,
        best.accuracy,
        run.display(),
    ))
}

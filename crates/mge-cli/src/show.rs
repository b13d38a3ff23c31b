//! `mge show`: what a model is, as text.

use crate::{model_data, print};
use clap::Args;
use mge::net::{Formula, Size, module_features};
use mge::{Model, PartMetrics};
use mge_report::clean;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Show a model: summary, drawing, formula of each output, features of each module
#[derive(Args)]
#[command(after_help = "Examples:
  mge show runs/wdbc-hybrid-1
  mge show model.json --json")]
pub struct ShowArgs {
    /// Run folder or model file
    model: PathBuf,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
}

impl ShowArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let model = model_data::model(&self.model)?;
        if self.json { print::json(&ShowReport::of(&model)) } else { print::out(&describe(&model)) }
    }
}

/// What `show --json` prints.
#[derive(Serialize)]
struct ShowReport<'a> {
    dataset: &'a str,
    target: &'a str,
    classes: &'a [String],
    method: &'static str,
    /// Of MGE only.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
    seed: u64,
    #[serde(flatten)]
    size: &'a Size,
    /// As an int8 table.
    bytes: usize,
    metrics: &'a PartMetrics,
    /// The features in use, by their names in the formula.
    inputs: Vec<ScaledInput>,
    formula: FormulaReport,
    /// The features that each output reads.
    modules: Vec<Vec<String>>,
}

/// A feature, scaled as `(value - offset) * factor`.
#[derive(Serialize)]
struct ScaledInput {
    /// The name in the formula.
    symbol: String,
    name: String,
    offset: f32,
    factor: f32,
}

#[derive(Serialize)]
struct FormulaReport {
    definitions: Vec<Definition>,
    outputs: Vec<String>,
}

/// A neuron that several outputs read.
#[derive(Serialize)]
struct Definition {
    name: String,
    expression: String,
}

impl<'a> ShowReport<'a> {
    fn of(model: &'a Model) -> Self {
        let (names, features) = (model.preprocess.feature_names(), model.preprocess.features());
        let input = |index: u32| ScaledInput {
            symbol: format!("x{}", index + 1),
            name: names[index as usize].to_string(),
            offset: features[index as usize].offset,
            factor: features[index as usize].factor,
        };
        let Formula { definitions, outputs } = Formula::of(&model.network);
        let definition = |(name, expression)| Definition { name, expression };
        let module = |features: Vec<u32>| {
            features.into_iter().map(|index| names[index as usize].to_string()).collect()
        };
        let rules = &model.settings.method;
        Self {
            dataset: &model.data.name,
            target: &model.target,
            classes: &model.classes,
            method: rules.method().name(),
            variant: rules.variant(),
            seed: model.settings.seed,
            size: &model.size,
            bytes: mge::net::table_bytes(&model.network),
            metrics: &model.metrics,
            inputs: used_features(model).into_iter().map(input).collect(),
            formula: FormulaReport {
                definitions: definitions.into_iter().map(definition).collect(),
                outputs,
            },
            modules: module_features(&model.network).into_iter().map(module).collect(),
        }
    }
}

/// `8 neurons in 1 layer, 36 connections, 13 features, 82 % sparse`.
pub fn size_line(size: &Size) -> String {
    format!(
        "{} in {}, {}, {}, {:.0} % sparse",
        print::count(size.neurons, "hidden neuron"),
        print::count(size.hidden_layers, "layer"),
        print::count(size.connections, "connection"),
        print::count(size.features, "feature"),
        100.0 * size.sparsity,
    )
}

fn method_line(model: &Model) -> String {
    let rules = &model.settings.method;
    match rules.variant() {
        Some(variant) => format!("{}, variant {variant}", rules.method()),
        None => rules.method().to_string(),
    }
}

fn describe(model: &Model) -> String {
    // Names are the user's: a newline or an escape in them must not shape what the terminal shows.
    let names: Vec<String> = model.preprocess.feature_names().iter().map(|n| clean(n)).collect();
    let classes: Vec<String> = model.classes.iter().map(|name| clean(name)).collect();
    let mut lines = vec![
        ("data", format!("{} (target {})", clean(&model.data.name), clean(&model.target))),
        ("method", method_line(model)),
        ("seed", model.settings.seed.to_string()),
        ("network", size_line(&model.size)),
        ("cost", format!("{} operations for each prediction", model.size.operations)),
    ];
    if model.values.is_none() {
        lines.insert(1, ("classes", classes.join(", ")));
    }
    lines.extend(crate::summary::metric_lines(model));
    let mut text = print::table(&lines);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nInputs, scaled as (value - offset) * factor:");
    let used = used_features(model);
    for &index in &used {
        let feature = &model.preprocess.features()[index as usize];
        let _ = writeln!(
            text,
            "  x{:<4} {} (offset {}, factor {})",
            index + 1,
            names[index as usize],
            feature.offset,
            feature.factor
        );
    }
    // A network too large for a picture is still worth its formula.
    if let Ok(drawing) = mge_report::terminal(&mge_report::NetworkDiagram::of(model), 80) {
        let _ = writeln!(text, "\nDrawing, negative connections dotted:\n{drawing}");
    } else {
        text.push('\n');
    }
    // Of numbers in their own units, so that the last line is the prediction.
    let formula = Formula::of(&model.network_in_units());
    let _ = writeln!(text, "Formula:");
    for (name, expression) in &formula.definitions {
        let _ = writeln!(text, "  {name} = {expression}");
    }
    for (output, expression) in formula.outputs.iter().enumerate() {
        let _ = writeln!(text, "  output{} = {expression}", output + 1);
    }
    let targets: Vec<String> = model.target_columns().iter().map(|name| clean(name)).collect();
    let is_regression = model.values.is_some();
    let _ = match classes.as_slice() {
        _ if is_regression => targets
            .iter()
            .enumerate()
            .try_for_each(|(output, name)| writeln!(text, "  {name} = output{}", output + 1)),
        [other, class] if formula.outputs.len() == 1 => {
            writeln!(text, "  p({class}) = sig(output1), p({other}) = 1 - p({class})")
        }
        _ => writeln!(text, "  p = softmax(output1 .. output{})", formula.outputs.len()),
    };
    let _ = writeln!(text, "\nModules:");
    for (output, features) in module_features(&model.network).iter().enumerate() {
        let class = if formula.outputs.len() == 1 { 1 } else { output };
        let features: Vec<&str> = features.iter().map(|&i| names[i as usize].as_str()).collect();
        let features =
            if features.is_empty() { "no feature".to_owned() } else { features.join(", ") };
        let of = if is_regression { &targets[output] } else { &classes[class] };
        let _ = writeln!(text, "  output{} ({of}): {features}", output + 1);
    }
    text
}

fn used_features(model: &Model) -> Vec<u32> {
    let mut used: Vec<u32> = module_features(&model.network).into_iter().flatten().collect();
    used.sort_unstable();
    used.dedup();
    used
}

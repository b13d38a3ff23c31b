//! `mge show`: what a model is, as text.

use crate::print;
use clap::Args;
use mge::Model;
use mge::net::{Formula, Size, module_features};
use mge_report::clean;
use std::fmt::Write;
use std::path::PathBuf;

/// Show a model: summary, drawing, formula of each output, features of each module
#[derive(Args)]
#[command(after_help = "Example:
  mge show runs/wdbc-hybrid-1/model.json")]
pub struct ShowArgs {
    /// Model file
    model: PathBuf,
}

impl ShowArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let model = Model::load(&self.model)?;
        print::out(&describe(&model))
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

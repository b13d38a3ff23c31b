//! Numbers of a run as rows of tables.

use crate::input_map::effects;
use crate::network_diagram::NetworkDiagram;
use crate::text::{clean, number};
use mge::Model;
use mge::net::{Metrics, Source, module_features};

/// The most classes of a confusion matrix on the page.
const MAX_MATRIX: usize = 40;

/// How good a model is on one part of the rows.
pub struct PartScores {
    pub id: &'static str,
    pub name: &'static str,
    pub rows: usize,
    pub accuracy: String,
    pub matrix: Option<Vec<(String, Vec<MatrixCell>)>>,
    pub scores: Vec<ClassScores>,
}

/// A cell of the confusion matrix.
pub struct MatrixCell {
    pub count: u64,
    /// Its fraction of the row.
    pub fraction: String,
    pub right: bool,
}

/// Precision and recall of a class; a dash where there is nothing to divide by.
pub struct ClassScores {
    pub class: String,
    pub rows: u64,
    pub precision: String,
    pub recall: String,
    pub f1: String,
}

impl PartScores {
    pub fn of(id: &'static str, name: &'static str, metrics: &Metrics, classes: &[String]) -> Self {
        let counts = &metrics.confusion;
        let names: Vec<String> = classes.iter().map(|class| clean(class)).collect();
        let matrix = (counts.len() <= MAX_MATRIX).then(|| {
            let rows = counts.iter().enumerate().map(|(class, row)| {
                let total = row.iter().sum::<u64>().max(1) as f64;
                let cell = |(answer, &count): (usize, &u64)| MatrixCell {
                    count,
                    fraction: format!("{:.3}", count as f64 / total),
                    right: answer == class,
                };
                (names[class].clone(), row.iter().enumerate().map(cell).collect())
            });
            rows.collect()
        });
        let scores = counts.iter().enumerate().map(|(class, row)| {
            let right = row[class] as f64;
            let (rows, answers) = (row.iter().sum(), counts.iter().map(|r| r[class]).sum::<u64>());
            let fraction = |of: u64| (of > 0).then(|| right / of as f64);
            let (precision, recall) = (fraction(answers), fraction(rows));
            let f1 = (rows + answers > 0).then(|| 2.0 * right / (rows + answers) as f64);
            let show = |value: Option<f64>| value.map_or("–".to_owned(), |v| format!("{v:.3}"));
            let class = names[class].clone();
            ClassScores {
                class,
                rows,
                precision: show(precision),
                recall: show(recall),
                f1: show(f1),
            }
        });
        Self {
            id,
            name,
            rows: metrics.rows,
            accuracy: format!("{:.4}", metrics.accuracy),
            matrix,
            scores: scores.collect(),
        }
    }
}

/// A feature that the network uses.
pub struct FeatureUse {
    pub name: String,
    pub connections: usize,
    pub classes: String,
    /// Its effect in per cent of the largest.
    pub percent: String,
    pub effect: String,
}

/// The features in use, the one with the largest effect first.
pub fn feature_use(model: &Model) -> Vec<FeatureUse> {
    let diagram = NetworkDiagram::of(model);
    let network = &model.network;
    let mut connections = vec![0usize; network.inputs()];
    let units = network.neurons().iter().map(|neuron| &neuron.links);
    for link in units.chain(network.outputs().iter().map(|output| &output.links)).flatten() {
        if let Source::Input(input) = link.source {
            connections[input as usize] += 1;
        }
    }
    let mut fed: Vec<Vec<usize>> = vec![Vec::new(); network.inputs()];
    for (output, features) in module_features(network).iter().enumerate() {
        features.iter().for_each(|&feature| fed[feature as usize].push(output));
    }
    let mut sizes = vec![0.0f64; network.inputs()];
    for effects in effects(network) {
        sizes.iter_mut().zip(effects).for_each(|(size, effect)| *size += effect.abs());
    }
    let largest = sizes.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let mut used: Vec<usize> = (0..connections.len()).filter(|&f| connections[f] > 0).collect();
    used.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]).then(a.cmp(&b)));
    let row = |input: usize| FeatureUse {
        name: diagram.feature(input).to_owned(),
        connections: connections[input],
        classes: class_list(&diagram, &fed[input]),
        percent: format!("{:.1}", 100.0 * sizes[input] / largest),
        effect: number(sizes[input]),
    };
    used.into_iter().map(row).collect()
}

/// The classes that outputs stand for. A single output stands for both.
fn class_list(diagram: &NetworkDiagram<'_>, outputs: &[usize]) -> String {
    const MAX_NAMES: usize = 12;
    let all = diagram.network().outputs().len();
    if outputs.is_empty() {
        return "none".to_owned();
    }
    if all > 1 && outputs.len() == all {
        return format!("all {all}");
    }
    let names: Vec<String> =
        outputs.iter().take(MAX_NAMES).map(|&output| diagram.class_label(output)).collect();
    let more = outputs.len().saturating_sub(MAX_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &more
}

/// Settings as pairs of a dotted name and a value, in the order in which they are stored.
pub fn flat(value: &serde_json::Value) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    flatten("", value, &mut pairs);
    let shown = |(name, value): (String, String)| (clean(&name), clean(&value));
    pairs.into_iter().map(shown).collect()
}

fn flatten(name: &str, value: &serde_json::Value, pairs: &mut Vec<(String, String)>) {
    use serde_json::Value;
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(&name, value, pairs);
            }
        }
        Value::Null => {}
        Value::String(text) => pairs.push((name.to_owned(), text.clone())),
        other => pairs.push((name.to_owned(), other.to_string())),
    }
}

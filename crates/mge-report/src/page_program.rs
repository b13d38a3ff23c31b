//! A model as data for the script of a page: raw columns, features, network, classes.
//!
//! `page/script/evaluate.js` evaluates it. `tests/page_evaluator.rs` holds that to the reference
//! evaluator.

use crate::text::clean;
use mge::Model;
use mge::data::{Encoding, FeatureRange, RawColumn};
use mge::net::{Link, Source};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The model as JSON, without features that the network does not read. `ranges` are those of the
/// features in the training rows. `None` if a feature has no column, which no checked model has.
pub fn page_program(model: &Model, ranges: Option<&[FeatureRange]>) -> Option<Value> {
    let features = model.preprocess.features();
    let network = &model.network;
    let units = network.neurons().iter().map(|neuron| &neuron.links);
    let units = units.chain(network.outputs().iter().map(|output| &output.links));
    let mut positions: BTreeMap<usize, usize> = BTreeMap::new();
    for link in units.flatten() {
        if let Source::Input(input) = link.source {
            positions.insert(input as usize, 0);
        }
    }
    positions.values_mut().enumerate().for_each(|(index, position)| *position = index);
    let used: Vec<usize> = positions.keys().copied().collect();
    let raw = model.preprocess.columns();
    let is_used = |column: &&RawColumn| used.iter().any(|&f| features[f].column == column.name());
    let read: Vec<&RawColumn> = raw.iter().filter(is_used).collect();
    let range_of = |column: &RawColumn| {
        let is_own = |&f: &usize| {
            features[f].column == column.name() && features[f].encoding == Encoding::Value
        };
        let range = ranges.and_then(|ranges| ranges.get(used.iter().copied().find(is_own)?));
        range.filter(|range| range.low <= range.high).copied()
    };
    let columns: Vec<Value> =
        read.iter().map(|column| column_json(column, range_of(column))).collect();
    let feature = |&index: &usize| -> Option<Value> {
        let feature = &features[index];
        let column = read.iter().position(|column| column.name() == feature.column)?;
        let take = match &feature.encoding {
            Encoding::Value => json!("value"),
            Encoding::Ordinal => json!("ordinal"),
            Encoding::Missing => json!("missing"),
            Encoding::Is(word) => {
                json!(read[column].categories().iter().position(|category| category == word)?)
            }
        };
        Some(json!([column, take, feature.offset, feature.factor]))
    };
    let feature_list: Vec<Value> = used.iter().map(feature).collect::<Option<_>>()?;
    let links = |links: &[Link]| -> Vec<Value> {
        let source = |link: &Link| match link.source {
            Source::Input(input) => positions[&(input as usize)],
            Source::Neuron(neuron) => used.len() + neuron as usize,
        };
        links.iter().map(|link| json!([source(link), link.weight])).collect()
    };
    let neurons: Vec<Value> = network
        .neurons()
        .iter()
        .map(|n| json!([n.activation.name(), n.bias.unwrap_or(0.0), links(&n.links)]))
        .collect();
    let outputs: Vec<Value> =
        network.outputs().iter().map(|o| json!([o.bias.unwrap_or(0.0), links(&o.links)])).collect();
    let classes: Vec<String> = model.classes.iter().map(|class| clean(class)).collect();
    let scales = model.target_scale().map(|scale| scale.columns()).unwrap_or_default();
    let targets: Vec<Value> = model
        .target_columns()
        .iter()
        .zip(scales)
        .map(|(name, scale)| {
            json!({ "name": clean(name), "mean": scale.mean, "deviation": scale.deviation })
        })
        .collect();
    Some(json!({
        "targets": targets,
        "columns": columns,
        "features": feature_list,
        "neurons": neurons,
        "outputs": outputs,
        "classes": classes,
    }))
}

fn column_json(column: &RawColumn, range: Option<FeatureRange>) -> Value {
    let name = clean(column.name());
    match column {
        RawColumn::Number { fill, .. } => json!({
            "name": name,
            "fill": fill,
            "low": range.map(|range| range.low),
            "high": range.map(|range| range.high),
            "whole": range.is_some_and(|range| range.whole),
        }),
        RawColumn::Boolean { fill, categories, .. }
        | RawColumn::Category { fill, categories, .. } => {
            let words: Vec<String> = categories.iter().map(|word| clean(word)).collect();
            let fill = categories.iter().position(|word| word == fill).unwrap_or(0);
            json!({ "name": name, "fill": fill, "words": words })
        }
    }
}

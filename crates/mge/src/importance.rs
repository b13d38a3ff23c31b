//! Permutation importance: what a model loses when the values of one column are shuffled (Breiman
//! 2001). The rows are those of a [`Calibration`] that trained the model, never its test rows.

use crate::calibration::{Calibration, CalibrationRows, features_of};
use crate::folds::Spread;
use crate::model::Model;
use mge_net::{
    BatchEvaluator, Columns, EvaluationError, Link, Network, Neuron, Output, Scratch, Source,
    Targets,
};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How often each column is shuffled.
pub const SHUFFLES: usize = 20;

/// What a model loses without the information of one raw column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnImportance {
    /// The column. All features that are made of it are shuffled together.
    pub column: String,
    /// How many of its features the network reads.
    pub features: usize,
    /// How much the accuracy falls; of numbers the R2.
    pub accuracy_lost: Spread,
    /// How much the loss rises.
    pub loss_gained: Spread,
}

/// The importance of every column that a model reads, the most important one first. The seed of
/// the model draws the shuffles.
///
/// # Errors
/// When the rows are not those of the model.
pub fn column_importance(
    model: &Model,
    calibration: &Calibration,
) -> Result<Vec<ColumnImportance>, EvaluationError> {
    let rows = &calibration.sample;
    let compact = Compact::of(model, rows);
    if rows.labels.is_empty() || compact.sources.is_empty() {
        return Ok(Vec::new());
    }
    let scaled = model.target_scale().map(|scale| scale.apply(&rows.values).concat());
    let targets = match &scaled {
        // Earlier runs kept no numbers of their targets.
        Some(_) if rows.values.is_empty() => return Ok(Vec::new()),
        Some(scaled) => Targets::values(scaled, rows.values.len()),
        None => Targets::classes(&rows.labels, model.classes.len()),
    };
    let measure = |columns: &Columns| -> Result<(f64, f64), EvaluationError> {
        let evaluator = BatchEvaluator::new(columns, targets, model.settings.loss)?;
        let mut scratch = Scratch::new();
        let accuracy = evaluator.accuracy(&compact.network, &mut scratch);
        Ok((accuracy, evaluator.loss(&compact.network, &mut scratch)))
    };
    let (accuracy, loss) = measure(&compact.columns)?;
    let importance = |(index, (column, inputs)): (usize, &(String, Vec<usize>))| {
        let mut lost = Vec::with_capacity(SHUFFLES);
        for shuffle in 0..SHUFFLES {
            let address = (shuffle as u64, index as u64);
            let mut stream =
                Stream::at(model.settings.seed, Purpose::Importance, address.0, address.1);
            let mut order: Vec<u32> = (0..rows.labels.len() as u32).collect();
            stream.shuffle(&mut order);
            let (shuffled, raised) = measure(&compact.shuffled(inputs, &order))?;
            lost.push((accuracy - shuffled, raised - loss));
        }
        Ok(ColumnImportance {
            column: column.clone(),
            features: inputs.len(),
            accuracy_lost: Spread::of(lost.iter().map(|pair| pair.0)),
            loss_gained: Spread::of(lost.iter().map(|pair| pair.1)),
        })
    };
    let mut found = compact
        .sources
        .par_iter()
        .enumerate()
        .map(importance)
        .collect::<Result<Vec<ColumnImportance>, EvaluationError>>()?;
    found.sort_by(|a, b| {
        let accuracy = b.accuracy_lost.mean.total_cmp(&a.accuracy_lost.mean);
        accuracy.then(b.loss_gained.mean.total_cmp(&a.loss_gained.mean))
    });
    Ok(found)
}

/// A network whose inputs are only these of its own, in this order. It reads no other.
fn with_inputs(network: &Network, used: &[usize]) -> Network {
    let input = |index: u32| used.binary_search(&(index as usize)).unwrap_or(0) as u32;
    let link = |link: &Link| Link {
        source: match link.source {
            Source::Input(index) => Source::Input(input(index)),
            neuron => neuron,
        },
        weight: link.weight,
    };
    let links = |links: &[Link]| links.iter().map(link).collect();
    let neurons = network.neurons().iter();
    let neurons = neurons.map(|neuron| Neuron { links: links(&neuron.links), ..neuron.clone() });
    let outputs = network.outputs().iter();
    let outputs = outputs.map(|output| Output { links: links(&output.links), ..output.clone() });
    // A network without features is valid with one that it does not read.
    Network::new(used.len().max(1), neurons.collect(), outputs.collect())
        .expect("renumbered inputs keep a network valid")
}

/// A network without the inputs that it does not read, and the values of the others.
struct Compact {
    network: Network,
    columns: Columns,
    /// Each raw column that is read, and its inputs.
    sources: Vec<(String, Vec<usize>)>,
}

impl Compact {
    fn of(model: &Model, rows: &CalibrationRows) -> Self {
        let features = model.preprocess.features();
        let used: Vec<usize> = features_of(&model.network).into_iter().collect();
        let network = with_inputs(&model.network, &used);
        let columns = Columns::from_fn(rows.labels.len(), used.len(), |index, values| {
            let feature = used[index];
            for (value, raw) in values.iter_mut().zip(rows.columns.column(feature)) {
                *value = features[feature].scaled(*raw);
            }
        });
        let mut sources: Vec<(String, Vec<usize>)> = Vec::new();
        let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
        for (input, &feature) in used.iter().enumerate() {
            let column = features[feature].column.as_str();
            let position = *positions.entry(column).or_insert_with(|| {
                sources.push((column.to_owned(), Vec::new()));
                sources.len() - 1
            });
            sources[position].1.push(input);
        }
        Self { network, columns, sources }
    }

    /// The columns with the values of some inputs in another order of rows.
    fn shuffled(&self, inputs: &[usize], order: &[u32]) -> Columns {
        Columns::from_fn(self.columns.rows(), self.columns.count(), |input, values| {
            let own = self.columns.column(input);
            if inputs.contains(&input) {
                for (value, &row) in values.iter_mut().zip(order) {
                    *value = own[row as usize];
                }
            } else {
                values.copy_from_slice(own);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_data::LoadOptions;

    fn fitted() -> crate::Fitted {
        let data = crate::data::load("wine", &LoadOptions::default()).unwrap();
        let fit = crate::Fit::new().method(crate::Method::MGE).seed(3).population(60);
        fit.generations(40).run(&data).unwrap()
    }

    #[test]
    fn a_network_without_unread_inputs_gives_the_same_answers() {
        let crate::Fitted { model, calibration, .. } = fitted();
        let rows = &calibration.sample;
        let compact = Compact::of(&model, rows);
        let features = model.preprocess.features();
        let scaled = Columns::from_fn(rows.labels.len(), features.len(), |feature, values| {
            for (value, raw) in values.iter_mut().zip(rows.columns.column(feature)) {
                *value = features[feature].scaled(*raw);
            }
        });
        let mut all = vec![0.0; scaled.count()];
        let mut used = vec![0.0; compact.columns.count()];
        for row in 0..rows.labels.len() {
            scaled.copy_row(row, &mut all);
            compact.columns.copy_row(row, &mut used);
            let whole = mge_net::reference::outputs(&model.network, &all);
            assert_eq!(mge_net::reference::outputs(&compact.network, &used), whole);
        }
    }

    #[test]
    fn shuffling_costs_accuracy_and_is_the_same_every_time() {
        let crate::Fitted { model, calibration, .. } = fitted();
        let found = column_importance(&model, &calibration).unwrap();
        assert_eq!(found.iter().map(|one| one.features).sum::<usize>(), model.size.features);
        assert!(found[0].accuracy_lost.mean > 0.02, "{:?}", found[0]);
        assert!(found.windows(2).all(|p| p[0].accuracy_lost.mean >= p[1].accuracy_lost.mean));
        assert_eq!(column_importance(&model, &calibration).unwrap(), found);
    }

    #[test]
    fn test_rows_change_nothing() {
        let crate::Fitted { model, calibration, .. } = fitted();
        let mut without = calibration.clone();
        without.test = None;
        let found = column_importance(&model, &calibration).unwrap();
        assert_eq!(column_importance(&model, &without).unwrap(), found);
    }
}

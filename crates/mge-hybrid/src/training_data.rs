//! The table that a search learns from, and the errors of starting a search on it.

use crate::held_out::Dependence;
use mge_net::{Columns, EvaluationError, GradientEvaluator, Loss, Targets};
use mge_random::{Purpose, Stream};
use thiserror::Error;

/// The index of the streams that order rows. The splits of data sets have lower ones.
pub(crate) const ORDER_STREAM: u64 = 100;

/// Ranges of numbers that folds have their share of, at most, and rows in one, at least.
const MAX_RANGES: usize = 10;
const MIN_ROWS_OF_RANGE: usize = 20;

/// The table that a search learns from.
#[derive(Debug, Clone, Copy)]
pub struct TrainingData<'a> {
    /// The features, scaled to about the same size.
    pub columns: &'a Columns,
    /// What each row should give.
    pub targets: Targets<'a>,
    /// The loss to minimise.
    pub loss: Loss,
    /// Whether all classes count the same, however few rows they have. Rows of small classes are
    /// then repeated.
    pub is_balanced: bool,
    /// How rows depend on each other. Rows that are held out follow it.
    pub dependence: Dependence<'a>,
}

impl TrainingData<'_> {
    /// An evaluator of some rows, in the given order.
    pub(crate) fn evaluator(&self, rows: &[u32]) -> Result<GradientEvaluator, EvaluationError> {
        let columns = self.columns.select(rows);
        match self.targets {
            Targets::Classes { labels, link } => {
                let labels: Vec<u32> = rows.iter().map(|&row| labels[row as usize]).collect();
                let targets = Targets::Classes { labels: &labels, link };
                GradientEvaluator::new(&columns, targets, self.loss)
            }
            Targets::Values { values, outputs } => {
                let all = self.targets.rows();
                let of_output = |output: usize| &values[output * all..(output + 1) * all];
                let selected: Vec<f32> = (0..outputs)
                    .flat_map(|output| rows.iter().map(move |&row| of_output(output)[row as usize]))
                    .collect();
                GradientEvaluator::new(&columns, Targets::values(&selected, outputs), self.loss)
            }
        }
    }

    /// Orders rows so that folds that take every n-th row have the same fractions of all kinds.
    pub(crate) fn stratify(&self, rows: &mut [u32]) {
        let kinds = self.kinds();
        rows.sort_by_key(|&row| kinds[row as usize]);
    }

    /// What each part should have its share of: the classes, or ranges of the numbers that hold
    /// about as many rows each.
    pub(crate) fn kinds(&self) -> Vec<u32> {
        match self.targets {
            Targets::Classes { labels, .. } => labels.to_vec(),
            Targets::Values { .. } => self.quantile_ranges(),
        }
    }

    /// The range of each row: one of [`MAX_RANGES`] at most. Rows with several numbers are ordered
    /// by their sum. Equal rows have equal ranges.
    fn quantile_ranges(&self) -> Vec<u32> {
        let Targets::Values { values, outputs } = self.targets else { return Vec::new() };
        let rows = self.targets.rows();
        let sum = |row: usize| -> f64 {
            (0..outputs).map(|output| f64::from(values[output * rows + row])).sum()
        };
        let sums: Vec<f64> = (0..rows).map(sum).collect();
        let mut ascending = sums.clone();
        ascending.sort_by(f64::total_cmp);
        let ranges = (rows / MIN_ROWS_OF_RANGE).clamp(1, MAX_RANGES);
        let range = |sum: &f64| {
            let below = ascending.partition_point(|other| other.total_cmp(sum).is_lt());
            (below * ranges / rows) as u32
        };
        sums.iter().map(range).collect()
    }

    /// The rows that stand for these with the weights of their classes: the same rows, or with
    /// repeated ones in random order where classes are balanced.
    pub(crate) fn weighted(&self, mut rows: Vec<u32>, seed: u64) -> Vec<u32> {
        if self.is_balanced {
            self.balance(&mut rows);
            Stream::at(seed, Purpose::Split, ORDER_STREAM, 1).shuffle(&mut rows);
        }
        rows
    }

    /// Repeats rows of small classes until each class has as many rows as the largest.
    fn balance(&self, rows: &mut Vec<u32>) {
        let Targets::Classes { labels, .. } = self.targets else { return };
        let label = |row: u32| labels[row as usize] as usize;
        let classes = rows.iter().map(|&row| label(row) + 1).max().unwrap_or(0);
        let mut of_class = vec![Vec::new(); classes];
        for &row in rows.iter() {
            of_class[label(row)].push(row);
        }
        let max = of_class.iter().map(Vec::len).max().unwrap_or(0);
        for own in of_class.iter().filter(|own| !own.is_empty()) {
            rows.extend(own.iter().cycle().take(max - own.len()));
        }
    }
}

/// A search that cannot start.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum HybridError {
    /// The table cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Fewer operations than any network needs.
    #[error(
        "max_ops is {found}, expected at least {min}: each output costs four operations, and one \
         connection two"
    )]
    Budget {
        /// The limit.
        found: usize,
        /// The cost of the smallest network.
        min: usize,
    },
    /// Fewer bytes than any network needs.
    #[error(
        "max_bytes is {found}, expected at least {min}: the size of a network with one connection \
         as a table of 8-bit weights"
    )]
    Bytes {
        /// The limit.
        found: usize,
        /// The size of the smallest network.
        min: usize,
    },
    /// A start network of another shape than the table.
    #[error(
        "a network to start from has {features} features and {outputs} outputs, expected \
         {expected_features} and {expected_outputs} as in the data"
    )]
    Start {
        /// Features of the network.
        features: usize,
        /// Outputs of the network.
        outputs: usize,
        /// Features of the data.
        expected_features: usize,
        /// Outputs that the data needs.
        expected_outputs: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balanced(labels: &[u32], mut rows: Vec<u32>) -> Vec<u32> {
        with(labels, |data| data.balance(&mut rows));
        rows
    }

    fn with(labels: &[u32], look: impl FnOnce(TrainingData<'_>)) {
        let columns = &Columns::from_fn(labels.len(), 0, |_, _| ());
        let loss = Loss::CrossEntropy;
        let targets = Targets::classes(labels, 3);
        look(TrainingData {
            columns,
            targets,
            loss,
            is_balanced: true,
            dependence: Dependence::Independent,
        });
    }

    #[test]
    fn balancing_repeats_rows_of_small_classes_only() {
        let labels = [0, 1, 0, 0, 2, 1, 0];
        let rows = balanced(&labels, (0..7).collect());
        assert_eq!(rows[..7], [0, 1, 2, 3, 4, 5, 6]);
        for class in 0..3 {
            let count = rows.iter().filter(|&&row| labels[row as usize] == class).count();
            assert_eq!(count, 4, "class {class}");
        }
    }

    #[test]
    fn balancing_leaves_classes_without_rows_alone() {
        let labels = [0, 2, 2];
        assert_eq!(balanced(&labels, vec![0, 1, 2]), [0, 1, 2, 0]);
        assert!(balanced(&labels, Vec::new()).is_empty());
    }

    #[test]
    fn stratified_folds_have_the_same_fractions_of_every_range() {
        let values: Vec<f32> = (0..200).map(|row| (row * 37 % 200) as f32).collect();
        let data = TrainingData {
            columns: &Columns::from_fn(200, 0, |_, _| ()),
            targets: Targets::values(&values, 1),
            loss: Loss::MeanSquaredError,
            is_balanced: false,
            dependence: Dependence::Independent,
        };
        let kinds = data.kinds();
        for (&kind, &value) in kinds.iter().zip(&values) {
            assert_eq!(kind, value as u32 / 20);
        }
        let mut rows: Vec<u32> = (0..200).collect();
        data.stratify(&mut rows);
        for fold in 0..5 {
            let own = rows.iter().skip(fold).step_by(5);
            assert_eq!(own.filter(|&&row| values[row as usize] < 20.0).count(), 4, "fold {fold}");
        }
        // Equal numbers are never taken apart, and one range is enough for few rows.
        let equal = TrainingData { targets: Targets::values(&[3.0; 200], 1), ..data };
        assert!(equal.kinds().iter().all(|&kind| kind == 0));
        let few = TrainingData { targets: Targets::values(&values[..15], 1), ..data };
        assert!(few.kinds().iter().all(|&kind| kind == 0));
    }

    #[test]
    fn evaluators_select_the_numbers_of_every_output() {
        let values: Vec<f32> = (0..12).map(|index| index as f32).collect();
        let columns = Columns::from_columns([[0.0; 6]]).unwrap();
        let data = TrainingData {
            columns: &columns,
            targets: Targets::values(&values, 2),
            loss: Loss::MeanSquaredError,
            is_balanced: false,
            dependence: Dependence::Independent,
        };
        let evaluator = data.evaluator(&[5, 0]).unwrap();
        // A network that predicts zero: the mean of 25, 0, 121 and 36.
        let zero = mge_net::SparseNetwork::new(1, vec![mge_net::Output::default(); 2]);
        let loss = evaluator.loss(&zero, 0..evaluator.blocks(), &mut Default::default());
        assert_eq!(loss, 45.5);
    }

    #[test]
    fn stratified_folds_have_the_same_fractions_of_classes() {
        let labels: Vec<u32> = (0..60).map(|row| [0, 0, 0, 1, 1, 2][row % 6]).collect();
        let mut rows: Vec<u32> = (0..60).rev().collect();
        with(&labels, |data| data.stratify(&mut rows));
        for fold in 0..5 {
            let own = rows.iter().skip(fold).step_by(5);
            let firsts = own.filter(|&&row| labels[row as usize] == 0).count();
            assert_eq!(firsts, 6, "fold {fold}");
        }
    }
}

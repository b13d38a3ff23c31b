//! How accurate a baseline is on rows that did not train it, without the test rows. Reports place
//! it beside the networks of a front, whose accuracies are of such rows too.

use crate::baseline::Baseline;
use crate::classifier::BaselineError;
use crate::model_selection::validation_splits;
use crate::rows::LabelledRows;

/// Of a large table, so many rows take part: the figure has two digits then, and costs little
/// beside the fit on all rows.
const MAX_ROWS: usize = 6_000;

impl Baseline {
    /// The fraction of rows that are predicted correctly by a fit that did not see them: five
    /// stratified folds on small tables, one validation part on large ones. `None` for fewer than
    /// two rows.
    ///
    /// # Errors
    /// As [`Baseline::fit`].
    pub fn validation_accuracy(
        &self,
        rows: &LabelledRows<'_>,
        seed: u64,
    ) -> Result<Option<f64>, BaselineError> {
        let (mut correct, mut all) = (0, 0);
        for split in validation_splits(rows, MAX_ROWS, seed) {
            let part = |indices: &[u32]| {
                let labels: Vec<u32> = indices.iter().map(|&i| rows.labels()[i as usize]).collect();
                (rows.columns().select(indices), labels)
            };
            let (train, validation) = (part(&split.train), part(&split.validation));
            let train = LabelledRows::new(&train.0, &train.1, rows.classes())?;
            let classifier = self.fit(&train, seed)?;
            let predictions = classifier.predict(&validation.0);
            correct += predictions.iter().zip(&validation.1).filter(|(a, b)| a == b).count();
            all += validation.1.len();
        }
        Ok((all > 0).then(|| correct as f64 / all as f64))
    }
}

#[cfg(test)]
mod tests {
    use crate::{LabelledRows, find};
    use mge_net::Columns;

    #[test]
    fn each_row_is_predicted_by_a_fit_without_it() {
        // Ten rows of class 0 and five of class 1: each fold has two and one.
        let labels: Vec<u32> = (0..15).map(|row| u32::from(row % 3 == 2)).collect();
        let columns =
            Columns::from_columns([(0..15).map(|n| n as f32).collect::<Vec<_>>()]).unwrap();
        let rows = LabelledRows::new(&columns, &labels, 2).unwrap();
        let majority = find("majority class").unwrap();
        assert_eq!(majority.validation_accuracy(&rows, 3).unwrap(), Some(10.0 / 15.0));

        // Two rows, one of each class: each is predicted by a fit that knows the other class only.
        let columns = Columns::from_columns([[-1.0, 1.0]]).unwrap();
        let rows = LabelledRows::new(&columns, &[0, 1], 2).unwrap();
        assert_eq!(majority.validation_accuracy(&rows, 3).unwrap(), Some(0.0));

        let one = Columns::from_columns([[1.0]]).unwrap();
        let rows = LabelledRows::new(&one, &[0], 2).unwrap();
        assert_eq!(majority.validation_accuracy(&rows, 3).unwrap(), None);
    }
}

//! The rows of a recorded split, made again from the table.

use super::SplitRecord;
use mge_data::{DataError, Split, SplitError, Table, group_ids, time_ranks};

impl SplitRecord {
    /// The rows of both parts, as far as they are rows of the table that the model was made from.
    /// With a test part of its own, and after cross-validation, all of them train. `strata` has the
    /// class of each row, or the quantile of its number: [`Task::strata`](crate::Task::strata).
    ///
    /// # Errors
    /// When the table lacks the column that splits it, and when the split is impossible.
    pub fn rows(&self, table: &Table, strata: &[u32], seed: u64) -> Result<Split, DataError> {
        let (labels, rows) = (strata, strata.len());
        match self {
            SplitRecord::Fraction { train_fraction, .. }
            | SplitRecord::Time { train_fraction, .. }
                if *train_fraction == 1.0 =>
            {
                Ok(Split::all_train(rows))
            }
            SplitRecord::Fraction { train_fraction, stratified, groups: Some(column) } => {
                let labels = stratified.then_some(labels);
                Split::grouped(&group_ids(table, column)?, labels, *train_fraction, seed)
            }
            SplitRecord::Fraction { train_fraction, stratified: true, .. } => {
                Split::stratified(labels, *train_fraction, seed)
            }
            SplitRecord::Fraction { train_fraction, .. } => {
                Split::by_fraction(rows, *train_fraction, seed)
            }
            SplitRecord::Time { column, train_fraction } => {
                Split::by_time(&time_ranks(table, column)?, *train_fraction)
            }
            SplitRecord::Fold { fold, folds, stratified, groups } => {
                let mut splits =
                    fold_rows(table, labels, *folds, *stratified, groups.as_deref(), seed)?;
                if *fold < splits.len() {
                    Ok(splits.swap_remove(*fold))
                } else {
                    Err(SplitError::Folds { folds: fold + 1, rows: splits.len() }.into())
                }
            }
            SplitRecord::Standard | SplitRecord::TestTable { .. } | SplitRecord::Folds { .. } => {
                Ok(Split::all_train(rows))
            }
        }
    }

    /// The fold that each row tests in a cross-validation; 0 for all rows elsewhere.
    pub(crate) fn fold_of(
        &self,
        table: &Table,
        labels: &[u32],
        seed: u64,
    ) -> Result<Vec<u32>, DataError> {
        let mut fold_of = vec![0; labels.len()];
        if let SplitRecord::Folds { folds, stratified, groups } = self {
            let splits = fold_rows(table, labels, *folds, *stratified, groups.as_deref(), seed)?;
            for (fold, split) in (0..).zip(splits) {
                split.test.iter().for_each(|&row| fold_of[row as usize] = fold);
            }
        }
        Ok(fold_of)
    }
}

fn fold_rows(
    table: &Table,
    labels: &[u32],
    folds: usize,
    stratified: bool,
    groups: Option<&str>,
    seed: u64,
) -> Result<Vec<Split>, DataError> {
    match groups {
        Some(column) => {
            let labels = stratified.then_some(labels);
            Split::grouped_folds(&group_ids(table, column)?, labels, folds, seed)
        }
        None if stratified => Split::stratified_folds(labels, folds, seed),
        None => Split::folds(labels.len(), folds, seed),
    }
}

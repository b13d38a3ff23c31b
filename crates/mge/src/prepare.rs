//! From a loaded table to what the search sees: training rows, preprocessed by what the training
//! rows alone say. Test rows are preprocessed the same way and kept apart.

use crate::model::{DataOrigin, SplitRecord};
use crate::{FitError, ResolvedSettings};
use mge_data::catalogue::Protocol;
use mge_data::{
    DataError, Fingerprint, Loaded, Preprocess, Preprocessed, Split, SplitError, Table, ClassTarget,
    UnseenCategories,
};
use mge_net::Columns;

/// Where the test rows come from.
#[derive(Clone, Copy)]
pub(crate) enum TestRows<'a> {
    /// The data set's own test part if it has one, else the data set's usual share.
    Usual,
    /// A shuffled split with this share of training rows.
    Fraction(f64),
    /// A table of their own.
    Table(&'a Table),
    /// One fold of a cross-validation, from 0.
    Fold(usize),
    /// None: all rows train. The figures of no rows are zero until somebody replaces them by
    /// what cross-validation says.
    None,
}

impl TestRows<'_> {
    /// The share of the table's rows that train; all where a cross-validation parts them.
    pub(crate) fn train_share(self, data: &Loaded) -> f64 {
        match self {
            TestRows::Usual if data.standard_test.is_none() => default_fraction(data),
            TestRows::Fraction(share) => share,
            TestRows::Usual | TestRows::Table(_) | TestRows::Fold(_) | TestRows::None => 1.0,
        }
    }
}

/// Both parts, ready for the network.
pub(crate) struct Prepared {
    pub task: ClassTarget,
    pub preprocess: Preprocess,
    pub train: Part,
    pub test: Part,
    pub split: SplitRecord,
}

/// Inputs and labels of some rows.
pub(crate) struct Part {
    pub columns: Columns,
    pub labels: Vec<u32>,
    /// Categories that the training rows do not have.
    pub unseen: Vec<UnseenCategories>,
}

/// The share of training rows when neither user nor catalogue says otherwise.
const USUAL_TRAIN_FRACTION: f64 = 0.7;

/// A codon of 16 bits chooses among so many.
const MOST_FEATURES: usize = 1 << 16;

impl Prepared {
    pub fn new(
        data: &Loaded,
        test_rows: TestRows<'_>,
        settings: &ResolvedSettings,
    ) -> Result<Self, FitError> {
        let task = data.class_target()?;
        let RowSplit { train, test, split } = RowSplit::new(data, &task, test_rows, settings)?;
        task.check_part("the training part", train.len())?;
        let options = settings.data.preprocess_options(settings.scale);
        let preprocess = Preprocess::fit(&data.table, task.column(), &train, &options)?;
        let features = preprocess.features().len();
        if features > MOST_FEATURES {
            let (file, max) = (data.table.name().to_owned(), MOST_FEATURES);
            return Err(DataError::TooManyFeatures { file, features, max }.into());
        }
        let part = |rows: &[u32]| -> Result<Part, FitError> {
            let Preprocessed { columns, unseen } = preprocess.apply(&data.table, Some(rows))?;
            Ok(Part { columns, labels: task.labels_of(rows), unseen })
        };
        let train = part(&train)?;
        let test = match test {
            TestPart::Rows(rows) => part(&rows)?,
            TestPart::Table(table) => {
                let labels = mge_data::class_labels(table, task.column(), task.classes())?;
                let Preprocessed { columns, unseen } = preprocess.apply(table, None)?;
                Part { columns, labels, unseen }
            }
        };
        Ok(Self { task, preprocess, train, test, split })
    }
}

/// Which rows train and which test.
struct RowSplit<'a> {
    train: Vec<u32>,
    test: TestPart<'a>,
    split: SplitRecord,
}

enum TestPart<'a> {
    Rows(Vec<u32>),
    Table(&'a Table),
}

impl<'a> RowSplit<'a> {
    fn new(
        data: &'a Loaded,
        task: &ClassTarget,
        test_rows: TestRows<'a>,
        settings: &ResolvedSettings,
    ) -> Result<Self, FitError> {
        let stratified = settings.data.stratified;
        let by_table = |table, split| {
            let train = (0..data.table.rows() as u32).collect();
            Ok(Self { train, test: TestPart::Table(table), split })
        };
        let by_rows = |split: SplitRecord| {
            let Split { train, test } = split.rows(task, settings.seed)?;
            Ok(Self { train, test: TestPart::Rows(test), split })
        };
        match (test_rows, &data.standard_test) {
            (TestRows::Table(table), _) => {
                let (name, fingerprint) = (DataOrigin::name_of(table), Fingerprint::of(table));
                by_table(table, SplitRecord::TestTable { name, fingerprint })
            }
            (TestRows::Usual, Some(table)) => by_table(table, SplitRecord::Standard),
            (TestRows::Usual, None) => {
                let train_fraction = default_fraction(data);
                by_rows(SplitRecord::Fraction { train_fraction, stratified })
            }
            (TestRows::Fraction(train_fraction), _) => {
                by_rows(SplitRecord::Fraction { train_fraction, stratified })
            }
            (TestRows::Fold(fold), _) => {
                let folds = settings.data.folds.unwrap_or(0);
                by_rows(SplitRecord::Fold { fold, folds, stratified })
            }
            (TestRows::None, _) => {
                let folds = settings.data.folds.unwrap_or(0);
                by_rows(SplitRecord::Folds { folds, stratified })
            }
        }
    }
}

/// The share of training rows when nobody chose one.
fn default_fraction(data: &Loaded) -> f64 {
    match data.entry.map(|entry| entry.protocol) {
        Some(Protocol::Fraction(share)) => share,
        _ => USUAL_TRAIN_FRACTION,
    }
}

impl SplitRecord {
    /// The rows of both parts, as far as they are rows of the table that the model was made from.
    /// With a test part of its own, and after cross-validation, all of them train.
    pub fn rows(&self, task: &ClassTarget, seed: u64) -> Result<Split, DataError> {
        let (labels, rows) = (task.labels(), task.labels().len());
        match *self {
            SplitRecord::Fraction { train_fraction, stratified: true } => {
                Split::stratified(labels, train_fraction, seed)
            }
            SplitRecord::Fraction { train_fraction, .. } => {
                Split::by_fraction(rows, train_fraction, seed)
            }
            SplitRecord::Fold { fold, folds, stratified } => {
                let mut splits = if stratified {
                    Split::stratified_folds(labels, folds, seed)?
                } else {
                    Split::folds(rows, folds, seed)?
                };
                if fold < splits.len() {
                    Ok(splits.swap_remove(fold))
                } else {
                    Err(SplitError::Folds { folds: fold + 1, rows: splits.len() }.into())
                }
            }
            SplitRecord::Standard | SplitRecord::TestTable { .. } | SplitRecord::Folds { .. } => {
                Ok(Split::all_train(rows))
            }
        }
    }
}

//! From a loaded table to what the search sees: training rows, preprocessed by what the training
//! rows alone say. Test rows are preprocessed the same way and kept apart.

use crate::FitError;
use crate::model::{DataOrigin, SplitRecord};
use mge_data::catalogue::Protocol;
use mge_data::{
    Fingerprint, Loaded, Preprocess, PreprocessOptions, Scale, Split, Table, Task, View,
};

/// Where the test rows come from.
#[derive(Clone, Copy)]
pub(crate) enum TestRows<'a> {
    /// The data set's own test part if it has one, else the data set's usual share.
    Usual,
    /// A shuffled split with this share of training rows.
    Fraction(f64),
    /// A table of their own.
    Table(&'a Table),
}

/// Both parts, ready for the network.
pub(crate) struct Prepared {
    pub task: Task,
    pub preprocess: Preprocess,
    pub train: Part,
    pub test: Part,
    pub split: SplitRecord,
}

/// Inputs and labels of some rows.
pub(crate) struct Part {
    pub view: View,
    pub labels: Vec<u32>,
}

/// The share of training rows when neither user nor catalogue says otherwise.
const USUAL_TRAIN_FRACTION: f64 = 0.7;

impl Prepared {
    pub fn new(
        data: &Loaded,
        test_rows: TestRows<'_>,
        scale: Scale,
        seed: u64,
    ) -> Result<Self, FitError> {
        let task = data.task()?;
        let Parting { train, test, split } = Parting::new(data, test_rows, seed)?;
        task.check_part("the training part", train.len())?;
        let options = PreprocessOptions { scale, ..Default::default() };
        let preprocess = Preprocess::fit(&data.table, task.target(), &train, &options)?;
        let part = |rows: &[u32]| -> Result<Part, FitError> {
            let view = preprocess.apply(&data.table, Some(rows))?;
            Ok(Part { view, labels: task.labels_of(rows) })
        };
        let train = part(&train)?;
        let test = match test {
            TestPart::Rows(rows) => part(&rows)?,
            TestPart::Table(table) => Part {
                labels: mge_data::labels(table, task.target(), task.classes())?,
                view: preprocess.apply(table, None)?,
            },
        };
        Ok(Self { task, preprocess, train, test, split })
    }
}

/// Which rows train and which test.
struct Parting<'a> {
    train: Vec<u32>,
    test: TestPart<'a>,
    split: SplitRecord,
}

enum TestPart<'a> {
    Rows(Vec<u32>),
    Table(&'a Table),
}

impl<'a> Parting<'a> {
    fn new(data: &'a Loaded, test_rows: TestRows<'a>, seed: u64) -> Result<Self, FitError> {
        let by_table = |table, split| {
            let train = (0..data.table.rows() as u32).collect();
            Ok(Self { train, test: TestPart::Table(table), split })
        };
        match (test_rows, &data.standard_test) {
            (TestRows::Table(table), _) => {
                let (name, fingerprint) = (DataOrigin::name_of(table), Fingerprint::of(table));
                by_table(table, SplitRecord::TestTable { name, fingerprint })
            }
            (TestRows::Usual, Some(table)) => by_table(table, SplitRecord::Standard),
            (TestRows::Usual, None) => {
                let usual = match data.entry.map(|entry| entry.protocol) {
                    Some(Protocol::Fraction(share)) => share,
                    _ => USUAL_TRAIN_FRACTION,
                };
                Self::by_fraction(data, usual, seed)
            }
            (TestRows::Fraction(share), _) => Self::by_fraction(data, share, seed),
        }
    }

    fn by_fraction(data: &Loaded, train_fraction: f64, seed: u64) -> Result<Self, FitError> {
        let Split { train, test } = Split::by_fraction(data.table.rows(), train_fraction, seed)?;
        let split = SplitRecord::Fraction { train_fraction };
        Ok(Self { train, test: TestPart::Rows(test), split })
    }
}

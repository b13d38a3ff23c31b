//! From a loaded table to what a search sees: the training rows, encoded and scaled. Preprocessing
//! is fitted on the training rows alone. Test rows are kept apart and get the same preprocessing.

use crate::calibration::{Calibration, RawRows};
use crate::model::{DataOrigin, SplitRecord};
use crate::task::{RowTargets, Task, TaskChoice, TaskSize};
use crate::{FitError, ResolvedSettings, SettingsError};
use mge_data::catalogue::Protocol;
use mge_data::{
    DataError, Fingerprint, Loaded, Preprocess, Preprocessed, RowDependence, RowHashes, Split,
    Table, TargetScale, UnseenCategories,
};
use mge_net::Columns;

/// The data of a fit: a table, and perhaps the test rows in a table of their own.
///
/// A [`Loaded`] alone is one: its test rows are the data set's own test part, or a part of the
/// table.
#[derive(Debug, Clone, Copy)]
pub struct FitData<'d> {
    pub(crate) data: &'d Loaded,
    pub(crate) test: Option<&'d Table>,
}

impl<'d> FitData<'d> {
    /// With test rows in a table of their own, if there is one; all rows of `data` then train.
    pub fn with_test(data: &'d Loaded, test: Option<&'d Table>) -> Self {
        Self { data, test }
    }

    /// What defaults of settings depend on. Settings that exclude each other are an error.
    pub(crate) fn size(
        self,
        task: TaskChoice,
        train_fraction: Option<f64>,
        folds: Option<usize>,
    ) -> Result<TaskSize, FitError> {
        let task = task.resolve(self.data)?;
        let rows = self.test_rows(train_fraction, folds)?;
        let rows = (self.data.table.rows() as f64 * rows.train_fraction(self.data)) as usize;
        Ok(TaskSize { rows, kind: Task::of(self.data, task)?.kind() })
    }

    /// Where the test rows come from when no cross-validation splits the rows.
    pub(crate) fn test_rows(
        self,
        train_fraction: Option<f64>,
        folds: Option<usize>,
    ) -> Result<TestRows<'d>, SettingsError> {
        let exclusive = |first, second| Err(SettingsError::Exclusive { first, second });
        match (self.test, train_fraction, folds) {
            (Some(_), Some(_), _) => exclusive("train_fraction", "test rows of their own"),
            (Some(_), _, Some(_)) => exclusive("data.folds", "test rows of their own"),
            (_, Some(_), Some(_)) => exclusive("data.folds", "train_fraction"),
            (Some(table), None, None) => Ok(TestRows::Table(table)),
            (None, Some(fraction), None) => Ok(TestRows::Fraction(fraction)),
            (None, None, _) => Ok(TestRows::Default),
        }
    }
}

impl<'d> From<&'d Loaded> for FitData<'d> {
    fn from(data: &'d Loaded) -> Self {
        Self { data, test: None }
    }
}

/// Where the test rows come from.
#[derive(Clone, Copy)]
pub(crate) enum TestRows<'a> {
    /// The data set's own test part if it has one, else the data set's default fraction.
    Default,
    /// A shuffled split with this fraction of training rows.
    Fraction(f64),
    /// A table of their own.
    Table(&'a Table),
    /// One fold of a cross-validation, from 0.
    Fold(usize),
    /// None: all rows train. The test metrics are zero until those of a cross-validation replace
    /// them.
    None,
}

impl TestRows<'_> {
    /// The fraction of the table's rows that train; all where a cross-validation splits them.
    fn train_fraction(self, data: &Loaded) -> f64 {
        match self {
            TestRows::Default if data.standard_test.is_none() => default_fraction(data),
            TestRows::Fraction(fraction) => fraction,
            TestRows::Default | TestRows::Table(_) | TestRows::Fold(_) | TestRows::None => 1.0,
        }
    }
}

/// Both parts, ready for the network.
pub(crate) struct PreparedData {
    pub task: Task,
    pub preprocess: Preprocess,
    /// The scale of targets that are numbers.
    pub scale: Option<TargetScale>,
    pub train: Part,
    pub test: Part,
    pub split: SplitRecord,
    pub calibration: Calibration,
    /// How the training rows depend on each other.
    pub dependence: RowDependence,
    /// Test rows that also trained: all features and the target are equal. In a cross-validation,
    /// rows that have an equal one in another fold.
    pub repeated: usize,
}

/// Features and targets of some rows.
pub(crate) struct Part {
    pub columns: Columns,
    pub targets: RowTargets,
    /// Categories that the training rows do not have.
    pub unseen: Vec<UnseenCategories>,
}

/// The fraction of training rows when neither user nor catalogue says otherwise.
const DEFAULT_TRAIN_FRACTION: f64 = 0.7;

/// A codon of 16 bits chooses among so many.
const MAX_FEATURES: usize = 1 << 16;

impl PreparedData {
    pub fn new(
        data: &Loaded,
        test_rows: TestRows<'_>,
        settings: &ResolvedSettings,
    ) -> Result<Self, FitError> {
        let task = Task::of(data, settings.task)?;
        let strata = task.strata();
        settings.data.check()?;
        settings.check_task()?;
        let RowSplit { train: rows, test, split } =
            RowSplit::new(data, &strata, test_rows, settings)?;
        let (rows, dependence) = settings.data.weighted(&data.table, rows)?;
        let scale = task.fit_scale(&rows)?;
        let options = settings.data.preprocess_options(settings.scale);
        let preprocess = Preprocess::fit_for_targets(&data.table, task.columns(), &rows, &options)?;
        let features = preprocess.features().len();
        if features > MAX_FEATURES {
            let (file, max) = (data.table.name().to_owned(), MAX_FEATURES);
            return Err(DataError::TooManyFeatures { file, features, max }.into());
        }
        let part = |rows: &[u32]| -> Result<Part, FitError> {
            let Preprocessed { columns, unseen } = preprocess.apply(&data.table, Some(rows))?;
            Ok(Part { columns, targets: task.rows(rows, scale.as_ref()), unseen })
        };
        let train = part(&rows)?;
        let test_part = match &test {
            TestPart::Rows(rows) => part(rows)?,
            TestPart::Table(table) => {
                let targets = task.rows_of(table, scale.as_ref())?;
                let Preprocessed { columns, unseen } = preprocess.apply(table, None)?;
                Part { columns, targets, unseen }
            }
        };
        let (test_table, test_rows) = match &test {
            TestPart::Rows(rows) => (&data.table, Some(&rows[..])),
            TestPart::Table(table) => (*table, None),
        };
        let calibration = Calibration::new(
            &preprocess,
            &RawRows { table: &data.table, rows: Some(&rows), targets: &train.targets },
            &RawRows { table: test_table, rows: test_rows, targets: &test_part.targets },
        )?;
        let hashes = |part: &Part| match &part.targets {
            RowTargets::Classes(labels) => RowHashes::new(&part.columns, labels.iter().copied()),
            RowTargets::Values(values) => RowHashes::of_values(&part.columns, values.original()),
        };
        let repeated = match &split {
            SplitRecord::Folds { .. } => {
                let fold_of = split.fold_of(&data.table, &strata, settings.seed)?;
                // Copies of a row are in its fold.
                let fold_of: Vec<u32> = rows.iter().map(|&row| fold_of[row as usize]).collect();
                hashes(&train).across(&fold_of)
            }
            _ => hashes(&test_part).among(&hashes(&train)),
        };
        let test = test_part;
        Ok(Self { task, preprocess, scale, train, test, split, calibration, dependence, repeated })
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
        strata: &[u32],
        test_rows: TestRows<'a>,
        settings: &ResolvedSettings,
    ) -> Result<Self, FitError> {
        let stratified = settings.data.stratified;
        let groups = settings.data.groups.clone();
        let by_fraction = |train_fraction| match &settings.data.time {
            Some(column) => SplitRecord::Time { column: column.clone(), train_fraction },
            None => SplitRecord::Fraction { train_fraction, stratified, groups: groups.clone() },
        };
        let folds = settings.data.folds.unwrap_or(0);
        let by_table = |table, split| {
            let train = (0..data.table.rows() as u32).collect();
            Ok(Self { train, test: TestPart::Table(table), split })
        };
        let by_rows = |split: SplitRecord| {
            let Split { train, test } = split.rows(&data.table, strata, settings.seed)?;
            Ok(Self { train, test: TestPart::Rows(test), split })
        };
        match (test_rows, &data.standard_test) {
            (TestRows::Table(table), _) => {
                let (name, fingerprint) = (DataOrigin::name_of(table), Fingerprint::of(table));
                by_table(table, SplitRecord::TestTable { name, fingerprint })
            }
            (TestRows::Default, Some(table)) => by_table(table, SplitRecord::Standard),
            (TestRows::Default, None) => by_rows(by_fraction(default_fraction(data))),
            (TestRows::Fraction(fraction), _) => by_rows(by_fraction(fraction)),
            (TestRows::Fold(fold), _) => {
                by_rows(SplitRecord::Fold { fold, folds, stratified, groups })
            }
            (TestRows::None, _) => by_rows(SplitRecord::Folds { folds, stratified, groups }),
        }
    }
}

/// The fraction of training rows when nobody chose one.
fn default_fraction(data: &Loaded) -> f64 {
    match data.entry.map(|entry| entry.protocol) {
        Some(Protocol::Fraction(fraction)) => fraction,
        _ => DEFAULT_TRAIN_FRACTION,
    }
}

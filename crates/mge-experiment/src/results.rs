//! The finished runs of a plan, in the order of the plan.

use crate::distinct::distinct;
use crate::metric::TargetKinds;
use crate::short_names::short_names;
use crate::{
    ExperimentError, ExperimentPlan, FinishedRun, FinishedRuns, Metric, RankTest, ResultTable,
    RunEntry, SplitProtocol, TableCell, TableColumn,
};
use mge_stats::Moments;

/// The finished runs of a plan, grouped into rows.
#[derive(Debug, Clone)]
pub struct Results {
    /// The name of the plan.
    pub name: String,
    /// One row for each data set, protocol, method and setting, in the order of the plan.
    pub rows: Vec<ResultRow>,
    /// The test that compares methods.
    pub test: RankTest,
}

/// The runs of one method on one data set.
#[derive(Debug, Clone)]
pub struct ResultRow {
    /// The short name of the data set, with the target if the plan has several of it.
    pub data: String,
    /// The method.
    pub method: String,
    /// The name of the settings, if the plan has several.
    pub setting: Option<String>,
    /// The protocol.
    pub protocol: SplitProtocol,
    /// The number of runs that the plan asks for.
    pub planned: usize,
    /// The finished runs, in the order of the plan.
    pub runs: Vec<FinishedRun>,
}

impl ResultRow {
    /// The values of a metric in all runs.
    pub fn sample(&self, metric: Metric) -> Vec<f64> {
        self.runs.iter().map(|run| metric.of(run)).collect()
    }

    /// Count, mean and deviation of a metric; `None` before the first run is finished, and where the
    /// runs have no such metric.
    pub fn moments(&self, metric: Metric) -> Option<Moments> {
        let sample = self.sample(metric);
        if sample.iter().any(|value| value.is_nan()) {
            return None;
        }
        Moments::of(&sample).ok()
    }

    /// The number of decimals that tables show: four digits of a number with units.
    pub(crate) fn digits(&self, metric: Metric) -> usize {
        let is_regression = self.runs.iter().any(FinishedRun::is_regression);
        match self.moments(metric).map(|moments| moments.mean) {
            Some(mean) if is_regression && metric.has_units() && mean > 0.0 => {
                (3.0 - mean.log10().floor()).clamp(0.0, 9.0) as usize
            }
            _ => metric.digits(),
        }
    }

    /// The method, followed by the name of the settings if there is one.
    pub fn title(&self) -> String {
        match &self.setting {
            Some(setting) => format!("{} ({setting})", self.method),
            None => self.method.clone(),
        }
    }

    /// Whether both rows belong to the same comparison: same data set, same split.
    pub(crate) fn is_compared_with(&self, other: &ResultRow) -> bool {
        self.data == other.data && self.protocol.scheme == other.protocol.scheme
    }

    /// An empty row for runs like this one.
    fn of(run: &RunEntry) -> Self {
        Self {
            data: run.data_title(),
            method: run.method.clone(),
            setting: run.setting.clone(),
            protocol: run.protocol,
            planned: 0,
            runs: Vec::new(),
        }
    }

    /// Whether a run belongs to this row.
    fn contains(&self, run: &RunEntry) -> bool {
        self.data == run.data_title()
            && self.method == run.method
            && self.setting == run.setting
            && self.protocol == run.protocol
    }
}

impl Results {
    /// Collects the finished runs of a plan.
    pub fn of(plan: &ExperimentPlan, finished: &FinishedRuns) -> Result<Self, ExperimentError> {
        let mut rows: Vec<ResultRow> = Vec::new();
        let runs = plan.available_runs()?;
        for run in &runs {
            let index = rows.iter().position(|row| row.contains(run)).unwrap_or_else(|| {
                rows.push(ResultRow::of(run));
                rows.len() - 1
            });
            let row = &mut rows[index];
            row.planned += 1;
            row.runs.extend(finished.runs.get(&run.key()).cloned());
        }
        shorten_data(&mut rows, &runs);
        Ok(Self { name: plan.name.clone(), rows, test: RankTest::default() })
    }

    /// The same results, compared by this test.
    pub fn with_test(self, test: RankTest) -> Self {
        Self { test, ..self }
    }

    /// What the targets of the finished runs are.
    pub(crate) fn target_kinds(&self) -> TargetKinds {
        let any = |wanted: bool| {
            self.rows.iter().flat_map(|row| &row.runs).any(|run| run.is_regression() == wanted)
        };
        match (any(true), any(false)) {
            (false, _) => TargetKinds::Classes,
            (true, false) => TargetKinds::Values,
            (true, true) => TargetKinds::Both,
        }
    }

    /// The data sets, each once, in the order of the plan.
    pub fn data_sets(&self) -> Vec<&str> {
        distinct(self.rows.iter().map(|row| row.data.as_str()))
    }

    /// A table with one row for each finished run.
    pub fn runs_table(&self) -> ResultTable {
        let mut columns: Vec<TableColumn> = [
            "data",
            "target",
            "method",
            "setting",
            "protocol",
            "repetition",
            "fold",
            "seed",
            "test_accuracy",
            "test_rmse",
            "train_accuracy",
            "train_rmse",
            "hidden_layers",
            "neurons",
            "features",
            "connections",
            "operations",
            "sparsity",
            "evaluations",
            "invalid_individuals",
        ]
        .map(TableColumn::from)
        .to_vec();
        let has_values = self.target_kinds() != TargetKinds::Classes;
        if has_values {
            columns.extend(["test_r2", "test_mae", "test_median_error"].map(TableColumn::from));
        }
        let cells = |(row, run): (&ResultRow, &FinishedRun)| -> Vec<TableCell> {
            let (entry, size) = (&run.entry, &run.size);
            let fold = entry.fold.map(|fold| fold.to_string()).unwrap_or_default();
            let words = [
                row.data.clone(),
                entry.target.clone().unwrap_or_default(),
                entry.method.clone(),
                entry.setting.clone().unwrap_or_default(),
                entry.protocol.to_string(),
                entry.repetition.to_string(),
                fold,
                entry.seed().to_string(),
            ];
            let metrics = [
                run.test.accuracy,
                run.test.rmse,
                run.train.accuracy,
                run.train.rmse,
                size.hidden_layers as f64,
                size.neurons as f64,
                size.features as f64,
                size.connections as f64,
                size.operations as f64,
                size.sparsity,
                run.search.evaluations as f64,
                run.search.invalid_individuals as f64,
            ];
            let words = words.into_iter().map(TableCell::Text);
            let metrics = metrics.map(|value| TableCell::number(value, 4));
            let r2 = run.is_regression().then_some(run.test.accuracy);
            let errors = [r2, run.test.mae, run.test.median_absolute_error];
            let errors = errors.map(|value| match value {
                Some(value) => TableCell::number(value, 6),
                None => TableCell::Empty,
            });
            let errors = errors.into_iter().filter(|_| has_values);
            words.chain(metrics).chain(errors).collect()
        };
        let runs = self.rows.iter().flat_map(|row| row.runs.iter().map(move |run| (row, run)));
        ResultTable {
            title: self.name.clone(),
            columns,
            rows: runs.map(cells).collect(),
            ..ResultTable::default()
        }
    }
}

/// Puts short names in the place of titles, which may be paths. The target stays where a data set
/// has several.
fn shorten_data(rows: &mut [ResultRow], runs: &[RunEntry]) {
    let names = short_names(runs.iter().map(|run| run.data.as_str()));
    for row in rows {
        let Some(run) = runs.iter().find(|run| run.data_title() == row.data) else { continue };
        let same_data = runs.iter().filter(|other| other.data == run.data);
        let one_target = same_data.map(|other| &other.target).all(|target| *target == run.target);
        let name = &names[run.data.as_str()];
        row.data = match &run.target {
            Some(target) if !one_target => format!("{name} ({target})"),
            _ => name.clone(),
        };
    }
}

//! The records of a plan in the plan's order.

use crate::distinct::distinct;
use crate::{
    Cell, Column, ExperimentError, Finished, Plan, Protocol, RankTest, ResultTable, RunRecord,
};
use mge_stats::Moments;

/// What the store says about a plan.
#[derive(Debug, Clone)]
pub struct Results {
    /// The plan's name.
    pub name: String,
    /// One row for each data set, protocol, method and setting, in the plan's order.
    pub rows: Vec<Row>,
    /// What methods are compared by.
    pub test: RankTest,
}

/// The runs of one method on one data set.
#[derive(Debug, Clone)]
pub struct Row {
    /// The data set, with the target where the plan names one.
    pub data: String,
    /// The method.
    pub method: String,
    /// The settings, if the plan has several.
    pub setting: Option<String>,
    /// The protocol.
    pub protocol: Protocol,
    /// How many runs there are to be.
    pub planned: usize,
    /// The finished ones, in the plan's order.
    pub records: Vec<RunRecord>,
}

/// A figure of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Figure {
    RmseTrain,
    RmseTest,
    Accuracy,
    Layers,
    Neurons,
    Features,
    Connections,
    Operations,
    /// Share of the dense counterpart's connections that are missing.
    Sparsity,
    /// Share of evaluated individuals that mapped to nothing.
    Invalidity,
}

impl Figure {
    /// The columns of the paper's tables, and the cost of a prediction.
    pub const OF_PAPER: [Figure; 7] = [
        Self::RmseTrain,
        Self::RmseTest,
        Self::Accuracy,
        Self::Layers,
        Self::Neurons,
        Self::Features,
        Self::Operations,
    ];

    /// The head of its column, in the paper's words.
    pub fn title(self) -> &'static str {
        match self {
            Self::RmseTrain => "RMSE_n",
            Self::RmseTest => "RMSE_t",
            Self::Accuracy => "Acc._t",
            Self::Layers => "#H.L.",
            Self::Neurons => "#Neu.",
            Self::Features => "#Fea.",
            Self::Connections => "Conn.",
            Self::Operations => "Ops.",
            Self::Sparsity => "Sparsity",
            Self::Invalidity => "Invalid",
        }
    }

    /// Digits that are shown.
    pub fn digits(self) -> usize {
        match self {
            Self::Accuracy | Self::RmseTrain | Self::RmseTest | Self::Sparsity => 3,
            Self::Layers | Self::Neurons | Self::Features => 2,
            Self::Connections | Self::Operations => 1,
            Self::Invalidity => 5,
        }
    }

    /// Its value in a run.
    pub fn of(self, run: &RunRecord) -> f64 {
        match self {
            Self::RmseTrain => run.train.rmse,
            Self::RmseTest => run.test.rmse,
            Self::Accuracy => run.test.accuracy,
            Self::Layers => run.size.hidden_layers as f64,
            Self::Neurons => run.size.neurons as f64,
            Self::Features => run.size.features as f64,
            Self::Connections => run.size.connections as f64,
            Self::Operations => run.size.operations as f64,
            Self::Sparsity => run.size.sparsity,
            Self::Invalidity => {
                run.search.invalid_individuals as f64 / run.search.evaluations.max(1) as f64
            }
        }
    }
}

impl Row {
    /// A figure of all runs.
    pub fn sample(&self, figure: Figure) -> Vec<f64> {
        self.records.iter().map(|run| figure.of(run)).collect()
    }

    /// Count, mean and deviation of a figure; `None` before the first run is finished.
    pub fn moments(&self, figure: Figure) -> Option<Moments> {
        Moments::of(&self.sample(figure)).ok()
    }

    /// The method, with the settings' name where there is one.
    pub fn title(&self) -> String {
        match &self.setting {
            Some(setting) => format!("{} ({setting})", self.method),
            None => self.method.clone(),
        }
    }

    /// Whether both belong to the same comparison.
    pub(crate) fn is_rival(&self, other: &Row) -> bool {
        self.data == other.data && self.protocol.parts == other.protocol.parts
    }
}

impl Results {
    /// What is finished of a plan's runs.
    pub fn of(plan: &Plan, finished: &Finished) -> Result<Self, ExperimentError> {
        let mut rows: Vec<Row> = Vec::new();
        for run in plan.runs_of_built()? {
            let group = run.group();
            let is_group = |row: &&mut Row| {
                (&row.data, &row.method, &row.setting, row.protocol)
                    == (&group.0, &group.1, &group.2, group.3)
            };
            let row = match rows.iter_mut().find(is_group) {
                Some(row) => row,
                None => {
                    let (data, method, setting, protocol) = group;
                    rows.push(Row { data, method, setting, protocol, planned: 0, records: vec![] });
                    rows.last_mut().expect("one was pushed")
                }
            };
            row.planned += 1;
            row.records.extend(finished.runs.get(&run.key()).cloned());
        }
        Ok(Self { name: plan.name.clone(), rows, test: RankTest::default() })
    }

    /// The same, compared by this test.
    pub fn tested_by(self, test: RankTest) -> Self {
        Self { test, ..self }
    }

    /// The data sets, each once, in the plan's order.
    pub fn data_sets(&self) -> Vec<&str> {
        distinct(self.rows.iter().map(|row| row.data.as_str()))
    }

    /// Every finished run on a row of its own, with its figures.
    pub fn runs_sheet(&self) -> ResultTable {
        let columns = [
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
        ];
        let cells = |run: &RunRecord| -> Vec<Cell> {
            let (entry, size) = (&run.entry, &run.size);
            let fold = entry.fold.map(|fold| fold.to_string()).unwrap_or_default();
            let words = [
                entry.data.clone(),
                entry.target.clone().unwrap_or_default(),
                entry.method.clone(),
                entry.setting.clone().unwrap_or_default(),
                entry.protocol.to_string(),
                entry.repetition.to_string(),
                fold,
                entry.seed().to_string(),
            ];
            let figures = [
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
            let words = words.into_iter().map(Cell::Text);
            words.chain(figures.map(|figure| Cell::number(figure, 4))).collect()
        };
        ResultTable {
            title: self.name.clone(),
            columns: columns.map(Column::from).to_vec(),
            rows: self.rows.iter().flat_map(|row| &row.records).map(cells).collect(),
            ..ResultTable::default()
        }
    }
}

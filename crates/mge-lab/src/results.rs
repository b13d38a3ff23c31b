//! The records of a plan in the plan's order, and their table (the form of the paper's tables).
//!
//! Bold is as in the paper (section "Statistical Tests"): the best accuracy of a data set and those
//! that do not differ from it at the 0.025 level, unless that is all of them. The test is
//! Wilcoxon's signed-rank test, since all methods run on the same splits.

use crate::{Cell, Finished, LabError, Plan, Protocol, RunRecord, Sheet};
use mge_stats::{Effect, Moments, WilcoxonTest, a12, signed_rank};

/// The paper's level of significance.
pub const SIGNIFICANCE: f64 = 0.025;

/// What the store says about a plan.
#[derive(Debug, Clone)]
pub struct Results {
    /// The plan's name.
    pub name: String,
    /// One row for each data set, protocol, method and setting, in the plan's order.
    pub rows: Vec<Row>,
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

    /// Accuracies of the runs that both have, pair by pair.
    fn paired(&self, other: &Row) -> (Vec<f64>, Vec<f64>) {
        let place = |run: &RunRecord| (run.entry.seed(), run.entry.fold);
        let pairs = self.records.iter().filter_map(|run| {
            let twin = other.records.iter().find(|twin| place(twin) == place(run))?;
            Some((run.test.accuracy, twin.test.accuracy))
        });
        pairs.unzip()
    }

    /// The signed-rank test of the test accuracies on common splits, and the size of the effect;
    /// `None` without any.
    pub fn compare(&self, other: &Row) -> Option<(WilcoxonTest, Effect)> {
        let (ours, theirs) = self.paired(other);
        Some((signed_rank(&ours, &theirs).ok()?, a12(&ours, &theirs).ok()?))
    }
}

impl Results {
    /// What is finished of a plan's runs.
    pub fn of(plan: &Plan, finished: &Finished) -> Result<Self, LabError> {
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
        Ok(Self { name: plan.name.clone(), rows })
    }

    /// The row with the best mean accuracy among the rivals of a row.
    pub fn best_rival(&self, row: &Row) -> Option<&Row> {
        let mean = |row: &Row| row.moments(Figure::Accuracy).map_or(f64::NEG_INFINITY, |m| m.mean);
        let rivals = self.rows.iter().filter(|rival| rival.is_rival(row));
        rivals
            .filter(|rival| !rival.records.is_empty())
            .reduce(|best, rival| if mean(rival) > mean(best) { rival } else { best })
    }

    /// Whether a row is as good as the best of its data set while others are not.
    pub fn is_bold(&self, row: &Row) -> bool {
        let equal = |row: &Row| match self.best_rival(row) {
            Some(best) => row.compare(best).is_some_and(|(test, _)| test.p_value >= SIGNIFICANCE),
            None => false,
        };
        let is_finished = |rival: &&Row| rival.is_rival(row) && !rival.records.is_empty();
        equal(row) && !self.rows.iter().filter(is_finished).all(equal)
    }

    /// The data sets, each once, in the plan's order.
    pub fn data_sets(&self) -> Vec<&str> {
        let mut data: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !data.contains(&row.data.as_str()) {
                data.push(&row.data);
            }
        }
        data
    }

    /// The table.
    pub fn sheet(&self) -> Sheet {
        let one_protocol = self.rows.windows(2).all(|pair| pair[0].protocol == pair[1].protocol);
        let mut columns = vec!["Data set".to_owned(), "Method".to_owned()];
        if !one_protocol {
            columns.push("Protocol".to_owned());
        }
        columns.push("Runs".to_owned());
        columns.extend(Figure::OF_PAPER.iter().map(|figure| figure.title().to_owned()));
        columns.extend(["p".to_owned(), "A12".to_owned()]);
        let rows = self.rows.iter().map(|row| self.cells(row, one_protocol)).collect();
        let protocol = match self.rows.first() {
            Some(row) if one_protocol => format!(", protocol {}", row.protocol),
            _ => String::new(),
        };
        Sheet {
            title: format!("{}{protocol}: average ± standard deviation", self.name),
            columns,
            rows,
            notes: vec![
                format!(
                    "Bold (*): the best accuracy of a data set and those equal to it by Wilcoxon's \
                     signed-rank test on the common splits (exact, mid-ranks, pairs without \
                     difference left out) at {SIGNIFICANCE}, unless all are equal."
                ),
                "p: of that test against the best; A12: chance to be better than the best."
                    .to_owned(),
            ],
        }
    }

    /// Every finished run on a row of its own, with its figures.
    pub fn runs_sheet(&self) -> Sheet {
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
        Sheet {
            title: self.name.clone(),
            columns: columns.map(String::from).to_vec(),
            rows: self.rows.iter().flat_map(|row| &row.records).map(cells).collect(),
            notes: Vec::new(),
        }
    }

    fn cells(&self, row: &Row, one_protocol: bool) -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![row.data.as_str().into(), row.title().into()];
        if !one_protocol {
            cells.push(row.protocol.to_string().into());
        }
        let done = row.records.len();
        cells.push(if done == row.planned {
            done.to_string().into()
        } else {
            format!("{done} of {}", row.planned).into()
        });
        for figure in Figure::OF_PAPER {
            let bold = figure == Figure::Accuracy && self.is_bold(row);
            cells.push(figure_cell(row, figure, bold));
        }
        let best = self.best_rival(row).filter(|best| !std::ptr::eq(*best, row));
        match best.and_then(|best| row.compare(best)) {
            Some((test, effect)) => {
                cells.extend([Cell::p_value(test.p_value), Cell::number(effect.value, 2)]);
            }
            None => cells.extend([Cell::Empty, Cell::Empty]),
        }
        cells
    }
}

/// Mean and deviation of a figure as a cell.
pub(crate) fn figure_cell(row: &Row, figure: Figure, bold: bool) -> Cell {
    match row.moments(figure) {
        Some(moments) => Cell::Figure {
            mean: moments.mean,
            deviation: moments.known_deviation(),
            digits: figure.digits(),
            bold,
        },
        None => Cell::Empty,
    }
}

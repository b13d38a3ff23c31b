//! The measured quantities of a run.

use crate::FinishedRun;

/// What the targets of several runs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetKinds {
    /// Classes, or no run is finished.
    Classes,
    /// Numbers.
    Values,
    /// Classes in some runs, numbers in others.
    Both,
}

impl TargetKinds {
    /// The score that methods are compared by.
    pub(crate) fn score(self) -> &'static str {
        match self {
            Self::Classes => "accuracy",
            Self::Values => "R2",
            Self::Both => "accuracy, or R2 of numbers,",
        }
    }
}

/// A measured quantity of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Metric {
    RmseTrain,
    RmseTest,
    /// Test accuracy; R2 if the target is a number.
    Accuracy,
    /// The mean absolute error on test rows, of numbers only.
    MaeTest,
    /// The median absolute error on test rows, of numbers only.
    MedianErrorTest,
    Layers,
    Neurons,
    Features,
    Connections,
    Operations,
    /// The fraction of connections of the dense counterpart that are missing.
    Sparsity,
    /// The fraction of evaluated individuals that map to no network.
    Invalidity,
}

impl Metric {
    /// The columns of the paper's tables, and the cost of a prediction.
    pub const OF_PAPER: [Metric; 7] = [
        Self::RmseTrain,
        Self::RmseTest,
        Self::Accuracy,
        Self::Layers,
        Self::Neurons,
        Self::Features,
        Self::Operations,
    ];

    /// The head of its column in a table of these kinds of targets.
    pub(crate) fn title_for(self, targets: TargetKinds) -> &'static str {
        match (self, targets) {
            (Self::Accuracy, TargetKinds::Values) => "R2_t",
            (Self::Accuracy, TargetKinds::Both) => "Acc._t or R2_t",
            _ => self.title(),
        }
    }

    /// What it is in a table of these kinds of targets.
    pub(crate) fn meaning_for(self, targets: TargetKinds) -> &'static str {
        const R2: &str = "one minus the mean squared error on the test rows over their variance";
        const BOTH: &str = "fraction of right answers on the test rows; of numbers R2, which is one \
            minus the mean squared error over the variance";
        match (self, targets) {
            (Self::Accuracy, TargetKinds::Values) => R2,
            (Self::Accuracy, TargetKinds::Both) => BOTH,
            _ => self.meaning(),
        }
    }

    /// Whether it is in the units of a target.
    pub(crate) fn has_units(self) -> bool {
        matches!(self, Self::RmseTrain | Self::RmseTest | Self::MaeTest | Self::MedianErrorTest)
    }

    /// The head of its column, as in the paper.
    pub fn title(self) -> &'static str {
        match self {
            Self::RmseTrain => "RMSE_n",
            Self::RmseTest => "RMSE_t",
            Self::Accuracy => "Acc._t",
            Self::MaeTest => "MAE_t",
            Self::MedianErrorTest => "MedAE_t",
            Self::Layers => "#H.L.",
            Self::Neurons => "#Neu.",
            Self::Features => "#Fea.",
            Self::Connections => "Conn.",
            Self::Operations => "Ops.",
            Self::Sparsity => "Sparsity",
            Self::Invalidity => "Invalid",
        }
    }

    /// What it is, for the legend of a table.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::RmseTrain => "root mean squared error on the training rows",
            Self::RmseTest => "root mean squared error on the test rows",
            Self::Accuracy => "fraction of right answers on the test rows",
            Self::MaeTest => "mean absolute error on the test rows",
            Self::MedianErrorTest => "median absolute error on the test rows",
            Self::Layers => "hidden layers",
            Self::Neurons => "hidden neurons",
            Self::Features => "features that the network reads",
            Self::Connections => "connections, biases included",
            Self::Operations => "operations of a prediction",
            Self::Sparsity => "fraction of the connections of a dense network that are missing",
            Self::Invalidity => "fraction of the individuals that map to no network",
        }
    }

    /// The number of decimals that tables show.
    pub fn digits(self) -> usize {
        match self {
            Self::Accuracy | Self::RmseTrain | Self::RmseTest | Self::Sparsity => 3,
            Self::MaeTest | Self::MedianErrorTest => 3,
            Self::Layers | Self::Neurons | Self::Features => 2,
            Self::Connections | Self::Operations => 1,
            Self::Invalidity => 5,
        }
    }

    /// Its value in a run; not a number where a run has none.
    pub fn of(self, run: &FinishedRun) -> f64 {
        match self {
            Self::RmseTrain => run.train.rmse,
            Self::RmseTest => run.test.rmse,
            Self::Accuracy => run.test.accuracy,
            Self::MaeTest => run.test.mae.unwrap_or(f64::NAN),
            Self::MedianErrorTest => run.test.median_absolute_error.unwrap_or(f64::NAN),
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

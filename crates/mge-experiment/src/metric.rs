//! The measured quantities of a run.

use crate::FinishedRun;

/// A measured quantity of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Metric {
    RmseTrain,
    RmseTest,
    Accuracy,
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

    /// The head of its column, as in the paper.
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

    /// What it is, for the legend of a table.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::RmseTrain => "root mean squared error on the training rows",
            Self::RmseTest => "root mean squared error on the test rows",
            Self::Accuracy => "fraction of right answers on the test rows",
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
            Self::Layers | Self::Neurons | Self::Features => 2,
            Self::Connections | Self::Operations => 1,
            Self::Invalidity => 5,
        }
    }

    /// Its value in a run.
    pub fn of(self, run: &FinishedRun) -> f64 {
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

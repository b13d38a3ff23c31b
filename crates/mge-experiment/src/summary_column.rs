//! The columns that a summary table may have.

use crate::Metric;
use crate::metric::TargetKinds;

mge_names::named_enum! {
    /// A column of the summary table.
    pub enum SummaryColumn: "column" {
        /// The data set.
        Data = "data",
        /// The method, with the name of the settings if there are several.
        Method = "method",
        /// How rows are split. By default only where the plan has several protocols.
        Protocol = "protocol",
        /// The finished runs.
        Runs = "runs",
        /// Mean and deviation of the error on the training rows.
        RmseTrain = "rmse-train",
        /// Mean and deviation of the error on the test rows.
        RmseTest = "rmse-test",
        /// Mean and deviation of the accuracy on the test rows, or of R2 for numbers.
        Accuracy = "accuracy" | "r2",
        /// The interval of the mean accuracy.
        AccuracyInterval = "accuracy-95",
        /// Mean and deviation of the mean absolute error on the test rows, for numbers.
        MaeTest = "mae-test",
        /// Mean and deviation of the median absolute error on the test rows, for numbers.
        MedianErrorTest = "median-error-test",
        /// Mean and deviation of the hidden layers.
        Layers = "layers",
        /// Mean and deviation of the hidden neurons.
        Neurons = "neurons",
        /// Mean and deviation of the features in use.
        Features = "features",
        /// Mean and deviation of the connections.
        Connections = "connections",
        /// Mean and deviation of the operations of a prediction.
        Operations = "operations",
        /// Mean and deviation of the sparsity.
        Sparsity = "sparsity",
        /// Mean and deviation of the fraction of individuals that map to nothing.
        Invalidity = "invalidity",
        /// The accuracy minus that of the best method.
        Difference = "difference",
        /// The interval of that difference.
        DifferenceInterval = "difference-95",
        /// The p-value of the test against the best method.
        P = "p",
        /// The chance to be better than the best method.
        A12 = "a12",
    }
}

impl SummaryColumn {
    /// The columns that a table has by default: the paper's, the cost, and the comparison. `Protocol`
    /// is one only where there are several, and absolute errors only where targets are numbers.
    pub(crate) fn defaults(one_protocol: bool, targets: TargetKinds) -> Vec<Self> {
        use SummaryColumn as Column;
        let columns = [
            Column::Data,
            Column::Method,
            Column::Protocol,
            Column::Runs,
            Column::RmseTrain,
            Column::RmseTest,
            Column::Accuracy,
            Column::AccuracyInterval,
            Column::MaeTest,
            Column::Layers,
            Column::Neurons,
            Column::Features,
            Column::Operations,
            Column::Difference,
            Column::DifferenceInterval,
            Column::P,
            Column::A12,
        ];
        let is_shown = |column: &Column| match column {
            Column::Protocol => !one_protocol,
            Column::MaeTest => targets != TargetKinds::Classes,
            _ => true,
        };
        columns.into_iter().filter(is_shown).collect()
    }

    /// Whether text and LaTeX leave it out, unless somebody asks for it.
    pub(crate) fn is_detail(self) -> bool {
        matches!(self, Self::AccuracyInterval | Self::Difference | Self::DifferenceInterval)
    }

    /// The metric whose mean it shows.
    pub(crate) fn metric(self) -> Option<Metric> {
        Some(match self {
            Self::RmseTrain => Metric::RmseTrain,
            Self::RmseTest => Metric::RmseTest,
            Self::Accuracy => Metric::Accuracy,
            Self::MaeTest => Metric::MaeTest,
            Self::MedianErrorTest => Metric::MedianErrorTest,
            Self::Layers => Metric::Layers,
            Self::Neurons => Metric::Neurons,
            Self::Features => Metric::Features,
            Self::Connections => Metric::Connections,
            Self::Operations => Metric::Operations,
            Self::Sparsity => Metric::Sparsity,
            Self::Invalidity => Metric::Invalidity,
            _ => return None,
        })
    }
}

//! The linear model that least squares, ridge and L1 regression share. Its cost is counted like
//! that of every network: it is one without hidden neurons.

use mge_net::{Columns, Link, Network, Output, Source};

use super::BaselineRegressor;
use crate::{PredictionCost, linear};

/// A weight for each feature, and a bias.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinearModel {
    pub(super) weights: Vec<f64>,
    pub(super) bias: f64,
}

impl LinearModel {
    pub(super) fn new(weights: Vec<f64>, bias: f64) -> Self {
        Self { weights, bias }
    }
}

impl BaselineRegressor for LinearModel {
    fn predict(&self, columns: &Columns) -> Vec<f64> {
        assert_eq!(columns.count(), self.weights.len(), "columns must match the training rows");
        let mut sums = vec![self.bias; columns.rows()];
        for (index, weight) in self.weights.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            let values = columns.column(index);
            sums.iter_mut().zip(values).for_each(|(sum, &x)| *sum += weight * f64::from(x));
        }
        sums
    }

    fn cost(&self) -> PredictionCost {
        // The number of weights counts, and not their size.
        let links = self.weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        let link = |index: usize| Link { source: Source::Input(index as u32), weight: 1.0 };
        let links = links.map(|(index, _)| link(index)).collect();
        let output = Output { bias: Some(1.0), links };
        let network = Network::new(self.weights.len(), Vec::new(), vec![output])
            .expect("few enough links, all from inputs, all finite");
        linear::cost(&network)
    }
}

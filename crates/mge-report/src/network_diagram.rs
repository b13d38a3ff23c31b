//! A network with names for its inputs and its classes or targets, ready to be drawn.

use crate::text::clean;
use mge::Model;
use mge::net::{Network, OutputLink};
use thiserror::Error;

/// A network with names for its inputs and classes.
#[derive(Debug, Clone)]
pub struct NetworkDiagram<'a> {
    network: &'a Network,
    features: Vec<String>,
    /// The names of the classes, or of the targets that are numbers.
    classes: Vec<String>,
    top: Option<usize>,
    /// Whether each output is a number.
    is_regression: bool,
}

/// Names that do not fit the network.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{found} {what} names for a network with {expected}; expected one name for each")]
pub struct NetworkDiagramError {
    /// Feature or class.
    pub what: &'static str,
    /// How many were given.
    pub found: usize,
    /// How many there should be.
    pub expected: usize,
}

impl<'a> NetworkDiagram<'a> {
    /// A network with the names of its inputs and classes.
    ///
    /// # Errors
    /// When there is not one name for each input and class.
    pub fn new(
        network: &'a Network,
        features: &[String],
        classes: &[String],
    ) -> Result<Self, NetworkDiagramError> {
        for (what, found, expected) in [
            ("feature", features.len(), network.inputs()),
            ("class", classes.len(), OutputLink::for_outputs(network.outputs().len()).classes()),
        ] {
            if found != expected {
                return Err(NetworkDiagramError { what, found, expected });
            }
        }
        let clean_all = |names: &[String]| names.iter().map(|name| clean(name)).collect();
        Ok(Self {
            network,
            features: clean_all(features),
            classes: clean_all(classes),
            top: None,
            is_regression: false,
        })
    }

    /// The network of a model. A model was checked when it was read, so its names fit.
    pub fn of(model: &'a Model) -> Self {
        Self::of_network(model, &model.network)
    }

    /// Another network with the features and classes of a model.
    ///
    /// # Panics
    /// When the network does not have the model's inputs and outputs.
    pub fn of_network(model: &Model, network: &'a Network) -> Self {
        assert_eq!(network.inputs(), model.network.inputs(), "a network of another model");
        assert_eq!(network.outputs().len(), model.network.outputs().len(), "another task");
        let features = model.preprocess.features().iter().map(|f| clean(&f.name)).collect();
        let is_regression = model.values.is_some();
        let names = if is_regression { model.target_columns() } else { model.classes.clone() };
        let classes = names.iter().map(|name| clean(name)).collect();
        Self { network, features, classes, top: None, is_regression }
    }

    /// The diagram with only its `top` strongest connections.
    pub fn with_top(self, top: usize) -> Self {
        Self { top: Some(top), ..self }
    }

    /// How many connections to draw, the strongest ones; `None` for all.
    pub fn top(&self) -> Option<usize> {
        self.top
    }

    /// The network.
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// The name of an input.
    pub fn feature(&self, input: usize) -> &str {
        &self.features[input]
    }

    /// The class that an output stands for: the second class where there is a single output. Of a
    /// regression the target that it predicts.
    pub fn class(&self, output: usize) -> &str {
        let is_second = self.network.outputs().len() == 1 && !self.is_regression;
        &self.classes[if is_second { 1 } else { output }]
    }

    /// Whether each output is a number, and not a class.
    pub fn is_regression(&self) -> bool {
        self.is_regression
    }

    /// The class of an output, and of a single output the class that it excludes.
    pub fn class_label(&self, output: usize) -> String {
        match self.other_class() {
            Some(other) => format!("{} (else {other})", self.class(output)),
            None => self.class(output).to_owned(),
        }
    }

    /// The class that a single output excludes.
    pub fn other_class(&self) -> Option<&str> {
        let is_single = self.network.outputs().len() == 1 && !self.is_regression;
        is_single.then(|| self.classes[0].as_str())
    }
}

//! Errors of the library as the package's own Python exceptions, with their whole message.

use mge::FitError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::error::Error;

/// Which class of `mge._errors` an error becomes.
#[derive(Clone, Copy)]
pub enum Kind {
    Data,
    Settings,
    Search,
    Model,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Data => "DataError",
            Self::Settings => "SettingsError",
            Self::Search => "SearchError",
            Self::Model => "ModelError",
        }
    }

    /// An exception of this class.
    pub fn error(self, error: impl Error) -> PyErr {
        self.message(with_causes(&error))
    }

    /// An exception of this class with this message.
    pub fn message(self, message: String) -> PyErr {
        Python::attach(|py| {
            let class = py.import("mge._errors").and_then(|module| module.getattr(self.class()));
            let class = class.and_then(|class| Ok(class.cast_into::<PyType>()?));
            match class {
                Ok(class) => PyErr::from_type(class, message),
                // The package is incomplete; its message is still worth more than that.
                Err(_) => PyValueError::new_err(message),
            }
        })
    }
}

/// The exception of a fit that could not be done.
pub fn of_fit(error: FitError) -> PyErr {
    let kind = match &error {
        FitError::Data(_) | FitError::Evaluator(_) => Kind::Data,
        FitError::NothingFound { .. } | FitError::NothingWithin { .. } | FitError::Run(_) => {
            Kind::Search
        }
        _ => Kind::Settings,
    };
    kind.error(error)
}

/// The message, and those of its causes that it does not include.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(one) = cause {
        let message = one.to_string();
        if !text.contains(&message) {
            text += &format!("\n  caused by: {message}");
        }
        cause = one.source();
    }
    text
}

//! Methods by name: a variant of MGE, or another search method. One place, so that a method that
//! is added to the facade can be named in plans without a change here.

use mge::{Method, Settings, Variant};
use thiserror::Error;

/// Methods that the paper compares with and that may not be built yet.
const COMPARED: [&str; 14] = [
    "ge",
    "sge",
    "dsge",
    "neat",
    "ova-neat",
    "knn",
    "cart",
    "svm",
    "odm",
    "linear-svm",
    "linear-odm",
    "rbf-svm",
    "fnn",
    "cnn",
];

/// A name that is no method of this build.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MethodNameError {
    /// The paper compares with it, but it is not in this build.
    #[error("method {name} is not built")]
    NotBuilt {
        /// The name.
        name: String,
    },
    /// Nothing of this name.
    #[error("unknown method `{name}`; expected one of {known}")]
    Unknown {
        /// The name.
        name: String,
        /// What there is.
        known: String,
    },
}

/// The settings that a method's name stands for.
pub fn method_settings(name: &str) -> Result<Settings, MethodNameError> {
    let lower = name.to_lowercase();
    if let Some(variant) = Variant::ALL.into_iter().find(|variant| variant.name() == lower) {
        let method = Some(Method::MGE);
        return Ok(Settings { method, variant: Some(variant), ..Settings::default() });
    }
    if let Some(method) = Method::all().into_iter().find(|method| method.name() == lower) {
        return Ok(Settings { method: Some(method), ..Settings::default() });
    }
    if COMPARED.contains(&lower.as_str()) {
        return Err(MethodNameError::NotBuilt { name: lower });
    }
    let mut known: Vec<&str> = Variant::ALL.into_iter().map(Variant::name).collect();
    let methods = Method::all().into_iter().map(Method::name).filter(|name| *name != "mge");
    known.extend(methods);
    Err(MethodNameError::Unknown { name: name.to_owned(), known: known.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_variants_or_methods_or_not_built_or_unknown() {
        assert_eq!(method_settings("Alpha").unwrap().variant, Some(Variant::Alpha));
        assert_eq!(method_settings("knn").unwrap_err().to_string(), "method knn is not built");
        let unknown = method_settings("mgee").unwrap_err().to_string();
        assert!(
            unknown.starts_with("unknown method `mgee`; expected one of mge, alpha"),
            "{unknown}"
        );
    }
}

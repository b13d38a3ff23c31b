//! The names of methods in plans. Methods come from the registry of the facade, so a plan can name
//! every method that the program registers.

use crate::distinct::distinct;
use crate::paper::published;
use mge::method::CommonSetting;
use mge::{Method, Settings, Variant};
use thiserror::Error;

/// A name that is not a method of this program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MethodNameError {
    /// A method of the paper's comparisons that this program does not have.
    #[error("method {name} is not built")]
    NotBuilt {
        /// The name.
        name: String,
    },
    /// An unknown name.
    #[error("unknown method `{name}`; expected one of {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The known names.
        known: String,
    },
}

/// The settings that the name of a method stands for: a method of the registry, or a variant of the
/// method that has variants.
pub(crate) fn method_settings(name: &str) -> Result<Settings, MethodNameError> {
    let lower = name.to_lowercase();
    if let Some(variant) = Variant::ALL.into_iter().find(|variant| variant.name() == lower) {
        let method = Method::all().into_iter().find(has_variants);
        return Ok(Settings { method, variant: Some(variant), ..Settings::default() });
    }
    if let Some(method) = Method::find(&lower) {
        return Ok(Settings { method: Some(method), ..Settings::default() });
    }
    if is_in_paper(&lower) {
        return Err(MethodNameError::NotBuilt { name: lower });
    }
    let variants = Variant::ALL.into_iter().map(Variant::name);
    let methods = Method::all().into_iter().map(Method::name);
    let known: Vec<&str> = distinct(variants.chain(methods));
    Err(MethodNameError::Unknown { name: name.to_owned(), known: known.join(", ") })
}

fn has_variants(method: &Method) -> bool {
    method.reads(CommonSetting::Variant)
}

/// Whether the paper has results of this method.
fn is_in_paper(name: &str) -> bool {
    published().is_ok_and(|all| all.row.iter().any(|row| row.method == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_variants_methods_unavailable_or_unknown() {
        assert_eq!(method_settings("Alpha").unwrap().variant, Some(Variant::Alpha));
        assert_eq!(method_settings("knn").unwrap_err().to_string(), "method knn is not built");
        let unknown = method_settings("mgee").unwrap_err().to_string();
        assert!(
            unknown.starts_with("unknown method `mgee`; expected one of mge, alpha"),
            "{unknown}"
        );
    }
}

//! The error for a text that is none of the expected names.

use crate::nearest;
use std::error::Error;
use std::fmt;

/// A text that names none of the choices.
///
/// ```
/// use mge_names::UnknownName;
///
/// let error = UnknownName::new("method", "hybird", ["mge", "neat", "hybrid"]);
/// assert_eq!(
///     error.to_string(),
///     "unknown method `hybird`; expected mge, neat or hybrid; did you mean `hybrid`?"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// What was expected, such as `method`.
    pub what: &'static str,
    /// The text that was given.
    pub found: String,
    /// The names there are, or a description of the form.
    pub expected: String,
    /// The most similar name, if one is similar enough.
    pub nearest: Option<String>,
}

impl UnknownName {
    /// The error for a choice among names.
    pub fn new<'a>(
        what: &'static str,
        found: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let nearest = nearest(found, names.iter().copied()).map(str::to_owned);
        Self { what, found: found.to_owned(), expected: list(&names), nearest }
    }

    /// The error for a text of a given form, such as `2/3`.
    pub fn with_form(what: &'static str, found: &str, expected: impl Into<String>) -> Self {
        Self { what, found: found.to_owned(), expected: expected.into(), nearest: None }
    }
}

/// Names as a list for messages: `one, two or three`.
pub fn list(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`; expected {}", self.what, self.found, self.expected)?;
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl Error for UnknownName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_lists_the_names_and_suggests_the_nearest() {
        let message = |found, names: &[&'static str]| {
            UnknownName::new("loss", found, names.iter().copied()).to_string()
        };
        assert_eq!(
            message("mes", &["ce", "mse"]),
            "unknown loss `mes`; expected ce or mse; did you mean `mse`?"
        );
        assert_eq!(message("zzz", &["ce", "mse"]), "unknown loss `zzz`; expected ce or mse");
        assert_eq!(message("x", &["ce"]), "unknown loss `x`; expected ce");
        assert_eq!(message("x", &[]), "unknown loss `x`; expected nothing");
    }

    #[test]
    fn a_form_has_no_suggestion() {
        let error = UnknownName::with_form("shard", "7", "i/n with 1 <= i <= n, such as 2/3");
        assert_eq!(
            error.to_string(),
            "unknown shard `7`; expected i/n with 1 <= i <= n, such as 2/3"
        );
    }
}

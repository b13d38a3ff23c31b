//! Methods by name: those of this crate, and those that a program registers.

use super::BUILT_IN;
use super::config::AnyMethod;
use super::search_method::{CommonSetting, MethodInfo, SearchMethod};
use mge_names::UnknownName;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};
use thiserror::Error;

/// Methods that [`register`] added, in that order.
///
/// Names of methods are read by serde and by command-line parsers, which take no context. So the
/// registry belongs to the process.
static REGISTERED: RwLock<Vec<&'static dyn AnyMethod>> = RwLock::new(Vec::new());

/// A search method, by its name. Built-in ones are constants such as [`Method::HYBRID`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Method(&'static str);

/// A method that cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RegisterError {
    /// The name or the settings table belongs to another method.
    #[error("there is a method or a settings table `{name}` already; expected another name")]
    Taken {
        /// The name.
        name: &'static str,
    },
    /// The name cannot be typed after `--method` or written as a table.
    #[error(
        "`{name}` cannot be the name of a method or of its settings table; \
         expected small letters, digits and hyphens, a letter first"
    )]
    Name {
        /// The name.
        name: &'static str,
    },
}

/// Adds a method, for the whole process. Call it first in `main`, before settings are read.
///
/// # Errors
/// When its name or its settings table is taken, or cannot be a name.
pub fn register<M: SearchMethod>(method: &'static M) -> Result<Method, RegisterError> {
    let MethodInfo { name, table, .. } = method.info();
    for name in [name, table] {
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !is_name {
            return Err(RegisterError::Name { name });
        }
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    for other in BUILT_IN.iter().chain(registered.iter()).map(|other| other.info()) {
        if other.name == name {
            return Err(RegisterError::Taken { name });
        }
        if other.table == table || crate::settings::COMMON_KEYS.contains(&table) {
            return Err(RegisterError::Taken { name: table });
        }
    }
    registered.push(method);
    Ok(Method(name))
}

/// All methods that there are, built-in ones first.
fn all() -> Vec<&'static dyn AnyMethod> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter()).copied().collect()
}

/// The methods whose settings are in the table of this name. Empty if there is no such table.
pub(crate) fn methods_of_table(table: &str) -> Vec<Method> {
    let infos = all().into_iter().map(|method| method.info());
    infos.filter(|info| info.table == table).map(|info| Method(info.name)).collect()
}

impl Method {
    /// The method of this name, for the constants of the built-in methods.
    pub(super) const fn named(name: &'static str) -> Self {
        Self(name)
    }

    /// All methods, built-in ones first.
    pub fn all() -> Vec<Method> {
        all().into_iter().map(|method| Method(method.info().name)).collect()
    }

    /// The method of this name, in any case.
    pub fn find(name: &str) -> Option<Method> {
        Self::all().into_iter().find(|method| method.0.eq_ignore_ascii_case(name))
    }

    pub(crate) fn implementation(self) -> &'static dyn AnyMethod {
        let found = all().into_iter().find(|method| method.info().name == self.0);
        found.expect("only methods of the registry have a value of this type")
    }

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// What is known of the method before any settings.
    pub fn info(self) -> MethodInfo {
        self.implementation().info()
    }

    /// The version of the algorithm. A change that gives any run another result raises it. So runs
    /// and checkpoints of older programs are not taken for those of this one.
    pub fn algorithm_version(self) -> u32 {
        self.info().algorithm_version
    }

    /// Whether the method reads a common setting.
    pub fn reads(self, setting: CommonSetting) -> bool {
        self.info().reads.contains(&setting)
    }
}

/// The default method, [`Method::HYBRID`].
impl Default for Method {
    fn default() -> Self {
        Self::HYBRID
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Method({})", self.0)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

/// `a, b and c`, with this last word.
pub(crate) fn list(names: &[&str], last: &str) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., end] => format!("{} {last} {end}", names.join(", ")),
    }
}

impl FromStr for Method {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownName::new("method", text, Self::all().into_iter().map(Self::name));
        Self::find(text).ok_or_else(unknown)
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = Self::all().into_iter().find(|method| method.0 == name);
        found.map_or_else(|| name.parse().map_err(D::Error::custom), Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_others_are_told_what_there_is() {
        assert_eq!("Ova-NEAT".parse(), Ok(Method::OVA_NEAT));
        let error = "mgee".parse::<Method>().unwrap_err().to_string();
        let expected =
            "unknown method `mgee`; expected mge, ge, sge, dsge, neat, ova-neat or hybrid";
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn names_and_summaries_are_there_once() {
        let mut names: Vec<&str> = BUILT_IN.iter().map(|method| method.info().name).collect();
        assert!(BUILT_IN.iter().all(|method| !method.info().summary.is_empty()));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BUILT_IN.len());
    }
}

//! Settings that do not go together: those of a method that does not run.

use super::Settings;
use crate::grammar_text::GrammarFileError;
use crate::method::{CommonSetting, Method, MethodInfo};
use mge_net::Loss;
use std::error::Error as StdError;
use thiserror::Error;

/// Settings that do not go together.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// A setting of another method.
    #[error(
        "{setting} is not a setting of method {method}, but of {owners}; \
         expected an entry of the table {table}, such as --set {table}.NAME=VALUE"
    )]
    NotOfMethod {
        /// The setting.
        setting: String,
        /// The method.
        method: Method,
        /// The methods that have it.
        owners: String,
        /// The method's own table.
        table: &'static str,
    },
    /// A setting of another method, where no method is named.
    #[error(
        "{setting} is a setting of {owners}, but the method is {} where none is named; \
         add --method {add} (or `method = \"{add}\"` to the settings)",
        Method::default()
    )]
    NoMethodNamed {
        /// The setting.
        setting: String,
        /// The methods that have it.
        owners: String,
        /// The one that is probably meant.
        add: Method,
    },
    /// A value that the method's settings do not take.
    #[error("the settings of method {method} are wrong: {source}")]
    OfMethod {
        /// The method.
        method: Method,
        /// What is wrong.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// A loss that does not suit the target.
    #[error("the loss {loss} does not suit this target; expected {}", expected.join(" or "))]
    LossOfTask {
        /// The loss.
        loss: Loss,
        /// What would be right.
        expected: Vec<&'static str>,
    },
    /// A setting of classes, where the target is a number.
    #[error("{setting} is about classes, and the target is a number; expected a target of classes")]
    OfClasses {
        /// The setting.
        setting: &'static str,
    },
    /// Two ways to choose the test rows.
    #[error("{first} and {second} exclude each other; expected one of them")]
    Exclusive {
        /// One.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A cross-validation where a single fit is prepared.
    #[error("data.folds asks for a cross-validation; expected `Folds` or `Fit::run` to do it")]
    NeedsFolds,
    /// The grammar cannot be read.
    #[error(transparent)]
    Grammar(#[from] GrammarFileError),
}

impl SettingsError {
    /// A value that a method's settings do not take.
    pub fn of_method(method: Method, error: impl StdError + Send + Sync + 'static) -> Self {
        Self::OfMethod { method, source: Box::new(error) }
    }
}

/// A setting that is given and that not every method has.
struct Given {
    setting: String,
    owner: Owner,
}

enum Owner {
    Common(CommonSetting),
    Table(String),
}

impl Owner {
    fn has(&self, method: MethodInfo) -> bool {
        match self {
            Self::Common(setting) => method.reads.contains(setting),
            Self::Table(table) => method.table == table,
        }
    }

    /// The methods that have the setting.
    fn methods(&self) -> Vec<Method> {
        Method::all().into_iter().filter(|method| self.has(method.info())).collect()
    }
}

impl Settings {
    /// The settings that are given and that not every method has.
    fn given(&self) -> Vec<Given> {
        use CommonSetting::{Grammar, Population, Selection, Variant};
        let evolution = &self.evolution;
        let common = [
            ("variant", Variant, self.variant.is_some()),
            ("grammar", Grammar, self.grammar.is_some()),
            ("crossover_rate", Selection, evolution.crossover_rate.is_some()),
            ("tournament", Selection, evolution.tournament.is_some()),
            ("elite", Selection, evolution.elite.is_some()),
            ("population", Population, evolution.population.is_some()),
        ];
        let common =
            common.into_iter().filter(|(.., is_given)| *is_given).map(|(name, owner, _)| Given {
                setting: name.to_owned(),
                owner: Owner::Common(owner),
            });
        let tables = self.methods.iter().filter_map(|(table, entries)| {
            let setting = format!("{table}.{}", entries.first()?);
            Some(Given { setting, owner: Owner::Table(table.to_owned()) })
        });
        common.chain(tables).collect()
    }

    /// Checks that the method has every setting that is given here.
    ///
    /// An entry in the table of another method is an error too. So check only what a user asked of
    /// this one run, and not a file that serves several methods.
    ///
    /// # Errors
    /// When the method does not have one of them.
    pub fn check_for(&self, method: Method) -> Result<(), SettingsError> {
        self.given().into_iter().try_for_each(|given| check_owner(given, method))
    }

    /// Checks that the method has the settings outside of tables and groups that are given here.
    pub(super) fn check_top_level(&self, method: Method) -> Result<(), SettingsError> {
        let is_top_level = |given: &Given| {
            matches!(given.owner, Owner::Common(CommonSetting::Variant | CommonSetting::Grammar))
        };
        let mut given = self.given().into_iter().filter(is_top_level);
        given.try_for_each(|given| check_owner(given, method))
    }

    /// If no method is named, checks that the default method has every given setting. Otherwise
    /// the run would ignore a setting of another method, which the user probably meant to use.
    ///
    /// # Errors
    /// When the default method lacks a setting and none is named.
    pub fn check_method_named(&self) -> Result<(), SettingsError> {
        let default = Method::default().info();
        if self.method.is_some() {
            return Ok(());
        }
        for Given { setting, owner } in self.given() {
            let methods = owner.methods();
            if let (false, Some(&add)) = (owner.has(default), methods.first()) {
                return Err(SettingsError::NoMethodNamed {
                    setting,
                    owners: owners(&methods),
                    add,
                });
            }
        }
        Ok(())
    }
}

fn check_owner(given: Given, method: Method) -> Result<(), SettingsError> {
    if given.owner.has(method.info()) {
        return Ok(());
    }
    Err(SettingsError::NotOfMethod {
        setting: given.setting,
        method,
        owners: owners(&given.owner.methods()),
        table: method.info().table,
    })
}

/// `method mge`, or `methods mge, ge and sge`.
fn owners(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
    let word = if names.len() == 1 { "method" } else { "methods" };
    format!("{word} {}", crate::method::list(&names, "and"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{TaskKind, TaskSize};

    const SIZE: TaskSize = TaskSize { rows: 100, kind: TaskKind::Classes(2) };

    #[test]
    fn settings_of_another_method_ask_for_its_name() {
        for (entry, owner, add) in [
            ("variant='alpha'", "variant is a setting of method mge,", "mge"),
            ("grammar='authors'", "grammar is a setting of methods mge, ge, sge and dsge,", "mge"),
            ("mge.wraps=1", "mge.wraps is a setting of method mge,", "mge"),
            ("mge.real.step=0.1", "mge.real is a setting of method mge,", "mge"),
            ("evolution.population=9", "population is a setting of methods mge, ge,", "mge"),
            ("evolution.elite=0", "elite is a setting of methods mge, ge, sge and dsge,", "mge"),
            ("ge.wraps=1", "ge.wraps is a setting of method ge,", "ge"),
            ("sge.recursion=4", "sge.recursion is a setting of method sge,", "sge"),
            ("dsge.max_depth=9", "dsge.max_depth is a setting of method dsge,", "dsge"),
            ("neat.add_node=0.1", "neat.add_node is a setting of methods neat and", "neat"),
        ] {
            let settings = Settings::of_entries(&[entry]).unwrap();
            let error = settings.resolve_for(SIZE, 1).unwrap_err().to_string();
            assert!(error.starts_with(owner), "{entry}: {error}");
            assert!(error.contains(&format!("; add --method {add} ")), "{entry}: {error}");
            let named = Settings::of_entries(&[format!("method={add}")]).unwrap();
            let resolved = settings.over(named).resolve_for(SIZE, 1).unwrap();
            assert_eq!(resolved.method.method().name(), add);
        }
        let default = Settings::of_entries(&["loss=mse", "hybrid.max_ops=50", "stop.patience=3"]);
        let default = default.unwrap().resolve_for(SIZE, 1).unwrap();
        assert_eq!(default.method.method(), Method::HYBRID);
    }

    #[test]
    fn what_a_user_asked_of_a_run_must_be_a_setting_of_its_method() {
        let error = |entry: &str, method| {
            Settings::of_entries(&[entry]).unwrap().check_for(method).unwrap_err().to_string()
        };
        assert_eq!(
            error("mge.wraps=1", Method::GE),
            "mge.wraps is not a setting of method ge, but of method mge; \
             expected an entry of the table ge, such as --set ge.NAME=VALUE"
        );
        let of_hybrid = error("evolution.population=9", Method::HYBRID);
        assert!(
            of_hybrid.starts_with("population is not a setting of method hybrid,"),
            "{of_hybrid}"
        );
        let of_neat = error("evolution.elite=0", Method::OVA_NEAT);
        assert!(of_neat.ends_with("--set neat.NAME=VALUE"), "{of_neat}");
    }
}

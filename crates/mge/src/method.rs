//! The search methods: their names, their resolved settings, and how each is put together for one
//! task. Everything but this folder is the same for all of them.
//!
//! To add a method: a name in [`Method`], its settings in [`MethodConfig`], and a file here that
//! builds its [`prepared::PreparedMethod`].

mod dsge;
mod evolution;
mod ge;
mod hybrid;
mod mge;
mod neat;
mod overrides;
pub(crate) mod prepared;
mod rules;
mod sge;
mod whole;

pub use evolution::EvolutionSettings;
pub use mge::MgeSettings;
pub use overrides::PartialParams;
pub use rules::{GrammarConfig, MethodConfig, SettingsError};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The search methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Modular Grammatical Evolution, as the paper has it.
    Mge,
    /// Grammatical Evolution: one list of codons for the whole network.
    Ge,
    /// Structured Grammatical Evolution: one list of fixed length for each non-terminal.
    Sge,
    /// Dynamic Structured Grammatical Evolution: lists that grow, networks of several layers.
    Dsge,
    /// NeuroEvolution of Augmenting Topologies.
    Neat,
    /// One binary NEAT search for each class; the largest output wins.
    OvaNeat,
    /// Structure by search, weights by gradient; keeps the front of accuracy against cost. The
    /// method of whoever names none.
    #[default]
    Hybrid,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 7] =
        [Self::Mge, Self::Ge, Self::Sge, Self::Dsge, Self::Neat, Self::OvaNeat, Self::Hybrid];

    /// The behaviour of the method: raised when a change makes any run end otherwise, so that runs and
    /// checkpoints of older programs are not taken for those of this one. `tests/behaviour.rs` of the
    /// laboratory fails when it must be raised.
    pub fn algorithm_version(self) -> u32 {
        match self {
            Method::Hybrid => 5,
            _ => 1,
        }
    }

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Method::Mge => "mge",
            Method::Ge => "ge",
            Method::Sge => "sge",
            Method::Dsge => "dsge",
            Method::Neat => "neat",
            Method::OvaNeat => "ova-neat",
            Method::Hybrid => "hybrid",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no method.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown method `{found}`; expected mge, ge, sge, dsge, neat, ova-neat or hybrid")]
pub struct UnknownMethod {
    /// What was given.
    pub found: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.to_lowercase();
        let method = Self::ALL.into_iter().find(|method| method.name() == lower);
        method.ok_or_else(|| UnknownMethod { found: text.to_owned() })
    }
}

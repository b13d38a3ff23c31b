//! Which grammar a run uses: a shipped one by name, or a user's file.

use mge_grammar::mge::Variant;
use mge_grammar::shipped::{self, Shipped};
use mge_names::nearest;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A grammar with its name: enough to map the same genes again without the user's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarText {
    /// A shipped grammar's name, or the file's.
    pub name: String,
    /// The BNF text.
    pub text: String,
}

/// A grammar that is neither shipped nor a readable file.
#[derive(Debug, Error)]
#[error(
    "cannot read the grammar {}: {source}; shipped grammars are {shipped}{}",
    path.display(),
    did_you_mean(path)
)]
pub struct GrammarFileError {
    path: PathBuf,
    source: std::io::Error,
    shipped: String,
}

/// The shipped grammar with a similar name.
fn did_you_mean(asked: &Path) -> String {
    let all = shipped::ALL.iter().chain(&shipped::NETWORKS).map(|grammar| grammar.name);
    let name = asked.to_str().and_then(|asked| nearest(asked, all));
    name.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

impl GrammarText {
    /// The paper's grammar for a variant.
    pub fn of_variant(variant: Variant) -> Self {
        Self::from(if variant.is_modular() { &shipped::MGE } else { &shipped::MONOLITHIC })
    }

    /// The shipped grammar of this name, else the file at this path.
    pub fn find(asked: &Path) -> Result<Self, GrammarFileError> {
        if let Some(grammar) = asked.to_str().and_then(shipped::find) {
            return Ok(Self::from(grammar));
        }
        match std::fs::read_to_string(asked) {
            Ok(text) => Ok(Self { name: asked.display().to_string(), text }),
            Err(source) => {
                let names: Vec<_> = shipped::ALL.iter().map(|grammar| grammar.name).collect();
                let shipped = names.join(", ");
                Err(GrammarFileError { path: asked.to_owned(), source, shipped })
            }
        }
    }
}

impl From<&Shipped> for GrammarText {
    fn from(grammar: &Shipped) -> Self {
        Self { name: grammar.name.to_owned(), text: grammar.text.to_owned() }
    }
}

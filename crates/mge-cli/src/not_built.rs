//! Commands that the quick build leaves out: each says how to get it.

use anyhow::anyhow;
#[cfg(not(feature = "research"))]
use clap::Subcommand;
use std::ffi::OsString;

/// The commands of the feature `research`.
#[cfg(not(feature = "research"))]
#[derive(Subcommand)]
pub enum Research {
    /// Measure the speed of the search (not in this build)
    Bench(AnyArguments),
    /// Run many fits from a plan and compare methods (not in this build)
    Experiment(AnyArguments),
    /// Examine how genotypes map to networks (not in this build)
    Analyze(AnyArguments),
    /// Make the paper's tables and figures again (not in this build)
    Paper(AnyArguments),
}

/// Arguments that nothing reads.
#[derive(clap::Args)]
pub struct AnyArguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    ignored: Vec<OsString>,
}

#[cfg(not(feature = "research"))]
impl Research {
    /// Says how to get the command.
    pub fn run(self) -> anyhow::Result<()> {
        let (name, arguments) = match self {
            Self::Bench(arguments) => ("bench", arguments),
            Self::Experiment(arguments) => ("experiment", arguments),
            Self::Analyze(arguments) => ("analyze", arguments),
            Self::Paper(arguments) => ("paper", arguments),
        };
        drop(arguments.ignored);
        Err(error(name))
    }
}

/// The error for a command that is left out.
pub fn error(name: &str) -> anyhow::Error {
    anyhow!(
        "`mge {name}` is not in this build; \
         `cargo install --path crates/mge-cli --features full` installs all commands"
    )
}

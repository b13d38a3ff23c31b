//! `mge completions`: a script with which a shell completes commands, flags and names.

use crate::print;
use clap::Args;
use clap_complete::{Shell, generate};

/// Print the script with which a shell completes commands, flags and values
#[derive(Args)]
#[command(after_help = "Examples:
  mge completions bash > ~/.local/share/bash-completion/completions/mge
  mge completions zsh > ~/.zfunc/_mge        # a folder of $fpath
  mge completions fish > ~/.config/fish/completions/mge.fish
  mge completions powershell >> $PROFILE")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        generate(self.shell, &mut crate::command(), "mge", &mut script);
        print::bytes(&script)
    }
}

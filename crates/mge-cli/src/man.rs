//! `mge man`: manual pages, one for each command.

use crate::print;
use anyhow::{Context, anyhow};
use clap::{Args, Command};
use clap_mangen::Man;
use mge_io::write_atomically;
use std::path::{Path, PathBuf};

/// Write the manual pages of all commands
///
/// The pages are for `man`: mge.1, mge-fit.1 and so on.
#[derive(Args)]
#[command(after_help = "Example:
  mge man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Folder to write to
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
}

impl ManArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        std::fs::create_dir_all(&self.out)
            .with_context(|| format!("cannot make the folder {}", self.out.display()))?;
        let mut command = crate::command().disable_help_subcommand(true);
        command.build();
        let count = write(&command, &self.out)?;
        let pages = print::count(count, "page");
        print::note(format_args!("wrote {pages} to {}", self.out.display()));
        Ok(())
    }
}

/// Writes the page of a command and those of its subcommands; returns how many.
fn write(command: &Command, folder: &Path) -> anyhow::Result<usize> {
    let man = Man::new(command.clone());
    let file = folder.join(man.get_filename());
    let mut page = Vec::new();
    man.render(&mut page)?;
    write_atomically(&file, &page)
        .map_err(|error| anyhow!("cannot write {}: {error}", file.display()))?;
    let inner = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    inner.map(|inner| write(inner, folder)).sum::<anyhow::Result<usize>>().map(|count| count + 1)
}

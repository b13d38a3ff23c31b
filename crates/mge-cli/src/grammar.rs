//! `mge grammar`: the grammars inside the program, and what is in a grammar file.

use crate::print;
use clap::{Args, Subcommand};
use mge::GrammarText;
use mge::grammar::shipped::{ALL, NETWORKS};
use serde::Serialize;
use std::path::PathBuf;

/// List and show the grammars of methods mge, ge, sge and dsge
#[derive(Args)]
#[command(after_help = "Examples:
  mge grammar list
  mge grammar show mge > own.bnf
  mge fit wdbc --method mge --grammar own.bnf")]
pub struct GrammarArgs {
    #[command(subcommand)]
    command: GrammarCommand,
}

#[derive(Subcommand)]
enum GrammarCommand {
    /// List the grammars inside the program
    #[command(after_help = "Example:\n  mge grammar list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a grammar, to read it or to change a copy
    #[command(after_help = "Example:\n  mge grammar show authors -o own.bnf")]
    Show {
        /// Its name, or a BNF file
        name: PathBuf,
        /// File to write to [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// One grammar, as listed.
#[derive(Serialize)]
struct GrammarLine {
    name: &'static str,
    /// What a sentence of it is: `neuron` or `network`.
    sentence: &'static str,
    title: &'static str,
}

impl GrammarArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            GrammarCommand::List { json: true } => print::json(&all().collect::<Vec<_>>()),
            GrammarCommand::List { json: false } => print::out(&list()),
            GrammarCommand::Show { name, out } => {
                let text = GrammarText::find(&name)?.text;
                // A file of the user may hold anything.
                let text = if out.is_some() { text } else { print::harmless(&text) };
                print::to(out.as_deref(), &text)
            }
        }
    }
}

fn all() -> impl Iterator<Item = GrammarLine> {
    let neurons = ALL.iter().map(|one| (one, "neuron"));
    let networks = NETWORKS.iter().map(|one| (one, "network"));
    let listed = |(one, sentence): (&mge::grammar::shipped::Shipped, _)| GrammarLine {
        name: one.name,
        sentence,
        title: one.title,
    };
    neurons.chain(networks).map(listed)
}

fn list() -> String {
    let mut text = format!("{:<20} {:<13} {}\n", "name", "a sentence is", "what it is");
    for GrammarLine { name, sentence, title } in all() {
        text += &format!("{name:<20} {:<13} {title}\n", format!("a {sentence}"));
    }
    text
}

//! `mge map`: what a gene derives to.

use crate::print;
use clap::Args;
use mge::GrammarText;
use mge::grammar::{Grammar, Reading, Sentence, Shape, Symbol, Template};
use miette::{IntoDiagnostic, miette};
use std::path::PathBuf;

/// Derive a sentence from codons by a grammar
///
/// Prints the sentence with the grammar's own spacing; exits with an error and the reason when
/// the gene does not map.
#[derive(Args)]
#[command(after_help = "Examples:
  mge map --grammar g1.bnf --gene \"11 5 73 8 15 20 30\"
  mge map --grammar mge --gene \"9 0 0 3 0 0 0 5 1 0 0 7\" --features 30 --steps")]
pub struct MapArgs {
    /// BNF file, or the name of a shipped grammar (mge, monolithic, authors, ...)
    #[arg(long, value_name = "FILE")]
    grammar: PathBuf,
    /// Codons: whole numbers from 0 to 65535
    #[arg(long, value_name = "CODONS", allow_hyphen_values = true)]
    gene: String,
    /// Symbol to start from [default: the first rule]
    #[arg(long, value_name = "SYMBOL")]
    start: Option<String>,
    /// How often the gene may be read again from its start
    #[arg(long, value_name = "N", default_value_t = 0)]
    wraps: u32,
    /// What `x1..xd` stands for
    #[arg(long, value_name = "D", default_value_t = 10)]
    features: usize,
    /// What `output1..outputc` stands for
    #[arg(long, value_name = "C", default_value_t = 3)]
    outputs: usize,
    /// Earlier neurons h1..hN that may be read, as in multi-layer variants
    #[arg(long, value_name = "N", default_value_t = 0)]
    references: usize,
    /// Show each derivation step
    #[arg(long)]
    steps: bool,
    /// Show the derivation tree
    #[arg(long)]
    tree: bool,
}

impl MapArgs {
    /// Runs the subcommand.
    pub fn run(self) -> miette::Result<()> {
        let codons = codons(&self.gene)?;
        let grammar = self.bound()?;
        let start = self.start(&grammar)?;
        let reading = Reading { wraps: self.wraps, references: self.references };
        if self.steps || self.tree {
            let trace = grammar.trace(start, &codons, &reading);
            if self.steps {
                print::out(&format!("{trace}\n"))?;
            }
            if self.tree {
                print::out(&format!("{}\n", trace.tree))?;
            }
        }
        let mut sentence = Sentence::default();
        match grammar.derive(start, &codons, &reading, &mut sentence) {
            Ok(_) => print::out(&format!("{}\n", sentence.text())),
            Err(failure) => Err(miette!("the gene does not map: {}", grammar.explain(failure))),
        }
    }

    fn bound(&self) -> miette::Result<Grammar> {
        let GrammarText { name, text } = GrammarText::find(&self.grammar).into_diagnostic()?;
        let template = Template::parse(&name, &text)?;
        template.warnings().iter().for_each(|w| print::note(format_args!("warning: {w}")));
        let shape = Shape { features: self.features, outputs: self.outputs };
        template.bind(shape).into_diagnostic()
    }

    fn start(&self, grammar: &Grammar) -> miette::Result<Symbol> {
        let Some(name) = &self.start else { return Ok(grammar.start()) };
        grammar.symbol(name).ok_or_else(|| match grammar.nearest_name(name) {
            Some(nearest) => miette!("the grammar has no <{name}>; did you mean <{nearest}>?"),
            None => miette!("the grammar has no <{name}>"),
        })
    }
}

/// Codons, apart by spaces or commas, perhaps in brackets.
fn codons(text: &str) -> miette::Result<Vec<u16>> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let words = inner.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    words
        .enumerate()
        .map(|(place, word)| {
            word.parse().map_err(|_| {
                miette!("codon {}: found `{word}`, expected a number from 0 to 65535", place + 1)
            })
        })
        .collect()
}

//! `mge map`: what a gene derives to.

use crate::print;
use anyhow::anyhow;
use clap::Args;
use mge::GrammarText;
use mge::grammar::{
    DecodeOptions, GeneValues, Grammar, Sentence, Shape, Symbol, Template, WeightSlots,
};
use std::path::PathBuf;

/// Derive a sentence from codons by a grammar
///
/// Prints the sentence with the spacing of the grammar. A gene that does not map is an error, and the
/// error says why.
#[derive(Args)]
#[command(after_help = "Examples:
  mge map --grammar g1.bnf --gene \"11 5 73 8 15 20 30\"
  mge map --grammar mge --gene \"9 0 0 3 0 0 0 5 1 0 0 7\" --features 30 --steps
  mge map --grammar mge --gene \"9 0 3\" --values \"0.5 -1.25 2\"")]
pub struct MapArgs {
    /// BNF file, or the name of a shipped grammar (mge, monolithic, authors, ...)
    #[arg(long, value_name = "FILE")]
    grammar: PathBuf,
    /// Codons: whole numbers from 0 to 65535
    #[arg(long, value_name = "CODONS", allow_hyphen_values = true)]
    gene: String,
    /// Real weights of the gene, for the weight rules of the grammar. Missing ones are 0
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true)]
    values: Option<String>,
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
    pub fn run(self) -> anyhow::Result<()> {
        let codons = codons(&self.gene)?;
        let grammar = self.bound()?;
        let start = self.start(&grammar)?;
        let reading = DecodeOptions { wraps: self.wraps, references: self.references };
        let real = self.values.as_deref().map(|text| real_values(text, &grammar)).transpose()?;
        let real = real.as_ref().map(|(slots, values)| GeneValues { slots, values });
        if self.steps || self.tree {
            let trace = match real {
                None => grammar.trace(start, &codons, &reading),
                Some(real) => grammar.trace_with_values(start, &codons, real, &reading),
            };
            if self.steps {
                print::out(&format!("{trace}\n"))?;
            }
            if self.tree {
                print::out(&format!("{}\n", trace.tree))?;
            }
        }
        let mut sentence = Sentence::default();
        let derived = match real {
            None => grammar.derive(start, &codons, &reading, &mut sentence),
            Some(real) => grammar.derive_with_values(start, &codons, real, &reading, &mut sentence),
        };
        match derived {
            Ok(_) => print::out(&format!("{}\n", sentence.text())),
            Err(failure) => Err(anyhow!("the gene does not map: {}", grammar.explain(failure))),
        }
    }

    fn bound(&self) -> anyhow::Result<Grammar> {
        let GrammarText { name, text } = GrammarText::find(&self.grammar)?;
        let template = Template::parse(&name, &text)?;
        template.warnings().iter().for_each(|w| print::note(format_args!("warning: {w}")));
        let shape = Shape { features: self.features, outputs: self.outputs };
        template.bind(shape).map_err(anyhow::Error::from)
    }

    fn start(&self, grammar: &Grammar) -> anyhow::Result<Symbol> {
        let Some(name) = &self.start else { return Ok(grammar.start()) };
        grammar.symbol(name).ok_or_else(|| match grammar.nearest_name(name) {
            Some(nearest) => anyhow!("the grammar has no <{name}>; did you mean <{nearest}>?"),
            None => anyhow!("the grammar has no <{name}>"),
        })
    }
}

/// Codons, apart by spaces or commas, perhaps in brackets.
fn codons(text: &str) -> anyhow::Result<Vec<u16>> {
    let codon = |(position, word): (usize, &str)| {
        let position = position + 1;
        let wrong =
            || anyhow!("codon {position}: found `{word}`, expected a number from 0 to 65535");
        word.parse().map_err(|_| wrong())
    };
    words(text).enumerate().map(codon).collect()
}

/// Values written like codons, and the places that they go to.
fn real_values(text: &str, grammar: &Grammar) -> anyhow::Result<(WeightSlots, Vec<f32>)> {
    let value = |(position, word): (usize, &str)| {
        let number = word.parse().ok().filter(|value: &f32| value.is_finite());
        let position = position + 1;
        number.ok_or_else(|| anyhow!("value {position}: found `{word}`, expected a number"))
    };
    let values: Vec<f32> = words(text).enumerate().map(value).collect::<anyhow::Result<_>>()?;
    let marks = WeightSlots::of(grammar)?;
    if values.len() > marks.values() {
        let (found, max) = (values.len(), marks.values());
        return Err(anyhow!("{found} values; a gene of this grammar has {max}"));
    }
    Ok((marks, values))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    inner.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

//! Time of one derivation on the shipped modular grammar: `cargo bench -p mge-grammar`.

use std::hint::black_box;
use std::time::Instant;

use mge_grammar::{DecodeOptions, Sentence, Shape, Template, shipped};
use mge_random::{Purpose, Stream};

const GENES: usize = 2_000;
const ROUNDS: usize = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let template = Template::parse("mge", shipped::MGE.text)?;
    for (outputs, references) in [(1, 0), (10, 0), (10, 8)] {
        let grammar = template.bind(Shape { features: 30, outputs })?;
        let options = DecodeOptions { wraps: 0, references };
        let genes: Vec<Vec<u16>> = (0..GENES as u64)
            .map(|index| {
                let mut stream = Stream::at(1, Purpose::Initialisation, 0, index);
                (0..100).map(|_| stream.below(256) as u16).collect()
            })
            .collect();
        let mut sentence = Sentence::default();
        let (mut codons, mut characters) = (0, 0);
        let mut fastest = f64::INFINITY;
        for _ in 0..ROUNDS {
            (codons, characters) = (0, 0);
            let begin = Instant::now();
            for gene in &genes {
                if let Ok(derived) =
                    grammar.derive(grammar.start(), black_box(gene), &options, &mut sentence)
                {
                    codons += derived.codons_used;
                    characters += black_box(sentence.text()).len();
                }
            }
            fastest = fastest.min(begin.elapsed().as_secs_f64());
        }
        let each = |total: usize| total as f64 / GENES as f64;
        println!(
            "{outputs:2} outputs, {references} references: {:.0} ns for each gene ({:.1} codons, {:.1} characters)",
            fastest * 1e9 / GENES as f64,
            each(codons),
            each(characters),
        );
    }
    Ok(())
}

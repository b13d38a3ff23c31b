//! `cargo xtask prose`: the sentences of all Markdown pages are short.
//!
//! A page passes when its mean sentence has fewer than 20 words, none has more than 40, and no
//! line has more than 120 letters. Code, and tables of results that the program writes, are not prose.
//! The words of a table count for the longest sentence and not for the mean, since cells are short.

use crate::markdown::{LineKind, lines, pages, plain};
use crate::step::root;

const MAX_LINE: usize = 120;
const MAX_WORDS: usize = 40;
const MAX_MEAN: f64 = 20.0;
/// A mean of fewer sentences says little.
const MIN_SENTENCES: usize = 5;
/// Tables that `mge experiment`, `mge paper` and `mge analyze` write.
const GENERATED: &str = "docs/results/";

/// Checks every page of the repository.
///
/// # Errors
/// All that is too long, one on a line, with file and line.
pub fn check() -> Result<(), String> {
    let root = root();
    let mut mistakes = Vec::new();
    for path in pages(&root) {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let is_generated = name.starts_with(GENERATED) && !name.ends_with("README.md");
        if is_generated || name.contains("/fixtures/") {
            continue;
        }
        let page = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        mistakes.extend(check_page(&page).into_iter().map(|mistake| format!("{name}:{mistake}")));
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

/// A sentence, and the line on which it begins.
#[derive(Debug, PartialEq, Eq)]
struct Sentence {
    line: usize,
    words: usize,
    is_cell: bool,
    begin: String,
}

fn check_page(page: &str) -> Vec<String> {
    let mut mistakes = Vec::new();
    for line in lines(page) {
        let length = line.text.chars().count();
        let is_free = matches!(line.kind, LineKind::Code | LineKind::Table | LineKind::Html);
        if length > MAX_LINE && !is_free && !is_one_link(line.text) {
            mistakes.push(format!(
                "{}: the line has {length} letters, expected at most {MAX_LINE}",
                line.number
            ));
        }
    }
    let sentences = sentences(page);
    for Sentence { line, words, begin, .. } in &sentences {
        if *words > MAX_WORDS {
            mistakes.push(format!(
                "{line}: the sentence has {words} words, expected at most {MAX_WORDS}: {begin} ..."
            ));
        }
    }
    let counts: Vec<usize> =
        sentences.iter().filter(|sentence| !sentence.is_cell).map(|one| one.words).collect();
    let mean = counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64;
    if counts.len() >= MIN_SENTENCES && mean >= MAX_MEAN {
        mistakes.push(format!(
            "1: the mean sentence has {mean:.1} words, expected fewer than {MAX_MEAN}"
        ));
    }
    mistakes
}

/// A link cannot be broken into lines.
fn is_one_link(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '*', ' ', '!']);
    text.starts_with('[') && !text.contains(". ")
}

fn sentences(page: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut block: Vec<(usize, String)> = Vec::new();
    for line in lines(page) {
        let is_item = line.text.trim_start().starts_with(['-', '*', '>'])
            || line.text.trim_start().split_once(". ").is_some_and(|(number, _)| is_number(number));
        if line.kind != LineKind::Prose || is_item {
            found.extend(split(&block, false));
            block.clear();
        }
        match line.kind {
            LineKind::Prose => {
                let text = if is_item { without_marker(line.text) } else { line.text };
                block.push((line.number, plain(text)));
            }
            LineKind::Table => {
                // A bar in a cell is written with a backslash.
                let row = line.text.replace("\\|", " ");
                for cell in row.split('|').filter(|cell| !cell.trim().is_empty()) {
                    found.extend(split(&[(line.number, plain(cell))], true));
                }
            }
            _ => {}
        }
    }
    found.extend(split(&block, false));
    found
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit())
}

fn without_marker(text: &str) -> &str {
    let text = text.trim_start();
    let number = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let text = if number > 0 { text[number..].trim_start_matches('.') } else { text };
    text.trim_start_matches(['-', '*', '>', ' '])
}

/// Cuts a block into sentences: at a word that ends in a full stop, a question mark or an
/// exclamation mark, if the next word does not begin with a small letter.
fn split(block: &[(usize, String)], is_cell: bool) -> Vec<Sentence> {
    let words: Vec<(usize, &str)> = block
        .iter()
        .flat_map(|(line, text)| text.split_whitespace().map(|word| (*line, word)))
        .filter(|(_, word)| word.chars().any(char::is_alphanumeric))
        .collect();
    let mut found = Vec::new();
    let mut start = 0;
    for (index, (_, word)) in words.iter().enumerate() {
        let bare = word.trim_end_matches([')', '"', '\'', '_']);
        let next = words.get(index + 1).and_then(|(_, next)| next.chars().next());
        let is_end = match next {
            None => true,
            Some(letter) => bare.ends_with(['.', '?', '!']) && !letter.is_lowercase(),
        };
        if is_end {
            let own = &words[start..=index];
            let begin: Vec<&str> = own.iter().take(6).map(|(_, word)| *word).collect();
            let (line, words) = (own[0].0, own.len());
            found.push(Sentence { line, words, is_cell, begin: begin.join(" ") });
            start = index + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(page: &str) -> Vec<usize> {
        sentences(page).into_iter().map(|sentence| sentence.words).collect()
    }

    #[test]
    fn sentences_end_at_full_stops_and_list_items() {
        assert_eq!(
            counts("One two. Three\nfour five!\n\n- Six `mge fit` eight.\n- Nine\n"),
            [2, 3, 4, 1]
        );
        assert_eq!(counts("It has 3.5 of them, i.e. some. See [a long one](x.md).\n"), [7, 4]);
    }

    #[test]
    fn code_and_headings_are_no_sentences() {
        assert_eq!(counts("# A heading\n\n```\nmge fit a b c\n```\n\nText.\n"), [1]);
    }

    #[test]
    fn long_lines_and_sentences_are_mistakes() {
        let line = format!("{}\n", "word ".repeat(30).trim());
        assert!(check_page(&line)[0].starts_with("1: the line has 149 letters"));
        let sentence = format!("{}.\n", "word\n".repeat(41).trim());
        assert!(check_page(&sentence)[0].starts_with("1: the sentence has 41 words"));
        let page = format!("{}.\n\n", "word\n".repeat(25).trim()).repeat(5);
        assert!(check_page(&page)[0].starts_with("1: the mean sentence has 25.0 words"));
        assert!(check_page("Short. And short again. Good.\n").is_empty());
    }

    #[test]
    fn code_tables_and_links_may_be_wide() {
        let wide = "x".repeat(130);
        assert!(check_page(&format!("```\n{wide}\n```\n")).is_empty());
        assert!(check_page(&format!("| {wide} |\n")).is_empty());
        assert!(check_page(&format!("[{wide}](a.md)\n")).is_empty());
    }
}

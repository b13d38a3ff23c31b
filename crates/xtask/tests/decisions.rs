//! Each decision of `docs/reference/decisions.md` is cited by number where it is implemented, and
//! each citation names a decision that exists.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The numbers in the first column of the table.
fn decisions(page: &str) -> BTreeSet<u32> {
    let cells = page.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    cells.filter_map(|cell| cell.trim().parse().ok()).collect()
}

/// The numbers after the word `decision` in a text: `(decision 3)`, `decisions 3 and 14`.
fn citations(text: &str) -> BTreeSet<u32> {
    let text = text.to_lowercase();
    let mut numbers = BTreeSet::new();
    for (at, word) in text.match_indices("decision") {
        let rest = text[at + word.len()..].trim_start_matches('s');
        for token in rest.split([' ', '\n', '/', '!', '#']).filter(|token| !token.is_empty()) {
            let digits = token.trim_end_matches(|c: char| !c.is_ascii_digit());
            match digits.parse() {
                Ok(number) => drop(numbers.insert(number)),
                Err(_) if token == "and" => {}
                Err(_) => break,
            }
        }
    }
    numbers
}

/// All Rust sources and grammars below a folder, without build products.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "bnf")
        {
            found.push(path);
        }
    }
}

#[test]
fn every_decision_is_cited_where_it_is_implemented() {
    let decisions =
        decisions(&fs::read_to_string(root().join("docs/reference/decisions.md")).unwrap());
    assert!(decisions.len() >= 19, "{decisions:?}");
    let mut files = Vec::new();
    for crate_folder in fs::read_dir(root().join("crates")).unwrap() {
        for kind in ["src", "grammars"] {
            let folder = crate_folder.as_ref().unwrap().path().join(kind);
            if folder.is_dir() {
                sources(&folder, &mut files);
            }
        }
    }
    let mut cited: BTreeMap<u32, PathBuf> = BTreeMap::new();
    for file in files {
        for number in citations(&fs::read_to_string(&file).unwrap()) {
            cited.entry(number).or_insert_with(|| file.clone());
        }
    }
    let missing: Vec<u32> = decisions.iter().copied().filter(|n| !cited.contains_key(n)).collect();
    assert!(missing.is_empty(), "decisions that no source cites: {missing:?}");
    let unknown: Vec<_> = cited.iter().filter(|(number, _)| !decisions.contains(number)).collect();
    assert!(unknown.is_empty(), "citations of decisions that do not exist: {unknown:?}");
}

#[test]
fn citations_are_found_in_comments_of_any_layout() {
    let of = |text| citations(text).into_iter().collect::<Vec<_>>();
    assert_eq!(of("/// Reads none (decision 2)."), [2]);
    assert_eq!(of("//! as the paper\n//! (decisions 3 and 14), which"), [3, 14]);
    assert_eq!(of("/// a setting\n    /// (decision\n    /// 18)."), [18]);
    assert!(of("a decision rule, 7 of them").is_empty());
}

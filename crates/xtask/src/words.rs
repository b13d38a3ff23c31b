//! `cargo xtask words`: names that the project left do not come back.
//!
//! `words/left.txt` lists each old name with the one in use, and where it is looked for.
//! `words/allowed.txt` lists the places that may keep an old name, each with a reason. Pages and
//! lines whose purpose is the old name are left out: the changelog, the page of old names, the
//! stored results, and lines that declare an alias.
//!
//! `words/type_names.rs` checks that a type name has one meaning.

mod rules;
mod rust;
mod type_names;

use crate::step::root;
use rules::{Allowed, Kind, Rule};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const RULES: &str = include_str!("words/left.txt");
const ALLOWED: &str = include_str!("words/allowed.txt");

/// Files and folders that keep old names on purpose.
const SKIPPED: &[&str] = &[
    "CHANGELOG.md",
    "Cargo.lock",
    "benches/instructions.json",
    "crates/xtask/src/words",
    "docs/reference/old-names.md",
    "docs/results/",
];
const ENDINGS: &[&str] = &[
    "bnf", "c", "css", "csv", "h", "html", "js", "json", "md", "mjs", "py", "rs", "sh", "toml",
    "trycmd", "txt", "yml",
];

/// Checks every text file that git tracks.
///
/// # Errors
/// Each old name with its file, line and the name in use.
pub fn check() -> Result<(), String> {
    let root = root();
    let rules = rules::parse(RULES)?;
    let allowed = rules::parse_allowed(ALLOWED)?;
    let mut is_used = vec![false; allowed.len()];
    let mut mistakes = Vec::new();
    let files = tracked(&root)?;
    for path in &files {
        let name = path.to_string_lossy().replace('\\', "/");
        // These were written by earlier programs.
        let is_old = name.contains("/fixtures/old-") || name.contains("/corpus/old/");
        if is_old || SKIPPED.iter().any(|skipped| name.starts_with(skipped)) {
            continue;
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let text = if ENDINGS.contains(&ending) {
            std::fs::read_to_string(root.join(path)).unwrap_or_default()
        } else {
            String::new()
        };
        for found in check_file(&rules, &name, &text) {
            match rules::position(&allowed, &name, found.rule) {
                Some(index) => is_used[index] = true,
                None => mistakes.push(format!("{name}:{found}")),
            }
        }
    }
    let unused = allowed.iter().zip(&is_used).filter(|(_, is_used)| !**is_used);
    mistakes.extend(unused.map(|(Allowed { path, old, .. }, _)| {
        format!(
            "crates/xtask/src/words/allowed.txt: `{old}` is not in {path} any more; drop the line"
        )
    }));
    mistakes.extend(type_names::check(&root, &files)?);
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

fn tracked(root: &Path) -> Result<Vec<PathBuf>, String> {
    let command = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(command).current_dir(root).output();
    let output = output.map_err(|error| format!("cannot run git ls-files: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let files = names.split('\0').filter(|name| root.join(name).is_file());
    Ok(files.map(PathBuf::from).collect())
}

/// An old name in a file.
#[derive(Debug)]
struct Found<'r> {
    /// Counted from 1; 0 is the name of the file.
    line: usize,
    rule: &'r Rule,
}

impl std::fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Rule { old, new, .. } = self.rule;
        match self.line {
            0 => write!(f, " the file's name has the old name `{old}`; use {new}"),
            line => write!(f, "{line}: `{old}` is an old name; use {new}"),
        }
    }
}

fn check_file<'r>(rules: &'r [Rule], name: &str, text: &str) -> Vec<Found<'r>> {
    let is_rust = name.ends_with(".rs");
    // Without comments and strings, which hold ordinary English.
    let code = if is_rust { rust::code_of(text) } else { String::new() };
    let (words, code_words): (HashSet<String>, HashSet<String>) =
        (parts(text).collect(), parts(&code).collect());
    let names: HashSet<&str> = rust::identifiers(&code).collect();
    let mut found = Vec::new();
    for rule in rules.iter().filter(|rule| rule.path.as_ref().is_none_or(|at| name.starts_with(at)))
    {
        let (kind, old) = (rule.kind, rule.old.as_str());
        let in_name = match kind {
            Kind::Word => has_word(name, old),
            Kind::File => name.split('/').any(|part| part == old),
            _ => false,
        };
        if in_name {
            found.push(Found { line: 0, rule });
        }
        // Nearly all rules end here, so that lines are looked at for a few of them only.
        let may_be_there = match kind {
            Kind::Word => parts(old).all(|part| words.contains(&part)),
            Kind::Code | Kind::Start => parts(old).all(|part| code_words.contains(&part)),
            Kind::Text => text.contains(old),
            Kind::Ident | Kind::Def => names.contains(old),
            Kind::File => false,
        };
        if !may_be_there {
            continue;
        }
        for (index, (whole, code)) in text.lines().zip(lines_or_empty(&code, is_rust)).enumerate() {
            if !is_alias(whole) && is_in_line(kind, old, whole, code) {
                found.push(Found { line: index + 1, rule });
            }
        }
    }
    found
}

fn is_in_line(kind: Kind, old: &str, whole: &str, code: &str) -> bool {
    match kind {
        Kind::Word => has_word(whole, old),
        Kind::Text => has_text(whole, old),
        Kind::Code => has_word(code, old),
        Kind::Start => {
            rust::identifiers(code).any(|name| parts(name).next().as_deref() == Some(old))
        }
        Kind::Ident => rust::identifiers(code).any(|name| name == old),
        Kind::Def => defines(code, old),
        Kind::File => false,
    }
}

/// As many lines as there are; other files than Rust have no code.
fn lines_or_empty(code: &str, is_rust: bool) -> Box<dyn Iterator<Item = &str> + '_> {
    if is_rust { Box::new(code.lines()) } else { Box::new(std::iter::repeat("")) }
}

/// Whether a line declares that an old name still works.
fn is_alias(line: &str) -> bool {
    ["alias = \"", "aliases = [", "alias(\"", "aliases(["].iter().any(|mark| line.contains(mark))
}

/// Whether a word is in a text by itself or as a part of a name: `company` is in `with_company`,
/// `WithCompany` and `--no-company`, and `rung` is not in `rungs`. A rule of several words, such as
/// `most_genes`, matches where they follow each other.
fn has_word(text: &str, old: &str) -> bool {
    let wanted: Vec<String> = parts(old).collect();
    let own: Vec<String> = parts(text).collect();
    own.windows(wanted.len()).any(|window| window == wanted)
}

/// Whether a text has another as it is written, not as the beginning or the end of a longer name.
fn has_text(text: &str, old: &str) -> bool {
    let is_name = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(old).any(|(at, _)| {
        let goes_on = is_name(old.chars().last()) && is_name(text[at + old.len()..].chars().next());
        let is_part = is_name(old.chars().next()) && is_name(text[..at].chars().last());
        !goes_on && !is_part
    })
}

/// The words of a text in small letters, names taken apart at humps, lines and underscores. What
/// stands between two names is a part too, so that no rule matches across them.
fn parts(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut parts = vec![String::new()];
    let mut last = ' ';
    let letters: Vec<char> = text.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        let next = letters.get(index + 1).copied().unwrap_or(' ');
        let is_hump = letter.is_uppercase()
            && (last.is_lowercase() || (last.is_uppercase() && next.is_lowercase()));
        if letter.is_alphabetic() {
            if is_hump || !last.is_alphabetic() {
                parts.push(String::new());
            }
            if let Some(part) = parts.last_mut() {
                part.extend(letter.to_lowercase());
            }
        } else if !matches!(letter, '_' | '-') {
            parts.push(letter.to_string());
        }
        last = letter;
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

/// Whether a line of code defines a name.
fn defines(code: &str, old: &str) -> bool {
    const KEYWORDS: [&str; 9] =
        ["struct", "enum", "trait", "type", "fn", "mod", "const", "static", "union"];
    let mut words = rust::identifiers(code);
    let mut last = "";
    let is_field = code.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
    if is_field.strip_prefix(old).is_some_and(|rest| rest.starts_with(": ") && rest.ends_with(','))
    {
        return true;
    }
    words.any(|word| {
        let is_new = KEYWORDS.contains(&last) && word == old;
        last = word;
        is_new
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The old names that a file with this text has.
    fn old_names(name: &str, text: &str) -> Vec<String> {
        let rules = rules::parse(RULES).expect("the list can be read");
        let found = check_file(&rules, name, text);
        found.into_iter().map(|found| found.rule.old.clone()).collect()
    }

    #[test]
    fn old_names_are_found_wherever_they_come_back() {
        assert_eq!(old_names("crates/mge/src/company.rs", ""), ["company"]);
        assert_eq!(old_names("a.rs", "fn with_company() {}"), ["company"]);
        assert_eq!(old_names("a.rs", "/// Keeps the tariff low.\n"), ["tariff"]);
        assert_eq!(old_names("a.rs", "let s = \"--no-company\";"), ["company"]);
        assert_eq!(old_names("README.md", "The laboratory runs plans.\n"), ["laboratory"]);
        assert_eq!(old_names("a.trycmd", "$ mge fit wdbc --most-genes 4\n"), ["most_genes"]);
        assert_eq!(old_names("a.rs", "struct KnownGenes;"), ["KnownGenes"]);
        assert_eq!(old_names("a.rs", "fn step_unless() {}"), ["step_unless"]);
        assert_eq!(old_names("a.rs", "let place = list.len();"), ["place"]);
        assert_eq!(old_names("a.rs", "const MOST_WEIGHTS: usize = 7;"), ["most"]);
        assert_eq!(old_names("crates/mge-hybrid/src/a.rs", "pub caution: f64,"), ["caution"]);
        assert_eq!(old_names("docs/a.md", "`--set hybrid.caution=2`\n"), ["hybrid.caution"]);
    }

    #[test]
    fn ordinary_english_is_left_alone() {
        let text = "// The most common place to look; tests share it as usual.\n";
        assert!(old_names("a.rs", text).is_empty());
        assert!(old_names("a.rs", "values.sort_unstable(); vec.replace(1);").is_empty());
        assert!(old_names("README.md", "Most rows take part in one place.\n").is_empty());
    }

    #[test]
    fn declarations_of_aliases_may_have_old_names() {
        assert!(old_names("a.rs", "#[serde(alias = \"caution\")]").is_empty());
        assert!(old_names("a.rs", "#[arg(long, alias = \"no-company\")]").is_empty());
    }

    #[test]
    fn names_are_taken_apart_into_words() {
        assert!(has_word("WithCompany", "company"));
        assert!(has_word("fit.with_company()", "company"));
        assert!(has_word("HTTPCompany", "company"));
        assert!(!has_word("accompany", "company"));
        assert!(has_word("--most-genes", "most_genes"));
        assert!(!has_word("most. Genes", "most_genes"));
    }

    #[test]
    fn every_rule_would_be_broken_by_its_own_name() {
        for rule in rules::parse(RULES).expect("the list can be read") {
            let folder = rule.path.clone().unwrap_or_default();
            let name = format!("{folder}some.rs");
            let text = match rule.kind {
                Kind::Word | Kind::Text => format!("// {}\n", rule.old),
                Kind::Code | Kind::Start | Kind::Ident => format!("let {} = 1;\n", rule.old),
                Kind::Def => format!("struct {};\n", rule.old),
                Kind::File => String::new(),
            };
            let name = if rule.kind == Kind::File { format!("{folder}{}", rule.old) } else { name };
            assert!(
                old_names(&name, &text).contains(&rule.old),
                "{} {} is not found in its own text",
                rule.kind.name(),
                rule.old
            );
        }
    }
}

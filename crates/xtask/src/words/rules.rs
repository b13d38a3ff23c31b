//! The list of old names and of the places that may keep one.

use std::collections::BTreeSet;

/// Where an old name is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As a word, or a part of a name, in all files and their names.
    Word,
    /// As it is written, in all files.
    Text,
    /// As a part of a name in Rust code, outside of comments and strings.
    Code,
    /// As the beginning of a name in Rust code.
    Start,
    /// As a whole name in Rust code.
    Ident,
    /// As the name of something that Rust code defines: a type, a function, a field.
    Def,
    /// As the name of a file or folder.
    File,
}

const KINDS: [Kind; 7] =
    [Kind::Word, Kind::Text, Kind::Code, Kind::Start, Kind::Ident, Kind::Def, Kind::File];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Word => "word",
            Kind::Text => "text",
            Kind::Code => "code",
            Kind::Start => "start",
            Kind::Ident => "ident",
            Kind::Def => "def",
            Kind::File => "file",
        }
    }
}

/// An old name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub kind: Kind,
    pub old: String,
    pub new: String,
    /// The folder or file that it is looked for in; everywhere if there is none.
    pub path: Option<String>,
}

/// A file or folder that may keep an old name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    pub path: String,
    pub old: String,
}

/// Reads lines of `kind | old | new` or `kind | old | new | path`.
pub fn parse(list: &str) -> Result<Vec<Rule>, String> {
    let rule = |(number, fields): (usize, Vec<&str>)| {
        let wrong = |what: &str| format!("words/left.txt, line {number}: {what}");
        let (kind, old, new, path) = match fields[..] {
            [kind, old, new] => (kind, old, new, None),
            [kind, old, new, path] => (kind, old, new, Some(path.to_owned())),
            _ => return Err(wrong("expected kind | old | new, and perhaps | path")),
        };
        let found = KINDS.into_iter().find(|one| one.name() == kind);
        let kind =
            found.ok_or_else(|| wrong("expected word, text, code, start, ident, def or file"))?;
        Ok(Rule { kind, old: old.to_owned(), new: new.to_owned(), path })
    };
    fields(list).map(rule).collect()
}

/// Reads lines of `path | old | reason`.
pub fn parse_allowed(list: &str) -> Result<Vec<Allowed>, String> {
    let allowed = |(number, fields): (usize, Vec<&str>)| match fields[..] {
        [path, old, reason] if !reason.is_empty() => {
            Ok(Allowed { path: path.to_owned(), old: old.to_owned() })
        }
        _ => Err(format!("words/allowed.txt, line {number}: expected path | old | reason")),
    };
    fields(list).map(allowed).collect()
}

/// Reads lines of `name | reason`.
pub fn parse_type_names(list: &str) -> Result<BTreeSet<String>, String> {
    let name = |(number, fields): (usize, Vec<&str>)| match fields[..] {
        [name, reason] if !reason.is_empty() => Ok(name.to_owned()),
        _ => Err(format!("words/type_names.txt, line {number}: expected name | reason")),
    };
    fields(list).map(name).collect()
}

/// Which line of the list allows an old name in a file.
pub fn position(allowed: &[Allowed], file: &str, rule: &Rule) -> Option<usize> {
    allowed.iter().position(|one| file.starts_with(&one.path) && one.old == rule.old)
}

/// The lines that are neither blank nor comments, cut at bars, with their numbers from 1.
fn fields(list: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = list.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| (number, line.split('|').map(str::trim).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_keeps_an_old_name_needs_a_reason() {
        assert!(parse_allowed("a.rs | place | in_place is the standard term").is_ok());
        assert!(parse_allowed("a.rs | place | ").is_err());
        assert!(parse_allowed("a.rs | place").is_err());
    }

    #[test]
    fn a_rule_needs_a_known_kind_and_a_new_name() {
        assert!(parse("# comment\n\nword | company | baselines").is_ok());
        assert!(parse("name | company | baselines").is_err());
        assert!(parse("word | company").is_err());
    }
}

//! One meaning for each type name: no two crates make a type of the same name public.
//!
//! `type_names.txt` lists the names that may occur twice, each with the reason. Types inside of one
//! crate may share a name, since its modules tell them apart. The chores themselves do not count.

use super::{rules, rust};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const ALLOWED: &str = include_str!("type_names.txt");
const KINDS: [&str; 4] = ["struct", "enum", "trait", "union"];

/// Every name that is public in two crates, and every line of the list that is not needed.
///
/// # Errors
/// When the list or a file cannot be read.
pub fn check(root: &Path, files: &[impl AsRef<Path>]) -> Result<Vec<String>, String> {
    let allowed = rules::parse_type_names(ALLOWED)?;
    let mut crates_of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files.iter().map(AsRef::as_ref) {
        let name = file.to_string_lossy().replace('\\', "/");
        let Some(package) = package_of(&name) else { continue };
        let text = std::fs::read_to_string(root.join(file))
            .map_err(|error| format!("cannot read {name}: {error}"))?;
        for found in public_types(&rust::code_of(&text)) {
            crates_of.entry(found).or_default().insert(package.to_owned());
        }
    }
    crates_of.retain(|_, packages| packages.len() > 1);
    Ok(mistakes(&crates_of, &allowed))
}

fn mistakes(
    crates_of: &BTreeMap<String, BTreeSet<String>>,
    allowed: &BTreeSet<String>,
) -> Vec<String> {
    let twice = crates_of.iter().filter(|(name, _)| !allowed.contains(*name));
    let twice = twice.map(|(name, packages)| {
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        format!(
            "the type `{name}` is public in {}; rename one, or say in \
             crates/xtask/src/words/type_names.txt why both may have the name",
            packages.join(" and ")
        )
    });
    let unused = allowed.iter().filter(|name| !crates_of.contains_key(*name)).map(|name| {
        format!("crates/xtask/src/words/type_names.txt: `{name}` is public in one crate only; drop the line")
    });
    twice.chain(unused).collect()
}

/// The package of a library file.
fn package_of(file: &str) -> Option<&str> {
    let (package, rest) = file.strip_prefix("crates/")?.split_once('/')?;
    let is_library = rest.starts_with("src/") && rest.ends_with(".rs") && package != "xtask";
    is_library.then_some(package)
}

/// The names after `pub struct` and the like, in code without comments and strings.
fn public_types(code: &str) -> impl Iterator<Item = String> {
    code.lines().filter_map(|line| {
        let mut words = line.trim_start().strip_prefix("pub ")?.split_whitespace();
        let kind = words.find(|word| *word != "unsafe")?;
        let name = KINDS.contains(&kind).then(|| words.next()).flatten()?;
        let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        Some(name[..end.unwrap_or(name.len())].to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> BTreeSet<String> {
        list.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn public_types_are_found() {
        let code = "pub struct Front<'a> {\npub(crate) enum Inner {}\n    pub enum Pick: {\npub trait Of {\npub fn x() {}\nstruct Own;";
        assert_eq!(public_types(code).collect::<Vec<_>>(), ["Front", "Pick", "Of"]);
        assert_eq!(package_of("crates/mge-net/src/cost.rs"), Some("mge-net"));
        assert_eq!(package_of("crates/mge-net/tests/cost.rs"), None);
        assert_eq!(package_of("crates/xtask/src/main.rs"), None);
    }

    #[test]
    fn a_name_in_two_crates_needs_a_reason_and_a_reason_needs_a_name() {
        let twice = BTreeMap::from([("Shape".to_owned(), names(&["mge-grammar", "mge-neat"]))]);
        let found = mistakes(&twice, &names(&[]));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("`Shape` is public in mge-grammar and mge-neat"), "{found:?}");
        assert!(mistakes(&twice, &names(&["Shape"])).is_empty());
        let found = mistakes(&BTreeMap::new(), &names(&["Shape"]));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("drop the line"), "{found:?}");
    }
}

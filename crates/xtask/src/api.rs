//! The public names of the library crates, kept in `public-api.txt` so that a change shows in review.
//!
//! The names are read from the pages that `cargo doc` writes: items from `all.html`, and of each item
//! its variants, fields, constants and methods, without those of traits from elsewhere.

use crate::step::{root, target};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where the listing is committed.
fn listing() -> PathBuf {
    root().join("crates/xtask/public-api.txt")
}

/// Fails when the public names are not those of the listing. Needs the pages of `cargo doc`.
pub fn check() -> Result<(), String> {
    let committed = read(&listing())?;
    let found = names()?;
    if committed == found {
        return Ok(());
    }
    let (old, new): (BTreeSet<_>, BTreeSet<_>) =
        (committed.lines().collect(), found.lines().collect());
    let mut text = String::from(
        "the public names have changed; `cargo doc --workspace --no-deps` and `cargo xtask api` \
         renew the listing:\n",
    );
    for name in old.difference(&new) {
        let _ = writeln!(text, "  - {name}");
    }
    for name in new.difference(&old) {
        let _ = writeln!(text, "  + {name}");
    }
    Err(text)
}

/// Writes the listing.
pub fn write() -> Result<(), String> {
    let names = names()?;
    println!("    {} public names", names.lines().count());
    let file = listing();
    std::fs::write(&file, names)
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// All public names, one on a line, sorted.
fn names() -> Result<String, String> {
    let mut names = BTreeSet::new();
    for name in library_crates()? {
        let folder = target().join("doc").join(&name);
        for page in links(&read(&folder.join("all.html"))?) {
            let item = item_name(&page);
            names.insert(format!("{name}::{item}"));
            for member in members(&read(&folder.join(&page))?) {
                names.insert(format!("{name}::{item}::{member}"));
            }
        }
    }
    Ok(names.into_iter().map(|name| name + "\n").collect())
}

/// The names of the crates that have a library and are meant for users of the project.
fn library_crates() -> Result<Vec<String>, String> {
    const INTERNAL: [&str; 3] = ["mge-cli", "mge-test", "xtask"];
    let folder = root().join("crates");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names
        .filter(|name| !INTERNAL.contains(&name.as_str()))
        .filter(|name| folder.join(name).join("src/lib.rs").exists())
        .map(|name| name.replace('-', "_"))
        .collect();
    names.sort();
    Ok(names)
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// The pages that `all.html` links to.
fn links(page: &str) -> Vec<String> {
    let list = page.split_once("<h1>List of all items</h1>").map_or("", |(_, list)| list);
    let hrefs = list.split("<a href=\"").skip(1);
    hrefs.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// `module/struct.Name.html` is `module::Name`.
fn item_name(page: &str) -> String {
    let page = page.trim_end_matches(".html");
    let (folder, file) = page.rsplit_once('/').map_or(("", page), |(folder, file)| (folder, file));
    let name = file.split_once('.').map_or(file, |(_, name)| name);
    let modules = folder.split('/').filter(|module| !module.is_empty());
    modules.chain([name]).collect::<Vec<_>>().join("::")
}

/// What belongs to an item itself: the anchors of its page above the implementations of traits.
fn members(page: &str) -> Vec<String> {
    const KINDS: [&str; 7] = [
        "associatedconstant",
        "associatedtype",
        "method",
        "structfield",
        "tymethod",
        "variant",
        "provided-method",
    ];
    let own = page.split("id=\"trait-implementations\"").next().unwrap_or_default();
    let ids = own.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut members: Vec<String> = ids
        .filter_map(|id| id.split_once('.'))
        .filter(|(kind, _)| KINDS.contains(kind))
        .map(|(_, name)| name.replace(".field.", "::"))
        .collect();
    members.sort();
    members.dedup();
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_pages() {
        let all =
            "<a href=\"x\"></a><h1>List of all items</h1><a href=\"fit/struct.Fit.html\">Fit</a>";
        assert_eq!(links(all), ["fit/struct.Fit.html"]);
        assert_eq!(item_name("fit/struct.Fit.html"), "fit::Fit");
        assert_eq!(item_name("fn.fit.html"), "fit");
        let page = "id=\"method.new\" id=\"structfield.seed\" id=\"trait-implementations\" id=\"method.clone\"";
        assert_eq!(members(page), ["new", "seed"]);
    }
}

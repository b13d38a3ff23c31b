//! Every link between pages, and every page that code names, exists.

use crate::markdown::{anchors, links, pages};
use std::path::{Path, PathBuf};

/// Endings of files whose comments and texts may name pages.
const ENDINGS: [&str; 8] = ["rs", "py", "toml", "bnf", "trycmd", "html", "mjs", "sh"];

/// Checks the links of all pages, the chapters of the book, and the pages that code names.
///
/// # Errors
/// All that is broken, one on a line, with file and line.
pub fn check(root: &Path) -> Result<(), String> {
    let mut broken = Vec::new();
    for path in pages(root) {
        let name = shown(root, &path);
        let page = read(&path)?;
        for link in links(&page) {
            if let Err(reason) = check_link(&path, &page, &link.target) {
                broken.push(format!("{name}:{}: {reason}", link.line));
            }
        }
    }
    let summary = read(&root.join("docs/SUMMARY.md"))?;
    let chapters: Vec<String> = links(&summary).into_iter().map(|link| link.target).collect();
    for path in pages(&root.join("docs")) {
        let name = shown(&root.join("docs"), &path);
        let is_chapter = name == "SUMMARY.md" || chapters.contains(&name);
        if !is_chapter && !name.ends_with("/ours.md") {
            broken.push(format!("docs/{name}:1: the page is no chapter of docs/SUMMARY.md"));
        }
    }
    for path in files(root) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for (index, line) in text.lines().enumerate() {
            for page in pages_named_in(line).filter(|page| !root.join(page).exists()) {
                let name = shown(root, &path);
                broken.push(format!("{name}:{}: there is no {page}", index + 1));
            }
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

fn check_link(from: &Path, page: &str, target: &str) -> Result<(), String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(());
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        from.to_owned()
    } else {
        from.parent().unwrap_or(Path::new("")).join(file)
    };
    if !file.is_empty() && !path.exists() {
        return Err(format!("the link {target} leads to no file"));
    }
    let is_page = path.extension().is_some_and(|extension| extension == "md");
    if anchor.is_empty() || !is_page {
        return Ok(());
    }
    let own = if file.is_empty() { page.to_owned() } else { read(&path)? };
    let headings = anchors(&own);
    if headings.iter().any(|heading| heading == anchor) {
        return Ok(());
    }
    Err(format!("the link {target} leads to no heading; there are {}", headings.join(", ")))
}

/// Files of code and text, except those that git does not track.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            // The checks of the documentation have made-up pages in their tests.
            let is_ours =
                !name.starts_with('.') && !["target", "node_modules", "xtask"].contains(&name);
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
            if path.is_dir() && is_ours && !path.is_symlink() {
                folders.push(path);
            } else if ENDINGS.contains(&ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Paths such as `docs/index.md` in a line, with an ending that pages or their pictures have.
fn pages_named_in(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("docs/").filter_map(|(at, _)| {
        // A part of a longer path or address.
        if line[..at].ends_with(|c: char| c.is_alphanumeric() || "/.-_".contains(c)) {
            return None;
        }
        let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        let end = line[at..].find(|c: char| !is_path(c)).map_or(line.len(), |end| at + end);
        let path = line[at..end].trim_end_matches('.');
        let is_page = [".md", ".svg", ".json", ".csv"].iter().any(|ending| path.ends_with(ending));
        is_page.then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_code_names_are_found() {
        let named = |line| pages_named_in(line).collect::<Vec<_>>();
        assert_eq!(named("/// See `docs/a/b.md`."), ["docs/a/b.md"]);
        assert_eq!(named("(docs/a.md). And docs/results/x/plan.toml"), ["docs/a.md"]);
        assert!(named("https://example.org/docs/a.md and docs.rs").is_empty());
    }

    #[test]
    fn links_without_a_file_or_heading_are_broken() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.md");
        assert!(check_link(&here, "# One\n", "#one").is_ok());
        assert!(check_link(&here, "# One\n", "#two").is_err());
        assert!(check_link(&here, "", "Cargo.toml").is_ok());
        assert!(check_link(&here, "", "nothing.md").is_err());
    }
}

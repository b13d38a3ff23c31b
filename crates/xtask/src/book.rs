//! `cargo xtask book`: the pages of `docs/` as a book in `target/book`, with every link checked.
//!
//! The book is built from a copy of `docs/` in `target/book-source`. There, links to files outside of
//! `docs/` become plain text, except those to the two pages of the root that are chapters of the book.

mod html;
mod links;
mod mdbook;

use crate::markdown;
use crate::step::{root, target};
use std::path::Path;

/// Pages of the root that are chapters, and what the book calls their files.
const ROOT_PAGES: [(&str, &str); 2] =
    [("CONTRIBUTING.md", "contributing.md"), ("ARCHITECTURE.md", "architecture.md")];

/// Checks all links, installs mdBook if need be, and builds the book.
///
/// # Errors
/// Broken links, one on a line, or why the book cannot be built.
pub fn build() -> Result<(), String> {
    let (root, target) = (root(), target());
    links::check(&root)?;
    let source = target.join("book-source");
    stage(&root, &source).map_err(|error| format!("cannot copy docs: {error}"))?;
    let book = target.join("book");
    mdbook::build(&mdbook::install(&target)?, &source, &book)?;
    html::check(&book)?;
    println!("the book is {}", book.join("index.html").display());
    Ok(())
}

/// Checks all links, without building anything.
///
/// # Errors
/// Broken links, one on a line.
pub fn check_links() -> Result<(), String> {
    links::check(&root())
}

/// Copies `docs/` and the pages of the root, with links that work in the book.
fn stage(root: &Path, source: &Path) -> std::io::Result<()> {
    if source.exists() {
        std::fs::remove_dir_all(source)?;
    }
    copy(&root.join("docs"), source)?;
    for (page, name) in ROOT_PAGES {
        std::fs::copy(root.join(page), source.join(name))?;
    }
    for path in markdown::pages(source) {
        let page = std::fs::read_to_string(&path)?;
        let inside = path.strip_prefix(source).unwrap_or(&path);
        let folder = inside.parent().unwrap_or(Path::new(""));
        std::fs::write(&path, relinked(&page, folder, is_root_page(inside)))?;
    }
    Ok(())
}

fn is_root_page(inside: &Path) -> bool {
    ROOT_PAGES.iter().any(|(_, name)| inside == Path::new(name))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        // The links of the book lead to the page of a folder by this name.
        let name = path.file_name().unwrap_or_default();
        let into = if name == "README.md" { to.join("index.md") } else { to.join(name) };
        if path.is_dir() { copy(&path, &into)? } else { std::fs::copy(&path, &into).map(drop)? }
    }
    Ok(())
}

/// The page with the links that the book has. `folder` is where the page lies in `docs/`.
fn relinked(page: &str, folder: &Path, is_root_page: bool) -> String {
    let mut result = String::with_capacity(page.len());
    for line in markdown::lines(page) {
        let text = line.text;
        if line.kind == markdown::LineKind::Code {
            result.push_str(text);
        } else {
            relink_line(text, folder, is_root_page, &mut result);
        }
        result.push('\n');
    }
    result
}

fn relink_line(line: &str, folder: &Path, is_root_page: bool, result: &mut String) {
    let blanked = markdown::without_code(line);
    let mut done = 0;
    while let Some(middle) = blanked[done..].find("](").map(|at| done + at) {
        let open = blanked[done..middle].rfind('[').map(|at| done + at);
        let close = blanked[middle..].find(')').map(|at| middle + at);
        let (Some(open), Some(close)) = (open, close) else { break };
        let target = &line[middle + 2..close];
        result.push_str(&line[done..open]);
        match target_in_book(target, folder, is_root_page) {
            Some(target) => {
                result.push_str(&line[open..middle + 2]);
                result.push_str(&target);
                result.push(')');
            }
            None => result.push_str(&line[open + 1..middle]),
        }
        done = close + 1;
    }
    result.push_str(&line[done..]);
}

/// What a link is in the book; `None` if it leads out of it.
fn target_in_book(target: &str, folder: &Path, is_root_page: bool) -> Option<String> {
    let target = inside_of_book(target, folder, is_root_page)?;
    // mdBook calls the page of a folder so.
    Some(target.replace("README.md", "index.md"))
}

fn inside_of_book(target: &str, folder: &Path, is_root_page: bool) -> Option<String> {
    if target.contains("://") || target.starts_with('#') {
        return Some(target.to_owned());
    }
    if is_root_page {
        // These pages lie beside `docs/`, and in the book beside its pages.
        if let Some((_, name)) = ROOT_PAGES.iter().find(|(page, _)| target.starts_with(page)) {
            return Some((*name).to_owned());
        }
        return target.strip_prefix("docs/").map(str::to_owned);
    }
    let up = "../".repeat(folder.components().count());
    let above = format!("{up}../");
    let Some(outside) = target.strip_prefix(&above) else { return Some(target.to_owned()) };
    let (page, anchor) = outside.split_once('#').unwrap_or((outside, ""));
    let name = ROOT_PAGES.iter().find(|(root_page, _)| *root_page == page)?.1;
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    Some(format!("{up}{name}{anchor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_chapters_of_the_root_stay_and_others_become_text() {
        let page =
            "See [how](../../CONTRIBUTING.md#a), [code](../../crates/x.rs) and [b](../b.md).\n";
        let book = relinked(page, Path::new("how-to"), false);
        assert_eq!(book, "See [how](../contributing.md#a), code and [b](../b.md).\n");
        let root = "[docs](docs/a/README.md) [one](ARCHITECTURE.md) [code](crates/x.rs)\n";
        let book = relinked(root, Path::new(""), true);
        assert_eq!(book, "[docs](a/index.md) [one](architecture.md) code\n");
    }

    #[test]
    fn every_link_of_the_repository_leads_somewhere() {
        if let Err(broken) = check_links() {
            panic!("{broken}");
        }
    }
}

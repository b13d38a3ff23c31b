//! Every link of the built book leads to a file and an anchor in it.

use std::path::{Path, PathBuf};

/// Checks the links in the text of all pages.
///
/// # Errors
/// All that are broken, one on a line.
pub fn check(book: &Path) -> Result<(), String> {
    let mut broken = Vec::new();
    for path in pages(book) {
        let name = path.strip_prefix(book).unwrap_or(&path).display().to_string();
        let page = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        for target in targets(&page) {
            if !leads_somewhere(&path, target) {
                broken.push(format!("{name}: the link {target} is broken in the book"));
            }
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
    {
        // These have the links of all pages once more.
        let is_copy =
            ["print.html", "404.html", "toc.html"].iter().any(|name| path.ends_with(name));
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "html") && !is_copy {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The targets of links and pictures in the text of a page; menus are mdBook's own.
fn targets(page: &str) -> Vec<&str> {
    let text = page.split_once("<main>").map_or("", |(_, rest)| rest);
    let text = text.split_once("</main>").map_or(text, |(text, _)| text);
    let of = |attribute: &'static str| {
        text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
    };
    of("href=\"").chain(of("src=\"")).filter(|target| !target.contains("://")).collect()
}

fn leads_somewhere(from: &Path, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => from.to_owned(),
        file => from.parent().unwrap_or(Path::new("")).join(file),
    };
    if anchor.is_empty() {
        return path.exists();
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    page.contains(&format!("id=\"{anchor}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_text_are_found() {
        let page = "<a href=\"menu.html\"><main><a href=\"a.html#b\"><img src=\"c.svg\">\
                    <a href=\"https://example.org\"></main><a href=\"next.html\">";
        assert_eq!(targets(page), ["a.html#b", "c.svg"]);
    }
}

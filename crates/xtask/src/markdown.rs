//! What the checks of the documentation need to know of Markdown: lines of prose, links, headings.

use std::path::{Path, PathBuf};

/// One line of a Markdown file, and what it is part of.
pub struct Line<'a> {
    /// Counted from 1.
    pub number: usize,
    pub text: &'a str,
    pub kind: LineKind,
}

/// What a line is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Paragraphs, list items and quotes.
    Prose,
    Heading,
    Table,
    /// Fenced code, with its fences.
    Code,
    /// Comments and tags of HTML.
    Html,
    Blank,
}

/// The lines of a page. A fence opens with three backticks and closes with the same.
pub fn lines(page: &str) -> Vec<Line<'_>> {
    let mut is_code = false;
    let mut is_comment = false;
    let classify = |text: &str| {
        let start = text.trim_start();
        if start.starts_with("```") {
            is_code = !is_code;
            return LineKind::Code;
        }
        if is_code {
            return LineKind::Code;
        }
        if is_comment || start.starts_with("<!--") {
            is_comment = !text.contains("-->");
            return LineKind::Html;
        }
        match start.as_bytes().first() {
            None => LineKind::Blank,
            Some(b'#') => LineKind::Heading,
            Some(b'|') => LineKind::Table,
            Some(b'<') if !start.starts_with("<sub>") => LineKind::Html,
            Some(_) => LineKind::Prose,
        }
    };
    let kinds: Vec<LineKind> = page.lines().map(classify).collect();
    let numbered = page.lines().zip(kinds).enumerate();
    numbered.map(|(index, (text, kind))| Line { number: index + 1, text, kind }).collect()
}

/// A link or picture of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    pub line: usize,
    /// As it is written, without the text that shows.
    pub target: String,
}

/// The links of a page, those in code left out.
pub fn links(page: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for line in lines(page).iter().filter(|line| line.kind != LineKind::Code) {
        let text = without_code(line.text);
        let mut rest = text.as_str();
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let Some(end) = rest.find(')') else { break };
            let target = rest[..end].split_whitespace().next().unwrap_or("");
            found.push(Link { line: line.number, target: target.to_owned() });
        }
        for attribute in ["src=\"", "href=\""] {
            for part in text.split(attribute).skip(1) {
                let target = part.split('"').next().unwrap_or("").to_owned();
                found.push(Link { line: line.number, target });
            }
        }
    }
    found
}

/// The names that links may have after `#`: the headings as GitHub and mdBook name them.
pub fn anchors(page: &str) -> Vec<String> {
    let headings = lines(page).into_iter().filter(|line| line.kind == LineKind::Heading);
    headings.map(|line| slug(line.text.trim_start_matches('#').trim())).collect()
}

fn slug(heading: &str) -> String {
    let shown = plain(heading).to_lowercase();
    let keep = |letter: char| match letter {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        other => other.is_alphanumeric().then_some(other),
    };
    shown.chars().filter_map(keep).collect()
}

/// A line as it shows: links are their text, code and emphasis lose their marks.
pub fn plain(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        let text_of_link = link[1..].split_once("](");
        match text_of_link {
            Some((inner, after)) if after.contains(')') && !inner.contains('[') => {
                shown.push_str(before.strip_suffix('!').unwrap_or(before));
                shown.push_str(inner);
                rest = after.split_once(')').map_or("", |(_, rest)| rest);
            }
            _ => {
                shown.push_str(before);
                shown.push('[');
                rest = &link[1..];
            }
        }
    }
    shown.push_str(rest);
    shown.replace(['`', '*'], "")
}

/// A line with its code spans blanked out.
pub fn without_code(text: &str) -> String {
    let is_closed = text.matches('`').count().is_multiple_of(2);
    let mut is_code = false;
    let blank = |letter: char| {
        if letter == '`' && is_closed {
            is_code = !is_code;
            return ' ';
        }
        if is_code { 'x' } else { letter }
    };
    text.chars().map(blank).collect()
}

/// All Markdown files below a folder, sorted; folders that git does not track are left out.
pub fn pages(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            let is_ours = !name.starts_with('.') && name != "target" && name != "node_modules";
            if path.is_dir() && is_ours && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_not_links() {
        let page = "See [a](b.md#c).\n```\n[x](y)\n```\nand `[p](q)` or ![i](j.svg)\n";
        let targets: Vec<String> = links(page).into_iter().map(|link| link.target).collect();
        assert_eq!(targets, ["b.md#c", "j.svg"]);
    }

    #[test]
    fn headings_are_named_as_github_names_them() {
        let page = "# The `mge fit` command, in short\n## What *it* is [not](x.md)\n";
        assert_eq!(anchors(page), ["the-mge-fit-command-in-short", "what-it-is-not"]);
    }
}

//! Short names of data sets, for tables: never the path of a file.
//!
//! `own.csv` in any folder is `own`. Where two data sets would have one name, files get their
//! ending, then the folders above them, from the inside out.

use mge::data::catalogue;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// A short name for each data set, a built-in name or a path. Equal paths have equal names, and
/// others have others.
pub fn short_names<'p>(data: impl IntoIterator<Item = &'p str>) -> BTreeMap<&'p str, String> {
    // How much of the path each name has.
    let mut parts: BTreeMap<&str, usize> = data.into_iter().map(|path| (path, 0)).collect();
    loop {
        let mut users: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (&path, &count) in &parts {
            users.entry(name(path, count)).or_default().push(path);
        }
        let shared = users.into_values().filter(|paths| paths.len() > 1).flatten();
        let longer: Vec<&str> =
            shared.filter(|path| name(path, parts[path] + 1) != name(path, parts[path])).collect();
        if longer.is_empty() {
            break;
        }
        for path in longer {
            *parts.entry(path).or_default() += 1;
        }
    }
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = |(path, count): (&'p str, usize)| {
        let name = name(path, count);
        let times = taken.entry(name.clone()).or_default();
        *times += 1;
        // Paths that differ in their roots only.
        (path, if *times == 1 { name } else { format!("{name} [{times}]") })
    };
    parts.into_iter().map(numbered).collect()
}

/// The file without its ending for 0, with it for 1, then with one folder more for each further
/// part. The root is never a part.
fn name(path: &str, parts: usize) -> String {
    if catalogue::find(path).is_ok() {
        return path.to_owned();
    }
    let own = Path::new(path).components().filter_map(|component| match component {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    let own: Vec<String> = own.collect();
    let Some(file) = own.last() else { return path.to_owned() };
    if parts == 0 {
        let plain = file.strip_suffix(".gz").unwrap_or(file);
        let stem = Path::new(plain).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        return stem.unwrap_or_else(|| file.clone());
    }
    own[own.len().saturating_sub(parts)..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(paths: &[&str]) -> Vec<String> {
        let names = short_names(paths.iter().copied());
        paths.iter().map(|path| names[path].clone()).collect()
    }

    #[test]
    fn a_file_is_called_by_its_name_alone() {
        assert_eq!(of(&["wine", "/home/me/data/own.csv"]), ["wine", "own"]);
        assert_eq!(of(&["plans/../own.data.csv.gz"]), ["own.data"]);
    }

    #[test]
    fn names_become_longer_until_they_differ() {
        assert_eq!(of(&["wine", "data/wine.csv"]), ["wine", "wine.csv"]);
        assert_eq!(of(&["/a/x.csv", "/a/x.arff"]), ["x.csv", "x.arff"]);
        assert_eq!(of(&["/a/b/x.csv", "/a/c/x.csv", "/a/y.csv"]), ["b/x.csv", "c/x.csv", "y"]);
        assert_eq!(of(&["a/x.csv", "/a/x.csv"]).len(), 2);
        assert_ne!(of(&["a/x.csv", "/a/x.csv"])[0], of(&["a/x.csv", "/a/x.csv"])[1]);
        assert_eq!(of(&["x.csv", "x.csv"]), ["x", "x"]);
    }
}

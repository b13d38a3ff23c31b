//! Data sets that are not part of the program, looked up in the data folders.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Entry;
use crate::error::{CatalogueError, DataError};
use crate::load::Loaded;
use crate::options::LoadOptions;
use crate::read::{self, Input};
use crate::table::Table;

/// The folders that are looked into, in this order.
pub(super) fn folders(
    chosen: Option<&Path>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let mut folders: Vec<PathBuf> = chosen.map(Path::to_owned).into_iter().collect();
    folders.extend(set("MGE_DATA_DIR"));
    // The chosen folder may be the one that the variable names.
    folders.dedup();
    folders.extend(cache.map(|cache| cache.join("mge").join("data")));
    folders
}

/// The first file with this name, plain or with `.gz`.
pub(super) fn find(
    dataset: &'static str,
    file: &str,
    chosen: Option<&Path>,
) -> Result<PathBuf, DataError> {
    let mut tried = Vec::new();
    for folder in folders(chosen, |name| std::env::var_os(name)) {
        for name in [file.to_owned(), format!("{file}.gz")] {
            let path = folder.join(name);
            if path.is_file() {
                return Ok(path);
            }
            tried.push(path.display().to_string());
        }
    }
    let paths = tried.into_iter().collect();
    Err(CatalogueError::DatasetFileMissing { dataset, file: file.to_owned(), paths }.into())
}

/// Images and labels with a standard test part, from their four files.
pub(super) fn images(
    entry: &Entry,
    files: &[PathBuf],
    options: &LoadOptions,
) -> Result<Loaded, DataError> {
    let part = |images: &Path, labels: &Path| {
        let open = |path| Input::open(path, &options.progress);
        read::read_pair(open(images)?, open(labels)?, options)
    };
    let (train, test) = (part(&files[0], &files[1])?, part(&files[2], &files[3])?);
    let table = Table::new(entry.name, train.columns)?;
    let standard_test = Some(Table::new(entry.name, test.columns)?);
    Ok(Loaded { standard_test, ..Loaded::new(table, train.targets, train.notes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_in_order() {
        let variable = |name: &str| match name {
            "MGE_DATA_DIR" => Some("/variable".into()),
            "HOME" => Some("/home/user".into()),
            _ => None,
        };
        let expected = ["/chosen", "/variable", "/home/user/.cache/mge/data"].map(PathBuf::from);
        assert_eq!(folders(Some(Path::new("/chosen")), variable), expected);
        let cache = |name: &str| (name == "XDG_CACHE_HOME").then(|| "/cache".into());
        assert_eq!(folders(None, cache), [PathBuf::from("/cache/mge/data")]);
    }

    #[test]
    fn the_error_for_a_missing_file_lists_all_paths() {
        let folder = tempfile::tempdir().unwrap();
        let error = find("flame", "no-such-file.csv", Some(folder.path())).unwrap_err().to_string();
        let path = folder.path().join("no-such-file.csv.gz");
        assert!(error.contains(&path.display().to_string()), "{error}");
        assert!(error.contains("MGE_DATA_DIR"), "{error}");
    }
}

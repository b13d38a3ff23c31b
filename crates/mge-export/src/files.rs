//! The files of an export, and how they reach a folder: all of them or none.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::ExportError;

/// One file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutFile {
    /// Where it goes, inside the export's folder, with `/` between folders.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl OutFile {
    /// A file of text.
    pub fn text(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), bytes: text.into().into_bytes() }
    }
}

/// Writes files into a folder and replaces what is there. If one cannot be written, the folder is
/// as it was before.
pub(crate) fn write_files(files: &[OutFile], folder: &Path) -> Result<(), ExportError> {
    let mut change = Change::default();
    let written = change.write(files, folder);
    if written.is_err() {
        change.undo();
    }
    written
}

/// What was changed so far, in order.
#[derive(Default)]
struct Change {
    /// Folders that were made, outer ones first.
    folders: Vec<PathBuf>,
    /// Files that are in place, each with its copy of what was there.
    files: Vec<(PathBuf, Option<PathBuf>)>,
    /// Holds new files before they are moved, and old ones after. It vanishes at the end.
    staging: Option<tempfile::TempDir>,
}

impl Change {
    fn write(&mut self, files: &[OutFile], folder: &Path) -> Result<(), ExportError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source: io::Error| ExportError::Write { path, source }
        };
        self.make_folders(folder).map_err(failed(folder))?;
        // On the same disk, so that files can be moved.
        let prefix = tempfile::Builder::new().prefix(".mge-export-").tempdir_in(folder);
        let staging = prefix.map_err(failed(folder))?;
        let (new, old) = (staging.path().join("new"), staging.path().join("old"));
        self.staging = Some(staging);
        for (index, file) in files.iter().enumerate() {
            let path = folder.join(&file.path);
            let made = [&new, &old].into_iter().try_for_each(std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(new.join(index.to_string()), &file.bytes))
                .map_err(failed(&path))?;
        }
        for (index, file) in files.iter().enumerate() {
            let path = folder.join(&file.path);
            if path.is_dir() {
                let source = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder");
                return Err(ExportError::Write { path, source });
            }
            let parent = path.parent().unwrap_or(folder).to_owned();
            self.make_folders(&parent).map_err(failed(&path))?;
            let copy = old.join(index.to_string());
            let kept = path.exists().then_some(copy);
            if let Some(copy) = &kept {
                std::fs::rename(&path, copy).map_err(failed(&path))?;
            }
            self.files.push((path.clone(), kept));
            std::fs::rename(new.join(index.to_string()), &path).map_err(failed(&path))?;
        }
        Ok(())
    }

    /// Makes a folder and those around it, and remembers which were not there.
    fn make_folders(&mut self, folder: &Path) -> io::Result<()> {
        let missing: Vec<&Path> = folder
            .ancestors()
            .take_while(|path| !path.as_os_str().is_empty() && !path.exists())
            .collect();
        for path in missing.into_iter().rev() {
            std::fs::create_dir(path)?;
            self.folders.push(path.to_owned());
        }
        Ok(())
    }

    /// As far as the disk lets it.
    fn undo(&mut self) {
        for (path, kept) in self.files.drain(..).rev() {
            let _ = std::fs::remove_file(&path);
            if let Some(copy) = kept {
                let _ = std::fs::rename(copy, path);
            }
        }
        self.staging = None;
        for folder in self.folders.drain(..).rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// The paths of files that are there with another content. A folder of the name counts too.
pub(crate) fn other_content(files: &[OutFile], folder: &Path) -> Vec<String> {
    let differs = |file: &&OutFile| {
        let path = folder.join(&file.path);
        path.exists() && std::fs::read(path).ok().as_deref() != Some(&file.bytes[..])
    };
    files.iter().filter(differs).map(|file| file.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All files below a folder with their content.
    fn listing(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let mut all = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(path) = open.pop() {
            for entry in std::fs::read_dir(&path).unwrap() {
                let path = entry.unwrap().path();
                all.push((path.clone(), std::fs::read(&path).ok()));
                if path.is_dir() {
                    open.push(path);
                }
            }
        }
        all.sort();
        all
    }

    #[test]
    fn files_arrive_whole_and_leave_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("new/folder");
        let files = [OutFile::text("a", "1"), OutFile::text("b/c", "2")];
        write_files(&files, &inside).unwrap();
        write_files(&[OutFile::text("a", "3"), files[1].clone()], &inside).unwrap();
        let found: Vec<_> = listing(&inside).into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(found, [Some(b"3".to_vec()), None, Some(b"2".to_vec())]);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "mine").unwrap();
        // A folder where the last file should go, and a file where a folder is needed.
        std::fs::create_dir(folder.path().join("z")).unwrap();
        let before = listing(folder.path());
        for last in ["z", "a/below"] {
            let files =
                [OutFile::text("a", "1"), OutFile::text("deep/b", "2"), OutFile::text(last, "3")];
            write_files(&files, folder.path()).unwrap_err();
            assert_eq!(listing(folder.path()), before, "{last}");
        }
        let error = write_files(&[OutFile::text("x", "1")], &folder.path().join("a/new"));
        assert!(error.is_err());
        assert_eq!(listing(folder.path()), before);
    }
}

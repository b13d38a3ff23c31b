//! Files that are written whole or not at all.
//!
//! [`write_atomically`] replaces a file in one step: after a crash or a power failure, the path
//! holds either the old or the new content. [`remove_unfinished`] deletes the temporary files that
//! killed writes leave in a folder. Every crate that writes results uses these two functions.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("result.json");
//! mge_io::write_atomically(&path, b"{}")?;
//! mge_io::remove_unfinished(folder.path())?;
//! assert_eq!(std::fs::read(&path)?, b"{}");
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(unix)]
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path` atomically.
///
/// The bytes go into a temporary file in the same folder, which is flushed to the disk and then
/// renamed over the old file. Readers never see a part of a file.
///
/// A symbolic link is followed: the file it names is replaced, and the link stays. A device or a
/// pipe is written to directly.
///
/// # Errors
/// When the folder does not exist, or the file cannot be written. The old file is then unchanged.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(&real).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(&real, bytes);
    }
    let folder = match real.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // An error must not show the temporary file's generated name.
    let without_path = |error: io::Error| match error.kind() {
        kind @ io::ErrorKind::NotFound => {
            io::Error::new(kind, format!("there is no folder {}", folder.display()))
        }
        kind => io::Error::from(kind),
    };
    let mut file = temporary_file().tempfile_in(folder).map_err(without_path)?;
    file.write_all(bytes).map_err(without_path)?;
    file.as_file().sync_all()?;
    file.persist(&real).map_err(|failure| failure.error)?;
    sync_folder(folder)
}

/// Deletes the temporary files that killed writes left in a folder.
///
/// # Errors
/// When the folder cannot be read, or a file cannot be deleted.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

const UNFINISHED: &str = ".unfinished-";

/// A temporary file with the permissions of an ordinary new file: the user's umask applies.
fn temporary_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Flushes the folder, so that the rename survives a power failure.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_replaces_the_whole_file_and_leaves_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        write_atomically(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn only_files_of_killed_writes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(".unfinished-abc"), "half").unwrap();
        std::fs::write(folder.path().join("whole"), "whole").unwrap();
        remove_unfinished(folder.path()).unwrap();
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1);
    }

    #[test]
    fn a_failed_write_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("nowhere");
        let error = write_atomically(&nowhere.join("a.txt"), b"x").unwrap_err();
        assert_eq!(error.to_string(), format!("there is no folder {}", nowhere.display()));
        let is_a_folder = folder.path().join("taken");
        std::fs::create_dir(&is_a_folder).unwrap();
        assert!(write_atomically(&is_a_folder, b"x").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

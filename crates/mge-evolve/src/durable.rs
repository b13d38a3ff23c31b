//! Writing a file so that, whatever happens, either the old or the new content is there.

#[cfg(unix)]
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path` atomically: into a new file in the same folder, flushed to the disk,
/// then renamed over the old one. A reader, or a machine that loses power, never sees half a file.
///
/// A link is followed, so that the file it names is the one replaced. A device or a pipe has no
/// old content to keep, and is written to as it is.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(&real).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return std::fs::write(&real, bytes);
    }
    let folder = match real.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Errors name the folder that was asked for, not the file with a made-up name.
    let plain = |error: io::Error| match error.kind() {
        kind @ io::ErrorKind::NotFound => {
            io::Error::new(kind, format!("there is no folder {}", folder.display()))
        }
        kind => io::Error::from(kind),
    };
    let mut file = new_file().tempfile_in(folder).map_err(plain)?;
    file.write_all(bytes).map_err(plain)?;
    file.as_file().sync_all()?;
    file.persist(&real).map_err(|failure| failure.error)?;
    sync_folder(folder)
}

/// Deletes what writes that were killed left behind in a folder.
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

/// Temporary files are private to their owner; results follow the user's rule for new files.
fn new_file() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Makes the rename itself durable.
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
    fn replaces_whole_files_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
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
    fn what_killed_writes_left_is_removed_and_nothing_else() {
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

//! Writing a file so that, whatever happens, either the old or the new content is there.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path` atomically: into a new file in the same folder, flushed to the disk,
/// then renamed over the old one. A reader, or a machine that loses power, never sees half a file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".unfinished-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    make_readable(file.as_file())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failure| failure.error)?;
    sync_folder(folder)
}

/// Temporary files are private to their owner; results follow the usual rule for new files.
#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> io::Result<()> {
    Ok(())
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

    #[test]
    fn a_failed_write_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_atomically(&folder.path().join("no/such/folder.txt"), b"x").is_err());
        let is_a_folder = folder.path().join("taken");
        std::fs::create_dir(&is_a_folder).unwrap();
        assert!(write_atomically(&is_a_folder, b"x").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

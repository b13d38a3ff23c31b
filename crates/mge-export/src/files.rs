//! The files of an export, and how they reach a folder.

use std::path::Path;

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

/// Writes files into a folder, each whole or not at all, and replaces what is there.
pub(crate) fn write_files(files: &[OutFile], folder: &Path) -> Result<(), ExportError> {
    for file in files {
        let path = folder.join(&file.path);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| mge_io::write_atomically(&path, &file.bytes))
            .map_err(|source| ExportError::Write { path, source })?;
    }
    Ok(())
}

/// The paths of files that are there with another content. A folder of the name counts too.
pub(crate) fn other_content(files: &[OutFile], folder: &Path) -> Vec<String> {
    let differs = |file: &&OutFile| {
        let path = folder.join(&file.path);
        path.exists() && std::fs::read(path).ok().as_deref() != Some(&file.bytes[..])
    };
    files.iter().filter(differs).map(|file| file.path.clone()).collect()
}

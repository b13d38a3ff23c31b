//! A table, its data and figures, and what is needed to make them again: a folder.

use crate::{ExperimentError, ResultTable};
use mge::Method;
use mge_io::write_atomically;
use std::path::Path;

/// What an item came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The item.
    pub name: String,
    /// Its table.
    pub sheet: ResultTable,
    /// More files: name and content.
    pub files: Vec<(String, String)>,
}

impl Report {
    /// A report of a table alone.
    pub fn new(name: &str, sheet: ResultTable) -> Self {
        Self { name: name.to_owned(), sheet, files: Vec::new() }
    }

    /// Adds the command and the versions that made it; `commit` is that of the program.
    pub fn made_by(mut self, command: &str, commit: &str) -> Self {
        let text = format!(
            "command: {command}\nmge: {}\ncommit: {commit}\n\
             behaviour: {}, of hybrid {}\nmachine: {} {}\n",
            env!("CARGO_PKG_VERSION"),
            Method::Mge.algorithm_version(),
            Method::Hybrid.algorithm_version(),
            std::env::consts::OS,
            std::env::consts::ARCH,
        );
        self.files.push(("versions.txt".to_owned(), text));
        self
    }

    /// Writes `table.csv`, `table.md`, `table.tex`, `table.txt` and all other files.
    pub fn write(&self, folder: &Path) -> Result<(), ExperimentError> {
        std::fs::create_dir_all(folder)
            .map_err(ExperimentError::file("make the folder", folder))?;
        let tables = [
            ("table.txt", self.sheet.text()),
            ("table.csv", self.sheet.csv()),
            ("table.md", self.sheet.markdown()),
            ("table.tex", self.sheet.latex()),
        ];
        let tables = tables.iter().map(|(name, text)| (*name, text));
        let files = self.files.iter().map(|(name, text)| (name.as_str(), text));
        for (name, text) in tables.chain(files) {
            let path = folder.join(name);
            write_atomically(&path, text.as_bytes())
                .map_err(ExperimentError::file("write", &path))?;
        }
        Ok(())
    }
}

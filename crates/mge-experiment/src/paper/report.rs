//! A report: a table, its data and figures, and what is needed to repeat it.

use crate::{ExperimentError, ResultTable};
use mge::Method;
use mge_io::write_atomically;
use std::path::Path;

/// A table with its data and figures.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentReport {
    /// The name of the item or analysis.
    pub name: String,
    /// The table.
    pub table: ResultTable,
    /// Further files.
    pub files: Vec<OutputFile>,
}

/// A text file of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputFile {
    /// The name of the file.
    pub name: String,
    /// The content.
    pub text: String,
}

impl ExperimentReport {
    /// A report of a table without further files.
    pub fn new(name: &str, table: ResultTable) -> Self {
        let table = ResultTable { label: format!("tab:{name}"), ..table };
        Self { name: name.to_owned(), table, files: Vec::new() }
    }

    /// Adds a file.
    pub fn add_file(&mut self, name: impl Into<String>, text: String) {
        self.files.push(OutputFile { name: name.into(), text });
    }

    /// Adds `versions.txt`: the command and the versions that made the report. `commit` is that of
    /// the program.
    pub fn with_versions(mut self, command: &str, commit: &str) -> Self {
        let version = |it: Method| format!("{} {}", it.name(), it.algorithm_version());
        let versions: Vec<String> = Method::all().into_iter().map(version).collect();
        let text = format!(
            "command: {command}\nmge: {}\ncommit: {commit}\n\
             algorithm versions: {}\nmachine: {} {}\n",
            env!("CARGO_PKG_VERSION"),
            versions.join(", "),
            std::env::consts::OS,
            std::env::consts::ARCH,
        );
        self.add_file("versions.txt", text);
        self
    }

    /// Writes `table.csv`, `table.md`, `table.tex`, `table.txt` and all further files.
    pub fn write(&self, folder: &Path) -> Result<(), ExperimentError> {
        std::fs::create_dir_all(folder)
            .map_err(ExperimentError::file("make the folder", folder))?;
        let tables = [
            ("table.txt", self.table.text()),
            ("table.csv", self.table.csv()),
            ("table.md", self.table.markdown()),
            ("table.tex", self.table.latex()),
        ];
        let tables = tables.iter().map(|(name, text)| (*name, text));
        let files = self.files.iter().map(|file| (file.name.as_str(), &file.text));
        for (name, text) in tables.chain(files) {
            let path = folder.join(name);
            write_atomically(&path, text.as_bytes())
                .map_err(ExperimentError::file("write", &path))?;
        }
        Ok(())
    }
}

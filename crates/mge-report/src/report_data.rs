//! A finished run, from its folder or as a fit holds it.

use crate::text::clean;
use mge::evolve::Record;
use mge::{
    BaselineResult, CurvePoint, Curves, FolderError, Front, Model, ModelError, RunFolder, RunPlan,
};
use std::path::Path;
use thiserror::Error;

/// Everything that a report shows of a run.
#[derive(Debug)]
pub struct ReportData {
    /// The name of the run: the last part of its folder.
    pub name: String,
    /// Data, settings and commands.
    pub plan: RunPlan,
    /// The model that it found.
    pub model: Model,
    /// One record for each generation; may be empty.
    pub history: Vec<Record>,
    /// The best network at some generations; may be empty.
    pub curves: Vec<CurvePoint>,
    /// The best network at every size, where the method keeps them.
    pub front: Option<Front>,
    /// Simpler classifiers on the same rows; may be empty.
    pub baselines: Vec<BaselineResult>,
}

/// A folder without a finished run.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the sources document themselves")]
pub enum RunReadError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl ReportData {
    /// Reads a run from its folder. Curves, history, front and baselines may be missing, since a run
    /// may be made without them.
    ///
    /// # Errors
    /// When there is no run or no model, or one of them is damaged.
    pub fn read(folder: &Path) -> Result<Self, RunReadError> {
        let (folder, mut plan) = RunFolder::read(folder)?;
        let model = Model::load(&folder.model_file())?;
        plan.record = plan.record.or_else(|| model.old_run_record().cloned());
        let history = if folder.history_file().exists() { folder.history()? } else { Vec::new() };
        Ok(Self {
            name: name_of(folder.path()),
            plan,
            model,
            history,
            curves: Curves::read(&folder.curves_file()).unwrap_or_default(),
            front: Front::read(&folder.front_file()),
            baselines: BaselineResult::read(&folder.baselines_file()),
        })
    }

    /// Seconds of search, where they are known.
    pub fn seconds(&self) -> Option<f64> {
        self.plan.record.as_ref().map(|record| record.seconds)
    }

    /// The commands that repeat the run, ready for a shell. They lack the folder they wrote to, since
    /// it exists already.
    pub fn commands(&self) -> Vec<String> {
        self.plan.commands.iter().map(|arguments| shell(arguments)).collect()
    }
}

/// The name of a run in this folder.
pub fn name_of(folder: &Path) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let last = absolute.file_name().unwrap_or(absolute.as_os_str());
    last.to_string_lossy().into_owned()
}

/// Arguments as one line, quoted for a shell.
fn shell(arguments: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let quoted = arguments.iter().map(|argument| {
        if !argument.is_empty() && argument.chars().all(plain) {
            argument.clone()
        } else if clean(argument) != *argument {
            ansi_quoted(argument)
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Text that a page cannot show, escaped for bash and zsh: `$'two\nlines'`.
fn ansi_quoted(argument: &str) -> String {
    let spelt = argument.chars().map(|c| match c {
        '\'' | '\\' => format!("\\{c}"),
        '\n' => "\\n".to_owned(),
        c if clean(&c.to_string()) == c.to_string() => c.to_string(),
        c => format!("\\u{:04x}", u32::from(c)),
    });
    format!("$'{}'", spelt.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted() {
        let arguments = ["mge", "fit", "my data.csv", "--target", "it's", ""].map(String::from);
        assert_eq!(shell(&arguments), r"mge fit 'my data.csv' --target 'it'\''s' ''");
        let odd = ["a\nb's\u{202e}\\".to_owned()];
        assert_eq!(shell(&odd), r"$'a\nb\'s\u202e\\'");
    }
}

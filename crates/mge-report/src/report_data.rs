//! A finished run, from its folder or as a fit holds it.

use crate::text::clean;
use mge::evolve::Record;
use mge::hybrid::Member;
use mge::{
    BaselineResult, Calibration, CurvePoint, Curves, FolderError, Model, ModelError, NetworkFront,
    RunFolder, RunPlan, TaskKind,
};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Everything that a report shows of a run.
#[derive(Debug)]
pub struct ReportData {
    /// The name of the run: the last part of its folder.
    pub name: String,
    /// Its folder, as it was named: commands of the report have it.
    pub folder: PathBuf,
    /// Data, settings and commands.
    pub plan: RunPlan,
    /// The model that it found.
    pub model: Model,
    /// One record for each generation; may be empty.
    pub history: Vec<Record>,
    /// The best network at some generations; may be empty.
    pub curves: Vec<CurvePoint>,
    /// The best network at every size, where the method keeps them.
    pub front: Option<NetworkFront>,
    /// Simpler classifiers on the same rows; may be empty.
    pub baselines: Vec<BaselineResult>,
    /// Rows of the run, where they are known and belong to the model.
    pub calibration: Option<Calibration>,
    /// What the model needs on devices; may be empty.
    pub devices: Vec<DeviceFigure>,
}

/// What a model needs on a device, in one form.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceFigure {
    /// The name of the device.
    pub device: String,
    /// Its numbers and layout, such as `int8`.
    pub form: String,
    /// Bytes of flash.
    pub flash: Option<u64>,
    /// Bytes of RAM, without the stack.
    pub ram: Option<u64>,
    /// The time of one prediction with its unit, such as `87 µs`.
    pub time: Option<String>,
    /// Whether a compiler and an emulator measured it.
    pub is_measured: bool,
}

impl DeviceFigure {
    pub(crate) fn flash(&self) -> String {
        self.flash.map_or("–".to_owned(), |bytes| bytes.to_string())
    }

    pub(crate) fn ram(&self) -> String {
        self.ram.map_or("–".to_owned(), |bytes| bytes.to_string())
    }

    pub(crate) fn time(&self) -> String {
        self.time.clone().unwrap_or("–".to_owned())
    }
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
    pub fn read(path: &Path) -> Result<Self, RunReadError> {
        let (folder, mut plan) = RunFolder::read(path)?;
        let model = Model::load(&folder.model_file())?;
        plan.record = plan.record.or_else(|| model.old_run_record().cloned());
        let history = if folder.history_file().exists() { folder.history()? } else { Vec::new() };
        let calibration = Calibration::read(folder.path()).ok().flatten();
        let fits = |calibration: &Calibration| {
            calibration.belongs_to(&model) && calibration.covers(&model.network)
        };
        let front = NetworkFront::load(&folder.front_file()).ok();
        let is_own = |front: &NetworkFront| front.points.iter().all(|p| fits_model(p, &model));
        Ok(Self {
            name: name_of(folder.path()),
            folder: path.to_owned(),
            plan,
            history,
            curves: Curves::read(&folder.curves_file()).unwrap_or_default(),
            front: front.filter(is_own),
            baselines: BaselineResult::read(&folder.baselines_file()),
            calibration: calibration.filter(fits),
            devices: Vec::new(),
            model,
        })
    }

    /// The network of the front that the model is.
    pub(crate) fn chosen(&self) -> Option<&Member> {
        let mut points = self.front.as_ref()?.points.iter();
        points.find(|point| point.member.network == self.model.network).map(|point| &point.member)
    }

    /// The kind of the target.
    pub(crate) fn task_kind(&self) -> TaskKind {
        self.model.kind()
    }

    /// The name of the score in which higher is better.
    pub(crate) fn score_name(&self) -> &'static str {
        if self.model.values.is_some() { "R²" } else { "accuracy" }
    }

    /// The folder of the run, ready for a shell.
    pub(crate) fn address(&self) -> String {
        shell(&[self.folder.to_string_lossy().into_owned()])
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

/// Whether a network of a front has the inputs and outputs of a model. A file that was changed by
/// hand may have others.
fn fits_model(point: &mge::FrontNetwork, model: &Model) -> bool {
    let network = &point.member.network;
    network.inputs() == model.network.inputs()
        && network.outputs().len() == model.network.outputs().len()
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

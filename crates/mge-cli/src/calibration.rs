//! The rows that integers are chosen by and measured on.

use crate::model_data;
use anyhow::{Context, anyhow};
use clap::Args;
use mge::data::{LoadOptions, TargetColumn};
use mge::{Calibration, Model};
use mge_export::QuantizationRows;
use std::path::{Path, PathBuf};

/// Where the rows come from, if not from the run folder of the model.
#[derive(Args)]
pub struct CalibrationFlags {
    /// Rows for the integer forms: a run folder, the data of the model, or a table with its columns
    /// [default: calibration.bin beside the model]
    #[arg(long, alias = "data", value_name = "PATH")]
    rows: Option<String>,
    /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl CalibrationFlags {
    /// Whether the user named the rows.
    pub fn are_given(&self) -> bool {
        self.rows.is_some()
    }

    /// The rows for a model in a file.
    pub fn read(&self, model: &Model, file: &Path) -> anyhow::Result<Calibration> {
        let folder = file.parent().unwrap_or(Path::new("."));
        let Some(rows) = &self.rows else {
            let found = of_folder(model, folder)?;
            return found.ok_or_else(|| {
                let (file, data) = (file.display(), &model.data.name);
                anyhow!(
                    "integers need the calibration rows of the model, and {file} has no \
                     calibration.bin beside it; expected --rows with its run folder, with {data}, \
                     or with another table that has its columns"
                )
            });
        };
        if Path::new(rows).is_dir() {
            return of_folder(model, Path::new(rows))?.ok_or_else(|| {
                anyhow!("{rows} has no calibration.bin; expected the run folder of the model")
            });
        }
        self.of_table(model, rows)
    }

    /// The rows of a table: split as the training did if it is the data of the model, else all.
    fn of_table(&self, model: &Model, rows: &str) -> anyhow::Result<Calibration> {
        let target = TargetColumn::Exactly(model.target_columns());
        let data_dir = self.data_dir.clone();
        let options = LoadOptions { data_dir, ..model.load_options(target) };
        let loaded = model_data::table(rows, options)?;
        let calibration = if loaded.fingerprint == model.data.fingerprint {
            Calibration::of_origin(model, &loaded)
        } else {
            Calibration::of_rows(model, &loaded.table)
        };
        calibration.with_context(|| format!("the rows of {rows} do not fit the model"))
    }
}

/// The rows in a run folder, if it has any.
fn of_folder(model: &Model, folder: &Path) -> anyhow::Result<Option<Calibration>> {
    let Some(calibration) = Calibration::read(folder)? else { return Ok(None) };
    if !calibration.belongs_to(model) || !calibration.covers(&model.network) {
        let file = folder.join("calibration.bin");
        return Err(anyhow!(
            "{} is not of this model; expected --rows with its run folder or with {}",
            file.display(),
            model.data.name
        ));
    }
    Ok(Some(calibration))
}

/// The rows as an export takes them. Test rows measure the accuracy, where there are any.
pub fn quantization(calibration: &Calibration) -> QuantizationRows<'_> {
    let validation = calibration.test.as_ref().unwrap_or(&calibration.sample);
    QuantizationRows {
        ranges: &calibration.ranges,
        sample: &calibration.sample.columns,
        validation: &validation.columns,
        labels: &validation.labels,
    }
}

/// What the rows are that measure the accuracy, such as `2000 of 10000 test rows`.
pub fn validation_rows(calibration: &Calibration) -> String {
    let (rows, what) = match &calibration.test {
        Some(test) => (test, "test rows"),
        None => (&calibration.sample, "calibration rows, since there are no test rows"),
    };
    match (rows.labels.len(), rows.of) {
        (count, of) if count == of => format!("{count} {what}"),
        (count, of) => format!("{count} of {of} {what}"),
    }
}

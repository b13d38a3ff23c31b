//! Models as code, and what the code needs on a device.

use crate::error::Kind;
use crate::json;
use crate::model::Model;
use mge::Calibration;
use mge_export::device::{DeviceRows, emulate, footprint, table_bytes};
use mge_export::{
    C, Device, EXPORTERS, ExportError, ExportOptions, Exported, Exporter, Layout, Number,
    QuantizationRows, TrainedClassifier, find_exporter,
};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Rows that an emulator predicts.
const EMULATED_ROWS: usize = 8;

/// The targets: name, summary, numbers and layouts.
#[pyfunction]
pub fn targets(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let describe = |exporter: &&dyn Exporter| {
        let capabilities = exporter.capabilities();
        json!({
            "name": exporter.name(),
            "summary": exporter.summary(),
            "numbers": capabilities.numbers.iter().map(|n| n.name()).collect::<Vec<_>>(),
            "layouts": capabilities.layouts.iter().map(|l| l.name()).collect::<Vec<_>>(),
        })
    };
    json::to_python(py, &EXPORTERS.iter().map(describe).collect::<Vec<_>>())
}

/// Writes a model as code, and returns what was written. Integers need `calibration`.
#[pyfunction]
#[pyo3(signature = (
    model, target, folder, *, calibration, number, layout, inputs, name, max_accuracy_drop, overwrite
))]
#[allow(clippy::too_many_arguments, reason = "called by keyword, from one place")]
pub fn export<'py>(
    py: Python<'py>,
    model: &Model,
    target: &str,
    folder: PathBuf,
    calibration: Option<Vec<u8>>,
    number: &str,
    layout: &str,
    inputs: &str,
    name: Option<&str>,
    max_accuracy_drop: f64,
    overwrite: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let exporter = find_exporter(target).map_err(|error| Kind::Settings.error(error))?;
    let options = ExportOptions {
        number: named(number)?,
        layout: named(layout)?,
        max_accuracy_drop,
        inputs: named(inputs)?,
        ..ExportOptions::default()
    };
    let written: Value = py.detach(|| {
        let rows = rows(model, calibration.as_deref())?;
        let exported = exported(model, exporter, &options, name, rows.as_ref())?;
        let result = if overwrite { exported.overwrite(&folder) } else { exported.write(&folder) };
        result.map_err(|error| Kind::Model.error(error))?;
        let paths = exported.files.iter().map(|file| folder.join(&file.path));
        let quantization = exported.quantization.as_ref().map(|report| {
            json!({
                "rows": report.rows,
                "float_accuracy": report.float_accuracy,
                "integer_accuracy": report.integer_accuracy,
                "agreement": report.agreement,
            })
        });
        let inputs: Vec<_> = exported
            .program
            .inputs
            .iter()
            .map(|one| json!({ "name": one.name, "meaning": one.description, "used": one.used }))
            .collect();
        PyResult::Ok(json!({
            "files": paths.map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "inputs": inputs,
            "quantization": quantization,
        }))
    })?;
    json::to_python(py, &written)
}

/// What all forms of a model need on a device, and notes on what could not be measured.
#[pyfunction]
#[pyo3(signature = (model, device, *, calibration, emulates))]
pub fn device_cost<'py>(
    py: Python<'py>,
    model: &Model,
    device: &str,
    calibration: Option<Vec<u8>>,
    emulates: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let device: Device = named(device)?;
    let (lines, mut notes) = py.detach(|| {
        let rows = rows(model, calibration.as_deref())?;
        let (mut lines, mut notes) = (Vec::new(), Vec::new());
        for &number in Number::ALL.iter().filter(|&&n| n == Number::F32 || rows.is_some()) {
            for layout in Layout::ALL {
                let options = ExportOptions {
                    number,
                    layout,
                    max_accuracy_drop: 1.0,
                    ..ExportOptions::default()
                };
                let exported = match exported(model, &C, &options, None, rows.as_ref()) {
                    Ok(exported) => exported,
                    Err(error) => {
                        notes.push(format!("{number} {layout}: {error}"));
                        continue;
                    }
                };
                lines.push(measure(&exported, &options, device, emulates, &mut notes));
            }
        }
        PyResult::Ok((lines, notes))
    })?;
    notes.sort_unstable();
    notes.dedup();
    json::to_python(py, &json!({ "lines": lines, "notes": notes }))
}

/// Compiles and runs one form, as far as the tools are there.
fn measure(
    exported: &Exported,
    options: &ExportOptions,
    device: Device,
    emulates: bool,
    notes: &mut Vec<String>,
) -> Value {
    let form = exported.form();
    let mut note = |error: ExportError| match error {
        ExportError::ToolMissing { .. } => notes.push(error.to_string()),
        other => notes.push(format!("{} {}: {other}", options.number, options.layout)),
    };
    let size = footprint(&form, device).map_err(&mut note).ok();
    let cycles = if device == Device::Host || size.is_none() || !emulates {
        None
    } else {
        let rows = exported.program.example_rows(EMULATED_ROWS);
        let rows = &rows[..EMULATED_ROWS];
        let emulated = match &exported.integer {
            None => emulate(&form, device, DeviceRows::Floats(rows)),
            Some(integer) => {
                let rows: Vec<Vec<u32>> = rows.iter().map(|row| integer.quantize(row)).collect();
                emulate(&form, device, DeviceRows::Integers(&rows))
            }
        };
        emulated.map_err(&mut note).ok().map(|one| one.mean_ticks().round() as u64)
    };
    json!({
        "number": options.number.name(),
        "layout": options.layout.name(),
        "tables": (options.layout == Layout::Table).then(|| table_bytes(&form)),
        "flash": size.map(|size| size.flash),
        "ram": size.map(|size| size.ram),
        "cycles": cycles,
        "accuracy_drop": exported.quantization.as_ref().map(|report| report.accuracy_drop()),
    })
}

fn named<T: FromStr<Err: Error>>(name: &str) -> PyResult<T> {
    name.parse().map_err(|error: T::Err| Kind::Settings.error(error))
}

/// The rows of the fit that integers are chosen by.
fn rows(model: &Model, calibration: Option<&[u8]>) -> PyResult<Option<Calibration>> {
    let Some(bytes) = calibration else { return Ok(None) };
    let damaged = |reason: String| Kind::Model.message(format!("the calibration: {reason}"));
    let calibration = Calibration::from_bytes(bytes).map_err(damaged)?;
    let fits = calibration.belongs_to(model.get()) && calibration.covers(&model.get().network);
    Ok(fits.then_some(calibration))
}

fn exported(
    model: &Model,
    exporter: &dyn Exporter,
    options: &ExportOptions,
    name: Option<&str>,
    rows: Option<&Calibration>,
) -> PyResult<Exported> {
    let model = model.get();
    let stem = Path::new(&model.data.name).file_stem().unwrap_or_default().to_string_lossy();
    let classifier = TrainedClassifier {
        name: name.unwrap_or(&stem),
        network: &model.network,
        preprocess: &model.preprocess,
        classes: &model.classes,
    };
    let rows = rows.map(|calibration| {
        let validation = calibration.test.as_ref().unwrap_or(&calibration.sample);
        QuantizationRows {
            ranges: &calibration.ranges,
            sample: &calibration.sample.columns,
            validation: &validation.columns,
            labels: &validation.labels,
        }
    });
    let exported = mge_export::export(&classifier, exporter, options, rows.as_ref());
    exported.map_err(|error| Kind::Model.error(error))
}

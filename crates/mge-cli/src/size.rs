//! `mge size`: what a model needs on a device.

use crate::calibration::CalibrationFlags;
use crate::export::{name, with_rows};
use crate::model_data::{self, ModelFile};
use crate::print;
use clap::Args;
use mge_export::device::{DeviceRows, emulate, footprint, table_bytes};
use mge_export::{C, Device, ExportError, ExportOptions, Exported, Layout, Number};
use serde::Serialize;
use std::path::PathBuf;

/// Rows that an emulator predicts.
const EMULATED_ROWS: usize = 8;

/// Measure what a model needs on a device: flash, RAM, operations, cycles
///
/// The model is compiled into a whole program that reads a row from the serial line and answers with
/// the class. Flash and RAM are those of the program, without the stack. Without a compiler or an
/// emulator for the device, only the bytes of the tables are known.
#[derive(Args)]
#[command(after_help = "Examples:
  mge size model.json --device atmega328p
  mge size runs/fault --json")]
pub struct SizeArgs {
    /// Run folder or model file
    model: PathBuf,
    /// Device: atmega328p, cortex-m0, cortex-m4 or host [default: all]
    #[arg(long)]
    device: Option<Device>,
    #[command(flatten)]
    calibration: CalibrationFlags,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
}

/// One form on one device.
#[derive(Serialize)]
struct FormLine {
    device: &'static str,
    number: &'static str,
    layout: &'static str,
    /// Bytes of tables, for the layout that has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<u64>,
    /// Bytes of the whole program.
    #[serde(skip_serializing_if = "Option::is_none")]
    flash: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ram: Option<u64>,
    /// Cycles (AVR) or instructions (Cortex-M) of one prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy_lost: Option<f64>,
}

#[derive(Serialize)]
struct SizeReport {
    connections: usize,
    operations: usize,
    forms: Vec<FormLine>,
}

impl SizeArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let ModelFile { path: file, model } = model_data::open(&self.model)?;
        let rows = match self.calibration.read(&model, &file) {
            Ok(rows) => Some(rows),
            Err(error) if self.calibration.are_given() => return Err(error),
            Err(error) => {
                print::note(format_args!("note: floats only: {error}"));
                None
            }
        };
        let devices: Vec<Device> =
            self.device.map_or_else(|| Device::ALL.to_vec(), |device| vec![device]);
        let name = name(&model, None);
        let mut forms = Vec::new();
        let mut notes = Vec::new();
        for &number in Number::ALL.iter().filter(|&&n| n == Number::F32 || rows.is_some()) {
            for layout in Layout::ALL {
                let options = ExportOptions { number, layout, max_accuracy_drop: 1.0 };
                let exported = with_rows(&model, &name, &C, &options, rows.as_ref())?;
                for &device in &devices {
                    forms.push(measure(&exported, &options, device, &mut notes));
                }
            }
        }
        notes.sort_unstable();
        notes.dedup();
        notes.iter().for_each(|reason| print::note(format_args!("note: {reason}")));
        let size = &model.size;
        let report =
            SizeReport { connections: size.connections, operations: size.operations, forms };
        if self.json { print::json(&report) } else { print::out(&table(&report)) }
    }
}

/// Compiles and runs one form, as far as the tools are there.
fn measure(
    exported: &Exported,
    options: &ExportOptions,
    device: Device,
    notes: &mut Vec<String>,
) -> FormLine {
    let form = exported.form();
    let mut note = |error: ExportError| match error {
        ExportError::ToolMissing { .. } => notes.push(error.to_string()),
        // That a program is too large for the device is a result too.
        other => notes.push(format!("{} {}: {other}", options.number, options.layout)),
    };
    let footprint = footprint(&form, device).map_err(&mut note).ok();
    let ticks = match device {
        Device::Host => None,
        _ if footprint.is_none() => None,
        _ => {
            let rows = exported.program.example_rows(EMULATED_ROWS);
            let rows = &rows[..EMULATED_ROWS];
            let emulated = match &exported.integer {
                None => emulate(&form, device, DeviceRows::Floats(rows)),
                Some(integer) => {
                    let rows: Vec<Vec<u32>> =
                        rows.iter().map(|row| integer.quantize(row)).collect();
                    emulate(&form, device, DeviceRows::Integers(&rows))
                }
            };
            emulated.map_err(&mut note).ok().map(|one| one.mean_ticks().round() as u64)
        }
    };
    FormLine {
        device: device.name(),
        number: options.number.name(),
        layout: options.layout.name(),
        tables: (options.layout == Layout::Table).then(|| table_bytes(&form) as u64),
        flash: footprint.map(|footprint| footprint.flash),
        ram: footprint.map(|footprint| footprint.ram),
        ticks,
        accuracy_lost: exported.quantization.as_ref().map(|report| report.accuracy_drop()),
    }
}

fn table(report: &SizeReport) -> String {
    let mut text = print::table(&[
        ("connections", report.connections.to_string()),
        ("operations", format!("{} for each prediction", report.operations)),
    ]);
    text += &format!(
        "\n{:<11} {:<6} {:<6} {:>7} {:>7} {:>6} {:>9}  {}\n",
        "device", "number", "layout", "tables", "flash", "RAM", "cycles", "accuracy lost"
    );
    let known = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    for line in &report.forms {
        text += &format!(
            "{:<11} {:<6} {:<6} {:>7} {:>7} {:>6} {:>9}  {}\n",
            line.device,
            line.number,
            line.layout,
            known(line.tables),
            known(line.flash),
            known(line.ram),
            known(line.ticks),
            line.accuracy_lost.map_or("-".to_owned(), |lost| format!("{lost:.4}")),
        );
    }
    text + "\nBytes; the stack is not part of RAM. Host: the object file. Cortex-M: instructions, not \
            cycles.\n"
}

//! `mge size`: what a model takes on a device.

use crate::export::{RowsOf, name, with_rows};
use crate::{model_data, print};
use clap::Args;
use mge_export::c::CForm;
use mge_export::device::{DeviceRows, emulate, footprint};
use mge_export::{Device, ExportError, ExportOptions, Exported, Layout, Number, Target};
use serde::Serialize;
use std::path::PathBuf;

/// Rows that the emulators predict.
const EMULATED_ROWS: usize = 8;

/// Tell what a model takes on a device: flash, RAM, operations, cycles
///
/// Flash and RAM are those of a whole program that reads a row from the serial line and answers with
/// the class, really compiled; the stack comes on top. Where a compiler or an emulator is not
/// installed, the bytes of the tables are told instead.
#[derive(Args)]
#[command(after_help = "Examples:
  mge size model.json --device atmega328p
  mge size runs/fault/model.json --data fault.csv")]
pub struct SizeArgs {
    /// Model file
    model: PathBuf,
    /// Device: atmega328p, cortex-m0, cortex-m4 or host [default: all]
    #[arg(long)]
    device: Option<Device>,
    /// Data that the model was made from, for the integer forms [default: found by its name]
    #[arg(long)]
    data: Option<String>,
    /// Folder to look for flame and mnist in [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
}

/// One form on one device.
#[derive(Serialize)]
struct Line {
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
    forms: Vec<Line>,
}

impl SizeArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let model = model_data::model(&self.model)?;
        let rows = match RowsOf::new(&model, &self.model, self.data.as_deref(), self.data_dir) {
            Ok(rows) => Some(rows),
            Err(error) if self.data.is_some() => return Err(error),
            Err(error) => {
                print::note(format_args!("note: floats only: {error}"));
                None
            }
        };
        let devices: Vec<Device> =
            self.device.map_or_else(|| Device::ALL.to_vec(), |device| vec![device]);
        let name = name(&model, None);
        let mut forms = Vec::new();
        let mut untold = Vec::new();
        for &number in Number::ALL.iter().filter(|&&n| n == Number::F32 || rows.is_some()) {
            for &layout in Layout::ALL {
                let options = ExportOptions {
                    number,
                    layout,
                    max_accuracy_drop: 1.0,
                    ..ExportOptions::new(Target::C)
                };
                let exported = with_rows(&model, &name, &options, rows.as_ref())?;
                for &device in &devices {
                    forms.push(measure(&exported, &options, device, &mut untold));
                }
            }
        }
        untold.sort_unstable();
        untold.dedup();
        untold.iter().for_each(|reason| print::note(format_args!("note: {reason}")));
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
    untold: &mut Vec<String>,
) -> Line {
    let form = CForm {
        program: &exported.program,
        integer: exported.integer.as_ref(),
        layout: options.layout,
    };
    let mut told = |error: ExportError| match error {
        ExportError::NoTool { .. } => untold.push(error.to_string()),
        // A program that is too large for the device is an answer too.
        other => untold.push(format!("{} {}: {other}", options.number, options.layout)),
    };
    let footprint = footprint(&form, device).map_err(&mut told).ok();
    let ticks = match device {
        Device::Host => None,
        _ if footprint.is_none() => None,
        _ => {
            let rows = exported.program.example_rows(EMULATED_ROWS);
            let rows = &rows[..EMULATED_ROWS];
            let said = match &exported.integer {
                None => emulate(&form, device, DeviceRows::Floats(rows)),
                Some(integer) => {
                    let rows: Vec<Vec<u32>> =
                        rows.iter().map(|row| integer.quantize(row)).collect();
                    emulate(&form, device, DeviceRows::Integers(&rows))
                }
            };
            said.map_err(&mut told).ok().map(|said| said.mean_ticks().round() as u64)
        }
    };
    Line {
        device: device.name(),
        number: options.number.name(),
        layout: options.layout.name(),
        tables: (options.layout == Layout::Table).then(|| form.table_bytes() as u64),
        flash: footprint.map(|footprint| footprint.flash),
        ram: footprint.map(|footprint| footprint.ram),
        ticks,
        accuracy_lost: exported.cost.as_ref().map(|cost| cost.before - cost.after),
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

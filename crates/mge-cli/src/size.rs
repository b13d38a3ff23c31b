//! `mge size`: what a model needs on a device.

use crate::calibration::CalibrationFlags;
use crate::export::{name, with_rows};
use crate::model_data::{self, ModelFile};
use crate::print;
use clap::Args;
use mge_export::device::{Chip, DeviceRows, STACK, emulate, footprint, table_bytes};
use mge_export::{C, Device, ExportError, ExportOptions, Exported, Layout, Number};
use serde::Serialize;
use std::path::PathBuf;

/// Rows that an emulator predicts.
const EMULATED_ROWS: usize = 8;

/// Measure what a model needs on a device: flash, RAM, cycles, time, and whether it fits
///
/// The model is compiled into a whole program that reads a row from the serial line and answers with
/// the class. Flash and RAM are those of the program, without the stack. Without a compiler or an
/// emulator for the device, only the bytes of the tables are known. The numbers of an ESP32 are
/// estimates from a Cortex-M4: Debian has no compiler for it.
#[derive(Args)]
#[command(after_help = "Examples:
  mge size model.json --device atmega328p
  mge size model.json --device attiny85 --clock 1MHz
  mge size runs/fault --json")]
pub struct SizeArgs {
    /// Run folder or model file
    model: PathBuf,
    /// Device: atmega328p, attiny85, cortex-m0, cortex-m4, rp2040, stm32f103, stm32f411, riscv32,
    /// esp32-c3, esp32 or host [default: all]
    #[arg(long)]
    device: Option<Device>,
    /// Clock of the device, such as 16MHz or 32768Hz [default: its usual one]
    #[arg(long, value_name = "HZ", value_parser = clock)]
    clock: Option<f64>,
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
    /// Cycles (AVR) or instructions (Cortex-M, RISC-V) of one prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks: Option<u64>,
    /// Microseconds of one prediction, with one cycle for each instruction where those are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    microseconds: Option<f64>,
    /// Whether program and stack fit into the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<bool>,
    /// Whether the numbers are those of another device.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_estimate: bool,
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
                let options = ExportOptions {
                    number,
                    layout,
                    max_accuracy_drop: 1.0,
                    ..ExportOptions::default()
                };
                let exported = with_rows(&model, &name, &C, &options, rows.as_ref())?;
                for &device in &devices {
                    forms.push(measure(&exported, &options, device, self.clock, &mut notes));
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
    clock: Option<f64>,
    notes: &mut Vec<String>,
) -> FormLine {
    let form = exported.form();
    let chip = Chip::of(device);
    let mut too_large = false;
    let mut note = |error: ExportError| match error {
        ExportError::ToolMissing { .. } => notes.push(error.to_string()),
        // That a program is too large for the device is a result too.
        ExportError::TooLarge { .. } => too_large = true,
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
    let on_host = device == Device::Host;
    let hertz = clock.unwrap_or(chip.clock);
    FormLine {
        microseconds: ticks.filter(|_| !on_host).map(|ticks| ticks as f64 / hertz * 1e6),
        fits: match footprint {
            _ if too_large => Some(false),
            Some(footprint) if !on_host => Some(chip.fits(footprint)),
            _ => None,
        },
        is_estimate: chip.is_estimate(),
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
        "\n{:<11} {:<6} {:<6} {:>7} {:>8} {:>7} {:>8} {:>9}  {:<4}  {}\n",
        "device",
        "number",
        "layout",
        "tables",
        "flash",
        "RAM",
        "cycles",
        "us",
        "fits",
        "accuracy lost"
    );
    for line in &report.forms {
        // A number of another device is marked.
        let mark = if line.is_estimate { "~" } else { "" };
        let known =
            |number: Option<u64>| number.map_or("-".to_owned(), |number| format!("{mark}{number}"));
        text += &format!(
            "{:<11} {:<6} {:<6} {:>7} {:>8} {:>7} {:>8} {:>9}  {:<4}  {}\n",
            line.device,
            line.number,
            line.layout,
            line.tables.map_or("-".to_owned(), |bytes| bytes.to_string()),
            known(line.flash),
            known(line.ram),
            known(line.ticks),
            line.microseconds.map_or("-".to_owned(), |time| format!("{mark}{time:.1}")),
            line.fits.map_or("-", |fits| if fits { "yes" } else { "no" }),
            line.accuracy_lost.map_or("-".to_owned(), |lost| format!("{lost:.4}")),
        );
    }
    text + &format!(
        "\nBytes; the stack is not part of RAM, and {STACK} bytes of it must fit. Host: the object \
         file. Cortex-M and RISC-V: instructions, one cycle each. ~: an estimate.\n"
    )
}

/// Parses a clock, such as `16MHz`.
fn clock(text: &str) -> Result<f64, String> {
    let expected = || format!("`{text}` is no clock; expected a number of Hz, such as 16MHz");
    let lower = text.trim().to_ascii_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &lower[number.len()..] {
        "" | "hz" => 1.0,
        "khz" | "k" => 1e3,
        "mhz" | "m" => 1e6,
        "ghz" | "g" => 1e9,
        _ => return Err(expected()),
    };
    let number: f64 = number.trim().parse().map_err(|_| expected())?;
    let hertz = number * unit;
    if hertz.is_finite() && hertz > 0.0 { Ok(hertz) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn clocks_have_units() {
        assert_eq!(clock("16MHz"), Ok(16e6));
        assert_eq!(clock("32768"), Ok(32_768.0));
        assert_eq!(clock(" 32.5 kHz "), Ok(32_500.0));
        for bad in ["", "fast", "-1MHz", "0", "1e999", "16 cats", "nan"] {
            assert!(clock(bad).is_err(), "{bad}");
        }
    }
}

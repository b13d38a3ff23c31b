//! What a model needs on devices, for its report: measured where the compilers are, else estimated.

use crate::export::{name, with_rows};
use mge::{Calibration, Model};
use mge_export::device::{Chip, DeviceRows, emulate, footprint, table_bytes};
use mge_export::{C, Device, ExportOptions, Exported, Number};
use mge_report::DeviceFigure;

/// Rows that an emulator predicts.
const EMULATED_ROWS: usize = 4;

/// The figures of a model in int8 tables, or in floats if its rows are not known. Measuring runs
/// compilers and emulators, which takes seconds.
pub fn of(model: &Model, rows: Option<&Calibration>, measure: bool) -> Vec<DeviceFigure> {
    // Exports are of classes.
    if model.values.is_some() {
        return Vec::new();
    }
    let number = if rows.is_some() { Number::Int8 } else { Number::F32 };
    // Tables are the default layout.
    let options = ExportOptions { number, max_accuracy_drop: 1.0, ..ExportOptions::default() };
    // A report is written in any case; it then lacks this table.
    let Ok(exported) = with_rows(model, &name(model, None), &C, &options, rows) else {
        return Vec::new();
    };
    // Those that can be measured; `mge size` has the others, too.
    let is_own = |device: Device| device != Device::Host && !Chip::of(device).is_estimate();
    let devices = Device::ALL.iter().filter(|&&device| is_own(device));
    let figure = |&device: &Device| {
        let measured = if measure { measured(&exported, number, device) } else { None };
        measured.unwrap_or_else(|| estimate(&exported, number, device))
    };
    devices.map(figure).collect()
}

fn measured(exported: &Exported, number: Number, device: Device) -> Option<DeviceFigure> {
    let form = exported.form();
    let footprint = footprint(&form, device).ok()?;
    let rows = exported.program.example_rows(EMULATED_ROWS);
    let rows = &rows[..EMULATED_ROWS];
    let emulated = match &exported.integer {
        None => emulate(&form, device, DeviceRows::Floats(rows)),
        Some(integer) => {
            let rows: Vec<Vec<u32>> = rows.iter().map(|row| integer.quantize(row)).collect();
            emulate(&form, device, DeviceRows::Integers(&rows))
        }
    };
    let chip = Chip::of(device);
    let unit = if chip.counts_cycles() { "cycles" } else { "instructions" };
    let time = |ticks: f64| format!("{ticks:.0} {unit}, {:.0} µs", ticks / chip.clock * 1e6);
    Some(DeviceFigure {
        device: device.name().to_owned(),
        form: number.name().to_owned(),
        flash: Some(footprint.flash),
        ram: Some(footprint.ram),
        time: emulated.ok().map(|one| time(one.mean_ticks())),
        is_measured: true,
    })
}

/// Tables in flash, and one value for each input and neuron in RAM.
fn estimate(exported: &Exported, number: Number, device: Device) -> DeviceFigure {
    let program = &exported.program;
    let width = match number {
        Number::Int8 => 1,
        Number::Int16 => 2,
        Number::F32 => 4,
    };
    let used = program.inputs.iter().filter(|input| input.used).count();
    let values = used + program.neurons.len();
    DeviceFigure {
        device: device.name().to_owned(),
        form: number.name().to_owned(),
        flash: Some(table_bytes(&exported.form()) as u64),
        ram: Some((width * values) as u64),
        time: None,
        is_measured: false,
    }
}

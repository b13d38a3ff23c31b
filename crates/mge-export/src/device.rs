//! What a program really takes on a device: compiled for it, and run in an emulator.
//!
//! Flash and RAM are those of the whole example program (`device_avr.c`, `device_arm.c`), its input
//! buffer included; the stack comes on top. Cycles of the ATmega328P are counted by its own timer
//! in simavr. qemu does not model the pipeline of a Cortex-M; what its clock counts there is
//! instructions.

mod firmware;
mod tool;

use std::path::Path;

use crate::c::{ARM_FLAGS, AVR_FLAGS, CForm, files};
use crate::error::ExportError;
use crate::options::Device;
use crate::write_files;

use firmware::Firmware;
use tool::{Tool, run};

/// What a program takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of code and constants.
    pub flash: u64,
    /// Bytes of variables, the input buffer included, the stack not.
    pub ram: u64,
}

/// What a device answered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Emulated {
    /// The class of each row.
    pub classes: Vec<usize>,
    /// The sums of the outputs of each row; empty for floats.
    pub scores: Vec<Vec<i32>>,
    /// Cycles of each prediction on the ATmega328P, instructions on a Cortex-M.
    pub ticks: Vec<u64>,
}

impl Emulated {
    /// The mean of the ticks.
    pub fn mean_ticks(&self) -> f64 {
        self.ticks.iter().sum::<u64>() as f64 / self.ticks.len().max(1) as f64
    }
}

/// Rows in the form that the program takes.
#[derive(Debug, Clone, Copy)]
pub enum DeviceRows<'a> {
    /// For floats.
    Floats(&'a [Vec<f32>]),
    /// For integers.
    Integers(&'a [Vec<u32>]),
}

fn temporary() -> Result<tempfile::TempDir, ExportError> {
    tempfile::tempdir().map_err(|source| ExportError::Write { path: std::env::temp_dir(), source })
}

/// Compiles the example program of a device and reads its size.
///
/// # Errors
/// When the compiler is not there, or fails.
pub fn footprint(form: &CForm<'_>, device: Device) -> Result<Footprint, ExportError> {
    let folder = temporary()?;
    write_files(&files(form), folder.path())?;
    let source = format!("{}.c", form.program.name);
    let program = match device {
        Device::Atmega328p => "device_avr.c",
        Device::CortexM0 | Device::CortexM4 => "device_arm.c",
        // An object file: a program of the host is mostly its C library.
        Device::Host => {
            run(Tool::Cc, &["-Os", "-c", "-o", "program.elf", &source], folder.path())?;
            return read_size(Tool::Size, folder.path());
        }
    };
    compile(device, &[program, &source], form.integer.is_none(), folder.path())?;
    read_size(
        if device == Device::Atmega328p { Tool::AvrSize } else { Tool::ArmSize },
        folder.path(),
    )
}

/// Runs predictions on an emulated device.
///
/// # Errors
/// When a tool is not there or fails, and when the device says something unexpected.
pub fn emulate(
    form: &CForm<'_>,
    device: Device,
    rows: DeviceRows<'_>,
) -> Result<Emulated, ExportError> {
    let mut all = Emulated::default();
    let firmware = Firmware { form, device };
    for rows in firmware.parts(rows) {
        let folder = temporary()?;
        write_files(&files(form), folder.path())?;
        let write = |name: &str, text: String| {
            write_files(&[crate::OutFile::text(name, text)], folder.path())
        };
        write("emulated.c", firmware.source(&rows))?;
        compile(device, &["emulated.c"], form.integer.is_none(), folder.path())?;
        let said = match device {
            Device::Atmega328p => run(
                Tool::Simavr,
                &["-m", "atmega328p", "-f", "16000000", "program.elf"],
                folder.path(),
            )?,
            _ => {
                let machine = if device == Device::CortexM0 { "microbit" } else { "mps2-an386" };
                let arguments = [
                    "-M",
                    machine,
                    "-nographic",
                    "-monitor",
                    "none",
                    "-serial",
                    "none",
                    "-icount",
                    "shift=10",
                    "-semihosting-config",
                    "enable=on,target=native",
                    "-kernel",
                    "program.elf",
                ];
                run(Tool::Qemu, &arguments, folder.path())?
            }
        };
        firmware.read(&said, rows.len(), &mut all)?;
    }
    Ok(all)
}

fn compile(
    device: Device,
    sources: &[&str],
    floats: bool,
    folder: &Path,
) -> Result<(), ExportError> {
    let (tool, flags) = match device {
        Device::Atmega328p => (Tool::AvrGcc, AVR_FLAGS.to_owned()),
        Device::CortexM0 => (Tool::ArmGcc, format!("-mcpu=cortex-m0 {ARM_FLAGS} -T cortex-m.ld")),
        _ => {
            let unit = "-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16";
            (Tool::ArmGcc, format!("{unit} {ARM_FLAGS} -T cortex-m.ld"))
        }
    };
    let mut arguments: Vec<&str> = flags.split_whitespace().collect();
    arguments.extend(["-o", "program.elf"]);
    arguments.extend(sources);
    if floats {
        arguments.push("-lm");
    }
    run(tool, &arguments, folder).map(|_| ()).map_err(|error| match error {
        ExportError::Tool { said, .. } if is_too_large(&said) => ExportError::TooLarge { device },
        other => other,
    })
}

/// Whether a linker said that flash or RAM is too small.
fn is_too_large(said: &str) -> bool {
    ["overflowed by", "will not fit in region", "is not within region"]
        .iter()
        .any(|words| said.contains(words))
}

/// Reads the line that `size` prints: text, data, bss.
fn read_size(tool: Tool, folder: &Path) -> Result<Footprint, ExportError> {
    let said = run(tool, &["program.elf"], folder)?;
    let numbers: Vec<u64> = said
        .lines()
        .nth(1)
        .unwrap_or_default()
        .split_whitespace()
        .take(3)
        .filter_map(|word| word.parse().ok())
        .collect();
    match numbers[..] {
        [text, data, bss] => Ok(Footprint { flash: text + data, ram: data + bss }),
        _ => Err(ExportError::Tool { tool: tool.name().to_owned(), said }),
    }
}

//! What a program needs on a device: it is compiled for the device and run in an emulator.
//! [`Chip`] has the memory and the clock of each device.
//!
//! Flash and RAM are those of the whole example program (`device_avr.c`, `device_arm.c`) with its
//! input buffer, but without the stack. The timer of the ATmega328P counts cycles in simavr. qemu
//! does not model the pipeline of a Cortex-M, so its clock counts instructions.

mod chip;
mod firmware;
mod tool;

use std::path::Path;

pub use chip::{Chip, STACK};

use crate::c::{ARM_FLAGS, AVR_FLAGS, C, integer_table_bytes};
use crate::error::ExportError;
use crate::exporter::{Exporter, Form};
use crate::files::{OutFile, write_files};
use crate::options::Device;

use chip::Core;
use firmware::{Firmware, RISCV_PROGRAM, RISCV_SCRIPT};
use tool::{Tool, run};
pub use tool::{ToolStatus, tools};

/// The memory that a program needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footprint {
    /// Bytes of code and constants.
    pub flash: u64,
    /// Bytes of variables with the input buffer, without the stack.
    pub ram: u64,
}

/// The answers of a device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Emulated {
    /// The class of each row.
    pub classes: Vec<usize>,
    /// The output sums of each row; empty for floats.
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

/// Rows as the program takes them.
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

/// Bytes of the tables of the C source, for machines without the compilers. Code comes on top, and
/// so do the labels.
pub fn table_bytes(form: &Form<'_>) -> usize {
    let program = form.program;
    match form.integer {
        Some(integer) => integer_table_bytes(form, integer),
        None => {
            let sums = program.neurons.len() + program.outputs.len();
            4 * (program.links() + sums + program.inputs.len()) + program.links() + sums
        }
    }
}

/// Compiles the example program of a device and reads its size.
///
/// # Errors
/// When the compiler is missing or fails.
pub fn footprint(form: &Form<'_>, device: Device) -> Result<Footprint, ExportError> {
    let folder = temporary()?;
    write_files(&C.files(form), folder.path())?;
    let source = format!("{}.c", form.program.name);
    let (program, size) = match Chip::of(device).core {
        Core::Avr("attiny85") => ("device_attiny.c", Tool::AvrSize),
        Core::Avr(_) => ("device_avr.c", Tool::AvrSize),
        Core::Arm(..) => ("device_arm.c", Tool::ArmSize),
        Core::RiscV(_) => ("device_riscv.c", Tool::RiscvSize),
        Core::LikeOther(other) => return footprint(form, other),
        // An object file, since a program on the host is mostly its C library.
        Core::Host => {
            run(Tool::Cc, &["-Os", "-c", "-o", "program.elf", &source], folder.path())?;
            return read_size(Tool::Size, folder.path());
        }
    };
    if program == "device_riscv.c" {
        let text = firmware::named(form, RISCV_PROGRAM);
        write_files(&[OutFile::text(program, text)], folder.path())?;
    }
    if program == "device_attiny.c" {
        let text = firmware::named(form, firmware::ATTINY_PROGRAM);
        write_files(&[OutFile::text(program, text)], folder.path())?;
    }
    compile(device, &[program, &source], form.integer.is_none(), folder.path())?;
    read_size(size, folder.path())
}

/// Runs predictions on an emulated device.
///
/// # Errors
/// When a tool is missing or fails, and when the device prints something unexpected.
pub fn emulate(
    form: &Form<'_>,
    device: Device,
    rows: DeviceRows<'_>,
) -> Result<Emulated, ExportError> {
    let core = Chip::of(device).core;
    if let Core::LikeOther(other) = core {
        return emulate(form, other, rows);
    }
    let mut all = Emulated::default();
    let firmware = Firmware { form, core, device };
    for rows in firmware.batches(rows) {
        let folder = temporary()?;
        write_files(&C.files(form), folder.path())?;
        write_files(&[OutFile::text("emulated.c", firmware.source(&rows))], folder.path())?;
        compile(device, &["emulated.c"], form.integer.is_none(), folder.path())?;
        let printed = match core {
            Core::Avr(name) => {
                run(Tool::Simavr, &["-m", name, "-f", "16000000", "program.elf"], folder.path())?
            }
            Core::Arm(_, machine, _) => {
                let machine = ["-M", machine, "-icount", "shift=10"];
                run(Tool::Qemu, &[&machine[..], &QEMU_FLAGS].concat(), folder.path())?
            }
            _ => {
                let machine = ["-M", "virt", "-bios", "none", "-icount", "shift=0"];
                run(Tool::RiscvQemu, &[&machine[..], &QEMU_FLAGS].concat(), folder.path())?
            }
        };
        firmware.read(&printed, rows.len(), &mut all)?;
    }
    Ok(all)
}

const QEMU_FLAGS: [&str; 9] = [
    "-nographic",
    "-monitor",
    "none",
    "-serial",
    "none",
    "-semihosting-config",
    "enable=on,target=native",
    "-kernel",
    "program.elf",
];

fn compile(
    device: Device,
    sources: &[&str],
    floats: bool,
    folder: &Path,
) -> Result<(), ExportError> {
    let (tool, flags) = match Chip::of(device).core {
        Core::Avr(name) => {
            // What names the register that the emulator prints; only test programs have it.
            let console = if name == "attiny85" && sources == ["emulated.c"] {
                " -Wl,--undefined=mge_console -Wl,--section-start=.mmcu=0x910000"
            } else {
                ""
            };
            (Tool::AvrGcc, AVR_FLAGS.replace("atmega328p", name) + console)
        }
        Core::Arm(cpu, ..) => (Tool::ArmGcc, format!("{cpu} {ARM_FLAGS} -T cortex-m.ld")),
        Core::RiscV(arch) => {
            if floats {
                // The compiler comes without a C library, which has the functions of floats.
                let tool = "the C library of riscv64-unknown-elf-gcc".to_owned();
                let package = "picolibc-riscv64-unknown-elf";
                return Err(ExportError::ToolMissing { tool, package });
            }
            write_files(&[OutFile::text("riscv.ld", RISCV_SCRIPT)], folder)?;
            let flags = ARM_FLAGS.replace("-mthumb", "-nostdlib");
            // There is no C library that a loop could call to copy memory.
            let own = "-mabi=ilp32 -fno-tree-loop-distribute-patterns";
            (Tool::RiscvGcc, format!("-march={arch} {own} {flags} -T riscv.ld"))
        }
        Core::LikeOther(_) | Core::Host => (Tool::Cc, "-Os".to_owned()),
    };
    let mut arguments: Vec<&str> = flags.split_whitespace().collect();
    arguments.extend(["-o", "program.elf"]);
    arguments.extend(sources);
    if floats {
        arguments.push("-lm");
    }
    if tool == Tool::RiscvGcc {
        arguments.push("-lgcc");
    }
    run(tool, &arguments, folder).map(|_| ()).map_err(|error| match error {
        ExportError::ToolFailed { output, .. } if is_too_large(&output) => {
            ExportError::TooLarge { device }
        }
        other => other,
    })
}

/// Whether a linker reports that flash or RAM is too small.
fn is_too_large(output: &str) -> bool {
    ["overflowed by", "will not fit in region", "is not within region"]
        .iter()
        .any(|words| output.contains(words))
}

/// Reads the line that `size` prints: text, data, bss.
fn read_size(tool: Tool, folder: &Path) -> Result<Footprint, ExportError> {
    let output = run(tool, &["program.elf"], folder)?;
    let numbers: Vec<u64> = output
        .lines()
        .nth(1)
        .unwrap_or_default()
        .split_whitespace()
        .take(3)
        .filter_map(|word| word.parse().ok())
        .collect();
    match numbers[..] {
        [text, data, bss] => Ok(Footprint { flash: text + data, ram: data + bss }),
        _ => Err(ExportError::ToolFailed { tool: tool.name().to_owned(), output }),
    }
}

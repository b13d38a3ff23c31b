//! The compilers and emulators, their packages, and how they are run.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::ExportError;

/// A compiler, a size tool or an emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    Cc,
    Size,
    AvrGcc,
    AvrSize,
    Simavr,
    ArmGcc,
    ArmSize,
    Qemu,
    RiscvGcc,
    RiscvSize,
    RiscvQemu,
}

/// Whether a tool is on this machine, and what it is good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolStatus {
    /// The name of the program.
    pub name: &'static str,
    /// Where it is; `None` if it is on no folder of `PATH`.
    pub path: Option<PathBuf>,
    /// What needs it.
    pub needed_for: &'static str,
    /// The Debian packages that have it.
    pub package: &'static str,
}

/// Every tool that sizes and cycles come from.
pub fn tools() -> Vec<ToolStatus> {
    let status = |tool: Tool| ToolStatus {
        name: tool.name(),
        path: on_path(tool.name()),
        needed_for: tool.needed_for(),
        package: tool.package(),
    };
    Tool::ALL.map(status).to_vec()
}

/// The program of this name in the folders of `PATH`.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

impl Tool {
    const ALL: [Tool; 11] = [
        Tool::Cc,
        Tool::Size,
        Tool::AvrGcc,
        Tool::AvrSize,
        Tool::Simavr,
        Tool::ArmGcc,
        Tool::ArmSize,
        Tool::Qemu,
        Tool::RiscvGcc,
        Tool::RiscvSize,
        Tool::RiscvQemu,
    ];

    fn needed_for(self) -> &'static str {
        match self {
            Tool::Cc | Tool::Size => "sizes on this machine (mge size --device host)",
            Tool::AvrGcc | Tool::AvrSize => "flash and RAM of AVR devices",
            Tool::Simavr => "cycles of AVR devices",
            Tool::ArmGcc | Tool::ArmSize => "flash and RAM of ARM devices",
            Tool::Qemu => "instructions of ARM devices",
            Tool::RiscvGcc | Tool::RiscvSize => "flash and RAM of RISC-V devices",
            Tool::RiscvQemu => "instructions of RISC-V devices",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Tool::Cc => "cc",
            Tool::Size => "size",
            Tool::AvrGcc => "avr-gcc",
            Tool::AvrSize => "avr-size",
            Tool::Simavr => "simavr",
            Tool::ArmGcc => "arm-none-eabi-gcc",
            Tool::ArmSize => "arm-none-eabi-size",
            Tool::Qemu => "qemu-system-arm",
            Tool::RiscvGcc => "riscv64-unknown-elf-gcc",
            Tool::RiscvSize => "riscv64-unknown-elf-size",
            Tool::RiscvQemu => "qemu-system-riscv32",
        }
    }

    pub fn package(self) -> &'static str {
        match self {
            Tool::Cc => "gcc",
            Tool::Size => "binutils",
            Tool::AvrGcc => "gcc-avr and avr-libc",
            Tool::AvrSize => "binutils-avr",
            Tool::Simavr => "simavr",
            Tool::ArmGcc => "gcc-arm-none-eabi and libnewlib-arm-none-eabi",
            Tool::ArmSize => "binutils-arm-none-eabi",
            Tool::Qemu => "qemu-system-arm",
            Tool::RiscvGcc => "gcc-riscv64-unknown-elf",
            Tool::RiscvSize => "binutils-riscv64-unknown-elf",
            Tool::RiscvQemu => "qemu-system-misc",
        }
    }
}

/// Runs a tool in a folder, and returns what it prints on both streams.
pub fn run(tool: Tool, arguments: &[&str], folder: &Path) -> Result<String, ExportError> {
    let output = Command::new(tool.name())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                ExportError::ToolMissing { tool: tool.name().to_owned(), package: tool.package() }
            }
            _ => {
                ExportError::ToolFailed { tool: tool.name().to_owned(), output: error.to_string() }
            }
        })?;
    let mut printed = String::from_utf8_lossy(&output.stdout).into_owned();
    printed += &String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(printed);
    }
    Err(ExportError::ToolFailed { tool: tool.name().to_owned(), output: printed })
}

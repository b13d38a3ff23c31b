//! The compilers and emulators, their packages, and how they are run.

use std::io;
use std::path::Path;
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
}

impl Tool {
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
        }
    }

    fn package(self) -> &'static str {
        match self {
            Tool::Cc => "gcc",
            Tool::Size => "binutils",
            Tool::AvrGcc => "gcc-avr and avr-libc",
            Tool::AvrSize => "binutils-avr",
            Tool::Simavr => "simavr",
            Tool::ArmGcc => "gcc-arm-none-eabi and libnewlib-arm-none-eabi",
            Tool::ArmSize => "binutils-arm-none-eabi",
            Tool::Qemu => "qemu-system-arm",
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

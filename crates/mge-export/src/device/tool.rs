//! The compilers and emulators, where they come from, and how they are run.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::ExportError;

/// A program that is run.
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

/// Runs a tool in a folder; what it says on both streams.
pub fn run(tool: Tool, arguments: &[&str], folder: &Path) -> Result<String, ExportError> {
    let output = Command::new(tool.name())
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                ExportError::NoTool { tool: tool.name().to_owned(), package: tool.package() }
            }
            _ => ExportError::Tool { tool: tool.name().to_owned(), said: error.to_string() },
        })?;
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said += &String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Ok(said);
    }
    Err(ExportError::Tool { tool: tool.name().to_owned(), said })
}

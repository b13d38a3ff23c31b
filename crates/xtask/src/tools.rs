//! `cargo xtask tools`: what the tests of exported code run, installed quietly and once.
//!
//! Compilers and emulators come from Debian's packages, onnxruntime from the Python registry into
//! `target/export-tools`. What cannot be installed is named, and the tests that need it fail.

use std::path::Path;
use std::process::{Command, Stdio};

/// A command that must be there, and the packages that bring it.
const COMMANDS: &[(&str, &[&str])] = &[
    ("gcc", &["gcc", "libc6-dev"]),
    ("make", &["make"]),
    ("node", &["nodejs"]),
    ("python3", &["python3", "python3-venv"]),
    ("avr-gcc", &["gcc-avr", "avr-libc", "binutils-avr"]),
    ("simavr", &["simavr"]),
    ("arm-none-eabi-gcc", &["gcc-arm-none-eabi", "libnewlib-arm-none-eabi"]),
    ("qemu-system-arm", &["qemu-system-arm"]),
    ("riscv64-unknown-elf-gcc", &["gcc-riscv64-unknown-elf", "binutils-riscv64-unknown-elf"]),
    ("qemu-system-riscv32", &["qemu-system-misc"]),
];
/// MicroPython for WebAssembly, which node runs. Debian has no package of it.
const MICROPYTHON: &str = "@micropython/micropython-webassembly-pyscript@1.27.0";
const PYTHON_PACKAGES: &[&str] = &["numpy", "onnx", "onnxruntime"];

/// Installs what is missing. The names of what could not be installed.
pub fn install() -> Result<(), String> {
    let missing: Vec<&str> = COMMANDS
        .iter()
        .filter(|(command, _)| !is_there(command))
        .flat_map(|(_, packages)| packages.iter().copied())
        .collect();
    if !missing.is_empty() {
        println!("    installing {}", missing.join(", "));
        debian(&missing)?;
    }
    let still: Vec<&str> =
        COMMANDS.iter().map(|(command, _)| *command).filter(|command| !is_there(command)).collect();
    if !still.is_empty() {
        return Err(format!("not there after installing: {}", still.join(", ")));
    }
    python()?;
    micropython();
    Ok(())
}

/// Without npm the tests of MicroPython run in CPython, and say so.
fn micropython() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/export-tools");
    let package = MICROPYTHON.rsplit_once('@').map_or(MICROPYTHON, |(package, _)| package);
    if folder.join("node_modules").join(package).is_dir() {
        return;
    }
    let folder = folder.display().to_string();
    let install = ["install", "--silent", "--no-fund", "--no-audit", "--prefix", &folder];
    let installed = Command::new("npm").args(install).arg(MICROPYTHON).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        println!("    MicroPython could not be installed; CPython stands in for it");
    }
}

fn is_there(command: &str) -> bool {
    // qemu and simavr know no common flag; being found is enough.
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(command).is_file())
}

fn debian(packages: &[&str]) -> Result<(), String> {
    let update: &[&str] = &["apt-get", "-qq", "update"];
    let install =
        [&["apt-get", "-qq", "install", "-y", "--no-install-recommends"], packages].concat();
    // The lists may be new enough; fetching them takes longer than trying.
    quietly(&install).or_else(|_| quietly(update).and_then(|()| quietly(&install)))
}

/// Runs a command as root, with `sudo` if need be, and shows what it says only if it fails.
fn quietly(command: &[&str]) -> Result<(), String> {
    let uid = Command::new("id").arg("-u").output().map_err(|error| format!("id: {error}"))?;
    let is_root = uid.stdout.starts_with(b"0");
    let command = if is_root { command.to_vec() } else { [&["sudo", "-n"], command].concat() };
    let output = Command::new(command[0])
        .args(&command[1..])
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", command.join(" ")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{}: {}", command.join(" "), String::from_utf8_lossy(&output.stderr)))
}

fn python() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/export-tools");
    let python = folder.join("bin/python");
    let run = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("{} {}: {said}", program.display(), arguments.join(" ")))
    };
    if run(&python, &["-c", "import numpy, onnx, onnxruntime"]).is_ok() {
        return Ok(());
    }
    println!("    installing {} for Python", PYTHON_PACKAGES.join(", "));
    run(Path::new("python3"), &["-m", "venv", &folder.display().to_string()])?;
    let install = [&["-m", "pip", "install", "--quiet"], PYTHON_PACKAGES].concat();
    run(&python, &install)
}

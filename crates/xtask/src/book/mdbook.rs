//! The program mdBook: found in `PATH`, or installed once from its crate.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version that the book was written with.
const VERSION: &str = "0.5.4";

/// Gives the program, and installs it into `target/book-tools` if there is none. It is built
/// without optimisation and without its server: the book is small.
pub fn install(target: &Path) -> Result<PathBuf, String> {
    let folder = target.join("book-tools");
    let own = folder.join("bin/mdbook");
    if own.is_file() {
        return Ok(own);
    }
    if runs(Path::new("mdbook")) {
        return Ok(PathBuf::from("mdbook"));
    }
    println!("    installing mdbook {VERSION}, once; this takes some minutes");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(["install", "mdbook", "--version", VERSION, "--locked", "--no-default-features"]);
    command.args(["--debug", "--quiet", "--root"]).arg(&folder);
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_TARGET_DIR", folder.join("build"));
    run(&mut command)?;
    // The parts that it was built from are not needed any more.
    let _ = std::fs::remove_dir_all(folder.join("build"));
    Ok(own)
}

/// Builds the book of a folder.
pub fn build(mdbook: &Path, source: &Path, into: &Path) -> Result<(), String> {
    run(Command::new(mdbook).arg("build").arg(source).arg("--dest-dir").arg(into))
}

fn runs(program: &Path) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Runs a program in silence. What it printed is part of the error if it fails or warns.
fn run(command: &mut Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run {shown}: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && !printed.contains("WARN") && !printed.contains("ERROR") {
        return Ok(());
    }
    Err(format!("{shown} failed ({}):\n{}", output.status, printed.trim()))
}

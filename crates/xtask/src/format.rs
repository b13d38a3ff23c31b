//! The format of files that `cargo fmt` does not see, because a macro declares their modules.

use crate::step::root;
use std::path::PathBuf;
use std::process::Command;

/// Folders whose modules stand in a table, see the macros in their `mod.rs`.
const TABLES: [&str; 2] = ["crates/mge/src/method", "crates/mge-net/src/activation"];

/// Fails when `rustfmt` would change one of the files.
pub fn check() -> Result<(), String> {
    let files = files()?;
    let output = Command::new("rustfmt")
        .args(["--check", "--edition", "2024", "--config-path"])
        .arg(root())
        .args(&files)
        .output()
        .map_err(|error| format!("cannot run rustfmt: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    Err(format!(
        "{}{}\n`rustfmt --edition 2024 {}` mends it",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        names.join(" ")
    ))
}

/// All Rust files of the tables, those in their folders too.
fn files() -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = TABLES.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

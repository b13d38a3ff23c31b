//! `docs/reference/command-line.md` is what `--help` prints.
//!
//! After a wanted change: `MGE_DOCS=overwrite cargo test -p mge-cli --features full --test
//! command_line_page`, then read the difference.

#![cfg(all(feature = "manual", feature = "parquet", feature = "png", feature = "research"))]
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const HEAD: &str = "# Command line

This page is what `mge --help` and the `--help` of each subcommand print, in the build with all features. The commands
`experiment`, `analyze`, `paper`, `bench` and `man` need `cargo install --path crates/mge-cli --features full`.

A test compares it with the program. After a wanted change,
`MGE_DOCS=overwrite cargo test -p mge-cli --features full --test command_line_page` writes it again.
";

#[test]
fn the_page_of_the_command_line_is_what_help_prints() {
    let mut page = format!("{HEAD}\n## mge\n\n```text\n{}\n```\n", help(&[]));
    for command in subcommands(&[]) {
        section(&[&command], &mut page);
        for inner in subcommands(&[&command]) {
            section(&[&command, &inner], &mut page);
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/command-line.md");
    if std::env::var("MGE_DOCS").is_ok_and(|value| value == "overwrite") {
        return std::fs::write(path, page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let first = written.lines().zip(page.lines()).position(|(old, new)| old != new);
    assert!(written == page, "the page differs from --help, first in line {first:?} from 0");
}

fn section(command: &[&str], page: &mut String) {
    let name = command.join(" ");
    writeln!(page, "\n## mge {name}\n\n```text\n{}\n```", help(command)).unwrap();
}

fn help(command: &[&str]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mge"));
    let output = program.args(command).arg("--help").env("COLUMNS", "100").output().unwrap();
    assert!(output.status.success(), "{command:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// The names under `Commands:`, without `help`.
fn subcommands(command: &[&str]) -> Vec<String> {
    let help = help(command);
    let Some((_, rest)) = help.split_once("Commands:\n") else { return Vec::new() };
    let list = rest.split("\n\n").next().unwrap();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = list.lines().filter(is_name).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

//! The picture of a network in the README is what the commands below it make.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

/// A command line of the README, without quotes in it.
fn run(line: &str, folder: &Path) {
    let mut words = line.split_whitespace();
    assert_eq!(words.next(), Some("mge"), "{line}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    let output = command.args(words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_network_in_the_readme_is_made_by_its_commands() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let caption = readme.split("<sub>The pictures:").nth(1).unwrap();
    let caption = caption.split("make the right one").next().unwrap();
    let commands: Vec<&str> = caption.split('`').skip(1).step_by(2).collect();
    assert_eq!(commands.len(), 2, "{caption}");
    let folder = tempfile::tempdir().unwrap();
    commands.iter().for_each(|line| run(line, folder.path()));
    let made = std::fs::read_to_string(folder.path().join("network.svg")).unwrap();
    let shown = std::fs::read_to_string(root.join("docs/images/network.svg")).unwrap();
    assert!(made == shown, "docs/images/network.svg is not what {commands:?} make");
}

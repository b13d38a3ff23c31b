//! Tells the program which commit it is built from, for the `versions.txt` of reports.
//!
//! Runs again when the commit or a source changes, and then only this package is built anew.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=MGE_COMMIT={commit}");
}

/// The commit, and whether the sources have changes that it does not have; `None` outside of git.
fn commit() -> Option<String> {
    let root = Path::new("../..").canonicalize().ok()?;
    // Sources that were unpacked inside some other repository are not of its commits.
    let top = git(["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root {
        return None;
    }
    let commit = git(["rev-parse", "HEAD"])?;
    // The log of HEAD grows with every commit and every checkout.
    watch(Path::new(&git(["rev-parse", "--git-path", "logs/HEAD"])?));
    let sources = sources(&root);
    sources.iter().for_each(|path| watch(path));
    let status = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=no", "--"];
    let changes = git(status.iter().map(Path::new).chain(sources.iter().map(PathBuf::as_path)))?;
    Some(if changes.is_empty() { commit } else { format!("{commit}, with changes") })
}

/// All that the program is made of.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut sources = ["Cargo.toml", "Cargo.lock", "grammars"].map(|name| root.join(name)).to_vec();
    for package in std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten() {
        let parts = ["Cargo.toml", "src", "data", "plans"];
        sources.extend(parts.map(|part| package.path().join(part)));
    }
    // A missing file would count as changed every time.
    sources.retain(|path| path.exists());
    sources
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

fn git<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Option<String> {
    let mut command = Command::new("git");
    // Hooks of git set these for their own repository.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

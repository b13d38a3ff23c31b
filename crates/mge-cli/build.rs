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

/// All that the program is made of: of each package everything but what only tests it.
fn sources(root: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
        found.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let is_for_tests =
        |path: &PathBuf| ["tests", "examples", "benches"].iter().any(|name| path.ends_with(name));
    let mut sources = vec![root.join("Cargo.toml"), root.join("Cargo.lock")];
    for package in entries(&root.join("crates")) {
        sources.extend(entries(&package).into_iter().filter(|path| !is_for_tests(path)));
    }
    sources.sort();
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

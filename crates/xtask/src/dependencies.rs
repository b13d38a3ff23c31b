//! What the quick build costs: how many packages it needs, and how long they take.

use crate::step::{root, target};
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Instant;

/// Packages that `cargo run --release` may build, our own included.
const MAX_PACKAGES: usize = 130;
/// Seconds of processor time that an empty target folder may cost. Machines differ, so this is
/// above what a quiet one needs.
const MAX_CORE_SECONDS: f64 = 480.0;

/// Fails when the quick build needs more packages than it may.
pub fn check() -> Result<(), String> {
    let packages = packages()?;
    println!("    {} packages, at most {MAX_PACKAGES}", packages.len());
    if packages.len() <= MAX_PACKAGES {
        return Ok(());
    }
    Err(format!(
        "the quick build needs {} packages, expected at most {MAX_PACKAGES}; put what a first fit \
         does not need behind a feature, see crates/mge-cli/Cargo.toml",
        packages.len()
    ))
}

/// Names and versions of all packages, by `cargo tree`.
fn packages() -> Result<BTreeSet<String>, String> {
    let arguments =
        ["tree", "--locked", "--package", "mge-cli", "--edges", "normal,build", "--prefix", "none"];
    let output = Command::new("cargo")
        .args(arguments)
        .current_dir(root())
        .output()
        .map_err(|error| format!("cannot run cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        Some(format!("{} {}", words.next()?, words.next()?))
    };
    Ok(text.lines().filter_map(name).collect())
}

/// Builds the quick build into an empty folder, and fails when it takes too much processor time.
pub fn build_cost() -> Result<(), String> {
    check()?;
    let folder = target().join("build-cost");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    let (began, before) = (Instant::now(), children_seconds()?);
    let status = Command::new("cargo")
        .args(["build", "--release", "--locked", "--quiet"])
        .current_dir(root())
        .env("CARGO_TARGET_DIR", &folder)
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!("the build failed: {status}"));
    }
    let (wall, core) = (began.elapsed().as_secs_f64(), children_seconds()? - before);
    println!("    {core:.0} core-seconds, at most {MAX_CORE_SECONDS:.0}; {wall:.0} s on the wall");
    if core <= MAX_CORE_SECONDS {
        return Ok(());
    }
    Err(format!(
        "the quick build takes {core:.0} core-seconds, expected at most {MAX_CORE_SECONDS:.0}"
    ))
}

/// Processor seconds of all finished children of this process, as Linux tells them.
fn children_seconds() -> Result<f64, String> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let path = "/proc/self/stat";
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    // The name of the program, in parentheses, may hold blanks.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = fields.skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    match ticks[..] {
        [user, system] => Ok((user + system) / TICKS_PER_SECOND),
        _ => Err(format!("{path} has no times of children")),
    }
}

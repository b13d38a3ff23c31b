//! One step of a lane: a cargo command or a check of our own.

use crate::skipped;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// A name for people, and what is done.
pub struct Step {
    pub name: &'static str,
    pub action: Action,
    pub environment: &'static [(&'static str, &'static str)],
}

pub enum Action {
    /// The arguments of cargo.
    Cargo(&'static [&'static str]),
    Check(fn() -> Result<(), String>),
}

pub const fn cargo(name: &'static str, arguments: &'static [&'static str]) -> Step {
    Step { name, action: Action::Cargo(arguments), environment: &[] }
}

pub const fn check(name: &'static str, function: fn() -> Result<(), String>) -> Step {
    Step { name, action: Action::Check(function), environment: &[] }
}

impl Step {
    fn run(&self) -> Result<(), String> {
        let arguments = match self.action {
            Action::Check(function) => return function(),
            Action::Cargo(arguments) => arguments,
        };
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let mut command = Command::new(&cargo);
        command.args(arguments).envs(self.environment.iter().copied());
        command.env(skipped::VARIABLE, skipped::file());
        let status = command.status().map_err(|error| format!("cannot run {cargo}: {error}"))?;
        if status.success() {
            return Ok(());
        }
        Err(format!("{status}: cargo {}", arguments.join(" ")))
    }
}

/// Runs the steps one after another, up to the first that fails.
pub fn run(steps: &[Step]) -> Result<(), String> {
    skipped::forget()?;
    for step in steps {
        println!("==> {}", step.name);
        let began = Instant::now();
        step.run().map_err(|error| format!("{} failed: {error}", step.name))?;
        println!("    {:.0} s", began.elapsed().as_secs_f64());
    }
    println!("{}", skipped::summary()?);
    Ok(())
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder that cargo builds into.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

//! The project's chores. `cargo xtask test` passes all tests, in the order in which they fail
//! fastest; `cargo xtask tools` installs the compilers and emulators that some of them run.

mod book;
mod browser;
mod markdown;
mod prose;
mod tools;
mod words;

use std::process::{Command, ExitCode};
use std::time::Instant;

/// A name for people and the arguments of cargo.
struct Step {
    name: &'static str,
    cargo: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

const fn step(name: &'static str, cargo: &'static [&'static str]) -> Step {
    Step { name, cargo, environment: &[] }
}

const TESTS: &[Step] = &[
    step("format", &["fmt", "--all", "--check"]),
    step("lints", &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    step("tests", &["test", "--quiet", "--workspace", "--all-targets"]),
    step("documentation examples", &["test", "--quiet", "--workspace", "--doc"]),
    Step {
        name: "documentation",
        cargo: &["doc", "--quiet", "--workspace", "--no-deps"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    step("example one_line", &["run", "--quiet", "-p", "mge", "--example", "one_line"]),
    step("example builder", &["run", "--quiet", "-p", "mge", "--example", "builder"]),
    step("example own_search", &["run", "--quiet", "-p", "mge", "--example", "own_search"]),
];

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("test") => test(),
        Some("tools") => tools(),
        Some("book") => report("book", book::build()),
        Some("links") => report("links", book::check_links()),
        Some("prose") => report("prose", prose::check(&book::root())),
        Some("words") => report("words", words::check(&book::root())),
        other => {
            let found = other.map_or("nothing".to_owned(), |word| format!("`{word}`"));
            eprintln!("error: found {found}, expected `cargo xtask test`, `tools`, `book`, `links`, `prose` or `words`");
            ExitCode::FAILURE
        }
    }
}

/// Prints what a check found.
fn report(name: &str, result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(mistakes) => {
            eprintln!("{mistakes}");
            eprintln!("error: {name}: {} lines above", mistakes.lines().count());
            ExitCode::FAILURE
        }
    }
}

fn tools() -> ExitCode {
    println!("==> tools");
    match tools::install() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: the tools of the export tests cannot be installed: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> ExitCode {
    if tools() == ExitCode::FAILURE {
        return ExitCode::FAILURE;
    }
    match std::env::var("MGE_DATA_DIR") {
        Ok(folder) => println!("MGE_DATA_DIR is {folder}: tests on flame and mnist run"),
        Err(_) => {
            println!("MGE_DATA_DIR is not set: tests on flame and mnist have nothing to read")
        }
    }
    if let Err(error) = browser::install() {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    for Step { name, cargo: arguments, environment } in TESTS {
        println!("==> {name}");
        let began = Instant::now();
        let mut command = Command::new(&cargo);
        command.args(*arguments).envs(environment.iter().copied());
        match command.status() {
            Ok(status) if status.success() => {
                println!("    {:.0} s", began.elapsed().as_secs_f64());
            }
            Ok(status) => {
                eprintln!("error: {name} failed ({status}): cargo {}", arguments.join(" "));
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("error: cannot run {cargo}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("all passed");
    ExitCode::SUCCESS
}

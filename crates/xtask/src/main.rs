//! The project's chores. `cargo xtask test` passes all tests; `cargo xtask quick` those of the inner
//! loop, in less than a minute once they are built.

mod browser;
mod dependencies;
mod lanes;
mod skipped;
mod step;
mod tools;

use std::process::ExitCode;
use step::check;

const HELP: &str = "\
cargo xtask quick        format, lints and unit tests
cargo xtask test         everything
cargo xtask tools        install the compilers and emulators that tests of exported code run
cargo xtask build-cost   build the program into an empty folder and print what that costs";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["quick"] => step::run(lanes::QUICK),
        ["test"] => step::run(lanes::TEST),
        ["tools"] => step::run(&[check("tools", tools::install)]),
        ["build-cost"] => step::run(&[check("cost of the quick build", dependencies::build_cost)]),
        _ => Err(format!("found `{}`, expected one of\n\n{HELP}", words.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

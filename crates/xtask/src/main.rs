//! The project's chores. `cargo xtask test` passes all tests; `cargo xtask quick` those of the inner
//! loop, in less than a minute once they are built.

mod api;
mod book;
mod browser;
mod dependencies;
mod format;
mod lanes;
mod markdown;
mod prose;
mod python;
mod skipped;
mod step;
mod tools;
mod words;

use std::process::ExitCode;
use step::check;

const HELP: &str = "\
cargo xtask quick        format, lints and unit tests
cargo xtask test         everything
cargo xtask book         check every link, and build the documentation into target/book
cargo xtask links        check every link of the pages, and pages that code names
cargo xtask prose        check sentences and lines of all Markdown
cargo xtask words        check that no name comes back that the project left
cargo xtask python       build the Python package, install it, and run its tests
cargo xtask tools        install the compilers and emulators that tests of exported code run
cargo xtask api          write the listing of public names, from the pages of cargo doc
cargo xtask build-cost   build the program into an empty folder and print what that costs";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["quick"] => step::run(lanes::QUICK),
        ["test"] => step::run(lanes::TEST),
        ["book"] => step::run(&[check("book", book::build)]),
        ["links"] => step::run(&[check("links", book::check_links)]),
        ["prose"] => step::run(&[check("prose", prose::check)]),
        ["words"] => step::run(&[check("words", words::check)]),
        ["python"] => step::run(&[check("Python package", python::test)]),
        ["tools"] => step::run(&[check("tools", tools::install)]),
        ["build-cost"] => step::run(&[check("cost of the quick build", dependencies::build_cost)]),
        ["api"] => step::run(&[check("listing of public names", api::write)]),
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

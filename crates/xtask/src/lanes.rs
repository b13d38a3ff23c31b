//! The lanes: lists of steps, in the order in which they fail fastest.

use crate::step::{Step, cargo, check};
use crate::{api, book, browser, dependencies, format, prose, python, tools, words};

/// The inner loop: below a minute once everything is built.
pub const QUICK: &[Step] = &[
    cargo("format", &["fmt", "--all", "--check"]),
    check("format of tables", format::check),
    check("words", words::check),
    check("prose", prose::check),
    check("links", book::check_links),
    cargo("lints", &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    cargo("unit tests", &["test", "--quiet", "--workspace", "--lib", "--bins"]),
];

/// Everything.
pub const TEST: &[Step] = &[
    check("tools", tools::install),
    check("browser", browser::install),
    cargo("format", &["fmt", "--all", "--check"]),
    check("format of tables", format::check),
    check("words", words::check),
    check("prose", prose::check),
    check("book", book::build),
    check("dependencies of the quick build", dependencies::check),
    cargo("quick build", &["check", "--quiet", "--package", "mge-cli"]),
    cargo(
        "lints",
        &[
            "clippy",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--features",
            "mge-cli/full",
            "--",
            "-D",
            "warnings",
        ],
    ),
    cargo(
        "tests",
        &["test", "--quiet", "--workspace", "--all-targets", "--features", "mge-cli/full"],
    ),
    cargo(
        "documentation examples",
        &["test", "--quiet", "--workspace", "--doc", "--features", "mge-cli/full"],
    ),
    Step {
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        ..cargo("documentation", &["doc", "--quiet", "--workspace", "--no-deps"])
    },
    check("public names", api::check),
    check("Python package", python::test),
    cargo("example one_line", &["run", "--quiet", "-p", "mge", "--example", "one_line"]),
    cargo("example builder", &["run", "--quiet", "-p", "mge", "--example", "builder"]),
    cargo("example own_method", &["run", "--quiet", "-p", "mge", "--example", "own_method"]),
];

//! What the tests of several crates share.
//!
//! [`report_skipped`] is for a test that has nothing to run on. `cargo xtask test` names such tests
//! in its summary, so that a green run never hides one.
//!
//! ```
//! mge_test::report_skipped("mnist is exported", "MGE_DATA_DIR is not set");
//! ```

use std::fs::OpenOptions;
use std::io::Write;

/// The environment variable that names the file in which skipped tests are collected.
pub const SKIPPED_FILE_VARIABLE: &str = "MGE_SKIPPED_TESTS";

/// Reports that a test, or a part of it, has nothing to run on.
///
/// # Panics
/// When the file of [`SKIPPED_FILE_VARIABLE`] cannot be written: a skipped test must not be lost.
pub fn report_skipped(test: &str, reason: &str) {
    println!("skipped: {test}: {reason}");
    let Some(file) = std::env::var_os(SKIPPED_FILE_VARIABLE) else { return };
    // One write for each line: tests of several processes append to the same file.
    let line = format!("{test}: {reason}\n");
    let opened = OpenOptions::new().create(true).append(true).open(&file);
    let written = opened.and_then(|mut file| file.write_all(line.as_bytes()));
    written.unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
}

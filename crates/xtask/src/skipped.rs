//! Tests that had nothing to run on. Each appends a line to one file, see `mge_test::report_skipped`.

use crate::step::target;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The environment variable that names the file.
pub const VARIABLE: &str = mge_test::SKIPPED_FILE_VARIABLE;

pub fn file() -> PathBuf {
    target().join("skipped-tests.txt")
}

/// Removes what an earlier run left.
pub fn forget() -> Result<(), String> {
    match std::fs::remove_file(file()) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", file().display()))
        }
        _ => Ok(()),
    }
}

/// The last line of a lane: that all steps passed, and which tests had nothing to run on.
pub fn summary() -> Result<String, String> {
    match std::fs::read_to_string(file()) {
        Ok(text) => Ok(of(&text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(of("")),
        Err(error) => Err(format!("cannot read {}: {error}", file().display())),
    }
}

fn of(text: &str) -> String {
    let mut tests: Vec<&str> = text.lines().collect();
    tests.sort_unstable();
    tests.dedup();
    match tests.len() {
        0 => "all steps passed; no test was skipped".to_owned(),
        count => format!(
            "all steps passed, but {count} {} nothing to run on:\n  {}",
            if count == 1 { "test had" } else { "tests had" },
            tests.join("\n  ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_test_is_named_once() {
        assert_eq!(of(""), "all steps passed; no test was skipped");
        let one = of("mnist: no folder\nmnist: no folder\n");
        assert_eq!(one, "all steps passed, but 1 test had nothing to run on:\n  mnist: no folder");
        assert!(
            of("b: no folder\na: no folder\n")
                .ends_with("2 tests had nothing to run on:\n  a: no folder\n  b: no folder")
        );
    }
}

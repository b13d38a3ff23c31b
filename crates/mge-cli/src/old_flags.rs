//! Old names of flags. They are hidden aliases; using one prints a note with the present name.

use crate::print;
use std::ffi::{OsStr, OsString};

/// Old and present names. An old `--data` is a flag of `export` and `size` alone.
const RENAMED: [(&str, &str); 5] = [
    ("--least-genes", "--min-genes"),
    ("--max-loss", "--max-accuracy-drop"),
    ("--most-genes", "--max-genes"),
    ("--no-company", "--no-baselines"),
    ("--output", "--out"),
];

/// Prints a note for each old flag among the arguments of a command, the program's name first.
pub fn print_notes(arguments: &[OsString]) {
    for (old, present) in used(arguments.get(1..).unwrap_or_default()) {
        print::note(format_args!("note: {old} is now {present}; the old name still works"));
    }
}

/// The old flags among some arguments, each once.
fn used<S: AsRef<OsStr>>(arguments: &[S]) -> Vec<(&'static str, &'static str)> {
    let is_given = |flag: &str| {
        let arguments = arguments.iter().filter_map(|argument| argument.as_ref().to_str());
        // What follows `--` is no flag.
        let mut flags = arguments.take_while(|argument| *argument != "--");
        flags.any(|argument| argument.split('=').next() == Some(flag))
    };
    RENAMED.into_iter().filter(|(old, _)| is_given(old)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_flag_is_found_with_and_without_its_value() {
        assert_eq!(used(&["fit", "wine", "--no-company"]), [("--no-company", "--no-baselines")]);
        assert_eq!(used(&["fit", "--most-genes=7"]), [("--most-genes", "--max-genes")]);
        assert!(used(&["fit", "--max-genes=7", "--", "--no-company"]).is_empty());
    }
}

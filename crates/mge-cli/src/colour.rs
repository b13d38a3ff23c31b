//! Whether to use colours: by NO_COLOR, CLICOLOR and CLICOLOR_FORCE, else where the output is a
//! terminal.

use std::ffi::OsString;
use std::io::IsTerminal;

/// Whether standard error gets colours.
pub fn on_stderr() -> bool {
    wanted(|name| std::env::var_os(name), std::io::stderr().is_terminal())
}

/// Earlier rules win. NO_COLOR counts unless it is empty, as <https://no-color.org> says.
fn wanted(variable: impl Fn(&str) -> Option<OsString>, is_terminal: bool) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found == value);
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb")
}

const RESET: &str = "\u{1b}[0m";
const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[1;33m";
const CYAN: &str = "\u{1b}[36m";

/// A message with its first word in colour, if that says what kind of message it is.
pub fn marked(text: &str) -> String {
    let kinds = [("error:", RED), ("warning:", YELLOW), ("note:", CYAN)];
    match kinds.iter().find_map(|(kind, colour)| Some((kind, colour, text.strip_prefix(kind)?))) {
        Some((kind, colour, rest)) => format!("{colour}{kind}{RESET}{rest}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &[(&str, &str)], is_terminal: bool) -> bool {
        let variable =
            |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, v)| v.into());
        wanted(variable, is_terminal)
    }

    #[test]
    fn the_environment_decides_before_the_terminal() {
        assert!(with(&[], true));
        assert!(!with(&[], false));
        assert!(!with(&[("NO_COLOR", "1")], true));
        assert!(with(&[("NO_COLOR", "")], true));
        assert!(!with(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(with(&[("CLICOLOR_FORCE", "1")], false));
        assert!(!with(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!with(&[("CLICOLOR", "0")], true));
        assert!(with(&[("CLICOLOR", "1")], true));
        assert!(!with(&[("TERM", "dumb")], true));
    }

    #[test]
    fn only_the_kind_of_a_message_has_a_colour() {
        assert_eq!(marked("error: no"), "\u{1b}[1;31merror:\u{1b}[0m no");
        assert_eq!(marked("written: net.svg"), "written: net.svg");
    }
}

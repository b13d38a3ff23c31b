//! Which columns of a table are targets.

use std::collections::HashSet;

use crate::error::{DataError, TargetError};
use crate::options::TargetColumn;

impl TargetColumn {
    /// The names that a header with these targets may have. A text with commas may be one name or
    /// several.
    pub(crate) fn possible_names(&self) -> Vec<&str> {
        match self {
            Self::Named(text) => {
                let parts = text.split(',').map(str::trim);
                std::iter::once(text.as_str()).chain(parts.filter(|part| part != text)).collect()
            }
            Self::Exactly(names) | Self::IfPresent(names) => {
                names.iter().map(String::as_str).collect()
            }
            Self::Guess | Self::Absent => Vec::new(),
        }
    }
}

/// The columns that a user's text names: one name, or several names separated by commas. A name may
/// hold commas itself: a column with the whole text as its name wins, then the longest names from
/// the left.
pub(crate) fn named(file: &str, text: &str, names: &[String]) -> Result<Vec<String>, DataError> {
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    if known.contains(text) {
        return Ok(vec![text.to_owned()]);
    }
    let commas: Vec<usize> = text.match_indices(',').map(|(at, _)| at).collect();
    let mut ends = commas.clone();
    ends.push(text.len());
    let starts: Vec<usize> = std::iter::once(0).chain(commas.iter().map(|at| at + 1)).collect();
    // The parts from `first` on as names, or the first part that is no name.
    fn cover<'t>(
        text: &'t str,
        (starts, ends): (&[usize], &[usize]),
        first: usize,
        known: &HashSet<&str>,
    ) -> Result<Vec<&'t str>, &'t str> {
        if first == starts.len() {
            return Ok(Vec::new());
        }
        let mut failed = text[starts[first]..ends[first]].trim();
        for last in (first..ends.len()).rev() {
            let name = text[starts[first]..ends[last]].trim();
            if known.contains(name) {
                match cover(text, (starts, ends), last + 1, known) {
                    Ok(mut rest) => {
                        rest.insert(0, name);
                        return Ok(rest);
                    }
                    Err(later) => failed = later,
                }
            }
        }
        Err(failed)
    }
    // So many commas are no list of columns; the search for names is exponential at worst.
    const MAX_COMMAS: usize = 64;
    let covered = if commas.len() > MAX_COMMAS {
        Err(text)
    } else {
        cover(text, (&starts, &ends), 0, &known)
    };
    let found = covered.map_err(|part| {
        let is_list = text.split(',').any(|part| known.contains(part.trim()));
        let wanted = if is_list { part } else { text };
        DataError::no_such_column(file, wanted, names.iter().map(String::as_str))
    })?;
    distinct(found.into_iter().map(str::to_owned).collect())
}

/// The columns with exactly these names, all of them.
pub(crate) fn exactly(
    file: &str,
    wanted: &[String],
    names: &[String],
) -> Result<Vec<String>, DataError> {
    match wanted.iter().find(|name| !names.contains(name)) {
        None => distinct(wanted.to_vec()),
        Some(name) => Err(DataError::no_such_column(file, name, names.iter().map(String::as_str))),
    }
}

fn distinct(targets: Vec<String>) -> Result<Vec<String>, DataError> {
    let mut seen = HashSet::new();
    match targets.iter().find(|name| !seen.insert(name.as_str())) {
        None => Ok(targets),
        Some(column) => Err(TargetError::Twice { column: column.clone() }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn a_text_names_one_column_or_several() {
        let columns = names(&["a", "b", "c,d", "c", "a,b"]);
        let of = |text| named("t", text, &columns).unwrap();
        assert_eq!(of("a"), ["a"]);
        assert_eq!(of("b,a"), ["b", "a"]);
        assert_eq!(of("b, a"), ["b", "a"]);
        assert_eq!(of("a,b"), ["a,b"], "a column with the whole name wins");
        assert_eq!(of("c,d,a"), ["c,d", "a"], "the longest name wins");
        assert_eq!(of("b,c,d"), ["b", "c,d"]);
        assert_eq!(of("c,a"), ["c", "a"]);
        // `x,y` would cover the first two parts, but then `z` has no column.
        assert_eq!(named("t", "x,y,z", &names(&["x", "x,y", "y,z"])).unwrap(), ["x", "y,z"]);
    }

    #[test]
    fn unknown_and_repeated_names_are_errors() {
        let columns = names(&["temp", "load", "a,b"]);
        let error = |text| named("t", text, &columns).unwrap_err().to_string();
        assert!(error("temp,laod").contains("no column `laod`; did you mean `load`?"));
        assert!(error("temp,").contains("no column ``"), "{}", error("temp,"));
        assert!(error("tmep").contains("did you mean `temp`?"));
        assert!(error("a,c").contains("no column `a,c`"), "{}", error("a,c"));
        assert!(error("load,load").contains("`load` is named twice"));
        let many = "x,".repeat(100);
        assert!(error(&many).contains("no column"));
    }
}

//! The name a user most likely meant.

/// Names longer than this are no typing mistakes, and comparing them costs too much.
const LONGEST_NAME: usize = 40;
/// No grammar written by hand has more rules; a bound keeps hostile input cheap.
const MOST_CANDIDATES: usize = 10_000;

/// The candidate with the fewest typing mistakes, if it is near enough to be worth a question:
/// at most one mistake for each three characters, in a single letter none but its case. The first
/// of equals wins.
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let wanted = wanted.trim().to_lowercase();
    let length = wanted.chars().count();
    if length > LONGEST_NAME {
        return None;
    }
    let allowed = if length < 2 { 0 } else { (length / 3).max(1) };
    candidates
        .take(MOST_CANDIDATES)
        .filter(|name| name.len().abs_diff(wanted.len()) <= allowed + 2)
        .filter(|name| name.len() <= LONGEST_NAME)
        .map(|name| (strsim::osa_distance(&wanted, &name.to_lowercase()), name))
        .filter(|(mistakes, _)| *mistakes <= allowed)
        .min_by_key(|(mistakes, _)| *mistakes)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let names = ["Number", "weight", "Sum"];
        assert_eq!(nearest("weigth", names.into_iter()), Some("weight"));
        assert_eq!(nearest("sum", names.into_iter()), Some("Sum"));
        assert_eq!(nearest("Nmber", names.into_iter()), Some("Number"));
        assert_eq!(nearest("s", ["a", "S"].into_iter()), Some("S"));
        assert_eq!(nearest("b", ["a", "S"].into_iter()), None);
        assert_eq!(nearest("activation", names.into_iter()), None);
        assert_eq!(nearest(&"w".repeat(100_000), names.into_iter()), None);
    }
}

//! The name that a user most likely meant.

/// Longer names are not compared: that would be slow.
const MAX_NAME_LENGTH: usize = 40;
/// More candidates are not compared. No grammar written by hand has so many rules.
const MAX_CANDIDATES: usize = 10_000;

/// The candidate with the fewest typing mistakes, if it is similar enough: at most one mistake for
/// each three characters. A single letter may differ in case only. Among equals the first wins.
pub fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.trim().to_lowercase();
    let length = wanted.chars().count();
    if length > MAX_NAME_LENGTH {
        return None;
    }
    let allowed = if length < 2 { 0 } else { (length / 3).max(1) };
    candidates
        .take(MAX_CANDIDATES)
        .filter(|name| name.len().abs_diff(wanted.len()) <= allowed + 2)
        .filter(|name| name.len() <= MAX_NAME_LENGTH)
        .map(|name| (strsim::osa_distance(&wanted, &name.to_lowercase()), name))
        .filter(|(mistakes, _)| *mistakes <= allowed)
        .min_by_key(|(mistakes, _)| *mistakes)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_most_similar_name_is_found() {
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

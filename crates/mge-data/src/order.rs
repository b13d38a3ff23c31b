//! The order of class names and categories: numbers by value, then words by their text.
//!
//! It does not depend on the rows. The same data in another order, or from another format, gives
//! the same classes and codes.

use std::cmp::Ordering;

/// Compares two names: numbers by value, numbers before words, equal values by their text.
pub(crate) fn natural(a: &str, b: &str) -> Ordering {
    match (number(a), number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_value_then_words() {
        let mut names = ["b", "10", "9", "a", "-1", "1.0", "1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["-1", "1", "1.0", "9", "10", "a", "b"]);
    }
}

//! A list that shows the first few problems and counts the rest.

use std::fmt;

/// The number of problems that are shown; the rest is only counted.
pub(crate) const MAX_SHOWN: usize = 10;

/// The first ten problems of one kind, and the total number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruncatedList<T> {
    shown: Vec<T>,
    total: usize,
}

impl<T> Default for TruncatedList<T> {
    fn default() -> Self {
        Self { shown: Vec::new(), total: 0 }
    }
}

impl<T> TruncatedList<T> {
    /// Adds a problem. `describe` runs only if the problem is shown.
    pub fn add(&mut self, describe: impl FnOnce() -> T) {
        if self.shown.len() < MAX_SHOWN {
            self.shown.push(describe());
        }
        self.total += 1;
    }

    /// Adds `more` problems without describing them.
    pub fn count(&mut self, more: usize) {
        self.total += more;
    }

    /// The problems that are shown.
    pub fn shown(&self) -> &[T] {
        &self.shown
    }

    /// The total number of problems.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Whether there is no problem.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl<T> FromIterator<T> for TruncatedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut listed = Self::default();
        for item in items {
            listed.add(|| item);
        }
        listed
    }
}

impl<T: fmt::Display> fmt::Display for TruncatedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for item in &self.shown {
            write!(f, "\n  {item}")?;
        }
        match self.total - self.shown.len() {
            0 => Ok(()),
            more => write!(f, "\n  ... and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_items_are_shown_and_the_rest_is_counted() {
        let listed: TruncatedList<u32> = (0..13).collect();
        let text = listed.to_string();
        assert_eq!(text.lines().count(), 12, "an empty first line, ten items and the count");
        assert!(text.ends_with("... and 3 more"), "{text}");
        assert_eq!(listed.total(), 13);
    }
}

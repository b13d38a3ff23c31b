//! A list of problems of one kind that stays short however many there are.

use std::fmt;

/// How many problems of one kind are shown before the rest is only counted.
pub const SHOWN: usize = 10;

/// The first [`SHOWN`] problems of one kind, and how many there were in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    shown: Vec<T>,
    total: usize,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { shown: Vec::new(), total: 0 }
    }
}

impl<T> Listed<T> {
    /// Counts one more problem. `describe` runs only while the list has room.
    pub fn add(&mut self, describe: impl FnOnce() -> T) {
        if self.shown.len() < SHOWN {
            self.shown.push(describe());
        }
        self.total += 1;
    }

    /// Counts `more` problems that nothing is known about.
    pub fn count(&mut self, more: usize) {
        self.total += more;
    }

    /// The problems that are shown.
    pub fn shown(&self) -> &[T] {
        &self.shown
    }

    /// How many there were in all.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl<T> FromIterator<T> for Listed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut listed = Self::default();
        for item in items {
            listed.add(|| item);
        }
        listed
    }
}

impl<T: fmt::Display> fmt::Display for Listed<T> {
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
    fn shows_ten_and_counts_the_rest() {
        let listed: Listed<u32> = (0..13).collect();
        let text = listed.to_string();
        assert_eq!(text.lines().count(), 12, "an empty first line, ten items and the count");
        assert!(text.ends_with("... and 3 more"), "{text}");
        assert_eq!(listed.total(), 13);
    }
}

//! Categories that the training rows did not have.

use crate::error::count;
use crate::fault::shorten;

/// Categories of a column that did not occur in the training part.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Unseen {
    /// The column.
    pub column: String,
    /// How many cells hold such a category.
    pub cells: usize,
    /// How many categories they hold.
    pub categories: usize,
    /// The first of the categories, at most ten.
    pub examples: Vec<String>,
}

impl std::fmt::Display for Unseen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Unseen { column, cells, categories, examples } = self;
        let hold = if *cells == 1 { "holds a category" } else { "hold categories" };
        let examples: Vec<String> = examples.iter().map(|text| shorten(text)).collect();
        let (cells, examples) = (count(*cells, "cell"), examples.join(", "));
        write!(
            f,
            "column `{column}`: {cells} {hold} that the training rows did not have: {examples}"
        )?;
        match categories - self.examples.len() {
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_seen_is_said_in_words() {
        let say = |cells, categories: usize| {
            let examples = (0..categories.min(2)).map(|i| format!("c{i}")).collect();
            Unseen { column: "t".into(), cells, categories, examples }.to_string()
        };
        assert!(
            say(1, 1).ends_with("1 cell holds a category that the training rows did not have: c0")
        );
        assert!(
            say(7, 2)
                .ends_with("7 cells hold categories that the training rows did not have: c0, c1")
        );
        assert!(say(7, 4).ends_with(": c0, c1, and 2 more"));
    }
}

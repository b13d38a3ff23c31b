//! Categories that the training rows did not have.

use crate::bad_cell::shorten;
use crate::error::count;

/// Categories of a column that did not occur in the training part.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UnseenCategories {
    /// The column.
    pub column: String,
    /// How many cells hold such a category.
    pub cells: usize,
    /// How many categories they hold.
    pub categories: usize,
    /// The first of the categories, at most ten.
    pub examples: Vec<String>,
}

impl std::fmt::Display for UnseenCategories {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let UnseenCategories { column, cells, categories, examples } = self;
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
    fn unseen_categories_are_described() {
        let text = |cells, categories: usize| {
            let examples = (0..categories.min(2)).map(|i| format!("c{i}")).collect();
            UnseenCategories { column: "t".into(), cells, categories, examples }.to_string()
        };
        assert!(
            text(1, 1).ends_with("1 cell holds a category that the training rows did not have: c0")
        );
        assert!(
            text(7, 2)
                .ends_with("7 cells hold categories that the training rows did not have: c0, c1")
        );
        assert!(text(7, 4).ends_with(": c0, c1, and 2 more"));
    }
}

//! What a network sees: features as columns of f32, encoded and scaled.
//!
//! Column-major, because a sparse network reads few features of many rows. Every column is
//! padded with zeros to a multiple of [`BLOCK`] rows, so that vector code needs no tail.

use crate::error::count;
use crate::fault::shorten;

/// Columns are padded to a multiple of this many rows (one AVX-512 register of f32).
pub const BLOCK: usize = 16;

/// A column-major matrix of features.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    values: Vec<f32>,
    rows: usize,
    stride: usize,
    names: Vec<String>,
    unseen: Vec<Unseen>,
}

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

impl View {
    /// A view of equally long, named columns.
    ///
    /// # Panics
    /// When the columns differ in length.
    pub fn from_columns<S: Into<String>>(columns: impl IntoIterator<Item = (S, Vec<f32>)>) -> Self {
        let columns: Vec<(String, Vec<f32>)> =
            columns.into_iter().map(|(name, cells)| (name.into(), cells)).collect();
        let rows = columns.first().map_or(0, |(_, cells)| cells.len());
        let mut view = Self::zeros(columns.iter().map(|(name, _)| name.clone()).collect(), rows);
        for (place, (_, cells)) in columns.iter().enumerate() {
            view.column_mut(place).copy_from_slice(cells);
        }
        view
    }

    /// All zeros.
    pub(crate) fn zeros(names: Vec<String>, rows: usize) -> Self {
        let stride = rows.next_multiple_of(BLOCK);
        Self { values: vec![0.0; stride * names.len()], rows, stride, names, unseen: Vec::new() }
    }

    pub(crate) fn column_mut(&mut self, feature: usize) -> &mut [f32] {
        &mut self.values[feature * self.stride..][..self.rows]
    }

    pub(crate) fn set_unseen(&mut self, unseen: Vec<Unseen>) {
        self.unseen = unseen;
    }

    /// All columns, one after the other, each [`View::stride`] long.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// How many rows, the padding not counted.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How far one column is from the next: `rows` rounded up to a multiple of [`BLOCK`].
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// How many features.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The rows of a feature, without padding.
    ///
    /// # Panics
    /// When there is no such feature.
    pub fn column(&self, feature: usize) -> &[f32] {
        &self.values[feature * self.stride..][..self.rows]
    }

    /// The names of the features.
    pub fn feature_names(&self) -> &[String] {
        &self.names
    }

    /// Categories that the training part did not have, by column.
    pub fn unseen(&self) -> &[Unseen] {
        &self.unseen
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

    #[test]
    fn columns_are_padded_with_zeros() {
        let view = View::from_columns([("a", vec![1.0; 17]), ("b", vec![2.0; 17])]);
        assert_eq!((view.rows(), view.stride(), view.count()), (17, 32, 2));
        assert_eq!(view.column(1), [2.0; 17]);
        assert!(view.values()[17..32].iter().all(|&x| x == 0.0));
    }
}

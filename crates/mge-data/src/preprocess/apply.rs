//! Applies a [`Preprocess`] to a raw table.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::{Encoding, Feature, Preprocess, RawColumn};
use crate::bad_cell::BadCell;
use crate::category_lookup::CategoryLookup;
use crate::error::DataError;
use crate::nearest::nearest;
use crate::table::{Table, Values};
use crate::text_column::Text;
use crate::truncated_list::{MAX_SHOWN, TruncatedList};
use crate::unseen_categories::UnseenCategories;
use mge_columns::Columns;

/// The features of a table, and the categories that the training rows did not have.
#[derive(Debug, Clone, PartialEq)]
pub struct Preprocessed {
    /// The features, one column each, in the order of [`Preprocess::features`].
    pub columns: Columns,
    /// The categories that the training rows did not have, for each raw column that has some.
    pub unseen: Vec<UnseenCategories>,
}

impl Preprocess {
    /// The features of a table, or of chosen rows of it.
    ///
    /// Columns are found by name, in any order. Other columns are ignored. One error names all
    /// missing columns. Categories that the training rows did not have are counted in
    /// [`Preprocessed::unseen`].
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn apply(&self, table: &Table, rows: Option<&[u32]>) -> Result<Preprocessed, DataError> {
        self.apply_needed(table, rows, &vec![true; self.features.len()])
    }

    /// The same for a network that does not read every feature: only the columns of needed features
    /// have to be there. The other features are zero.
    ///
    /// # Panics
    /// When a row is out of range, and when `needed` is not one for each feature.
    pub fn apply_needed(
        &self,
        table: &Table,
        rows: Option<&[u32]>,
        needed: &[bool],
    ) -> Result<Preprocessed, DataError> {
        assert_eq!(needed.len(), self.features.len(), "one for each feature");
        let needed_columns = self.needed_columns(needed);
        let sources = self.sources(table, &needed_columns)?;
        let count = rows.map_or(table.rows(), <[u32]>::len);
        let columns = Columns::from_fn(count, self.features.len(), |index, values| {
            let feature = &self.features[index];
            // `Preprocess` guarantees a source for every needed feature, whether fitted or loaded.
            if let Some(source) = sources.get(feature.column.as_str()).filter(|_| needed[index]) {
                source.fill(feature, rows, values);
            }
        });
        let raw = self.columns.iter();
        let unseen = raw.filter_map(|raw| sources.get(raw.name())?.unseen(raw, rows)).collect();
        Ok(Preprocessed { columns, unseen })
    }

    /// The raw columns that some needed feature comes from.
    pub fn needed_columns(&self, needed: &[bool]) -> BTreeSet<&str> {
        let features = self.features.iter().zip(needed).filter(|(_, needed)| **needed);
        features.map(|(feature, _)| feature.column.as_str()).collect()
    }

    fn sources<'a>(
        &'a self,
        table: &'a Table,
        needed: &BTreeSet<&str>,
    ) -> Result<HashMap<&'a str, ColumnSource<'a>>, DataError> {
        let by_name: HashMap<&str, &Values> =
            table.columns().iter().map(|column| (column.name.as_str(), &column.values)).collect();
        let mut absent = TruncatedList::default();
        let mut sources = HashMap::new();
        for raw in self.columns.iter().filter(|raw| needed.contains(raw.name())) {
            match by_name.get(raw.name()) {
                Some(values) => {
                    sources.insert(raw.name(), ColumnSource::new(raw, values, table)?);
                }
                None => absent.add(|| {
                    let close = nearest(raw.name(), by_name.keys().copied());
                    let hint = close.map(|name| format!(" (there is `{name}`)"));
                    format!("`{}`{}", raw.name(), hint.unwrap_or_default())
                }),
            }
        }
        if absent.is_empty() {
            return Ok(sources);
        }
        Err(DataError::MissingColumns { file: table.name().to_owned(), columns: absent })
    }
}

/// A column of the table, related to the raw column of the model.
enum ColumnSource<'a> {
    Numbers {
        cells: &'a [f32],
        fill: f32,
    },
    Text {
        text: Cow<'a, Text>,
        /// The index in the model's list for each category of the table.
        indices: Vec<Option<usize>>,
        /// Which of them the training part did not have.
        is_unseen: Vec<bool>,
        fill: usize,
        categories: &'a [String],
    },
}

impl<'a> ColumnSource<'a> {
    fn new(raw: &'a RawColumn, values: &'a Values, table: &Table) -> Result<Self, DataError> {
        match (raw, values) {
            (RawColumn::Number { fill, .. }, Values::Number(cells)) => {
                Ok(ColumnSource::Numbers { cells, fill: *fill })
            }
            (RawColumn::Number { name, .. }, Values::Text(text)) => {
                let known = (0..table.rows()).filter_map(|row| Some((row, text.get(row)?)));
                let cells = known.map(|(row, found)| BadCell {
                    location: table.location(row),
                    column: name.clone(),
                    found: found.to_owned(),
                });
                let (file, cells) = (table.name().to_owned(), cells.collect());
                Err(DataError::ExpectedNumbers { file, cells })
            }
            (RawColumn::Boolean { fill, .. } | RawColumn::Category { fill, .. }, values) => {
                let text = match values {
                    Values::Text(text) => Cow::Borrowed(text),
                    Values::Number(cells) => Cow::Owned(Text::from_numbers(cells)),
                };
                let categories = raw.categories();
                // Formats spell booleans and numbers differently; compare them by meaning.
                let (known, rare) = match raw {
                    RawColumn::Boolean { .. } => {
                        (CategoryLookup::boolean(categories), CategoryLookup::new(&[]))
                    }
                    _ => (CategoryLookup::new(categories), CategoryLookup::new(raw.rare())),
                };
                let index = |name: &String| match rare.by_text(name) {
                    Some(_) => None,
                    None => known.find(name),
                };
                let indices: Vec<Option<usize>> = text.categories().iter().map(index).collect();
                let found = text.categories().iter().zip(&indices);
                let is_unseen = found
                    .map(|(name, index)| index.is_none() && rare.find(name).is_none())
                    .collect();
                let fill = known.by_text(fill).unwrap_or_default();
                Ok(ColumnSource::Text { text, indices, is_unseen, fill, categories })
            }
        }
    }

    /// Writes one feature of the chosen rows.
    fn fill(&self, feature: &Feature, rows: Option<&[u32]>, out: &mut [f32]) {
        let flag = |yes: bool| f32::from(u8::from(yes));
        match self {
            ColumnSource::Numbers { cells, fill } => {
                let missing = feature.encoding == Encoding::Missing;
                write(feature, rows, out, |row| match cells[row] {
                    cell if missing => flag(cell.is_nan()),
                    cell if cell.is_nan() => *fill,
                    cell => cell,
                });
            }
            ColumnSource::Text { text, indices, fill, categories, .. } => {
                let codes = text.codes();
                // The number of each of the table's categories, and that of a missing cell.
                let number = |index: Option<usize>| match &feature.encoding {
                    Encoding::Is(wanted) => {
                        flag(index.is_some_and(|index| categories[index] == *wanted))
                    }
                    Encoding::Ordinal => index.unwrap_or(*fill) as f32,
                    Encoding::Missing | Encoding::Value => 0.0,
                };
                let numbers: Vec<f32> = indices.iter().map(|&index| number(index)).collect();
                let missing = match feature.encoding {
                    Encoding::Missing => 1.0,
                    _ => number(Some(*fill)),
                };
                write(feature, rows, out, |row| match codes[row] {
                    Text::MISSING => missing,
                    code => numbers[code as usize],
                });
            }
        }
    }

    fn unseen(&self, raw: &RawColumn, rows: Option<&[u32]>) -> Option<UnseenCategories> {
        let ColumnSource::Text { text, is_unseen, .. } = self else {
            return None;
        };
        if !is_unseen.contains(&true) {
            return None;
        }
        let (mut cells, mut found) = (0, BTreeSet::new());
        let mut look = |row: usize| {
            let code = text.codes()[row];
            if code != Text::MISSING && is_unseen[code as usize] {
                cells += 1;
                found.insert(code);
            }
        };
        match rows {
            Some(rows) => rows.iter().for_each(|&row| look(row as usize)),
            None => (0..text.codes().len()).for_each(look),
        }
        let examples = found
            .iter()
            .take(MAX_SHOWN)
            .map(|&code| text.categories()[code as usize].clone())
            .collect();
        let (column, categories) = (raw.name().to_owned(), found.len());
        (cells > 0).then_some(UnseenCategories { column, cells, categories, examples })
    }
}

fn write(feature: &Feature, rows: Option<&[u32]>, out: &mut [f32], number: impl Fn(usize) -> f32) {
    match rows {
        Some(rows) => {
            for (out, &row) in out.iter_mut().zip(rows) {
                *out = feature.scaled(number(row as usize));
            }
        }
        None => {
            for (row, out) in out.iter_mut().enumerate() {
                *out = feature.scaled(number(row));
            }
        }
    }
}

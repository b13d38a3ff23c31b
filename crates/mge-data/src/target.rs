//! The target of a classification: the classes, and the class of each row.

use std::borrow::Cow;

use crate::bad_cell::BadCell;
use crate::category_lookup::CategoryLookup;
use crate::error::DataError;
use crate::table::{Table, Values};
use crate::text_column::Text;
use crate::truncated_list::TruncatedList;

/// The classes of a target column, and the class of each row. Classes are in natural order: numbers
/// by value, then words by their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassTarget {
    column: String,
    classes: Vec<String>,
    labels: Vec<u32>,
}

impl ClassTarget {
    /// Reads the labels from the target column.
    ///
    /// Rows without a label, a single class, and as many classes as rows are errors.
    pub fn new(table: &Table, column: &str) -> Result<Self, DataError> {
        let file = || table.name().to_owned();
        let text = label_text(table, column)?;
        missing_labels(table, column, &text)?;
        let (classes, labels) = (text.categories().to_vec(), text.codes().to_vec());
        match classes.as_slice() {
            [] => return Err(DataError::Empty { file: file() }),
            [class] => {
                let (target, class) = (column.to_owned(), class.clone());
                return Err(DataError::OneClass { file: file(), target, class });
            }
            _ => {}
        }
        let target = Self { column: column.to_owned(), classes, labels };
        target.check_part(&file(), table.rows())?;
        Ok(target)
    }

    /// An error if a part of the table does not have more rows than there are classes.
    pub fn check_part(&self, part: &str, rows: usize) -> Result<(), DataError> {
        if rows > self.classes.len() {
            return Ok(());
        }
        Err(DataError::TooFewRows {
            file: part.to_owned(),
            target: self.column.clone(),
            rows,
            classes: self.classes.len(),
        })
    }

    /// The name of the target column.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The class names, each as its text in the file.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The index of the class of each row.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// The labels of chosen rows.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn labels_of(&self, rows: &[u32]) -> Vec<u32> {
        rows.iter().map(|&row| self.labels[row as usize]).collect()
    }
}

/// The labels of a table as indices into the classes of a model.
///
/// An unknown label is an error that names its line. Numbers and booleans may be spelled as other
/// programs and formats do (`1.0` for `1`, `True` for `true`).
pub fn class_labels(
    table: &Table,
    target: &str,
    classes: &[String],
) -> Result<Vec<u32>, DataError> {
    let text = label_text(table, target)?;
    missing_labels(table, target, &text)?;
    let lookup = CategoryLookup::new(classes);
    let index = |category: &String| lookup.find(category).map(|at| at as u32);
    let known: Vec<Option<u32>> = text.categories().iter().map(index).collect();
    let mut unknown = TruncatedList::default();
    let mut labels = Vec::with_capacity(table.rows());
    for (row, &code) in text.codes().iter().enumerate() {
        match known[code as usize] {
            Some(class) => labels.push(class),
            None => unknown.add(|| BadCell {
                location: table.location(row),
                column: target.to_owned(),
                found: text.get(row).unwrap_or_default().to_owned(),
            }),
        }
    }
    if unknown.is_empty() {
        return Ok(labels);
    }
    let (file, classes) = (table.name().to_owned(), classes.to_vec());
    Err(DataError::UnknownLabels { file, classes, cells: unknown })
}

/// The text of the target column. Only tables made by a program have numbers there.
fn label_text<'a>(table: &'a Table, target: &str) -> Result<Cow<'a, Text>, DataError> {
    Ok(match &table.column(target)?.values {
        Values::Text(text) => Cow::Borrowed(text),
        Values::Number(cells) => Cow::Owned(Text::from_numbers(cells)),
    })
}

fn missing_labels(table: &Table, target: &str, text: &Text) -> Result<(), DataError> {
    let codes = text.codes().iter().enumerate();
    let locations: TruncatedList<String> = codes
        .filter(|&(_, &code)| code == Text::MISSING)
        .map(|(row, _)| table.location(row))
        .collect();
    if locations.is_empty() {
        return Ok(());
    }
    let (file, target) = (table.name().to_owned(), target.to_owned());
    Err(DataError::MissingLabels { file, target, locations })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load_bytes};

    fn table(text: &str) -> Table {
        load_bytes("t.csv", text, &LoadOptions::default()).unwrap().table
    }

    #[test]
    fn classes_are_sorted_and_keep_their_text() {
        let target = ClassTarget::new(&table("a,y\n1,10\n2,9.0\n3,10\n"), "y").unwrap();
        assert_eq!(target.classes(), ["9.0", "10"]);
        assert_eq!(target.labels(), [1, 0, 1]);
        assert_eq!(target.labels_of(&[1]), [0]);
    }

    #[test]
    fn targets_that_cannot_be_learned_are_refused() {
        let error = |text| ClassTarget::new(&table(text), "y").unwrap_err();
        assert!(matches!(error("a,y\n1,x\n2,x\n"), DataError::OneClass { .. }));
        assert!(matches!(error("a,y\n1,x\n2,z\n"), DataError::TooFewRows { rows: 2, .. }));
        let missing = error("a,y\n1,x\n2,\n3,z\n");
        assert!(missing.to_string().contains("line 3"), "{missing}");
    }

    #[test]
    fn labels_match_the_classes_of_a_model() {
        let classes = ["b".to_owned(), "a".to_owned(), "c".to_owned()];
        assert_eq!(class_labels(&table("x,y\n1,a\n2,b\n"), "y", &classes).unwrap(), [1, 0]);
        let numbers = ["0".to_owned(), "1.0".to_owned(), "2".to_owned(), "2.0".to_owned()];
        assert_eq!(
            class_labels(&table("x,y\n1,1\n2,0.0\n3,2.0\n"), "y", &numbers).unwrap(),
            [1, 0, 3]
        );
        assert!(class_labels(&table("x,y\n1,02\n2,0\n"), "y", &numbers).is_err(), "ambiguous");
        let truths = ["false".to_owned(), "true".to_owned()];
        assert_eq!(class_labels(&table("x,y\n1,True\n2,False\n"), "y", &truths).unwrap(), [1, 0]);
        let error = class_labels(&table("x,y\n1,a\n2,d\n"), "y", &classes).unwrap_err().to_string();
        assert!(error.contains("line 3, column `y`: `d`"), "{error}");
    }
}

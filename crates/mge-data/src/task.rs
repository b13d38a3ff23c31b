//! A table as a task: which classes there are, and which one each row has.

use std::borrow::Cow;

use crate::error::DataError;
use crate::fault::BadCell;
use crate::known::Known;
use crate::listed::Listed;
use crate::table::{Table, Values};
use crate::text::Text;

/// The classes of a target column, in [natural order](crate::order::natural), and the class of
/// each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    target: String,
    classes: Vec<String>,
    labels: Vec<u32>,
}

impl Task {
    /// Reads the labels from the target column.
    ///
    /// Rows without a label, a single class, and as many classes as rows are errors.
    pub fn new(table: &Table, target: &str) -> Result<Self, DataError> {
        let file = || table.name().to_owned();
        let text = label_text(table, target)?;
        missing_labels(table, target, &text)?;
        let (classes, labels) = (text.categories().to_vec(), text.codes().to_vec());
        match classes.as_slice() {
            [] => return Err(DataError::Empty { file: file() }),
            [class] => {
                let (target, class) = (target.to_owned(), class.clone());
                return Err(DataError::OneClass { file: file(), target, class });
            }
            _ => {}
        }
        let task = Self { target: target.to_owned(), classes, labels };
        task.check_part(&file(), table.rows())?;
        Ok(task)
    }

    /// An error when a part of the table has too few rows for the classes: not even one row of
    /// each, and one more.
    pub fn check_part(&self, part: &str, rows: usize) -> Result<(), DataError> {
        if rows > self.classes.len() {
            return Ok(());
        }
        Err(DataError::TooFewRows {
            file: part.to_owned(),
            target: self.target.clone(),
            rows,
            classes: self.classes.len(),
        })
    }

    /// The column of labels.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The class names, each as its text in the file.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// For each row the place of its class.
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

/// The labels of a table in terms of classes that are already known, those of a model. A label
/// that is none of them is an error that names its line. Numbers and truth values may be written
/// in another way (`1.0` for `1`, `True` for `true`), as other programs and formats do.
pub fn labels(table: &Table, target: &str, classes: &[String]) -> Result<Vec<u32>, DataError> {
    let text = label_text(table, target)?;
    missing_labels(table, target, &text)?;
    let by_meaning = Known::new(classes);
    let place = |category: &String| by_meaning.find(category).map(|at| at as u32);
    let known: Vec<Option<u32>> = text.categories().iter().map(place).collect();
    let mut unknown = Listed::default();
    let mut labels = Vec::with_capacity(table.rows());
    for (row, &code) in text.codes().iter().enumerate() {
        match known[code as usize] {
            Some(class) => labels.push(class),
            None => unknown.add(|| BadCell {
                place: table.place(row),
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

/// The target's text. Numbers only occur in tables that a program made; read tables have text.
fn label_text<'a>(table: &'a Table, target: &str) -> Result<Cow<'a, Text>, DataError> {
    Ok(match &table.column(target)?.values {
        Values::Text(text) => Cow::Borrowed(text),
        Values::Number(cells) => Cow::Owned(Text::from_numbers(cells)),
    })
}

fn missing_labels(table: &Table, target: &str, text: &Text) -> Result<(), DataError> {
    let codes = text.codes().iter().enumerate();
    let places: Listed<String> = codes
        .filter(|&(_, &code)| code == Text::MISSING)
        .map(|(row, _)| table.place(row))
        .collect();
    if places.is_empty() {
        return Ok(());
    }
    let (file, target) = (table.name().to_owned(), target.to_owned());
    Err(DataError::MissingLabels { file, target, places })
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
        let task = Task::new(&table("a,y\n1,10\n2,9.0\n3,10\n"), "y").unwrap();
        assert_eq!(task.classes(), ["9.0", "10"]);
        assert_eq!(task.labels(), [1, 0, 1]);
        assert_eq!(task.labels_of(&[1]), [0]);
    }

    #[test]
    fn tables_that_are_no_task() {
        let error = |text| Task::new(&table(text), "y").unwrap_err();
        assert!(matches!(error("a,y\n1,x\n2,x\n"), DataError::OneClass { .. }));
        assert!(matches!(error("a,y\n1,x\n2,z\n"), DataError::TooFewRows { rows: 2, .. }));
        let missing = error("a,y\n1,x\n2,\n3,z\n");
        assert!(missing.to_string().contains("line 3"), "{missing}");
    }

    #[test]
    fn labels_of_a_model_are_found_by_text() {
        let classes = ["b".to_owned(), "a".to_owned(), "c".to_owned()];
        assert_eq!(labels(&table("x,y\n1,a\n2,b\n"), "y", &classes).unwrap(), [1, 0]);
        let numbers = ["0".to_owned(), "1.0".to_owned(), "2".to_owned(), "2.0".to_owned()];
        assert_eq!(labels(&table("x,y\n1,1\n2,0.0\n3,2.0\n"), "y", &numbers).unwrap(), [1, 0, 3]);
        assert!(labels(&table("x,y\n1,02\n2,0\n"), "y", &numbers).is_err(), "which 2?");
        let truths = ["false".to_owned(), "true".to_owned()];
        assert_eq!(labels(&table("x,y\n1,True\n2,False\n"), "y", &truths).unwrap(), [1, 0]);
        let error = labels(&table("x,y\n1,a\n2,d\n"), "y", &classes).unwrap_err().to_string();
        assert!(error.contains("line 3, column `y`: `d`"), "{error}");
    }
}

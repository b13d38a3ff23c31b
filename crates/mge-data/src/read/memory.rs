//! Tables from memory: columns that a program holds, read by the rules of files.
//!
//! A column of numbers stays one. A column of texts is inferred as in a CSV file, so the same
//! content gives the same table from either place. Targets keep their text exactly.

use super::column::{ColumnBuilder, ColumnHint};
use super::column_plan::ColumnPlan;
use super::table_builder;
use super::value::{TypedColumn, Value};
use crate::error::DataError;
use crate::file_layout::FileLayout;
use crate::load::Loaded;
use crate::options::LoadOptions;
use crate::table::{Column, LineNumbers, Table, Values};
use crate::text_column::Text;

/// The cells of a column in memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Numbers of single precision; NaN is a missing cell.
    Single(Vec<f32>),
    /// Numbers of double precision; NaN is a missing cell.
    Double(Vec<f64>),
    /// Signed whole numbers.
    Signed(Vec<i64>),
    /// Unsigned whole numbers.
    Unsigned(Vec<u64>),
    /// Texts, each distinct one stored once; [`Text::MISSING`] is a missing cell.
    Texts {
        /// The index of the text of each cell.
        codes: Vec<u32>,
        /// The texts, in any order.
        texts: Vec<String>,
    },
}

impl Cells {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(cells) => cells.len(),
            Self::Double(cells) => cells.len(),
            Self::Signed(cells) => cells.len(),
            Self::Unsigned(cells) => cells.len(),
            Self::Texts { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn builder(&self, hint: ColumnHint) -> ColumnBuilder {
        let mut column = TypedColumn::new(hint, !matches!(self, Self::Texts { .. }));
        match self {
            Self::Single(cells) => cells.iter().for_each(|&x| column.push(Value::Float(x))),
            Self::Double(cells) => cells.iter().for_each(|&x| column.push(Value::Double(x))),
            Self::Signed(cells) => cells.iter().for_each(|&x| column.push(Value::Int(x))),
            Self::Unsigned(cells) => cells.iter().for_each(|&x| column.push(Value::Uint(x))),
            Self::Texts { codes, texts } => {
                for &code in codes {
                    // A code without a text is a missing cell.
                    column.push(Value::Text(texts.get(code as usize).map_or("", String::as_str)));
                }
            }
        }
        column.into_builder()
    }

    /// The cells of a target: texts as they are.
    fn labels(self) -> Values {
        let texts: Vec<Option<String>> = match self {
            Self::Single(cells) => cells.iter().map(|x| number(!x.is_nan(), x)).collect(),
            Self::Double(cells) => cells.iter().map(|x| number(!x.is_nan(), x)).collect(),
            Self::Signed(cells) => cells.iter().map(|x| number(true, x)).collect(),
            Self::Unsigned(cells) => cells.iter().map(|x| number(true, x)).collect(),
            Self::Texts { codes, texts } => {
                let known = |&code: &u32| texts.get(code as usize).map(String::as_str);
                return Values::Text(Text::from_cells(codes.iter().map(known)));
            }
        };
        Values::Text(Text::from_cells(texts.iter().map(Option::as_deref)))
    }
}

fn number(is_there: bool, value: &impl ToString) -> Option<String> {
    is_there.then(|| value.to_string())
}

/// Loads a table from columns in memory. `name` is what messages and models call it. `has_names`
/// says whether the columns are known by names that users chose, as those of a file with a header.
///
/// ```
/// use mge_data::{Cells, LoadOptions, TargetColumn, load_columns};
///
/// let texts = ["no", "yes"].map(String::from).to_vec();
/// let columns = vec![
///     ("age".to_owned(), Cells::Double(vec![31.0, f64::NAN, 54.0])),
///     ("ill".to_owned(), Cells::Texts { codes: vec![0, 1, 0], texts }),
/// ];
/// let options = LoadOptions { target: TargetColumn::Named("ill".into()), ..Default::default() };
/// let loaded = load_columns("patients", columns, true, &options)?;
/// assert_eq!(loaded.class_target()?.classes(), ["no", "yes"]);
/// # Ok::<(), mge_data::DataError>(())
/// ```
///
/// # Errors
/// When columns differ in length or share a name, a number does not fit into 32 bits, and when
/// the options do not fit the columns.
pub fn load_columns(
    name: &str,
    columns: Vec<(String, Cells)>,
    has_names: bool,
    options: &LoadOptions,
) -> Result<Loaded, DataError> {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    if rows == 0 {
        return Err(DataError::Empty { file: name.to_owned() });
    }
    if let Some((column, cells)) = columns.iter().find(|(_, cells)| cells.len() != rows) {
        let (file, column, found) = (name.to_owned(), column.clone(), cells.len());
        return Err(DataError::UnequalColumns { file, column, found, expected: rows });
    }
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    let mut notes = Vec::new();
    let plan = ColumnPlan::new(name, &names, options, &mut notes)?;
    let targets = plan.targets.clone();
    let (mut builders, mut labels) = (Vec::with_capacity(names.len()), Vec::new());
    for ((column, cells), hint) in columns.into_iter().zip(&plan.hints) {
        if targets.contains(&column) {
            // Its position among the columns that are kept.
            let before = builders.iter().flatten().count() + labels.len();
            labels.push((before, Column { name: column, values: cells.labels() }));
            builders.push(None);
        } else {
            builders.push(hint.map(|hint| cells.builder(hint)));
        }
    }
    let lines = LineNumbers::None;
    let parsed = table_builder::finish(name, names, builders, plan, lines, notes)?;
    let mut columns = parsed.columns;
    for (index, column) in labels {
        columns.insert(index.min(columns.len()), column);
    }
    let header = parsed.layout.header.or(has_names.then_some(true));
    let layout = FileLayout { header, ..parsed.layout };
    let table = Table::new(name, columns)?.of_file(parsed.lines, layout, false);
    crate::load::check_rows(&table)?;
    Ok(Loaded::new(table, targets, parsed.notes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TargetColumn, load_bytes};

    fn texts(cells: &[&str]) -> Cells {
        let codes = (0..cells.len() as u32).collect();
        Cells::Texts { codes, texts: cells.iter().map(|text| (*text).to_owned()).collect() }
    }

    fn options(target: &str) -> LoadOptions {
        LoadOptions { target: TargetColumn::Named(target.into()), ..LoadOptions::default() }
    }

    #[test]
    fn memory_and_csv_give_the_same_table() {
        let csv = "a,b,c,d,y\n1,0.1,x,True,10\n2,,?,False,9\n-3,1e3,z,True,10\n";
        let file = load_bytes("t.csv", csv, &options("y")).unwrap();
        let columns = vec![
            ("a".to_owned(), Cells::Signed(vec![1, 2, -3])),
            ("b".to_owned(), Cells::Double(vec![0.1, f64::NAN, 1e3])),
            ("c".to_owned(), texts(&["x", "?", "z"])),
            ("d".to_owned(), texts(&["True", "False", "True"])),
            ("y".to_owned(), Cells::Unsigned(vec![10, 9, 10])),
        ];
        let memory = load_columns("t.csv", columns, true, &options("y")).unwrap();
        assert_eq!(memory.table, file.table);
        assert_eq!(memory.fingerprint, file.fingerprint);
        assert_eq!(memory.table.layout(), file.table.layout());
        assert_eq!(memory.targets, file.targets);
    }

    #[test]
    fn labels_keep_words_that_mean_missing_elsewhere() {
        let columns = vec![
            ("a".to_owned(), Cells::Single(vec![0.0, 1.0, 2.0])),
            ("y".to_owned(), texts(&["NA", "?", ""])),
        ];
        let loaded = load_columns("t", columns, false, &options("y")).unwrap();
        let Values::Text(text) = &loaded.table.columns()[1].values else { panic!("text") };
        assert_eq!(text.categories().len(), 3);
        assert_eq!(loaded.table.layout().header, None);
    }

    #[test]
    fn the_target_keeps_its_position() {
        let column = |name: &str| (name.to_owned(), Cells::Signed(vec![1, 2, 3]));
        let columns = vec![column("a"), ("y".to_owned(), texts(&["p", "q", "p"])), column("b")];
        let loaded = load_columns("t", columns, true, &options("y")).unwrap();
        let names: Vec<&str> = loaded.table.columns().iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a", "y", "b"]);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let wide = vec![
            ("a".to_owned(), Cells::Single(vec![0.0, 1.0])),
            ("y".to_owned(), Cells::Signed(vec![1])),
        ];
        let error = load_columns("t", wide, true, &options("y")).unwrap_err();
        assert!(matches!(error, DataError::UnequalColumns { .. }), "{error}");
        let none = load_columns("t", Vec::new(), true, &LoadOptions::default()).unwrap_err();
        assert!(matches!(none, DataError::Empty { .. }), "{none}");
        let large = vec![
            ("a".to_owned(), Cells::Double(vec![1e39, 1.0])),
            ("y".to_owned(), Cells::Signed(vec![1, 2])),
        ];
        let error = load_columns("t", large, true, &options("y")).unwrap_err().to_string();
        assert!(error.contains("row 1, column `a`"), "{error}");
    }
}

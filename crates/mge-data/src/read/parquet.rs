//! Parquet: flat columns, in any of the usual encodings and compressions.
//!
//! Nested columns that are asked for are an error. Text, numbers and truth values become what the same table written
//! as CSV gives; dates and times become ISO text; decimals become numbers.

mod cells;
mod time;

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

use super::datum::TypedColumn;
use super::plan::Plan;
use super::{Draft, Input, Reader, growing};
use crate::error::{DataError, FormatError};
use crate::options::LoadOptions;
use crate::table::Lines;
use cells::{Cells, Meaning};

const FORMAT: &str = "Parquet";

pub(crate) struct Parquet;

impl Reader for Parquet {
    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(b"PAR1")
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".parquet", ".pq"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<Draft, DataError> {
        let file = input.file.clone();
        let bytes = Bytes::from(input.rest(u64::MAX)?);
        // The library trusts some sizes of a damaged file; its panic must not be ours.
        let read = catch_unwind(AssertUnwindSafe(|| table(&file, bytes, options)));
        read.unwrap_or_else(|_| Err(bad(&file, "damaged content".into(), "a whole file")))
    }
}

fn table(file: &str, bytes: Bytes, options: &LoadOptions) -> Result<Draft, DataError> {
    let failed = |error: ParquetError| bad(file, error.to_string(), "a whole, unencrypted file");
    let size = bytes.len() as u64;
    let reader = SerializedFileReader::new(bytes).map_err(failed)?;
    check_places(file, reader.metadata(), size)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let leaves = leaves(schema.columns());
    let names: Vec<String> = leaves.iter().map(|leaf| leaf.name.clone()).collect();
    let mut notes = Vec::new();
    let plan = Plan::new(file, &names, options, &mut notes)?;
    let mut columns: Vec<Option<TypedColumn>> = Vec::with_capacity(leaves.len());
    for (wish, leaf) in plan.wishes.iter().zip(&leaves) {
        columns.push(match (wish, &leaf.meaning) {
            (None, _) => None,
            (Some(wish), Ok(meaning)) => {
                Some(TypedColumn::new(wish.declared(meaning.wish()), meaning.is_number()))
            }
            (Some(_), Err(found)) => {
                const FLAT: &str = "flat columns of numbers, text, dates or truth values; \
                    --drop leaves a column out";
                return Err(bad(file, found.clone(), FLAT));
            }
        });
    }
    let mut rows = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(failed)?;
        let promised = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (leaf, column) in leaves.iter().zip(&mut columns) {
            let (Some(column), Ok(meaning)) = (column, &leaf.meaning) else { continue };
            let most = schema.column(leaf.place).max_def_level();
            let cells = group.get_column_reader(leaf.place).map_err(failed)?;
            let read = Cells { most, meaning: *meaning }.read(cells, promised, column);
            let found = read.map_err(failed)?;
            if found != promised {
                let found = format!("{found} cells in column `{}`", leaf.name);
                return Err(bad(file, found, "as many as the group has rows"));
            }
        }
        rows += promised;
    }
    if rows == 0 {
        return Err(DataError::HeaderOnly { file: file.to_owned(), columns: names.len() });
    }
    let builders = columns.into_iter().map(|c| c.map(TypedColumn::into_builder)).collect();
    growing::finish(file, names, builders, plan, Lines::None, notes)
}

/// A column of the table.
struct Leaf {
    /// Its place among the columns of the file.
    place: usize,
    name: String,
    /// What its values stand for, or why it cannot be read.
    meaning: Result<Meaning, String>,
}

/// The columns of the table; a nested one, whatever it consists of, is one that cannot be read.
fn leaves(columns: &[ColumnDescPtr]) -> Vec<Leaf> {
    let mut leaves: Vec<Leaf> = Vec::with_capacity(columns.len());
    let mut last_root = None;
    for (place, column) in columns.iter().enumerate() {
        let parts = column.path().parts();
        let root = parts.first().map_or("", String::as_str);
        let is_nested = parts.len() > 1 || column.max_rep_level() > 0;
        if is_nested && last_root == Some(root) {
            continue;
        }
        last_root = is_nested.then_some(root);
        let path = column.path().string();
        let meaning = if is_nested {
            Err(format!("the nested column `{path}`"))
        } else {
            Meaning::of(column).ok_or_else(|| {
                let (kind, logical) = (column.physical_type(), column.logical_type_ref());
                format!("column `{path}` of type {kind} ({logical:?})")
            })
        };
        leaves.push(Leaf { place, name: root.to_owned(), meaning });
    }
    leaves
}

/// Every column chunk must lie inside of the file; the library takes that for granted.
fn check_places(file: &str, metadata: &ParquetMetaData, size: u64) -> Result<(), DataError> {
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let (start, length) = (u64::try_from(start), u64::try_from(column.compressed_size()));
        let end = start.ok().zip(length.ok()).and_then(|(start, length)| start.checked_add(length));
        if end.is_none_or(|end| end > size) {
            let name = column.column_descr().name();
            let found = format!("column `{name}` outside of the file");
            return Err(bad(file, found, "a whole file"));
        }
    }
    Ok(())
}

fn bad(file: &str, found: String, expected: &str) -> DataError {
    FormatError::BadHeader {
        file: file.to_owned(),
        format: FORMAT,
        found,
        expected: expected.into(),
    }
    .into()
}

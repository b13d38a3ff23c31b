//! Parquet: flat columns, in any of the usual encodings and compressions.
//!
//! A nested column is an error unless it is left out. Text, numbers and booleans become what the
//! same table gives as CSV. Dates and times become ISO text, and decimals become numbers.

mod cells;
mod time;

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

use super::column_plan::ColumnPlan;
use super::value::TypedColumn;
use super::{Input, ParsedTable, Reader, table_builder};
use crate::error::{DataError, FormatError};
use crate::options::LoadOptions;
use crate::table::LineNumbers;
use cells::{CellType, ColumnChunk};

const FORMAT: &str = "Parquet";

pub(crate) struct Parquet;

impl Reader for Parquet {
    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(b"PAR1")
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".parquet", ".pq"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let file = input.file.clone();
        let bytes = Bytes::from(input.rest(u64::MAX)?);
        // The library may panic on a damaged file. A panic becomes an error.
        let read = catch_unwind(AssertUnwindSafe(|| table(&file, bytes, options)));
        read.unwrap_or_else(|_| Err(bad(&file, "damaged content".into(), "a whole file")))
    }
}

fn table(file: &str, bytes: Bytes, options: &LoadOptions) -> Result<ParsedTable, DataError> {
    let failed = |error: ParquetError| bad(file, error.to_string(), "a whole, unencrypted file");
    let size = bytes.len() as u64;
    let reader = SerializedFileReader::new(bytes).map_err(failed)?;
    check_chunks(file, reader.metadata(), size)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let leaves = columns_of_schema(schema.columns());
    let names: Vec<String> = leaves.iter().map(|leaf| leaf.name.clone()).collect();
    let mut notes = Vec::new();
    let plan = ColumnPlan::new(file, &names, options, &mut notes)?;
    let mut columns: Vec<Option<TypedColumn>> = Vec::with_capacity(leaves.len());
    for (hint, leaf) in plan.hints.iter().zip(&leaves) {
        columns.push(match (hint, &leaf.cell_type) {
            (None, _) => None,
            (Some(hint), Ok(cell_type)) => {
                Some(TypedColumn::new(hint.or_declared(cell_type.hint()), cell_type.is_number()))
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
        let declared = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (leaf, column) in leaves.iter().zip(&mut columns) {
            let (Some(column), Ok(cell_type)) = (column, &leaf.cell_type) else { continue };
            let max_level = schema.column(leaf.index).max_def_level();
            let cells = group.get_column_reader(leaf.index).map_err(failed)?;
            let read =
                ColumnChunk { max_level, cell_type: *cell_type }.read(cells, declared, column);
            let found = read.map_err(failed)?;
            if found != declared {
                let found = format!("{found} cells in column `{}`", leaf.name);
                return Err(bad(file, found, "as many as the group has rows"));
            }
        }
        rows += declared;
    }
    if rows == 0 {
        return Err(DataError::HeaderOnly { file: file.to_owned(), columns: names.len() });
    }
    let builders = columns.into_iter().map(|c| c.map(TypedColumn::into_builder)).collect();
    table_builder::finish(file, names, builders, plan, LineNumbers::None, notes)
}

/// A column of the table.
struct ParquetColumn {
    /// Its index among the columns of the file.
    index: usize,
    name: String,
    /// What its values stand for, or why it cannot be read.
    cell_type: Result<CellType, String>,
}

/// The columns of the table. A nested column counts as one column that cannot be read.
fn columns_of_schema(columns: &[ColumnDescPtr]) -> Vec<ParquetColumn> {
    let mut leaves: Vec<ParquetColumn> = Vec::with_capacity(columns.len());
    let mut last_root = None;
    for (index, column) in columns.iter().enumerate() {
        let parts = column.path().parts();
        let root = parts.first().map_or("", String::as_str);
        let is_nested = parts.len() > 1 || column.max_rep_level() > 0;
        if is_nested && last_root == Some(root) {
            continue;
        }
        last_root = is_nested.then_some(root);
        let path = column.path().string();
        let cell_type = if is_nested {
            Err(format!("the nested column `{path}`"))
        } else {
            CellType::of(column).ok_or_else(|| {
                let (kind, logical) = (column.physical_type(), column.logical_type_ref());
                format!("column `{path}` of type {kind} ({logical:?})")
            })
        };
        leaves.push(ParquetColumn { index, name: root.to_owned(), cell_type });
    }
    leaves
}

/// Checks that every column chunk is inside the file. The library assumes it.
fn check_chunks(file: &str, metadata: &ParquetMetaData, size: u64) -> Result<(), DataError> {
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

//! Parquet: flat columns, in any of the usual encodings and compressions.
//!
//! Nested columns are an error. Text, numbers and truth values become what the same table written
//! as CSV gives; dates and times become ISO text; decimals become numbers.

mod cells;
mod time;

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::datum::TypedColumn;
use super::plan::{Plan, check_names};
use super::{Draft, Input, Reader, growing};
use crate::error::DataError;
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
    let mut names = Vec::with_capacity(schema.num_columns());
    let mut meanings = Vec::with_capacity(schema.num_columns());
    for column in schema.columns() {
        let nested = column.path().parts().len() > 1 || column.max_rep_level() > 0;
        let meaning = Meaning::of(column).filter(|_| !nested);
        let Some(meaning) = meaning else {
            let path = column.path().string();
            let found = if nested {
                format!("the nested column `{path}`")
            } else {
                let (kind, logical) = (column.physical_type(), column.logical_type_ref());
                format!("column `{path}` of type {kind} ({logical:?})")
            };
            return Err(bad(file, found, "flat columns of numbers, text, dates or truth values"));
        };
        names.push(column.name().to_owned());
        meanings.push(meaning);
    }
    check_names(file, &names)?;
    let mut notes = Vec::new();
    let plan = Plan::new(file, &names, options, &mut notes)?;
    let mut columns: Vec<Option<TypedColumn>> = plan
        .wishes
        .iter()
        .zip(&meanings)
        .map(|(wish, meaning)| {
            let (declared, numbers) = (meaning.wish(), meaning.is_number());
            wish.map(|wish| TypedColumn::new(wish.declared(declared), numbers))
        })
        .collect();
    let mut rows = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(failed)?;
        let promised = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (place, column) in columns.iter_mut().enumerate() {
            let Some(column) = column else { continue };
            let most = schema.column(place).max_def_level();
            let cells = group.get_column_reader(place).map_err(failed)?;
            let read = Cells { most, meaning: meanings[place] }.read(cells, promised, column);
            let found = read.map_err(failed)?;
            if found != promised {
                let found = format!("{found} cells in column `{}`", names[place]);
                return Err(bad(file, found, "as many as the group has rows"));
            }
        }
        rows += promised;
    }
    if rows == 0 {
        return Err(DataError::HeaderOnly { file: file.to_owned(), columns: names.len() });
    }
    let builders = columns.into_iter().map(|c| c.map(TypedColumn::into_builder)).collect();
    growing::finish(file, names, builders, plan.target, Lines::None, &mut notes)
        .map(|draft| Draft { notes, ..draft })
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
    DataError::BadHeader { file: file.to_owned(), format: FORMAT, found, expected: expected.into() }
}

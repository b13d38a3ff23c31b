//! `mge predict --keep`: columns of the table that stand before the answers.

use mge::data::{Column, LoadOptions, Table, Values};

/// Options that also read the columns to keep. Those that the model does not read keep their text as
/// it is in the file, so that `007` stays `007`.
pub fn options(kept: &[String], mut options: LoadOptions) -> LoadOptions {
    // What the training left out may well be the name of a row.
    options.ignore.retain(|name| !kept.contains(name));
    let others = kept.iter().filter(|name| !options.expected.contains_key(*name)).cloned();
    options.as_category.extend(others.collect::<Vec<_>>());
    options
}

/// The columns to keep, in the order in which they were asked for.
pub fn columns<'t>(table: &'t Table, kept: &[String]) -> anyhow::Result<Vec<&'t Column>> {
    let columns = kept.iter().map(|name| table.column(name).map_err(anyhow::Error::from));
    columns.collect()
}

/// A cell as text; a missing one is empty.
pub fn cell(column: &Column, row: usize) -> String {
    match &column.values {
        Values::Number(cells) if cells[row].is_nan() => String::new(),
        Values::Number(cells) => cells[row].to_string(),
        Values::Text(text) => text.get(row).unwrap_or_default().to_owned(),
    }
}

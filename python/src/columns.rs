//! Columns of a table: from arrays of numbers, and from codes into lists of texts.

use mge_data::Cells;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A table that Python hands over: its name, whether users named its columns, and the columns.
///
/// A column is a pair of its name and its cells. Cells are an array of numbers of one axis, in any
/// layout, or a pair of codes (int64, negative for a missing cell) and a list of texts.
#[derive(FromPyObject)]
pub struct RawTable<'py>(String, bool, Vec<(String, Bound<'py, PyAny>)>);

/// The same without Python.
pub struct OwnedTable {
    pub name: String,
    pub has_names: bool,
    pub columns: Vec<(String, Cells)>,
}

impl<'py> RawTable<'py> {
    /// The columns: names and cells.
    pub fn columns(&self) -> &[(String, Bound<'py, PyAny>)] {
        &self.2
    }

    /// Copies the cells.
    pub fn own(self) -> PyResult<OwnedTable> {
        let Self(name, has_names, columns) = self;
        let columns = columns
            .into_iter()
            .map(|(name, cells)| cells_of(&cells, &name).map(|cells| (name, cells)))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(OwnedTable { name, has_names, columns })
    }
}

fn cells_of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Cells> {
    if let Ok(pair) = object.cast::<PyTuple>() {
        let (codes, texts): (Bound<'_, PyArray1<i64>>, Vec<String>) = pair.extract()?;
        // A negative code is no index of a text, and so a missing cell.
        let codes = copied(&codes, |code: i64| u32::try_from(code).unwrap_or(u32::MAX))?;
        return Ok(Cells::Texts { codes, texts });
    }
    fn array<'a, 'py, T: Element>(
        object: &'a Bound<'py, PyAny>,
    ) -> Option<&'a Bound<'py, PyArray1<T>>> {
        object.cast::<PyArray1<T>>().ok()
    }
    if let Some(cells) = array::<f32>(object) {
        return Ok(Cells::Single(copied(cells, |x| x)?));
    }
    if let Some(cells) = array::<f64>(object) {
        return Ok(Cells::Double(copied(cells, |x| x)?));
    }
    if let Some(cells) = array::<i64>(object) {
        return Ok(Cells::Signed(copied(cells, |x| x)?));
    }
    if let Some(cells) = array::<u64>(object) {
        return Ok(Cells::Unsigned(copied(cells, |x| x)?));
    }
    if let Some(cells) = array::<i32>(object) {
        return Ok(Cells::Signed(copied(cells, i64::from)?));
    }
    if let Some(cells) = array::<i16>(object) {
        return Ok(Cells::Signed(copied(cells, i64::from)?));
    }
    if let Some(cells) = array::<i8>(object) {
        return Ok(Cells::Signed(copied(cells, i64::from)?));
    }
    if let Some(cells) = array::<u32>(object) {
        return Ok(Cells::Unsigned(copied(cells, u64::from)?));
    }
    if let Some(cells) = array::<u16>(object) {
        return Ok(Cells::Unsigned(copied(cells, u64::from)?));
    }
    if let Some(cells) = array::<u8>(object) {
        return Ok(Cells::Unsigned(copied(cells, u64::from)?));
    }
    let found = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "column `{name}` is a {found}, expected an array of numbers with one axis, or codes and \
         texts"
    )))
}

/// Copies an array in any layout, read-only ones too.
fn copied<T: Element + Copy, U>(
    array: &Bound<'_, PyArray1<T>>,
    convert: impl Fn(T) -> U,
) -> PyResult<Vec<U>> {
    let view = array.try_readonly().map_err(|error| PyTypeError::new_err(error.to_string()))?;
    Ok(view.as_array().iter().map(|&value| convert(value)).collect())
}

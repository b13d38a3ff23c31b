//! Predictions of a model for raw tables.
//!
//! There are two ways to the values of features. Any table can be read as files are, which copies it.
//! Where the network reads columns of floats only, values are taken from the arrays block by block
//! and nothing is copied. Both give the same bits; a test of the package compares them.

use crate::columns::{OwnedTable, RawTable};
use crate::error::Kind;
use mge::Model;
use mge::data::{
    Columns, Encoding, Feature, LoadOptions, Preprocessed, RawColumn, TargetColumn, load_columns,
};
use mge::net::Predictor;
use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a user wants to know of each row.
#[derive(Clone, Copy)]
pub enum Wanted {
    /// The probability of each class.
    Probabilities,
    /// The sum of each output.
    Outputs,
    /// The number that each output predicts, in the units of its target.
    Values,
}

/// Numbers for each row, and notes on categories that the training rows did not have.
pub struct RowValues<T> {
    pub values: Vec<T>,
    pub rows: usize,
    pub unseen: Vec<String>,
}

/// The class of each row, as its position in the model.
pub fn classes(
    model: &Model,
    py: Python<'_>,
    table: RawTable<'_>,
    threads: usize,
) -> PyResult<RowValues<i64>> {
    predict(model, py, table, threads, 1, |predictor, into: &mut [i64], fill| {
        let mut block = [0u32; Predictor::BLOCK];
        let block = &mut block[..into.len()];
        predictor.classes(block, fill);
        into.iter_mut().zip(block).for_each(|(into, class)| *into = i64::from(*class));
    })
}

/// Numbers of each row.
pub fn numbers(
    model: &Model,
    py: Python<'_>,
    table: RawTable<'_>,
    threads: usize,
    wanted: Wanted,
) -> PyResult<RowValues<f64>> {
    let width = match wanted {
        Wanted::Probabilities => model.link().classes(),
        Wanted::Outputs | Wanted::Values => model.network.outputs().len(),
    };
    let write = move |predictor: &mut Predictor<'_>, into: &mut [f64], fill: Fill<'_>| match wanted
    {
        Wanted::Probabilities => predictor.probabilities(into, fill),
        Wanted::Outputs | Wanted::Values => predictor.outputs(into, fill),
    };
    let mut found = predict(model, py, table, threads, width, write)?;
    if let (Wanted::Values, Some(scale)) = (wanted, model.target_scale()) {
        for row in found.values.chunks_exact_mut(width.max(1)) {
            for (value, scale) in row.iter_mut().zip(scale.columns()) {
                *value = scale.invert(clamped(*value));
            }
        }
    }
    Ok(found)
}

/// A sum as predictions take it: zero if it is NaN, and never infinite.
fn clamped(sum: f64) -> f64 {
    const MAX_SUM: f64 = 1e300;
    if sum.is_nan() { 0.0 } else { sum.clamp(-MAX_SUM, MAX_SUM) }
}

/// Values of an input of the network: writes those from a row on.
type Fill<'f> = &'f mut dyn FnMut(u32, &mut [f32]);

fn predict<T: Default + Clone + Send>(
    model: &Model,
    py: Python<'_>,
    table: RawTable<'_>,
    threads: usize,
    width: usize,
    write: impl Fn(&mut Predictor<'_>, &mut [T], Fill<'_>) + Sync,
) -> PyResult<RowValues<T>> {
    let arrays = FloatColumns::of(model, &table);
    if let Some((arrays, rows)) = arrays {
        let (views, overflows) = (arrays.views(), AtomicBool::new(false));
        let values = py.detach(|| {
            in_blocks(model, rows, threads, width, &write, &|input, start, into| {
                if !views[&input].write(start, into) {
                    overflows.store(true, Ordering::Relaxed);
                }
            })
        })?;
        // The other way names the number that is too large.
        if !overflows.into_inner() {
            return Ok(RowValues { values, rows, unseen: Vec::new() });
        }
    }
    let table = table.own()?;
    py.detach(|| {
        let Preprocessed { columns, unseen } = preprocess(model, table)?;
        let rows = columns.rows();
        let values = in_blocks(model, rows, threads, width, &write, &|input, start, into| {
            copy(&columns, input, start, into);
        })?;
        Ok(RowValues { values, rows, unseen: unseen.iter().map(ToString::to_string).collect() })
    })
}

fn copy(columns: &Columns, input: u32, start: usize, into: &mut [f32]) {
    into.copy_from_slice(&columns.column(input as usize)[start..][..into.len()]);
}

/// Predicts all rows, the blocks spread over threads.
fn in_blocks<T: Default + Clone + Send>(
    model: &Model,
    rows: usize,
    threads: usize,
    width: usize,
    write: &(impl Fn(&mut Predictor<'_>, &mut [T], Fill<'_>) + Sync),
    fill: &(impl Fn(u32, usize, &mut [f32]) + Sync),
) -> PyResult<Vec<T>> {
    let mut values = vec![T::default(); rows * width];
    let blocks = rows.div_ceil(Predictor::BLOCK);
    let threads = threads.clamp(1, blocks.max(1));
    let chunk = blocks.div_ceil(threads) * Predictor::BLOCK;
    let work = |first: usize, part: &mut [T]| {
        let mut predictor = Predictor::new(&model.network, model.link())
            .map_err(|error| Kind::Data.error(error))?;
        for (index, block) in part.chunks_mut(Predictor::BLOCK * width).enumerate() {
            let start = first + index * Predictor::BLOCK;
            write(&mut predictor, block, &mut |input, into| fill(input, start, into));
        }
        PyResult::Ok(())
    };
    if threads == 1 {
        work(0, &mut values)?;
        return Ok(values);
    }
    std::thread::scope(|scope| {
        let parts = values.chunks_mut(chunk * width).enumerate();
        let work = &work;
        let all: Vec<_> =
            parts.map(|(index, part)| scope.spawn(move || work(index * chunk, part))).collect();
        all.into_iter().try_for_each(|one| match one.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    Ok(values)
}

/// The features of any raw table.
fn preprocess(model: &Model, table: OwnedTable) -> PyResult<Preprocessed> {
    let OwnedTable { name, has_names, columns } = table;
    let options = LoadOptions {
        only_expected: true,
        ..model.load_options(TargetColumn::IfPresent(model.target_columns()))
    };
    let loaded = load_columns(&name, columns, has_names, &options);
    let loaded = loaded.map_err(|error| Kind::Data.error(error))?;
    model.preprocess.apply(&loaded.table, None).map_err(|error| Kind::Data.error(error))
}

/// An array of floats.
enum Floats<'py> {
    Single(PyReadonlyArray1<'py, f32>),
    Double(PyReadonlyArray1<'py, f64>),
}

/// The arrays behind the inputs of a network.
struct FloatColumns<'m, 'py> {
    inputs: Vec<(u32, &'m Feature, f32, Floats<'py>)>,
}

impl<'m, 'py> FloatColumns<'m, 'py> {
    /// The arrays and how many rows they have, if the network reads columns of floats only. Tables
    /// that lack a column of the model are left to the other way, which says so.
    fn of(model: &'m Model, table: &RawTable<'py>) -> Option<(Self, usize)> {
        let columns = table.columns();
        let known = columns.iter().enumerate();
        let known: HashMap<&str, usize> = known.map(|(i, (name, _))| (name.as_str(), i)).collect();
        let mut fills = HashMap::new();
        for raw in model.preprocess.columns() {
            known.get(raw.name())?;
            if let RawColumn::Number { name, fill } = raw {
                fills.insert(name.as_str(), *fill);
            }
        }
        let mut inputs = Vec::new();
        let mut rows = None;
        for input in crate::model::inputs(&model.network) {
            let feature = &model.preprocess.features()[input];
            let fill = *fills.get(feature.column.as_str())?;
            let cells = &columns[*known.get(feature.column.as_str())?].1;
            let floats = if let Ok(array) = cells.cast::<PyArray1<f32>>() {
                Floats::Single(array.try_readonly().ok()?)
            } else {
                Floats::Double(cells.cast::<PyArray1<f64>>().ok()?.try_readonly().ok()?)
            };
            let own = match &floats {
                Floats::Single(array) => array.as_array().len(),
                Floats::Double(array) => array.as_array().len(),
            };
            if *rows.get_or_insert(own) != own {
                return None;
            }
            inputs.push((input as u32, feature, fill, floats));
        }
        // Without inputs nobody knows the number of rows.
        Some((Self { inputs }, rows?))
    }

    fn views(&self) -> HashMap<u32, View<'_>> {
        self.inputs
            .iter()
            .map(|(input, feature, fill, floats)| {
                let cells = match floats {
                    Floats::Single(array) => Cells::Single(array.as_array()),
                    Floats::Double(array) => Cells::Double(array.as_array()),
                };
                (*input, View { cells, feature, fill: *fill })
            })
            .collect()
    }
}

/// The cells of a column, and how they become the values of a feature.
struct View<'a> {
    cells: Cells<'a>,
    feature: &'a Feature,
    fill: f32,
}

enum Cells<'a> {
    Single(ArrayView1<'a, f32>),
    Double(ArrayView1<'a, f64>),
}

impl View<'_> {
    /// Writes values from a row on, as `Preprocess::apply` does. Whether all of them are finite.
    fn write(&self, start: usize, into: &mut [f32]) -> bool {
        let rows = numpy::ndarray::s![start..start + into.len()];
        match &self.cells {
            Cells::Single(cells) => self.write_cells(cells.slice(rows).iter().copied(), into),
            Cells::Double(cells) => {
                self.write_cells(cells.slice(rows).iter().map(|&cell| cell as f32), into)
            }
        }
    }

    fn write_cells(&self, cells: impl Iterator<Item = f32>, into: &mut [f32]) -> bool {
        let Self { feature, fill, .. } = self;
        let mut is_finite = true;
        if feature.encoding == Encoding::Missing {
            for (into, cell) in into.iter_mut().zip(cells) {
                *into = feature.scaled(f32::from(u8::from(cell.is_nan())));
            }
            return true;
        }
        for (into, cell) in into.iter_mut().zip(cells) {
            let cell = if cell.is_nan() { *fill } else { cell };
            // Adding zero makes minus zero plain, as reading a file does.
            *into = feature.scaled(cell + 0.0);
            is_finite &= cell.is_finite();
        }
        is_finite
    }
}

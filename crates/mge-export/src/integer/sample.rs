//! The training rows that integers are fitted to, as floats and integers compute them.

use mge_data::View;

use super::IntegerInput;
use crate::program::Program;

/// More rows change no scale.
const MAX_ROWS: usize = 1000;

/// The sample: quantized inputs, and what the floats compute.
pub(super) struct CalibrationSample {
    /// Quantized inputs, column by column.
    pub(super) inputs: Vec<Vec<u32>>,
    /// Float values of neurons, column by column.
    pub(super) values: Vec<Vec<f64>>,
    /// The class of each row by the floats.
    pub(super) classes: Vec<usize>,
    pub(super) rows: usize,
}

impl CalibrationSample {
    pub(super) fn new(program: &Program, inputs: &[IntegerInput], view: &View) -> Self {
        let stride = view.rows().div_ceil(MAX_ROWS).max(1);
        let rows: Vec<usize> = (0..view.rows()).step_by(stride).collect();
        let mut values = vec![Vec::with_capacity(rows.len()); program.neurons.len()];
        let mut classes = Vec::with_capacity(rows.len());
        let mut row_values = vec![0.0; inputs.len()];
        for &row in &rows {
            for (index, value) in row_values.iter_mut().enumerate() {
                *value = view.column(index)[row];
            }
            let (neurons, sums) = program.evaluate(&row_values);
            neurons.iter().zip(&mut values).for_each(|(value, column)| column.push(*value));
            classes.push(Program::class(&sums));
        }
        let quantized = inputs.iter().enumerate().map(|(index, input)| {
            let column = view.column(index);
            rows.iter().map(|&row| input.quantize(column[row])).collect()
        });
        Self { inputs: quantized.collect(), values, classes, rows: rows.len() }
    }
}

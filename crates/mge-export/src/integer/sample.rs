//! The training rows that integers are fitted to, as floats and integers compute them.

use mge_data::Columns;

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
    pub(super) fn new(program: &Program, inputs: &[IntegerInput], rows: &Columns) -> Self {
        let stride = rows.rows().div_ceil(MAX_ROWS).max(1);
        let picked: Vec<usize> = (0..rows.rows()).step_by(stride).collect();
        let mut values = vec![Vec::with_capacity(picked.len()); program.neurons.len()];
        let mut classes = Vec::with_capacity(picked.len());
        let mut row_values = vec![0.0; inputs.len()];
        for &row in &picked {
            rows.copy_row(row, &mut row_values);
            let (neurons, sums) = program.evaluate(&row_values);
            neurons.iter().zip(&mut values).for_each(|(value, column)| column.push(*value));
            classes.push(Program::class(&sums));
        }
        let quantized = inputs.iter().enumerate().map(|(index, input)| {
            let column = rows.column(index);
            picked.iter().map(|&row| input.quantize(column[row])).collect()
        });
        Self { inputs: quantized.collect(), values, classes, rows: picked.len() }
    }
}

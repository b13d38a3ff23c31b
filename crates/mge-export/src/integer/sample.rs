//! The training rows that integers are fitted to.

use mge_net::Columns;

use super::IntegerInput;
use crate::program::Program;

/// More rows tell nothing new about a scale.
const SAMPLE: usize = 1000;

/// The sample: what the float program says, and what integers say so far.
pub(super) struct Sample {
    /// Quantised inputs, column by column.
    pub(super) inputs: Vec<Vec<u32>>,
    /// Float values of neurons, column by column.
    pub(super) values: Vec<Vec<f64>>,
    /// What the float program answers.
    pub(super) classes: Vec<usize>,
    pub(super) rows: usize,
}

impl Sample {
    pub(super) fn new(program: &Program, inputs: &[IntegerInput], columns: &Columns) -> Self {
        let stride = columns.rows().div_ceil(SAMPLE).max(1);
        let rows: Vec<usize> = (0..columns.rows()).step_by(stride).collect();
        let mut values = vec![Vec::with_capacity(rows.len()); program.neurons.len()];
        let mut classes = Vec::with_capacity(rows.len());
        let mut row_values = vec![0.0; inputs.len()];
        for &row in &rows {
            for (index, value) in row_values.iter_mut().enumerate() {
                *value = columns.column(index)[row];
            }
            let (neurons, sums) = program.walk(&row_values);
            neurons.iter().zip(&mut values).for_each(|(value, column)| column.push(*value));
            classes.push(Program::class(&sums));
        }
        let quantized = inputs.iter().enumerate().map(|(index, input)| {
            let column = columns.column(index);
            rows.iter().map(|&row| input.quantize(column[row])).collect()
        });
        Self { inputs: quantized.collect(), values, classes, rows: rows.len() }
    }
}

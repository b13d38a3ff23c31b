//! Inputs in the range of training: larger integers count as the largest.

use super::Writer;
use crate::c::{fill, integer_type, unsigned_for};
use crate::text::list;

/// How the inputs of a program are clamped.
pub(super) enum Clamp {
    /// Their type holds no larger integer.
    None,
    /// All have the same largest integer.
    Same(u32),
    /// Each has its own.
    Each(Vec<u32>),
}

impl Writer<'_> {
    pub(super) fn clamp(&self) -> Clamp {
        let inputs = self.integer.clamped_tops().into_iter().zip(&self.form.program.inputs);
        let used: Vec<Option<u32>> =
            inputs.clone().filter(|(_, input)| input.used).map(|(top, _)| top).collect();
        match used.first() {
            _ if used.iter().all(Option::is_none) => Clamp::None,
            Some(Some(first)) if used.iter().all(|top| *top == Some(*first)) => Clamp::Same(*first),
            _ => Clamp::Each(self.integer.inputs.iter().map(|input| input.top).collect()),
        }
    }

    /// An input in a loop.
    pub(super) fn input(&self, index: &str) -> String {
        match self.clamp() {
            Clamp::None => format!("x[{index}]"),
            _ => format!("value_of(x, {index})"),
        }
    }

    /// The function that clamps an input in a loop.
    pub(super) fn input_function(&self) -> String {
        let value = integer_type(self.integer);
        let index = unsigned_for(self.integer.inputs.len() + self.integer.neurons.len());
        let head = format!(
            "static {value} value_of(const {value} *x, {index} i) {{\n    {value} q = x[i];\n"
        );
        let about = "\n/* Larger values than the largest of training count as that one. */\n";
        match self.clamp() {
            Clamp::None => String::new(),
            Clamp::Same(top) => format!("{about}{head}    return q > {top} ? {top} : q;\n}}\n"),
            Clamp::Each(tops) => {
                let tops = fill(
                    self.form,
                    "static const @NAME@_FLASH @value@ tops[] = {\n@tops@\n};\n\n",
                    &[("tops", list(tops))],
                );
                format!(
                    "{about}{tops}{head}    {value} top = tops[i];\n    return q > top ? top : q;\n}}\n"
                )
            }
        }
    }

    /// Lines that clamp the inputs which a program of statements reads: `x3` is `x[3]`.
    pub(super) fn clamped_inputs(&self) -> String {
        let value = integer_type(self.integer);
        let tops = self.integer.clamped_tops();
        let read = tops.iter().enumerate().filter(|(index, _)| self.reads(*index));
        let line = |(index, top): (usize, &Option<u32>)| match top {
            None => format!("    const {value} x{index} = x[{index}];\n"),
            Some(top) => {
                format!("    const {value} x{index} = x[{index}] > {top} ? {top} : x[{index}];\n")
            }
        };
        read.map(line).collect()
    }

    /// Whether some sum reads an input after rounding.
    fn reads(&self, index: usize) -> bool {
        let source = mge_net::Source::Input(index as u32);
        let neurons = self.integer.neurons.iter().map(|neuron| &neuron.sum);
        let mut sums = neurons.chain(&self.integer.outputs);
        sums.any(|sum| sum.terms.iter().any(|(of, _)| *of == source))
    }
}

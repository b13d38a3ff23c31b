//! The controls of the web page: one for each raw column that the program reads.

use crate::names::js_string;
use crate::program::{InputCell, Program, ProgramInput};
use crate::text::f64_text;

/// The controls as the lines of a JavaScript list.
pub fn controls(program: &Program) -> String {
    let mut columns: Vec<(&str, Vec<usize>)> = Vec::new();
    for (index, input) in program.inputs.iter().enumerate().filter(|(_, input)| input.used) {
        match columns.iter_mut().find(|(name, _)| *name == input.column) {
            Some((_, inputs)) => inputs.push(index),
            None => columns.push((&input.column, vec![index])),
        }
    }
    columns.iter().map(|(name, inputs)| control(program, name, inputs)).collect()
}

fn control(program: &Program, name: &str, inputs: &[usize]) -> String {
    let of = |index: usize| &program.inputs[index];
    let categories = &of(inputs[0]).categories;
    let meanings: Vec<String> =
        inputs.iter().map(|&index| format!("[{index}, {}]", meaning(of(index)))).collect();
    let head = format!("{{ name: {}, inputs: [{}]", js_string(name), meanings.join(", "));
    let number = inputs.iter().map(|&index| of(index)).find(|i| i.cell == InputCell::Number);
    match number {
        Some(input) => {
            let (low, high, whole) = range(input);
            let [low, high, start] = [low, high, f64::from(input.fill)].map(f64_text);
            format!("    {head}, low: {low}, high: {high}, whole: {whole}, start: {start} }},\n")
        }
        // Only whether the cell of a column of numbers is missing.
        None if categories.is_empty() => {
            format!("    {head}, words: [\"a number\"], open: false, start: 0 }},\n")
        }
        None => {
            let words: Vec<String> = categories.iter().map(|word| js_string(word)).collect();
            let start = start(inputs.iter().map(|&index| of(index)));
            format!("    {head}, words: [{}], open: true, start: {start} }},\n", words.join(", "))
        }
    }
}

/// What an input is of the value of its control.
fn meaning(input: &ProgramInput) -> String {
    match &input.cell {
        InputCell::Number => "\"value\"".to_owned(),
        InputCell::IsMissing => "\"missing\"".to_owned(),
        InputCell::Ordinal(_) => "\"ordinal\"".to_owned(),
        InputCell::Is(word) => position(input, word).to_string(),
    }
}

fn position(input: &ProgramInput, word: &str) -> usize {
    input.categories.iter().position(|category| category == word).unwrap_or(0)
}

/// The category that a missing cell counts as; `-1` if no input tells which.
fn start<'p>(inputs: impl Iterator<Item = &'p ProgramInput>) -> i64 {
    let filled = |input: &'p ProgramInput| match &input.cell {
        InputCell::Ordinal(_) => Some(input.fill as i64),
        InputCell::Is(word) if input.fill == 1.0 => Some(position(input, word) as i64),
        _ => None,
    };
    inputs.filter_map(filled).next().unwrap_or(-1)
}

/// The ends of a slider, and whether all values are whole. Without training rows, it reaches three
/// units of spread to both sides.
fn range(input: &ProgramInput) -> (f64, f64, bool) {
    match input.range.filter(|range| range.low <= range.high) {
        Some(range) => (f64::from(range.low), f64::from(range.high), range.whole),
        None => (input.center - 3.0 * input.spread, input.center + 3.0 * input.spread, false),
    }
}

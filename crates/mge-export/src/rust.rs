//! A `no_std` crate without `alloc` and without dependencies.
//!
//! The core library has no exp, tanh and sin. The float form has its own, with an error of about
//! 1e-7.

mod example;
mod float;
mod integer;

use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::integer::IntegerProgram;
use crate::names;
use crate::program::Program;
use crate::text::{classes, f32_text, filled, inputs, list};

/// The files of the crate.
const PATHS: [&str; 4] = ["Cargo.toml", "src/lib.rs", "tests/golden.rs", "examples/classify.rs"];
/// Rows of the golden test, without the one of missing values.
const GOLDEN_ROWS: usize = 20;

/// The target `rust`.
#[derive(Debug, Clone, Copy)]
pub struct Rust;

impl Exporter for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn summary(&self) -> &'static str {
        "a no_std Rust crate without alloc and without dependencies"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn paths(&self, _name: &str) -> Vec<String> {
        PATHS.map(str::to_owned).to_vec()
    }

    fn files(&self, form: &Form<'_>) -> Vec<OutFile> {
        let texts = [manifest(form.program), library(form), golden(form), example::example(form)];
        PATHS.into_iter().zip(texts).map(|(path, text)| OutFile::text(path, text)).collect()
    }
}

/// The type of an input.
fn value_type(form: &Form<'_>) -> &'static str {
    match form.integer {
        None => "f32",
        Some(integer) if integer.format.is_16_bit() => "u16",
        Some(_) => "u8",
    }
}

/// The smallest unsigned type that holds a number.
fn unsigned_for(largest: usize) -> &'static str {
    match largest {
        0..=255 => "u8",
        256..=65_535 => "u16",
        _ => "u32",
    }
}

fn manifest(program: &Program) -> String {
    filled(
        "# Made by mge.
[package]
name = \"@name@\"
version = \"0.1.0\"
edition = \"2021\"

# A package of its own, outside any workspace around it.
[workspace]
",
        &[("name", program.name.clone())],
    )
}

fn library(form: &Form<'_>) -> String {
    let program = form.program;
    let extra = |index: usize| match form.integer {
        None => {
            let fill = f32_text(f64::from(program.inputs[index].fill));
            format!("; if missing (NaN): {fill}")
        }
        Some(integer) => crate::c::explain(program, integer, index),
    };
    let labels = program.classes.iter().map(|class| names::rust_string(class));
    let head = filled(
        "// @title@: a classifier made by mge.
//
// Inputs of `predict`, in order (scaling is part of the weights):
@list@//
// Classes that it returns:
@answers@
//! A classifier made by mge. The comments at the top of this file list its inputs and classes.
#![no_std]
#![forbid(unsafe_code)]
#![allow(clippy::all)]

/// The numbers of a row.
pub const INPUTS: usize = @inputs@;
/// The number of classes.
pub const CLASSES: usize = @classes@;
/// One number of a row.
pub type Value = @value@;

/// The indices of the inputs.
pub mod input {
@input_names@}

/// The indices of the classes.
pub mod class {
@class_names@}

/// The names of the classes.
pub static LABELS: [&str; CLASSES] = [
@labels@
];
",
        &[
            ("title", names::comment(&program.title)),
            ("list", inputs(program, "//   ", extra)),
            ("answers", classes(program, "//   ")),
            ("inputs", program.inputs.len().to_string()),
            ("classes", program.classes.len().to_string()),
            ("value", value_type(form).to_owned()),
            ("labels", list(labels)),
            ("input_names", constants(program.inputs.iter().map(|input| input.name.as_str()))),
            ("class_names", constants(program.classes.iter().map(String::as_str))),
        ],
    );
    head + &match form.integer {
        None => float::body(form),
        Some(integer) => integer::body(form, integer),
    }
}

/// Constants of indices. A name that begins with a digit gets a letter in front.
fn constants<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names = names::constants(names).into_iter().enumerate();
    let has_digit = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
    // No name has two underscores in a row, so that none is equal to another one with a prefix.
    let line = |(index, name): (usize, String)| match has_digit(&name) {
        true => format!("    pub const N__{name}: usize = {index};\n"),
        false => format!("    pub const {name}: usize = {index};\n"),
    };
    names.map(line).collect()
}

fn golden(form: &Form<'_>) -> String {
    let program = form.program;
    let rows = program.example_rows(GOLDEN_ROWS);
    let name = program.name.clone();
    let (rows_text, more, check) = match form.integer {
        None => {
            let number = |x: &f32| {
                if x.is_nan() { "f32::NAN".to_owned() } else { f32_text(f64::from(*x)) }
            };
            let row = |row: &Vec<f32>| {
                format!("[{}]", row.iter().map(number).collect::<Vec<_>>().join(", "))
            };
            let sums: Vec<Vec<f64>> = rows.iter().map(|row| program.evaluate(row).1).collect();
            let expected = sums.iter().map(|sums| {
                let p: Vec<String> =
                    Program::probabilities(sums).into_iter().map(f32_text).collect();
                format!("({}, [{}])", Program::class(sums), p.join(", "))
            });
            let expected: Vec<String> = expected.collect();
            let rows: Vec<String> = rows.iter().map(row).collect();
            let more = format!(
                "static ANSWERS: &[(usize, [f32; CLASSES])] = &[\n{}\n];\n",
                list(expected)
            );
            let check = "        assert_eq!(predict(row), answer.0);
        for (a, b) in probabilities(row).iter().zip(&answer.1) {
            assert!((a - b).abs() <= 1e-5, \"{a} {b}\");
        }\n";
            (list(rows), more, check)
        }
        Some(integer) => {
            let rows: Vec<Vec<u32>> =
                rows.iter().map(|row| integer.quantize(&program.filled(row))).collect();
            let answers = rows.iter().map(|row| {
                let scores = integer.scores(row);
                format!("({}, {scores:?})", IntegerProgram::class(&scores))
            });
            let more =
                format!("static ANSWERS: &[(usize, [i32; OUTPUTS])] = &[\n{}\n];\n", list(answers));
            let rows = rows.iter().map(|row| format!("{row:?}"));
            (list(rows), more, "        assert_eq!((predict(row), scores(row)), *answer);\n")
        }
    };
    filled(
        "//! Made-up rows and the answers of the model to them.
use @name@::*;

#[rustfmt::skip]
static ROWS: &[[Value; INPUTS]] = &[
@rows@
];
#[rustfmt::skip]
@more@
#[test]
fn answers_are_those_of_the_model() {
    for (row, answer) in ROWS.iter().zip(ANSWERS) {
@check@    }
}
",
        &[("name", name), ("rows", rows_text), ("more", more), ("check", check.to_owned())],
    )
}

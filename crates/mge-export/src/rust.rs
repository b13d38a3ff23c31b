//! A `no_std` crate without `alloc` and without dependencies.
//!
//! The core library has no exp, tanh and sin, so the float form brings its own, good to about
//! 1e-7.

mod float;
mod integer;

use crate::integer::IntegerProgram;
use crate::names;
use crate::options::Layout;
use crate::program::Program;
use crate::text::{OutFile, classes, f32_text, filled, inputs, list};

/// Rows of the golden test.
const GOLDEN: usize = 20;

/// A program as the crate writes it.
pub struct RustForm<'a> {
    /// The network.
    pub program: &'a Program,
    /// Its integers; floats without.
    pub integer: Option<&'a IntegerProgram>,
    /// Tables or code.
    pub layout: Layout,
}

impl RustForm<'_> {
    fn value_type(&self) -> &'static str {
        match self.integer {
            None => "f32",
            Some(integer) if integer.width.is_wide() => "u16",
            Some(_) => "u8",
        }
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

/// All files.
pub fn files(form: &RustForm<'_>) -> Vec<OutFile> {
    let name = &form.program.name;
    let manifest = filled(
        "# Made by mge.
[package]
name = \"@name@\"
version = \"0.1.0\"
edition = \"2021\"

# A package of its own, wherever it lies.
[workspace]
",
        &[("name", name.clone())],
    );
    vec![
        OutFile::text("Cargo.toml", manifest),
        OutFile::text("src/lib.rs", library(form)),
        OutFile::text("tests/golden.rs", golden(form)),
        OutFile::text("examples/classify.rs", example(form)),
    ]
}

fn library(form: &RustForm<'_>) -> String {
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
// What `predict` takes, in order (scaling is part of the weights):
@list@//
// What it answers:
@answers@
//! A classifier made by mge. The comments of this file tell what it takes and answers.
#![no_std]
#![forbid(unsafe_code)]
#![allow(clippy::all)]

/// Numbers of a row.
pub const INPUTS: usize = @inputs@;
/// Classes.
pub const CLASSES: usize = @classes@;
/// One number of a row.
pub type Value = @value@;

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
            ("value", form.value_type().to_owned()),
            ("labels", list(labels)),
        ],
    );
    head + &match form.integer {
        None => float::body(form),
        Some(integer) => integer::body(form, integer),
    }
}

fn golden(form: &RustForm<'_>) -> String {
    let program = form.program;
    let rows = program.example_rows(GOLDEN);
    let name = program.name.clone();
    let (rows_text, more, check) = match form.integer {
        None => {
            let number = |x: &f32| {
                if x.is_nan() { "f32::NAN".to_owned() } else { f32_text(f64::from(*x)) }
            };
            let row = |row: &Vec<f32>| {
                format!("[{}]", row.iter().map(number).collect::<Vec<_>>().join(", "))
            };
            let sums: Vec<Vec<f64>> = rows.iter().map(|row| program.walk(row).1).collect();
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
        "//! Made-up rows and the right answers.
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

fn example(form: &RustForm<'_>) -> String {
    let answer = match form.integer {
        None => {
            "        let row: [f32; INPUTS] = row.try_into().expect(\"one number for each input\");
        let class = predict(&row);
        print!(\"{class} {}\", LABELS[class]);
        for p in probabilities(&row) {
            print!(\" {p:e}\");
        }
        println!();\n"
        }
        Some(_) => {
            "        let row: [Value; INPUTS] = quantize(row.try_into().expect(\"one number for each input\"));
        let class = predict(&row);
        print!(\"{class} {}\", LABELS[class]);
        for score in scores(&row) {
            print!(\" {score}\");
        }
        println!();\n"
        }
    };
    filled(
        "//! Reads rows of numbers from standard input, one on each line, separated by spaces (NaN
//! where one is missing), and prints class and label of each.
use @name@::*;
use std::io::{BufRead, stdin};

fn main() {
    for line in stdin().lock().lines() {
        let line = line.expect(\"text\");
        let numbers = line.split_whitespace().map(|x| x.parse().expect(\"a number\"));
        let row: Vec<f32> = numbers.collect();
@answer@    }
}
",
        &[("name", form.program.name.clone()), ("answer", answer.to_owned())],
    )
}

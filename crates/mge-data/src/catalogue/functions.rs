//! Data sets whose rows are drawn: functions that methods of regression are compared on.
//!
//! Inputs are uniform in their ranges, in four digits. The rows of a function are always the same:
//! they come from a stream with its own address, and functions are computed by `libm`.

use std::f64::consts::PI;
use std::fmt::Write;

use mge_random::{Purpose, Stream};

/// The name of the target column.
pub(super) const TARGET: &str = "y";
/// The seed of all rows.
const SEED: u64 = 0;

/// A function, and the rows that are drawn of it.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) rows: usize,
    /// The range of each input.
    pub(super) ranges: &'static [(f64, f64)],
    /// The deviation of the normal noise that is added.
    noise: f64,
    of: fn(&[f64]) -> f64,
    pub(super) citation: &'static str,
}

const FRIEDMAN: &str = "Friedman: Multivariate Adaptive Regression Splines. Annals of Statistics \
    19(1) (1991)";
const NGUYEN: &str = "Uy, Hoai, O'Neill, McKay, Galvan-Lopez: Semantically-based crossover in \
    genetic programming: application to real-valued symbolic regression. Genetic Programming and \
    Evolvable Machines 12 (2011)";
const KEIJZER: &str = "Keijzer: Improving Symbolic Regression with Interval Arithmetic and Linear \
    Scaling. EuroGP (2003)";

const UNIT: (f64, f64) = (0.0, 1.0);
/// The ranges of the second and the third function of Friedman.
const CIRCUIT: &[(f64, f64)] = &[(0.0, 100.0), (40.0 * PI, 560.0 * PI), UNIT, (1.0, 11.0)];

/// All functions. The address of a function's rows is its index, so a new one goes to the end.
pub(super) static FUNCTIONS: [Function; 9] = [
    Function {
        name: "friedman1",
        title: "10 sin(pi x1 x2) + 20 (x3 - 0.5)^2 + 10 x4 + 5 x5 + noise; x6 to x10 do not matter",
        rows: 1000,
        ranges: &[UNIT; 10],
        noise: 1.0,
        of: |x| {
            let square = (x[2] - 0.5) * (x[2] - 0.5);
            10.0 * libm::sin(PI * x[0] * x[1]) + 20.0 * square + 10.0 * x[3] + 5.0 * x[4]
        },
        citation: FRIEDMAN,
    },
    Function {
        name: "friedman2",
        title: "sqrt(x1^2 + (x2 x3 - 1 / (x2 x4))^2) + noise: the impedance of a circuit",
        rows: 1000,
        ranges: CIRCUIT,
        noise: 125.0,
        of: |x| {
            let reactance = x[1] * x[2] - 1.0 / (x[1] * x[3]);
            (x[0] * x[0] + reactance * reactance).sqrt()
        },
        citation: FRIEDMAN,
    },
    Function {
        name: "friedman3",
        title: "atan((x2 x3 - 1 / (x2 x4)) / x1) + noise: the phase angle of a circuit",
        rows: 1000,
        ranges: CIRCUIT,
        noise: 0.1,
        of: |x| libm::atan2(x[1] * x[2] - 1.0 / (x[1] * x[3]), x[0]),
        citation: FRIEDMAN,
    },
    Function {
        name: "nguyen5",
        title: "sin(x^2) cos(x) - 1",
        rows: 200,
        ranges: &[(-1.0, 1.0)],
        noise: 0.0,
        of: |x| libm::sin(x[0] * x[0]) * libm::cos(x[0]) - 1.0,
        citation: NGUYEN,
    },
    Function {
        name: "nguyen7",
        title: "ln(x + 1) + ln(x^2 + 1)",
        rows: 200,
        ranges: &[(0.0, 2.0)],
        noise: 0.0,
        of: |x| libm::log(x[0] + 1.0) + libm::log(x[0] * x[0] + 1.0),
        citation: NGUYEN,
    },
    Function {
        name: "nguyen10",
        title: "2 sin(x1) cos(x2)",
        rows: 300,
        ranges: &[UNIT; 2],
        noise: 0.0,
        of: |x| 2.0 * libm::sin(x[0]) * libm::cos(x[1]),
        citation: NGUYEN,
    },
    Function {
        name: "keijzer4",
        title: "x^3 e^-x cos(x) sin(x) (sin(x)^2 cos(x) - 1)",
        rows: 300,
        ranges: &[(0.0, 10.0)],
        noise: 0.0,
        of: |x| {
            let (x, sin, cos) = (x[0], libm::sin(x[0]), libm::cos(x[0]));
            x * x * x * libm::exp(-x) * cos * sin * (sin * sin * cos - 1.0)
        },
        citation: KEIJZER,
    },
    Function {
        name: "keijzer5",
        title: "30 x1 x3 / ((x1 - 10) x2^2)",
        rows: 1000,
        ranges: &[(-1.0, 1.0), (1.0, 2.0), (-1.0, 1.0)],
        noise: 0.0,
        of: |x| 30.0 * x[0] * x[2] / ((x[0] - 10.0) * x[1] * x[1]),
        citation: KEIJZER,
    },
    Function {
        name: "keijzer14",
        title: "8 / (2 + x1^2 + x2^2)",
        rows: 500,
        ranges: &[(-3.0, 3.0); 2],
        noise: 0.0,
        of: |x| 8.0 / (2.0 + x[0] * x[0] + x[1] * x[1]),
        citation: KEIJZER,
    },
];

impl Function {
    /// The rows, as the text of a table. The target is that of the inputs as they are written.
    pub(super) fn csv(&'static self) -> String {
        let index = FUNCTIONS.iter().position(|other| other.name == self.name);
        let address = index.expect("every function is in the table") as u64;
        let mut stream = Stream::at(SEED, Purpose::DataSet, address, 0);
        let mut text: String = (1..=self.ranges.len()).map(|input| format!("x{input},")).collect();
        text += TARGET;
        text.push('\n');
        let mut inputs = vec![0.0; self.ranges.len()];
        for _ in 0..self.rows {
            for (input, (low, high)) in inputs.iter_mut().zip(self.ranges) {
                // Four digits: the same number in the text, in 32 bits and in 64 bits.
                *input = ((low + (high - low) * stream.unit()) * 1e4).round() / 1e4;
            }
            let noise = if self.noise > 0.0 { self.noise * stream.normal() } else { 0.0 };
            // Writing to a string cannot fail.
            for input in &inputs {
                let _ = write!(text, "{input},");
            }
            let _ = writeln!(text, "{:.6}", (self.of)(&inputs) + noise);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load};

    #[test]
    fn functions_have_known_values() {
        let of = |name: &str, inputs: &[f64]| {
            (FUNCTIONS.iter().find(|function| function.name == name).unwrap().of)(inputs)
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(of("friedman1", &[0.5, 1.0, 0.0, 0.2, 0.4, 9.0, 9.0, 9.0, 9.0, 9.0]), 19.0);
        near(of("friedman2", &[3.0, 2.0, 2.25, 1.0]), 5.0);
        near(of("friedman3", &[4.0, 2.0, 2.25, 1.0]), PI / 4.0);
        near(of("nguyen5", &[0.0]), -1.0);
        near(of("nguyen7", &[1.0]), 2.0 * std::f64::consts::LN_2);
        near(of("nguyen10", &[PI / 2.0, 0.0]), 2.0);
        near(of("keijzer4", &[PI]), 0.0);
        near(of("keijzer5", &[1.0, 2.0, 3.0]), -2.5);
        near(of("keijzer14", &[1.0, 1.0]), 2.0);
    }

    #[test]
    fn the_rows_never_change() {
        let hash = |name: &str| load(name, &LoadOptions::default()).unwrap().fingerprint.sha256;
        assert_eq!(&hash("friedman1")[..16], "420b1cb93767c260");
        assert_eq!(&hash("keijzer4")[..16], "f297e8e45ce903da");
    }

    #[test]
    fn inputs_are_in_their_ranges_and_the_noise_is_as_stated() {
        for function in &FUNCTIONS {
            let loaded = load(function.name, &LoadOptions::default()).unwrap();
            let target = loaded.value_target().unwrap();
            let (mut squares, mut inputs) = (0.0, vec![0.0; function.ranges.len()]);
            for (row, value) in target.values()[0].iter().enumerate() {
                for (at, input) in inputs.iter_mut().enumerate() {
                    let crate::Values::Number(cells) = &loaded.table.columns()[at].values else {
                        panic!("a number")
                    };
                    *input = (f64::from(cells[row]) * 1e4).round() / 1e4;
                    let (low, high) = function.ranges[at];
                    assert!((low - 1e-4..=high + 1e-4).contains(input), "{}", function.name);
                }
                squares += (value - (function.of)(&inputs)).powi(2);
            }
            let noise = (squares / target.rows() as f64).sqrt();
            let limit = 0.1 * function.noise + 1e-6;
            assert!((noise - function.noise).abs() < limit, "{}: {noise}", function.name);
        }
    }
}

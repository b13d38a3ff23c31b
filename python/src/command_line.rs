//! The program `mge`, inside of Python: one wheel cannot carry a program and an extension.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line with these arguments, the program's name first, and returns its exit code.
#[pyfunction]
pub fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| mge_cli::run(arguments))
}

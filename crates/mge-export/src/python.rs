//! One Python file without dependencies. With numpy it predicts many rows at once.

use mge_net::SourceText;

use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::names;
use crate::program::{Program, WeightedSum};
use crate::text::{classes, f32_text, f64_text, filled, inputs, list};

/// The target `python`.
#[derive(Debug, Clone, Copy)]
pub struct Python;

impl Exporter for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn summary(&self) -> &'static str {
        "one Python file without dependencies; numpy is optional"
    }

    fn capabilities(&self) -> Capabilities {
        // Python has no smaller floats.
        Capabilities::floats(64)
    }

    fn paths(&self, name: &str) -> Vec<String> {
        vec![format!("{name}.py")]
    }

    fn files(&self, form: &Form<'_>) -> Vec<OutFile> {
        vec![OutFile::text(format!("{}.py", form.program.name), source(form.program))]
    }
}

fn source(program: &Program) -> String {
    let extra = |index: usize| {
        let fill = f32_text(f64::from(program.inputs[index].fill));
        format!("; if missing (NaN or None): {fill}")
    };
    let unit = |sum: &WeightedSum| {
        let links: Vec<String> = sum
            .terms
            .iter()
            .map(|term| {
                let index = program.source_index(term.source);
                format!("({index}, {})", f64_text(term.weight))
            })
            .collect();
        let comma = if links.len() == 1 { "," } else { "" };
        format!("{}, ({}{comma})", f64_text(sum.bias), links.join(", "))
    };
    let neurons: String = program
        .neurons
        .iter()
        .map(|(activation, sum)| format!("    (\"{activation}\", {}),\n", unit(sum)))
        .collect();
    let outputs: String =
        program.outputs.iter().map(|sum| format!("    (\"identity\", {}),\n", unit(sum))).collect();
    let functions = |indent: &str, text: fn(&SourceText) -> &'static str| -> String {
        let activations = program.activations_and_identity().into_iter();
        activations
            .map(|one| format!("{indent}\"{one}\": {},\n", text(one.source_text())))
            .collect()
    };
    let fills = program.inputs.iter().map(|input| f64_text(f64::from(input.fill)));
    let shifts = program.inputs.iter().map(|input| f64_text(f64::from(input.shift)));
    filled(
        TEMPLATE,
        &[
            ("name", program.name.clone()),
            ("title", names::comment(&program.title)),
            ("list", inputs(program, "#   ", extra)),
            ("answers", classes(program, "#   ")),
            ("classes", list(program.classes.iter().map(|class| names::python_string(class)))),
            ("features", list(program.inputs.iter().map(|i| names::python_string(&i.name)))),
            ("fills", list(fills)),
            ("shifts", list(shifts)),
            ("neurons", neurons),
            ("outputs", outputs),
            ("activations", functions("    ", |source| source.python)),
            ("functions", functions("        ", |source| source.numpy)),
        ],
    )
}

const TEMPLATE: &str = "# @title@: a classifier made by mge. Needs Python 3.8 and nothing else.
#
# Inputs of predict, in order (scaling is part of the weights):
@list@#
# Classes that it returns:
@answers@#
#   python3 @name@.py rows.csv     prints the label and the probabilities of each row of numbers
\"\"\"A classifier made by mge; the comments of this file tell what it takes and answers.\"\"\"
import math

CLASSES = [
@classes@
]
FEATURES = [
@features@
]
# The value that replaces a missing one, and what is subtracted before weights are applied.
FILLS = [
@fills@
]
SHIFTS = [
@shifts@
]
# Activation, bias, and source and weight of each link. Sources index features, then neurons.
NEURONS = (
@neurons@)
OUTPUTS = (
@outputs@)


def _exp(z):
    return math.exp(min(z, 709.0))


_ACTIVATIONS = {
@activations@}


def _bounded(z):
    return 0.0 if math.isnan(z) else max(-1e300, min(1e300, z))


def scores(row):
    \"\"\"The sum of each output for a row of numbers.\"\"\"
    if len(row) != len(FEATURES):
        raise ValueError(f\"{len(row)} numbers, expected {len(FEATURES)}\")
    values = []
    for x, fill, shift in zip(row, FILLS, SHIFTS):
        x = math.nan if x is None else float(x)
        values.append((fill if math.isnan(x) else x) - shift)
    sums = []
    for units, into in ((NEURONS, values), (OUTPUTS, sums)):
        for activation, bias, links in units:
            z = 0.0
            for source, weight in links:
                z += weight * values[source]
            into.append(_ACTIVATIONS[activation](z + bias))
    return sums


def predict_proba(row):
    \"\"\"The probability of each class for a row of numbers.\"\"\"
    sums = [_bounded(z) for z in scores(row)]
    if len(sums) == 1:
        return [1.0 / (1.0 + _exp(sums[0])), 1.0 / (1.0 + _exp(-sums[0]))]
    largest = max(sums)
    exps = [_exp(z - largest) for z in sums]
    total = sum(exps)
    return [exp / total for exp in exps]


def predict_index(row):
    \"\"\"The class of a row of numbers, from 0.\"\"\"
    p = predict_proba(row)
    return p.index(max(p))


def predict(row):
    \"\"\"The label of a row of numbers.\"\"\"
    return CLASSES[predict_index(row)]


def predict_proba_array(rows):
    \"\"\"The probability of each class for all rows at once; needs numpy.\"\"\"
    import numpy as np

    functions = {
@functions@    }
    rows = np.asarray(rows, dtype=float)
    values = list((np.where(np.isnan(rows), FILLS, rows) - SHIFTS).T)
    sums = []
    for units, into in ((NEURONS, values), (OUTPUTS, sums)):
        for activation, bias, links in units:
            z = np.zeros(len(rows))
            for source, weight in links:
                z = z + weight * values[source]
            into.append(functions[activation](z + bias))
    if len(sums) == 1:
        sums = [np.zeros(len(rows)), sums[0]]
    table = np.clip(np.nan_to_num(np.stack(sums, axis=1), nan=0.0), -1e300, 1e300)
    exps = np.exp(table - table.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def main():
    import csv
    import sys

    with open(sys.argv[1], newline=\"\") if len(sys.argv) > 1 else sys.stdin as file:
        for row in csv.reader(file):
            numbers = [float(cell) if cell.strip() else math.nan for cell in row]
            print(predict(numbers), *predict_proba(numbers), sep=\",\")


if __name__ == \"__main__\":
    main()
";

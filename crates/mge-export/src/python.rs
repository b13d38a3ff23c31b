//! One Python file without dependencies. With numpy it predicts many rows at once.

use mge_net::SourceText;

use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::names;
use crate::program::{InputCell, Program, ProgramInput, WeightedSum};
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
            ("columns", columns(program)),
            (
                "by_position",
                if program.table.header == Some(false) { "True" } else { "False" }.into(),
            ),
            ("neurons", neurons),
            ("outputs", outputs),
            ("activations", functions("    ", |source| source.python)),
            ("functions", functions("        ", |source| source.numpy)),
        ],
    )
}

/// What a program reads from a table, one line for each input.
fn columns(program: &Program) -> String {
    let text = |text: &String| names::python_string(text);
    let line = |input: &ProgramInput| {
        let words = program.table.boolean_columns.contains(&input.column);
        let (kind, categories) = match &input.cell {
            InputCell::Number if words => ("word", &[][..]),
            InputCell::Number => ("number", &[][..]),
            InputCell::Is(category) => ("is", std::slice::from_ref(category)),
            InputCell::Ordinal(categories) => ("position", &categories[..]),
            InputCell::IsMissing => ("missing", &[][..]),
        };
        let categories: Vec<String> = categories.iter().map(text).collect();
        let word = program.table.missing_words.get(&input.column);
        let word = word.filter(|_| input.cell == InputCell::Number);
        let word = word.map_or("None".to_owned(), text);
        format!("    ({}, \"{kind}\", [{}], {word}),\n", text(&input.column), categories.join(", "))
    };
    program.inputs.iter().map(line).collect()
}

const TEMPLATE: &str = "# @title@: a classifier made by mge. Needs Python 3.8 and nothing else.
#
# Inputs of predict, in order (scaling is part of the weights):
@list@#
# Classes that it returns:
@answers@#
#   python3 @name@.py rows.csv     prints the label and the probabilities of each row of a table
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


# Columns of the table that the model was made from: name, how a cell becomes an input, a word for
# a missing cell. `is` is 1 where the cell is the category, `position` the position in the list.
_COLUMNS = [
@columns@]
_BY_POSITION = @by_position@
_MISSING = \"? NA N/A n/a NaN nan null NULL Null <NA> #N/A <null>\".split()


def _truth(cell):
    cell = cell.lower()
    return True if cell in (\"true\", \"yes\", \"t\", \"y\") else False if cell in (\"false\", \"no\", \"f\", \"n\") else None


def _same(cell, category):
    if cell == category:
        return True
    try:
        return float(cell) == float(category)
    except ValueError:
        return len(cell) > 3 and _truth(cell) is not None and cell.lower() == category.lower()


def _number(cell, delimiter):
    return float(cell.replace(\",\", \".\") if delimiter == \";\" and \".\" not in cell else cell)


def _cell(cell, column, delimiter):
    name, kind, categories, word = column
    missing = cell == \"\" or cell in _MISSING or cell == word
    if kind == \"missing\":
        return float(missing)
    if missing:
        return math.nan
    if kind == \"is\":
        return float(_same(cell, categories[0]))
    if kind == \"position\":
        return next((float(i) for i, one in enumerate(categories) if _same(cell, one)), math.nan)
    if cell in (\"None\", \"none\", \"NONE\", \"na\", \"nil\", \"-\", \"--\", \".\"):
        return math.nan
    if kind == \"word\" and _truth(cell) is not None:
        return float(_truth(cell))
    try:
        return _number(cell, delimiter)
    except ValueError:
        raise ValueError(f\"column {name}: expected a number, found {cell}\") from None


def read_table(lines):
    \"\"\"The numbers of each row of a table, whose first line names the columns. Cells may be quoted.
    Without such a line each row has the numbers of `predict`.\"\"\"
    import csv
    import itertools

    lines = iter(lines)
    first = next(lines, \"\").lstrip(\"\\ufeff\")
    plain = \"\".join(first.split('\"')[::2])
    delimiter = max(\" \\t;|,\", key=lambda one: plain.count(one) if one != \" \" else 0.5)
    reader = csv.reader(itertools.chain([first], lines), delimiter=delimiter, skipinitialspace=True)
    places = None
    for at, row in enumerate(reader):
        cells = [cell.strip() for cell in row if delimiter != \" \" or cell.strip()]
        if not any(cells):
            continue
        if at == 0:
            absent = [column[0] for column in _COLUMNS if column[0] not in cells]
            if not absent:
                places = [cells.index(column[0]) for column in _COLUMNS]
                continue
            if len(absent) < len(_COLUMNS):
                raise ValueError(f\"line 1: there is no column {absent[0]}\")
        try:
            if places is None and _BY_POSITION:
                places = [int(column[0][len(\"column_\"):]) - 1 for column in _COLUMNS]
            if places is not None:
                yield [_cell(cells[i], column, delimiter) for i, column in zip(places, _COLUMNS)]
            elif len(cells) == len(FEATURES):
                yield [math.nan if c == \"\" or c in _MISSING else _number(c, delimiter) for c in cells]
            else:
                raise ValueError(f\"expected {len(FEATURES)} numbers, or a first line with the names of the columns\")
        except IndexError:
            raise ValueError(f\"line {reader.line_num}: a cell is not there\") from None
        except ValueError as error:
            raise ValueError(f\"line {reader.line_num}: {error}\") from None


def main():
    import sys

    with open(sys.argv[1], newline=\"\", encoding=\"utf-8\") if len(sys.argv) > 1 else sys.stdin as file:
        try:
            for numbers in read_table(file):
                print(predict(numbers), *predict_proba(numbers), sep=\",\")
        except ValueError as error:
            sys.exit(str(error))


if __name__ == \"__main__\":
    main()
";

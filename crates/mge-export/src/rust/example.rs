//! The example of the crate: a program that classifies the rows of a table.

use crate::exporter::Form;
use crate::names;
use crate::program::InputCell;
use crate::text::filled;

/// The program.
pub(super) fn example(form: &Form<'_>) -> String {
    let program = form.program;
    let answer = match form.integer {
        None => {
            "    let class = predict(&numbers);
    print!(\"{class} {}\", LABELS[class]);
    for p in probabilities(&numbers) {
        print!(\" {p:e}\");
    }
    println!();\n"
        }
        Some(_) => {
            "    let row = quantize(numbers);
    let class = predict(&row);
    print!(\"{class} {}\", LABELS[class]);
    for score in scores(&row) {
        print!(\" {score}\");
    }
    println!();\n"
        }
    };
    let text = |text: &str| names::rust_string(text);
    let inputs = program.inputs.iter().map(|input| {
        let words = program.table.boolean_columns.contains(&input.column);
        let cell = match &input.cell {
            InputCell::Number if words => "Cell::Word".to_owned(),
            InputCell::Number => "Cell::Number".to_owned(),
            InputCell::Is(category) => format!("Cell::Is({})", text(category)),
            InputCell::Ordinal(categories) => {
                let all: Vec<String> = categories.iter().map(|one| text(one)).collect();
                format!("Cell::Position(&[{}])", all.join(", "))
            }
            InputCell::IsMissing => "Cell::Missing".to_owned(),
        };
        let missing = program.table.missing_words.get(&input.column);
        let missing = missing.filter(|_| input.cell == InputCell::Number);
        let missing = missing.map_or("None".to_owned(), |word| format!("Some({})", text(word)));
        format!("    ({}, {cell}, {missing}),\n", text(&input.column))
    });
    filled(
        TEMPLATE,
        &[
            ("name", program.name.clone()),
            ("answer", answer.to_owned()),
            ("inputs", inputs.collect::<String>()),
            ("by_position", (program.table.header == Some(false)).to_string()),
        ],
    )
}

const TEMPLATE: &str = r##"//! Classifies the rows of a table on standard input: the one that the model was made from, or another
//! with its columns, in any order. The first line names the columns. Cells may be quoted. Without
//! such a line each row has the numbers of `predict`, NaN for a missing one.
use @name@::*;
use std::io::Read;
use std::process::exit;

/// How a cell becomes an input.
#[allow(dead_code)]
enum Cell {
    Number,
    /// A number, or a word for yes or no.
    Word,
    /// 1 where the cell is this category.
    Is(&'static str),
    /// The position of the category.
    Position(&'static [&'static str]),
    /// 1 where the cell is missing.
    Missing,
}

/// Column, cell, and a word that means missing.
#[rustfmt::skip]
static COLUMNS: [(&str, Cell, Option<&str>); INPUTS] = [
@inputs@];
/// Whether columns have no names, but numbers: `column_1` is the first.
const BY_POSITION: bool = @by_position@;
const MISSING: [&str; 13] = [
    "", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "Null", "<NA>", "#N/A", "<null>",
];
const UNSURE: [&str; 8] = ["None", "none", "NONE", "na", "nil", "-", "--", "."];

fn fail(line: usize, what: &str) -> ! {
    eprintln!("line {line}: {what}");
    exit(1)
}

/// Tab, semicolon, bar or comma, whichever occurs most often in the first line; else blanks.
fn delimiter(text: &str) -> char {
    let line = text.lines().next().unwrap_or_default();
    let unquoted: String = line.split('"').step_by(2).collect();
    let mut best = (0, ' ');
    for delimiter in ['\t', ';', '|', ','] {
        let found = unquoted.matches(delimiter).count();
        if found > best.0 {
            best = (found, delimiter);
        }
    }
    best.1
}

/// The rows of a table, each with its line.
fn rows(text: &str, delimiter: char) -> Vec<(usize, Vec<String>)> {
    let mut rows = Vec::new();
    let (mut line, mut first) = (1, 1);
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut quoted, mut inside) = (false, false);
    let mut letters = text.chars().chain(['\n']).peekable();
    while let Some(letter) = letters.next() {
        if letter == '\n' {
            line += 1;
        }
        if inside {
            if letter != '"' {
                cell.push(letter);
            } else if letters.peek() == Some(&'"') {
                letters.next();
                cell.push('"');
            } else {
                inside = false;
            }
            continue;
        }
        let ends = letter == '\n' || letter == delimiter || delimiter == ' ' && letter == '\t';
        if letter == '"' && cell.trim().is_empty() && !quoted {
            cell.clear();
            (quoted, inside) = (true, true);
        } else if ends {
            let text = if quoted { std::mem::take(&mut cell) } else { cell.trim().to_owned() };
            if delimiter != ' ' || quoted || !text.is_empty() {
                cells.push(text);
            }
            cell.clear();
            quoted = false;
            if letter == '\n' {
                let row = std::mem::take(&mut cells);
                if row.len() > 1 || row.iter().any(|cell| !cell.is_empty()) {
                    rows.push((first, row));
                }
                first = line;
            }
        } else if !quoted {
            cell.push(letter);
        }
    }
    rows
}

fn number(cell: &str, delimiter: char) -> Option<f32> {
    let comma = delimiter == ';' && !cell.contains('.');
    let cell = if comma { cell.replace(',', ".") } else { cell.to_owned() };
    cell.parse::<f64>().ok().map(|number| number as f32)
}

fn truth(cell: &str) -> Option<bool> {
    let cell = cell.to_ascii_lowercase();
    match cell.as_str() {
        "true" | "yes" | "t" | "y" => Some(true),
        "false" | "no" | "f" | "n" => Some(false),
        _ => None,
    }
}

fn is_category(cell: &str, category: &str) -> bool {
    let same_number = || match (cell.parse::<f64>(), category.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    let same_truth = || cell.len() > 3 && truth(cell).is_some() && cell.eq_ignore_ascii_case(category);
    cell == category || same_number() || same_truth()
}

/// The number of an input, NaN where it is missing.
fn input_number(input: usize, cell: &str, delimiter: char, line: usize) -> f32 {
    let (column, kind, word) = &COLUMNS[input];
    let missing = MISSING.contains(&cell) || *word == Some(cell);
    match kind {
        Cell::Missing => f32::from(u8::from(missing)),
        _ if missing => f32::NAN,
        Cell::Is(category) => f32::from(u8::from(is_category(cell, category))),
        Cell::Position(all) => {
            let position = all.iter().position(|category| is_category(cell, category));
            position.map_or(f32::NAN, |position| position as f32)
        }
        _ if UNSURE.contains(&cell) => f32::NAN,
        Cell::Word if truth(cell).is_some() => f32::from(u8::from(truth(cell) == Some(true))),
        _ => number(cell, delimiter).unwrap_or_else(|| {
            fail(line, &format!("column {column}: expected a number, found {cell}"))
        }),
    }
}

fn classify(numbers: [f32; INPUTS]) {
@answer@}

fn main() {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).expect("standard input can be read");
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let delimiter = delimiter(text);
    let mut rows = rows(text, delimiter).into_iter().peekable();
    let mut named: Option<Vec<usize>> = None;
    if let Some((line, names)) = rows.peek() {
        let position = |column: &str| names.iter().position(|name| name == column);
        let found: Vec<Option<usize>> = COLUMNS.iter().map(|(column, ..)| position(column)).collect();
        if found.iter().all(Option::is_some) {
            named = Some(found.into_iter().flatten().collect());
            rows.next();
        } else if found.iter().any(Option::is_some) {
            let absent = found.iter().position(Option::is_none).unwrap_or(0);
            fail(*line, &format!("there is no column {}", COLUMNS[absent].0));
        }
    }
    for (line, cells) in rows {
        let mut numbers = [0.0; INPUTS];
        for input in 0..INPUTS {
            let column = COLUMNS[input].0;
            let (cell, is_column) = match &named {
                Some(named) => (named[input], true),
                None if BY_POSITION => {
                    let number = column.strip_prefix("column_").and_then(|n| n.parse::<usize>().ok());
                    (number.map_or(usize::MAX, |number| number - 1), true)
                }
                None if cells.len() == INPUTS => (input, false),
                None => fail(
                    line,
                    &format!("expected {INPUTS} numbers, or a first line with the names of the columns"),
                ),
            };
            let Some(cell) = cells.get(cell) else {
                fail(line, &format!("there is no cell for column {column}"))
            };
            numbers[input] = if is_column {
                input_number(input, cell, delimiter, line)
            } else if MISSING.contains(&cell.as_str()) {
                f32::NAN
            } else {
                let expected = || fail(line, &format!("expected a number, found {cell}"));
                number(cell, delimiter).unwrap_or_else(expected)
            };
        }
        classify(numbers);
    }
}
"##;

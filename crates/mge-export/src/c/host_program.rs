//! `main.c`: a program that reads the table which the model was made from, and classifies its rows.

use std::collections::BTreeMap;

use super::fill;
use crate::exporter::Form;
use crate::names;
use crate::program::InputCell;

/// The program.
pub(super) fn main_program(form: &Form<'_>) -> String {
    let program = form.program;
    let (declare, convert, call) = match form.integer {
        None => ("", "", "numbers"),
        Some(_) => {
            ("    @name@_value x[@NAME@_INPUTS];\n", "    @name@_quantize(numbers, x);\n", "x")
        }
    };
    let answer = match form.integer {
        None => {
            "    float p[@NAME@_CLASSES];
    @class@ index = @name@_predict(numbers);
    @name@_probabilities(numbers, p);
    printf(\"%u %s\", (unsigned)index, @name@_label(index));
    for (int i = 0; i < @NAME@_CLASSES; ++i) printf(\" %.9g\", (double)p[i]);
    printf(\"\\n\");\n"
        }
        Some(_) => {
            "    @class@ index = @name@_predict(@call@);
    printf(\"%u %s\\n\", (unsigned)index, @name@_label(index));\n"
        }
    };
    let mut lists = String::new();
    let mut inputs = String::new();
    for (index, input) in program.inputs.iter().enumerate() {
        let words = program.table.boolean_columns.contains(&input.column);
        let (kind, categories) = match &input.cell {
            InputCell::Number if words => ("WORD", &[][..]),
            InputCell::Number => ("NUMBER", &[][..]),
            InputCell::Is(category) => ("IS", std::slice::from_ref(category)),
            InputCell::Ordinal(categories) => ("POSITION", &categories[..]),
            InputCell::IsMissing => ("MISSING", &[][..]),
        };
        let list = if categories.is_empty() {
            "0".to_owned()
        } else {
            let texts: Vec<String> =
                categories.iter().map(|text| format!("{}, ", names::c_string(text))).collect();
            let texts = texts.concat();
            lists += &format!("static const char *const categories_{index}[] = {{{texts}0}};\n");
            format!("categories_{index}")
        };
        let empty = BTreeMap::new();
        let words =
            if input.cell == InputCell::Number { &program.table.missing_words } else { &empty };
        let missing = words.get(&input.column).map_or("0".to_owned(), |word| names::c_string(word));
        inputs +=
            &format!("    {{{}, {kind}, {list}, {missing}}},\n", names::c_string(&input.column));
    }
    let by_position = program.table.header == Some(false);
    fill(
        form,
        TEMPLATE,
        &[
            ("and", if form.integer.is_none() { " and probabilities" } else { "" }.to_owned()),
            ("declare", fill(form, declare, &[])),
            ("convert", fill(form, convert, &[])),
            ("answer", fill(form, answer, &[("call", call.to_owned())])),
            (
                "without",
                if by_position {
                    "There is no such\n * line: columns have their places in that table.".to_owned()
                } else {
                    format!(
                        "Without\n * such a line each row has the {} numbers of {}_predict, nan for a missing one.",
                        program.inputs.len(),
                        program.name
                    )
                },
            ),
            ("lists", lists),
            ("columns", inputs),
            ("by_position", u8::from(by_position).to_string()),
        ],
    )
}

const TEMPLATE: &str = r##"/* Classifies the rows of a table on standard input: the one that the model was made from, or another
 * with its columns, in any order. The first line names the columns. Cells may be quoted. @without@
 * Prints class, label@and@ of each row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "@name@.h"

/* NUMBER: the number in the cell. WORD: a number, or a word for yes or no. IS: 1 where the cell is the
 * category. POSITION: the position of the category. MISSING: 1 where the cell is missing. */
enum kind { NUMBER, WORD, IS, POSITION, MISSING };

@lists@static const struct {
    const char *column;
    enum kind kind;
    const char *const *categories;
    const char *missing;
} inputs[@NAME@_INPUTS] = {
@columns@};

/* Whether columns have no names, but numbers: column_1 is the first. */
#define BY_POSITION @by_position@

/* One row of the table: its cells lie in `text`, one behind the other, each with an end. */
static char *text;
static size_t length, room;
static size_t *cells;
static size_t count, cell_room;
static unsigned long line_number, row_line;

/* The first line is read before the rows, since it decides on the delimiter. */
static char *head;
static size_t head_length, head_at;

static int next_letter(void) {
    return head_at < head_length ? (unsigned char)head[head_at++] : getchar();
}

static void fail(const char *what, const char *where) {
    fprintf(stderr, "line %lu: %s%s\n", row_line, what, where);
    exit(1);
}

static void *grown(void *memory, size_t *size, size_t needed, size_t unit) {
    if (needed <= *size) return memory;
    *size = 2 * needed + 64;
    memory = realloc(memory, *size * unit);
    if (memory == 0) fail("no memory is left", "");
    return memory;
}

static void put(int letter) {
    text = grown(text, &room, length + 1, 1);
    text[length++] = (char)letter;
}

static void begin_cell(void) {
    cells = grown(cells, &cell_room, count + 1, sizeof *cells);
    cells[count++] = length;
}

static int is_blank(int letter) {
    return letter == ' ' || letter == '\t';
}

/* Ends a cell that began at `start`: blanks around it do not count. */
static void end_cell(int quoted) {
    size_t start = cells[count - 1];
    if (!quoted) {
        while (length > start && (is_blank(text[length - 1]) || text[length - 1] == '\r')) --length;
        while (start < length && is_blank(text[start])) ++start;
        cells[count - 1] = start;
    }
    put(0);
}

/* Reads a row, and returns whether there was one. Blank lines are skipped. */
static int read_row(int delimiter) {
    for (;;) {
        int letter, quoted = 0;
        length = count = 0;
        row_line = ++line_number;
        begin_cell();
        for (;;) {
            letter = next_letter();
            if (letter == '"' && length == cells[count - 1]) {
                quoted = 1;
                while ((letter = next_letter()) != EOF) {
                    if (letter == '"') {
                        letter = next_letter();
                        if (letter != '"') break;
                    }
                    if (letter == '\n') ++line_number;
                    put(letter);
                }
                while (letter != EOF && letter != '\n' && letter != delimiter && (is_blank(letter) || letter == '\r'))
                    letter = next_letter();
            }
            if (letter == EOF || letter == '\n') break;
            if (letter == delimiter || (delimiter == ' ' && is_blank(letter))) {
                if (delimiter == ' ' && !quoted && length == cells[count - 1]) continue;
                end_cell(quoted);
                quoted = 0;
                begin_cell();
            } else {
                put(letter);
            }
        }
        end_cell(quoted);
        if (delimiter == ' ' && count > 1 && text[cells[count - 1]] == 0) --count;
        if (count > 1 || text[cells[0]] != 0 || quoted) return 1;
        if (letter == EOF) return 0;
    }
}

/* The delimiter of a line: tab, semicolon, bar or comma, whichever occurs most often; else blanks. */
static int find_delimiter(const char *line) {
    static const char delimiters[] = "\t;|,";
    int best = ' ';
    unsigned most = 0;
    for (const char *delimiter = delimiters; *delimiter; ++delimiter) {
        unsigned found = 0, quoted = 0;
        for (const char *at = line; *at; ++at) {
            if (*at == '"') quoted = !quoted;
            found += *at == *delimiter && !quoted;
        }
        if (found > most) most = found, best = *delimiter;
    }
    return best;
}

static int is_one_of(const char *cell, const char *const *words) {
    for (; *words; ++words)
        if (strcmp(cell, *words) == 0) return 1;
    return 0;
}

static int is_missing(const char *cell) {
    static const char *const words[] = {"", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL",
        "Null", "<NA>", "#N/A", "<null>", 0};
    return is_one_of(cell, words);
}

/* Reads a number, and returns whether the whole cell is one. */
static int read_number(const char *cell, int delimiter, double *number) {
    char *end, *comma = delimiter == ';' && strchr(cell, '.') == 0 ? strchr(cell, ',') : 0;
    if (comma) *comma = '.';
    *number = strtod(cell, &end);
    if (comma) *comma = ',';
    return end != cell && *end == 0;
}

static int same_word(const char *a, const char *b) {
    for (; *a && *b; ++a, ++b)
        if ((*a | 32) != (*b | 32)) return 0;
    return *a == *b;
}

/* 1 for a word that means yes, 0 for one that means no, else -1. */
static int truth(const char *cell) {
    static const char *const words[] = {"true", "yes", "t", "y", "false", "no", "f", "n"};
    for (int i = 0; i < 8; ++i)
        if (same_word(cell, words[i])) return i < 4;
    return -1;
}

static int is_category(const char *cell, const char *category) {
    double a, b;
    if (strcmp(cell, category) == 0) return 1;
    if (read_number(cell, ',', &a) && read_number(category, ',', &b) && a == b) return 1;
    return truth(cell) >= 0 && strlen(cell) > 3 && same_word(cell, category);
}

/* The number of an input, NAN where it is missing. */
static float number_of(unsigned input, const char *cell, int delimiter) {
    static const char *const unsure[] = {"None", "none", "NONE", "na", "nil", "-", "--", ".", 0};
    const char *const *categories = inputs[input].categories;
    int missing = is_missing(cell);
    double number;
    if (inputs[input].missing && strcmp(cell, inputs[input].missing) == 0) missing = 1;
    switch (inputs[input].kind) {
    case MISSING:
        return missing ? 1.0f : 0.0f;
    case IS:
        return missing ? NAN : is_category(cell, categories[0]) ? 1.0f : 0.0f;
    case POSITION:
        for (int i = 0; !missing && categories[i]; ++i)
            if (is_category(cell, categories[i])) return (float)i;
        return NAN;
    default:
        break;
    }
    if (missing || is_one_of(cell, unsure)) return NAN;
    if (inputs[input].kind == WORD && truth(cell) >= 0) return (float)truth(cell);
    if (read_number(cell, delimiter, &number)) return (float)number;
    fprintf(stderr, "line %lu, column %s: expected a number, found %s\n", row_line, inputs[input].column, cell);
    exit(1);
}

static void classify(const float *numbers) {
@declare@@convert@@answer@}

/* The cell of each input, from the line of names; how many were found. */
static unsigned find_columns(size_t *cell_of) {
    unsigned found = 0;
    for (unsigned i = 0; i < @NAME@_INPUTS; ++i) {
        cell_of[i] = count;
        for (size_t cell = 0; cell < count && cell_of[i] == count; ++cell)
            if (strcmp(text + cells[cell], inputs[i].column) == 0) cell_of[i] = cell;
        found += cell_of[i] < count;
    }
    return found;
}

int main(void) {
    static size_t cell_of[@NAME@_INPUTS];
    float numbers[@NAME@_INPUTS];
    int delimiter, named = 0, first = 1;
    size_t head_room = 0;
    for (int letter; (letter = getchar()) != EOF;) {
        head = grown(head, &head_room, head_length + 2, 1);
        head[head_length++] = (char)letter;
        if (letter == '\n') break;
    }
    if (head_length == 0) return 0;
    head[head_length] = 0;
    if (strncmp(head, "\xef\xbb\xbf", 3) == 0) head_at = 3;
    delimiter = find_delimiter(head + head_at);
    while (read_row(delimiter)) {
        if (first) {
            unsigned found = find_columns(cell_of);
            first = 0;
            if (found == @NAME@_INPUTS) {
                named = 1;
                continue;
            }
            if (found > 0) {
                for (unsigned i = 0; i < @NAME@_INPUTS; ++i)
                    if (cell_of[i] == count) fail("there is no column ", inputs[i].column);
            }
        }
        for (unsigned i = 0; i < @NAME@_INPUTS; ++i) {
            double plain;
            size_t cell = named ? cell_of[i] : i;
            if (BY_POSITION)
                cell = (size_t)strtoul(inputs[i].column + strlen("column_"), 0, 10) - 1;
            else if (!named && count != @NAME@_INPUTS)
                fail("expected @inputs@ numbers, or a first line with the names of the columns", "");
            if (cell >= count) fail("there is no cell for column ", inputs[i].column);
            if (named || BY_POSITION) {
                numbers[i] = number_of(i, text + cells[cell], delimiter);
            } else {
                if (is_missing(text + cells[cell])) plain = NAN;
                else if (!read_number(text + cells[cell], delimiter, &plain))
                    fail("expected a number, found ", text + cells[cell]);
                numbers[i] = (float)plain;
            }
        }
        classify(numbers);
    }
    return 0;
}
"##;

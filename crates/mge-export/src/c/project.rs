//! The files of a C export.

use super::device::{ARM_LINKER_SCRIPT, arm_program, avr_program};
use super::host_program::main_program;
use super::{fill, float, integer, labels, unsigned_for, value_type};
use crate::exporter::Form;
use crate::files::OutFile;
use crate::integer::IntegerProgram;
use crate::names;
use crate::program::Program;
use crate::text::{classes, f32_text, inputs, list};

/// The files beside header and source.
pub(super) const PATHS: [&str; 7] =
    ["main.c", "golden.h", "test.c", "device_avr.c", "device_arm.c", "cortex-m.ld", "Makefile"];
/// Rows of the golden test, without the one of missing values.
const GOLDEN_ROWS: usize = 20;
/// The flags of the Makefile and of `mge size`.
pub(crate) const AVR_FLAGS: &str = "-std=gnu99 -mmcu=atmega328p -Os -flto -mrelax -ffunction-sections \
                             -fdata-sections -Wl,--gc-sections";
/// The flags for Cortex-M, without the start files of a C library.
pub(crate) const ARM_FLAGS: &str = "-std=gnu99 -mthumb -Os -flto -ffreestanding -ffunction-sections \
                             -fdata-sections -nostartfiles -Wl,--gc-sections";

/// Header and source.
pub(crate) fn header_and_source(form: &Form<'_>) -> [OutFile; 2] {
    let name = &form.program.name;
    let what = match form.integer {
        None => "32-bit floats".to_owned(),
        Some(integer) => format!(
            "{}-bit weights, sums of {} and {} bits, no floats, no library",
            if integer.format.is_16_bit() { 16 } else { 8 },
            integer.sum_bits,
            integer.score_bits
        ),
    };
    let extra = |index: usize| match form.integer {
        None => {
            let fill = f32_text(f64::from(form.program.inputs[index].fill));
            format!("; if missing (NaN): {fill}")
        }
        Some(integer) => integer::explain(form.program, integer, index),
    };
    let functions = match form.integer {
        None => float::DECLARATIONS,
        Some(_) => integer::DECLARATIONS,
    };
    let (certain, score_step, score_error) = form.integer.map_or_else(Default::default, |one| {
        (one.certain().to_string(), format!("{:e}", one.score_step), upper_bound(one.score_error))
    });
    let more = [
        ("certain", certain),
        ("score_step", score_step),
        ("score_error", score_error),
        ("index", unsigned_for(form.program.inputs.len()).to_owned()),
    ];
    let header = fill(
        form,
        "/* @title@: a classifier made by mge; @what@.
 *
 * Inputs of @name@_predict, in order (scaling is part of the weights):
@list@ *
 * Classes that it returns:
@answers@ */
#ifndef @NAME@_H
#define @NAME@_H

#include <stdint.h>

#define @NAME@_INPUTS @inputs@
#define @NAME@_CLASSES @classes@

enum @name@_input {
@input_names@};

enum @name@_class {
@class_names@};

/* Tables and labels stay in flash on AVR. */
#if defined(__AVR__) && defined(__FLASH) && !defined(__cplusplus)
#define @NAME@_FLASH __flash
#else
#define @NAME@_FLASH
#endif

#ifdef __cplusplus
extern \"C\" {
#endif

typedef @value@ @name@_value;

/* The class of a row, from 0. */
@class@ @name@_predict(const @name@_value *x);
@functions@
/* The name of a class, UTF-8. On AVR it is in flash. */
const @NAME@_FLASH char *@name@_label(@class@ index);

#ifdef __cplusplus
}
#endif

#endif
",
        &[
            ("title", names::comment(&form.program.title)),
            ("what", what),
            ("list", inputs(form.program, " *   ", extra)),
            ("answers", classes(form.program, " *   ")),
            ("functions", fill(form, functions, &more)),
            ("input_names", constants(form, "INPUT", names_of_inputs(form.program))),
            ("class_names", constants(form, "CLASS", form.program.classes.iter())),
        ],
    );
    let mut source = fill(form, "/* Made by mge; see @name@.h. */\n#include \"@name@.h\"\n", &[]);
    source += &match form.integer {
        None => float::body(form),
        Some(integer) => integer::body(form, integer),
    };
    source.push('\n');
    source += &labels(form);
    [OutFile::text(format!("{name}.h"), header), OutFile::text(format!("{name}.c"), source)]
}

fn names_of_inputs(program: &Program) -> impl Iterator<Item = &String> {
    program.inputs.iter().map(|input| &input.name)
}

/// Lines of an enum, each name behind the model's.
fn constants<'a>(form: &Form<'_>, kind: &str, names: impl Iterator<Item = &'a String>) -> String {
    let name = form.program.name.to_ascii_uppercase();
    let constants = names::constants(names.map(String::as_str)).into_iter().enumerate();
    constants.map(|(index, one)| format!("    {name}_{kind}_{one} = {index},\n")).collect()
}

/// A bound with few digits, rounded up.
fn upper_bound(bound: f64) -> String {
    if bound == 0.0 {
        return "0".to_owned();
    }
    let unit = libm::exp10((libm::log10(bound)).floor() - 1.0);
    format!("{:e}", (((bound / unit).ceil() * unit) as f32))
}

/// All files.
pub(super) fn files(form: &Form<'_>) -> Vec<OutFile> {
    let texts = [
        main_program(form),
        golden(form),
        test(form),
        avr_program(form),
        arm_program(form),
        ARM_LINKER_SCRIPT.to_owned(),
        makefile(form),
    ];
    let more = PATHS.into_iter().zip(texts).map(|(path, text)| OutFile::text(path, text));
    header_and_source(form).into_iter().chain(more).collect()
}

/// Made-up rows and what the model answers to them.
fn golden(form: &Form<'_>) -> String {
    let program = form.program;
    let rows = program.example_rows(GOLDEN_ROWS);
    let mut text = fill(
        form,
        "/* Made-up rows and the answers of the model to them. */\n#include <math.h>\n",
        &[],
    );
    text += &format!("#define GOLDEN_ROWS {}\n", rows.len());
    let array = |kind: &str, name: &str, items: String| {
        format!("static const {kind} {name}[] = {{\n{items}\n}};\n")
    };
    match form.integer {
        None => {
            let number = |x: &f32| {
                if x.is_nan() { "NAN".to_owned() } else { format!("{}f", f32_text(f64::from(*x))) }
            };
            text += &array("float", "golden_rows", list(rows.iter().flatten().map(number)));
            let sums: Vec<Vec<f64>> = rows.iter().map(|row| program.evaluate(row).1).collect();
            let classes = sums.iter().map(|sums| Program::class(sums));
            text += &array("unsigned", "golden_classes", list(classes));
            let p = sums.iter().flat_map(|sums| Program::probabilities(sums));
            text += &array(
                "float",
                "golden_probabilities",
                list(p.map(|p| format!("{}f", f32_text(p)))),
            );
        }
        Some(integer) => {
            let rows: Vec<Vec<u32>> =
                rows.iter().map(|row| integer.quantize(&program.filled(row))).collect();
            text += &array(value_type(form), "golden_rows", list(rows.iter().flatten()));
            let scores: Vec<Vec<i64>> = rows.iter().map(|row| integer.scores(row)).collect();
            let classes = scores.iter().map(|scores| IntegerProgram::class(scores));
            text += &array("unsigned", "golden_classes", list(classes));
            text += &array("int32_t", "golden_scores", list(scores.iter().flatten()));
        }
    }
    text
}

fn test(form: &Form<'_>) -> String {
    let template = match form.integer {
        None => {
            "#include <stdio.h>
#include \"@name@.h\"
#include \"golden.h\"

int main(void) {
    unsigned wrong = 0;
    for (unsigned row = 0; row < GOLDEN_ROWS; ++row) {
        const float *x = golden_rows + row * @NAME@_INPUTS;
        float p[@NAME@_CLASSES];
        @name@_probabilities(x, p);
        wrong += @name@_predict(x) != golden_classes[row];
        for (unsigned i = 0; i < @NAME@_CLASSES; ++i)
            wrong += !(fabsf(p[i] - golden_probabilities[row * @NAME@_CLASSES + i]) <= 1e-5f);
    }
    printf(\"%u rows, %u wrong\\n\", (unsigned)GOLDEN_ROWS, wrong);
    return wrong != 0;
}
"
        }
        Some(_) => {
            "#include <stdio.h>
#include <stdint.h>

static int32_t scores[@outputs@];
#define @NAME@_ON_SCORE(output, score) (scores[output] = (score))
#include \"@name@.c\"
#include \"golden.h\"

int main(void) {
    unsigned wrong = 0;
    for (unsigned row = 0; row < GOLDEN_ROWS; ++row) {
        wrong += @name@_predict(golden_rows + row * @NAME@_INPUTS) != golden_classes[row];
        for (unsigned i = 0; i < @outputs@; ++i)
            wrong += scores[i] != golden_scores[row * @outputs@ + i];
    }
    printf(\"%u rows, %u wrong\\n\", (unsigned)GOLDEN_ROWS, wrong);
    return wrong != 0;
}
"
        }
    };
    fill(form, template, &[])
}

fn makefile(form: &Form<'_>) -> String {
    let (libraries, test, define) = match form.integer {
        None => ("-lm", "test.c @name@.c", ""),
        Some(_) => ("", "test.c", " -D@NAME@_WITH_FLOAT"),
    };
    fill(
        form,
        "# make: the example; make test: golden vectors; make avr, make cortex-m0: programs for devices
CC ?= cc
CFLAGS ?= -O2 -Wall -Wextra -Wconversion -Wpedantic
AVR_FLAGS = @avr@
ARM_FLAGS = @arm@

@name@: main.c @name@.c @name@.h
\t$(CC) -std=c99 $(CFLAGS)@define@ -o $@ main.c @name@.c @libraries@

golden_test: test.c golden.h @name@.c @name@.h
\t$(CC) -std=c99 $(CFLAGS) -o $@ @test@ @libraries@

test: golden_test
\t./golden_test

avr: device_avr.c @name@.c @name@.h
\tavr-gcc $(AVR_FLAGS) -o @name@.avr.elf device_avr.c @name@.c @libraries@
\tavr-size @name@.avr.elf

cortex-m0: device_arm.c @name@.c @name@.h cortex-m.ld
\tarm-none-eabi-gcc -mcpu=cortex-m0 $(ARM_FLAGS) -T cortex-m.ld -o @name@.m0.elf device_arm.c @name@.c @libraries@
\tarm-none-eabi-size @name@.m0.elf

clean:
\trm -f @name@ golden_test @name@.avr.elf @name@.m0.elf

.PHONY: test avr cortex-m0 clean
",
        &[
            ("avr", AVR_FLAGS.to_owned()),
            ("arm", ARM_FLAGS.to_owned()),
            ("libraries", libraries.to_owned()),
            ("test", fill(form, test, &[])),
            ("define", fill(form, define, &[])),
        ],
    )
}

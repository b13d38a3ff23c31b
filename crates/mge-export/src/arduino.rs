//! An Arduino library: the C source, and a sketch that reads a row and prints its label.

use crate::c::{class_type, header_and_source};
use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::names;
use crate::text::filled;

/// The target `arduino`.
#[derive(Debug, Clone, Copy)]
pub struct Arduino;

impl Exporter for Arduino {
    fn name(&self) -> &'static str {
        "arduino"
    }

    fn summary(&self) -> &'static str {
        "an Arduino library with a sketch that classifies rows from the serial line"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn paths(&self, name: &str) -> Vec<String> {
        vec![
            format!("{name}/src/{name}.h"),
            format!("{name}/src/{name}.c"),
            format!("{name}/library.properties"),
            format!("{name}/examples/classify/classify.ino"),
        ]
    }

    fn files(&self, form: &Form<'_>) -> Vec<OutFile> {
        files(form)
    }
}

fn files(form: &Form<'_>) -> Vec<OutFile> {
    let name = &form.program.name;
    let name_of = &form.program.name;
    let (parse, kind) = match form.integer {
        None => ("Serial.parseFloat()".to_owned(), "numbers"),
        Some(_) => (format!("{name_of}_from_reading(i, Serial.parseInt())"), "raw readings"),
    };
    let values = [
        ("name", name.clone()),
        ("NAME", name.to_ascii_uppercase()),
        ("title", names::comment(&form.program.title)),
        ("class", class_type(form).to_owned()),
        ("parse", parse),
        ("kind", kind.to_owned()),
    ];
    let source = header_and_source(form)
        .into_iter()
        .map(|file| OutFile { path: format!("{name}/src/{}", file.path), ..file });
    let mut files: Vec<OutFile> = source.collect();
    files.push(OutFile::text(format!("{name}/library.properties"), filled(PROPERTIES, &values)));
    let sketch = format!("{name}/examples/classify/classify.ino");
    files.push(OutFile::text(sketch, filled(SKETCH, &values)));
    files
}

/// The format requires every field. The library has no address, so `url` is empty.
const PROPERTIES: &str = "name=@name@
version=1.0.0
author=mge
maintainer=mge
sentence=A classifier made by mge.
paragraph=Tables stay in flash, nothing is allocated.
category=Data Processing
url=
architectures=*
includes=@name@.h
";

const SKETCH: &str =
    "// @title@: send @NAME@_INPUTS @kind@ over the serial line, get the label back.
// The header lists the numbers.
#include <@name@.h>

static @name@_value x[@NAME@_INPUTS];

void setup() {
  Serial.begin(9600);
}

// Waits for the start of a number. Parsing alone would give up after a second.
static void wait_for_number() {
  for (;;) {
    int next = Serial.peek();
    if (next == '-' || next == '.' || (next >= '0' && next <= '9')) return;
    if (next >= 0) Serial.read();
  }
}

void loop() {
  for (unsigned i = 0; i < @NAME@_INPUTS; ++i) {
    wait_for_number();
    x[i] = @parse@;
  }
  @class@ index = @name@_predict(x);
#ifdef __AVR__
  Serial.println((const __FlashStringHelper *)@name@_label(index));
#else
  Serial.println(@name@_label(index));
#endif
}
";

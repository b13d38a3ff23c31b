//! An Arduino library: the C source, a sketch that reads a row and prints its label.

use crate::c::{CForm, header_and_source};
use crate::names;
use crate::text::{OutFile, filled};

/// All files of the library's folder.
pub fn files(form: &CForm<'_>) -> Vec<OutFile> {
    let name = &form.program.name;
    let (parse, kind) = match form.integer {
        None => ("Serial.parseFloat()", "numbers"),
        Some(_) => ("Serial.parseInt()", "whole numbers"),
    };
    let values = [
        ("name", name.clone()),
        ("NAME", name.to_ascii_uppercase()),
        ("title", names::comment(&form.program.title)),
        ("class", form.class_type().to_owned()),
        ("parse", parse.to_owned()),
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

/// The format wants every field; an empty address is the honest one of a library that has none.
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
// The header tells what the numbers are.
#include <@name@.h>

static @name@_value x[@NAME@_INPUTS];

void setup() {
  Serial.begin(9600);
}

// Waits for the start of a number: parsing gives up after a second, and a line's end is no number.
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

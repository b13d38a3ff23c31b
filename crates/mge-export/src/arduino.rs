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

const PROPERTIES: &str = "name=@name@
version=1.0.0
author=mge
maintainer=mge
sentence=A classifier made by mge.
paragraph=Tables stay in flash, nothing is allocated.
category=Data Processing
url=https://example.org
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

void loop() {
  for (unsigned i = 0; i < @NAME@_INPUTS; ++i) {
    while (!Serial.available()) {
    }
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

//! The layout `table`: a loop over the byte table, fused or not.

use super::{Writer, product};
use crate::c::float::zeroed;
use crate::c::{fill, integer_type, unsigned_for};

impl Writer<'_> {
    /// Lines that read a number of this many bytes into a new variable.
    pub(super) fn read(&self, indent: &str, kind: &str, name: &str, bytes: usize) -> String {
        let next = fill(self.form, "@NAME@_NEXT(p)", &[]);
        let unsigned = match bytes {
            1 => "uint8_t",
            2 => "uint16_t",
            _ => "uint32_t",
        };
        if bytes == 1 {
            return format!("{indent}{kind} {name} = ({kind}){next};\n");
        }
        // The unsigned number first: shifting into a sign is undefined.
        let plain = kind.starts_with('u');
        let raw = if plain { name.to_owned() } else { format!("{name}_bits") };
        let mut text = format!("{indent}{unsigned} {raw} = {next};\n");
        for byte in 1..bytes {
            let bits = 8 * byte;
            text +=
                &format!("{indent}{raw} = ({unsigned})({raw} | ({unsigned}){next} << {bits});\n");
        }
        if !plain {
            text += &format!("{indent}{kind} {name} = ({kind}){raw};\n");
        }
        text
    }

    pub(super) fn sum_type(&self) -> &'static str {
        if self.integer.sum_bits == 16 { "int16_t" } else { "int32_t" }
    }

    pub(super) fn score_type(&self) -> &'static str {
        if self.integer.score_bits == 16 { "int16_t" } else { "int32_t" }
    }

    /// Lines that read a neuron's head: `head`, or `count`, `shift` and `kind`.
    pub(super) fn read_head(&self, indent: &str) -> String {
        if self.encoding.packed {
            return self.read(indent, "uint8_t", "head", 1);
        }
        let kind = if self.encoding.activations.len() > 1 {
            format!(
                "{indent}uint8_t kind = (uint8_t)(shift >> 5);\n\
                 {indent}shift = (uint8_t)(shift & 31);\n"
            )
        } else {
            String::new()
        };
        self.read_count(indent, "count") + &self.read(indent, "uint8_t", "shift", 1) + &kind
    }

    pub(super) fn read_count(&self, indent: &str, name: &str) -> String {
        let kind = ["uint8_t", "uint16_t", "uint32_t"][self.encoding.count / 2];
        self.read(indent, kind, name, self.encoding.count)
    }

    /// Lines that add the links of a unit to `z`.
    pub(super) fn add_links(
        &self,
        indent: &str,
        unsigned: &str,
        value: &str,
        packed: bool,
    ) -> String {
        let source = ["uint8_t", "uint16_t", "uint32_t"][self.encoding.source / 2];
        let inner = format!("{indent}    ");
        let weight = if self.encoding.weight == 1 { "int8_t" } else { "int16_t" };
        let body = self.read(&inner, source, "i", self.encoding.source)
            + &self.read(&inner, weight, "weight", self.encoding.weight)
            + &format!(
                "{inner}z = ({unsigned})(z + ({unsigned})(({})weight * {value}));\n",
                product(self.integer)
            );
        if packed {
            return format!("{indent}do {{\n{body}{indent}}} while (--head & 15);\n");
        }
        format!("{indent}for (; count != 0; --count) {{\n{body}{indent}}}\n")
    }

    /// The argument of a neuron's function.
    pub(super) fn argument(&self) -> String {
        let shift = if self.encoding.packed { "(head >> 4)" } else { "shift" };
        let sum = self.sum_type();
        format!("({sum})(({sum})z >> {shift})")
    }

    /// The call of a neuron's function on `u`.
    pub(super) fn apply(&self, argument: &str) -> String {
        match self.encoding.activations.as_slice() {
            [] => "0".to_owned(),
            [one] => format!("{}({argument})", one.name()),
            several => {
                let mut text = String::new();
                for (number, activation) in several.iter().enumerate() {
                    let call = format!("{}({argument})", activation.name());
                    if number + 1 == several.len() {
                        text += &call;
                    } else {
                        text += &format!("kind == {number} ? {call} : ");
                    }
                }
                text
            }
        }
    }

    /// Lines that compare the sum of an output with the largest so far.
    pub(super) fn compare(&self, indent: &str) -> String {
        fill(
            self.form,
            "@in@@NAME@_ON_SCORE(output, (@score@)score);\n\
             @in@if (into != 0) into[output] = (@score@)score;\n\
             @in@if ((@score@)score > best) {\n\
             @in@    best = (@score@)score;\n\
             @in@    winner = output;\n\
             @in@}\n",
            &[("in", indent.to_owned()), ("score", self.score_type().to_owned())],
        )
    }

    pub(super) fn fused(&self) -> String {
        let integer = self.integer;
        let (sum, score) = (self.sum_type(), self.score_type());
        let biased = self.has_output_biases();
        let bias_bytes = integer.sum_bits as usize / 8;
        let score_bytes = integer.score_bits as usize / 8;
        let one = integer.outputs.len() == 1;
        let indent = if one { "    " } else { "        " };
        let inner = format!("{indent}    ");
        let weight = if self.encoding.weight == 1 { "int8_t" } else { "int16_t" };
        let mut text = self.array(&self.table()) + &self.input_function() + &self.begin();
        text += &if biased {
            self.read(indent, &format!("u{score}"), "score", score_bytes)
        } else {
            format!("{indent}u{score} score = 0;\n")
        };
        text += &self.read_count(indent, "n");
        text += &format!("{indent}for (; n != 0; --n) {{\n");
        text += &self.read_head(&inner);
        text += &self.read(&inner, weight, "out", self.encoding.weight);
        text += &self.read(&inner, &format!("u{sum}"), "z", bias_bytes);
        text += &self.add_links(&inner, &format!("u{sum}"), &self.input("i"), self.encoding.packed);
        text += &format!(
            "{inner}score = (u{score})(score + (u{score})(({})out * ({})));\n{indent}}}\n",
            product(integer),
            self.apply(&self.argument())
        );
        text + &self.end()
    }

    /// Lines up to the first output.
    pub(super) fn begin_outputs(&self) -> String {
        if self.integer.outputs.len() == 1 {
            return String::new();
        }
        fill(
            self.form,
            "    @score@ best = @least@;\n    @class@ winner = 0;\n\
             \x20   for (@class@ output = 0; output < @outputs@; ++output) {\n",
            &[
                ("score", self.score_type().to_owned()),
                ("least", self.score_type().to_ascii_uppercase().replace("_T", "_MIN")),
            ],
        )
    }

    /// The head of the function that the public ones call.
    pub(super) fn signature(&self) -> String {
        let head = "\n/* The class of a row, and its sums where `into` is not 0. */\n\
                    static @class@ run(const @value@ *x, int32_t *into) {\n";
        fill(self.form, head, &[])
    }

    fn table_pointer(&self) -> String {
        fill(self.form, "    const @NAME@_FLASH uint8_t *p = table;\n", &[])
    }

    pub(super) fn begin(&self) -> String {
        self.signature() + &self.table_pointer() + &self.begin_outputs()
    }

    /// Lines from the sum of an output, `score`, to the end.
    pub(super) fn end(&self) -> String {
        if self.integer.outputs.len() > 1 {
            return self.compare("        ") + "    }\n    return winner;\n}\n";
        }
        fill(
            self.form,
            "    @NAME@_ON_SCORE(0, (@score@)score);\n    \
             if (into != 0) into[0] = (@score@)score;\n    return (@score@)score > 0;\n}\n",
            &[("score", self.score_type().to_owned())],
        )
    }

    pub(super) fn general(&self) -> String {
        let integer = self.integer;
        let (sum, score) = (self.sum_type(), self.score_type());
        let bias_bytes = integer.sum_bits as usize / 8;
        let score_bytes = integer.score_bits as usize / 8;
        let neurons = integer.neurons.len();
        let inputs = integer.inputs.len();
        let value = integer_type(integer);
        let read_value = if neurons == 0 {
            self.input("i")
        } else {
            format!("(i < {inputs} ? {} : h[i - {inputs}])", self.input("i"))
        };
        let mut text = self.array(&self.table()) + &self.input_function();
        text += &(self.signature() + &self.table_pointer());
        if neurons > 0 {
            let (number, indent) = (unsigned_for(neurons), "        ");
            text += &format!(
                "    {value} h[{neurons}]{};\n    for ({number} n = 0; n < {neurons}; ++n) {{\n",
                zeroed(neurons)
            );
            text += &self.read_head(indent);
            text += &self.read(indent, &format!("u{sum}"), "z", bias_bytes);
            text += &self.add_links(indent, &format!("u{sum}"), &read_value, self.encoding.packed);
            text += &format!("        h[n] = {};\n    }}\n", self.apply(&self.argument()));
        }
        text += &self.begin_outputs();
        let indent = if integer.outputs.len() == 1 { "    " } else { "        " };
        text += &self.read_count(indent, "count");
        text += &self.read(indent, &format!("u{score}"), "z", score_bytes);
        text += &self.add_links(indent, &format!("u{score}"), &read_value, false);
        text += &format!("{indent}u{score} score = z;\n");
        text + &self.end()
    }
}

//! The activations of integer neurons, and the function from numbers to integers.

use super::Writer;
use crate::c::{fill, integer_type};
use crate::integer::IntegerActivation;
use crate::text::{f32_text, list};

impl Writer<'_> {
    pub(super) fn function(&self, activation: IntegerActivation) -> String {
        let integer = self.integer;
        let format = integer.format;
        let value = integer_type(integer);
        let sum = self.sum_type();
        let difference = if format.is_16_bit() { "int32_t" } else { "int16_t" };
        let bits = activation.fraction_bits(format);
        let largest = (1u32 << format.argument_bits) - 1;
        let values = [
            ("op", activation.name().to_owned()),
            ("points", list(activation.table(format))),
            ("sum", sum.to_owned()),
            ("difference", difference.to_owned()),
            ("bits", bits.to_string()),
            ("mask", ((1u32 << bits) - 1).to_string()),
            ("largest", largest.to_string()),
            ("half", largest.div_ceil(2).to_string()),
            ("below", (largest.div_ceil(2) - 1).to_string()),
            ("one", format.one().to_string()),
            ("middle", (format.one() / 2).to_string()),
            ("max", format.max_value.to_string()),
            ("error", format!("{:.4}", activation.error(format))),
            ("value", value.to_owned()),
            ("line", if format.is_16_bit() { format!("u{sum}") } else { "uint8_t".to_owned() }),
        ];
        let line = "
/* Linear interpolation between points; the error is at most @error@ on a scale of 0 to 1. */
static const @NAME@_FLASH @value@ @op@_points[] = {
@points@
};

static @value@ @op@_line(u@sum@ m) {
    const @NAME@_FLASH @value@ *p = @op@_points + (m >> @bits@);
    @value@ a = p[0];
    return (@value@)(a + ((((@difference@)p[1] - a) * (uint8_t)(m & @mask@)) >> @bits@));
}
";
        // A rising table of bytes needs no wider type, and AVR reads its next byte for free.
        let small_line = "
/* Linear interpolation between points; the error is at most @error@ on a scale of 0 to 1. */
static const @NAME@_FLASH uint8_t @op@_points[] = {
@points@
};

static uint8_t @op@_line(uint8_t m) {
    const @NAME@_FLASH uint8_t *p = @op@_points + (m >> @bits@);
    uint8_t a = @NAME@_NEXT(p);
    return (uint8_t)(a + (((uint8_t)(@NAME@_NEXT(p) - a) * (uint8_t)(m & @mask@)) >> @bits@));
}
";
        let rises = activation == IntegerActivation::Sigmoid && !format.is_16_bit();
        let line = if rises { small_line } else { line };
        let magnitude = "
    u@sum@ m = (u@sum@)u;
    if (u < 0) m = (u@sum@)(0 - m);
    if (m > @largest@) m = @largest@;
";
        let template = match activation {
            IntegerActivation::Clamp => "
static @value@ clamp(@sum@ u) {
    return u < 0 ? 0 : u > @max@ ? @max@ : (@value@)u;
}
"
            .to_owned(),
            IntegerActivation::Sigmoid => format!(
                "{line}\nstatic @value@ sigmoid(@sum@ u) {{{magnitude}    @value@ y = sigmoid_line((@line@)m);\n    \
                 return u < 0 ? (@value@)(@one@ - y) : y;\n}}\n"
            ),
            IntegerActivation::Gauss => format!(
                "{line}\nstatic @value@ gauss(@sum@ u) {{{magnitude}    return gauss_line(m);\n}}\n"
            ),
            IntegerActivation::Sine => format!(
                "{line}\nstatic @value@ sine(@sum@ u) {{\n    @value@ y = sine_line((u@sum@)u & @below@);\n    \
                 return (@value@)((u@sum@)u & @half@ ? @middle@ - y : @middle@ + y);\n}}\n"
            ),
        };
        fill(self.form, &template, &values)
    }

    /// The function from numbers to integers, for machines with floats.
    pub(super) fn quantize(&self) -> String {
        let inputs = &self.integer.inputs;
        let fills = self.form.program.inputs.iter().zip(inputs);
        let float = |number: f32| format!("{}f", f32_text(f64::from(number)));
        fill(
            self.form,
            "
#ifdef @NAME@_WITH_FLOAT
void @name@_quantize(const float *numbers, @value@ *x) {
    static const float low[] = {
@lows@
    };
    static const float step[] = {
@steps@
    };
    static const @value@ top[] = {
@tops@
    };
    static const @value@ fill[] = {
@fills@
    };
    for (unsigned i = 0; i < @inputs@; ++i) {
        float q = (numbers[i] - low[i]) / step[i] + 0.5f;
        x[i] = q != q ? fill[i] : q < 0 ? 0 : q > top[i] ? top[i] : (@value@)q;
    }
}
#endif
",
            &[
                ("lows", list(inputs.iter().map(|input| float(input.low)))),
                ("steps", list(inputs.iter().map(|input| float(input.step)))),
                ("tops", list(inputs.iter().map(|input| input.top))),
                ("fills", list(fills.map(|(input, integer)| integer.quantize(input.fill)))),
            ],
        )
    }
}

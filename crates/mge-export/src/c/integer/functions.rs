//! The functions of integer neurons, and the one from numbers to integers.

use super::Writer;
use crate::c::value_type;
use crate::integer::Op;
use crate::text::{f64_text, list};

impl Writer<'_> {
    pub(super) fn function(&self, op: Op) -> String {
        let integer = self.integer;
        let width = integer.width;
        let value = value_type(integer);
        let sum = self.sum_type();
        let difference = if width.is_wide() { "int32_t" } else { "int16_t" };
        let bits = op.fraction_bits(width);
        let largest = (1u32 << width.argument) - 1;
        let values = [
            ("op", op.name().to_owned()),
            ("points", list(op.table(width))),
            ("sum", sum.to_owned()),
            ("difference", difference.to_owned()),
            ("bits", bits.to_string()),
            ("mask", ((1u32 << bits) - 1).to_string()),
            ("largest", largest.to_string()),
            ("half", largest.div_ceil(2).to_string()),
            ("below", (largest.div_ceil(2) - 1).to_string()),
            ("one", width.one().to_string()),
            ("middle", (width.one() / 2).to_string()),
            ("most", width.most.to_string()),
            ("error", format!("{:.4}", op.error(width))),
            ("value", value.to_owned()),
            ("line", if width.is_wide() { format!("u{sum}") } else { "uint8_t".to_owned() }),
        ];
        let line = "
/* Straight lines between points; at most @error@ off where the function is 0 to 1. */
static const @NAME@_FLASH @value@ @op@_points[] = {
@points@
};

static @value@ @op@_line(u@sum@ m) {
    const @NAME@_FLASH @value@ *p = @op@_points + (m >> @bits@);
    @value@ a = p[0];
    return (@value@)(a + ((((@difference@)p[1] - a) * (uint8_t)(m & @mask@)) >> @bits@));
}
";
        // Eight bits throughout, and the next byte of flash for nothing, where a table rises.
        let small_line = "
/* Straight lines between points; at most @error@ off where the function is 0 to 1. */
static const @NAME@_FLASH uint8_t @op@_points[] = {
@points@
};

static uint8_t @op@_line(uint8_t m) {
    const @NAME@_FLASH uint8_t *p = @op@_points + (m >> @bits@);
    uint8_t a = @NAME@_NEXT(p);
    return (uint8_t)(a + (((uint8_t)(@NAME@_NEXT(p) - a) * (uint8_t)(m & @mask@)) >> @bits@));
}
";
        let rises = op == Op::Sigmoid && !width.is_wide();
        let line = if rises { small_line } else { line };
        let magnitude = "
    u@sum@ m = (u@sum@)u;
    if (u < 0) m = (u@sum@)(0 - m);
    if (m > @largest@) m = @largest@;
";
        let template = match op {
            Op::Clamp => "
static @value@ clamp(@sum@ u) {
    return u < 0 ? 0 : u > @most@ ? @most@ : (@value@)u;
}
"
            .to_owned(),
            Op::Sigmoid => format!(
                "{line}\nstatic @value@ sigmoid(@sum@ u) {{{magnitude}    @value@ y = sigmoid_line((@line@)m);\n    \
                 return u < 0 ? (@value@)(@one@ - y) : y;\n}}\n"
            ),
            Op::Gauss => format!(
                "{line}\nstatic @value@ gauss(@sum@ u) {{{magnitude}    return gauss_line(m);\n}}\n"
            ),
            Op::Sine => format!(
                "{line}\nstatic @value@ sine(@sum@ u) {{\n    @value@ y = sine_line((u@sum@)u & @below@);\n    \
                 return (@value@)((u@sum@)u & @half@ ? @middle@ - y : @middle@ + y);\n}}\n"
            ),
        };
        self.form.fill(&template, &values)
    }

    /// From numbers to integers, for those who have floats.
    pub(super) fn quantize(&self) -> String {
        let inputs = &self.integer.inputs;
        let fills = self.form.program.inputs.iter().zip(inputs);
        self.form.fill(
            "
#ifdef @NAME@_WITH_FLOAT
void @name@_quantize(const float *numbers, @value@ *x) {
    static const double low[] = {
@lows@
    };
    static const double step[] = {
@steps@
    };
    static const @value@ top[] = {
@tops@
    };
    static const @value@ fill[] = {
@fills@
    };
    for (unsigned i = 0; i < @inputs@; ++i) {
        double q = (numbers[i] - low[i]) / step[i] + 0.5;
        x[i] = q != q ? fill[i] : q < 0 ? 0 : q > top[i] ? top[i] : (@value@)q;
    }
}
#endif
",
            &[
                ("lows", list(inputs.iter().map(|input| f64_text(input.low)))),
                ("steps", list(inputs.iter().map(|input| f64_text(input.step)))),
                ("tops", list(inputs.iter().map(|input| input.top))),
                ("fills", list(fills.map(|(input, integer)| integer.quantize(input.fill)))),
            ],
        )
    }
}

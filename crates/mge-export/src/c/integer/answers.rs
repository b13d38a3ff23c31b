//! The public functions of the integer forms.

use super::Writer;
use crate::c::{fill, integer_type};
use crate::integer::POWERS;
use crate::text::list;

/// Declarations for the header.
pub(in crate::c) const DECLARATIONS: &str = "
/* The class of a row if its probability is at least `min_probability`, else @NAME@_REJECTED. */
#define @NAME@_REJECTED @classes@
@class@ @name@_predict_if(const @name@_value *x, @name@_value min_probability);

/* The probability of each class: @NAME@_CERTAIN stands for 1. By whole numbers alone. */
#define @NAME@_CERTAIN @certain@
void @name@_probabilities(const @name@_value *x, @name@_value *p);

/* The sum of each output. Times @score_step@ they are those of the network
 * in floats; they differ by at most @score_error@ for any row. */
#define @NAME@_OUTPUTS @outputs@
void @name@_scores(const @name@_value *x, int32_t *scores);

/* The value of an input for a raw reading, a whole number, by whole numbers alone. A reading is
 * the number of the input, times the power of ten that the list above says. Readings outside the
 * range count as its ends; INT32_MIN is a missing one. */
@name@_value @name@_from_reading(@index@ input, int32_t reading);

/* Turns numbers into the values that predict takes, where @NAME@_WITH_FLOAT is defined. */
#ifdef @NAME@_WITH_FLOAT
void @name@_quantize(const float *numbers, @name@_value *x);
#endif
";

const ANSWERS: &str = "
@class@ @name@_predict(const @value@ *x) {
    return run(x, 0);
}

void @name@_scores(const @value@ *x, int32_t *scores) {
    (void)run(x, scores);
}

static const @NAME@_FLASH uint16_t powers[] = {
@powers@
};

/* Two to the power of minus a difference of sums, in 32768ths. */
static uint16_t power(uint32_t d) {
    if (d >= @limit@) return 0;
    uint32_t t = @d@ * @factor@ >> @shift@;
    if (t >= 4096) return 0;
    const @NAME@_FLASH uint16_t *p = powers + (t >> 4 & 15);
    uint16_t a = p[0], b = p[1];
    return (uint16_t)((uint16_t)(a - ((uint32_t)(a - b) * (t & 15) >> 4)) >> (t >> 8));
}

static uint32_t difference(int32_t large, int32_t small) {
    return (uint32_t)large - (uint32_t)small;
}
";

const ONE: &str = "
void @name@_probabilities(const @value@ *x, @value@ *p) {
    int32_t score;
    uint32_t one, other, total;
    (void)run(x, &score);
    one = power(score > 0 ? 0 : difference(0, score));
    other = power(score > 0 ? difference(score, 0) : 0);
    total = one + other;
    p[0] = (@value@)((other * @certain@ + total / 2) / total);
    p[1] = (@value@)((one * @certain@ + total / 2) / total);
}
";

const SEVERAL: &str = "
void @name@_probabilities(const @value@ *x, @value@ *p) {
    int32_t scores[@outputs@];
    uint32_t total = 0;
    @class@ best = run(x, scores);
    for (@class@ i = 0; i < @outputs@; ++i) total += power(difference(scores[best], scores[i]));
    for (@class@ i = 0; i < @outputs@; ++i)
        p[i] = (@value@)((power(difference(scores[best], scores[i])) * (uint32_t)@certain@ + total / 2) / total);
}
";

const PREDICT_IF: &str = "
@class@ @name@_predict_if(const @value@ *x, @value@ min_probability) {
    @value@ p[@classes@];
    @class@ best = run(x, 0);
    @name@_probabilities(x, p);
    return p[best] < min_probability ? @NAME@_REJECTED : best;
}
";

const FROM_READING: &str = "
static const @NAME@_FLASH struct {
    int32_t low, high;
    uint32_t factor, bias;
    uint8_t drop, shift;
    @value@ top, missing;
} scaling[] = {
@rows@
};

@value@ @name@_from_reading(@index@ input, int32_t reading) {
    uint32_t q;
    if (reading == INT32_MIN) return scaling[input].missing;
    if (reading < scaling[input].low) reading = scaling[input].low;
    if (reading > scaling[input].high) reading = scaling[input].high;
    q = difference(reading, scaling[input].low) >> scaling[input].drop;
    q = (q * scaling[input].factor + scaling[input].bias) >> scaling[input].shift;
    return (@value@)(q > scaling[input].top ? scaling[input].top : q);
}
";

impl Writer<'_> {
    pub(super) fn answers(&self) -> String {
        let integer = self.integer;
        let scale = integer.probability_scale();
        let difference = match scale.drop {
            0 => "d".to_owned(),
            drop => format!("(d >> {drop})"),
        };
        let inputs = integer.inputs.iter().zip(&self.form.program.inputs);
        let rows = inputs.map(|(input, of)| {
            let raw = input.raw;
            // The literal of the most negative number is not a number of 32 bits.
            let end = |reading: i32| format!("{reading}L");
            format!(
                "{{{}, {}, {}ul, {}ul, {}, {}, {}, {}}}",
                end(raw.low),
                end(raw.high),
                raw.factor,
                raw.bias,
                raw.drop,
                raw.shift,
                raw.top,
                input.quantize(of.fill)
            )
        });
        let values = [
            ("value", integer_type(integer).to_owned()),
            ("powers", list(POWERS)),
            ("limit", format!("{}ul", scale.limit)),
            ("d", difference),
            ("factor", format!("(uint32_t){}ul", scale.factor)),
            ("shift", scale.shift.to_string()),
            ("certain", format!("{}u", integer.certain())),
            ("rows", list(rows)),
            ("index", self.input_index().to_owned()),
        ];
        let probabilities = if integer.outputs.len() == 1 { ONE } else { SEVERAL };
        let template = [ANSWERS, probabilities, PREDICT_IF, FROM_READING].concat();
        fill(self.form, &template, &values)
    }

    /// The type of an input's index.
    fn input_index(&self) -> &'static str {
        crate::c::unsigned_for(self.integer.inputs.len())
    }
}

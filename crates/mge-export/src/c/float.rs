//! The float form of the C source.

use mge_net::Activation;

use super::{fill, unsigned_for};
use crate::exporter::Form;
use crate::options::Layout;
use crate::program::{Program, WeightedSum};
use crate::text::{f32_text, list};

/// The source between the include of the header and the labels.
pub fn body(form: &Form<'_>) -> String {
    let mut text = activations(form.program);
    text += &match form.layout {
        Layout::Table => tables(form),
        Layout::Code => statements(form),
    };
    let answers = if form.program.outputs.len() == 1 { ONE } else { SOFTMAX };
    text + &fill(form, &[ANSWERS, answers, PREDICT_IF].concat(), &[])
}

/// Declarations for the header.
pub(super) const DECLARATIONS: &str = "
/* The probability of each class. */
void @name@_probabilities(const float *x, float *p);

/* The class of a row if its probability is at least `min_probability`, else @NAME@_REJECTED. */
#define @NAME@_REJECTED @classes@
@class@ @name@_predict_if(const float *x, float min_probability);
";

const PREDICT_IF: &str = "
@class@ @name@_predict_if(const float *x, float min_probability) {
    float p[@classes@];
    @class@ best = @name@_predict(x);
    @name@_probabilities(x, p);
    return p[best] >= min_probability ? best : @NAME@_REJECTED;
}
";

const ANSWERS: &str = "
/* Clamps a sum to a range in which no later step can overflow; NaN becomes 0. */
static float bounded(float sum) {
    if (sum != sum) return 0;
    return sum > 1e30f ? 1e30f : sum < -1e30f ? -1e30f : sum;
}
";

const ONE: &str = "
@class@ @name@_predict(const float *x) {
    float sum[1];
    sums(x, sum);
    return sum[0] > 0;
}

void @name@_probabilities(const float *x, float *p) {
    float sum[1];
    sums(x, sum);
    p[0] = 1 / (1 + expf(bounded(sum[0])));
    p[1] = 1 / (1 + expf(-bounded(sum[0])));
}
";

const SOFTMAX: &str = "
@class@ @name@_predict(const float *x) {
    float sum[@outputs@];
    @class@ best = 0;
    sums(x, sum);
    for (@class@ i = 1; i < @outputs@; ++i)
        if (bounded(sum[i]) > bounded(sum[best])) best = i;
    return best;
}

void @name@_probabilities(const float *x, float *p) {
    float largest = -1e30f, total = 0;
    sums(x, p);
    for (int i = 0; i < @outputs@; ++i) {
        p[i] = bounded(p[i]);
        if (p[i] > largest) largest = p[i];
    }
    for (int i = 0; i < @outputs@; ++i) total += p[i] = expf(p[i] - largest);
    for (int i = 0; i < @outputs@; ++i) p[i] /= total;
}
";

fn call(activation: Activation) -> &'static str {
    activation.source_text().c.expression
}

fn activations(program: &Program) -> String {
    let text = String::from("#include <math.h>\n");
    text + &program.helpers(|source| source.c)
}

/// Tables and a loop.
fn tables(form: &Form<'_>) -> String {
    let program = form.program;
    let neurons = program.neurons.len();
    let links = program.links();
    let mut text = String::new();
    let mut array = |kind: &str, name: &str, items: String, empty: bool| {
        // C has no empty arrays.
        let items = if empty { "    0,".to_owned() } else { items };
        text += &fill(
            form,
            "\nstatic const @NAME@_FLASH @kind@ @array@[] = {\n@items@\n};\n",
            &[("kind", kind.to_owned()), ("array", name.to_owned()), ("items", items)],
        );
    };
    let float = |x: f64| format!("{}f", f32_text(x));
    let terms = || program.sums().flat_map(|sum| &sum.terms);
    array("float", "weights", list(terms().map(|term| float(term.weight))), links == 0);
    let source = unsigned_for(program.inputs.len() + neurons);
    array(
        source,
        "sources",
        list(terms().map(|term| program.source_index(term.source))),
        links == 0,
    );
    let longest = program.sums().map(|sum| sum.terms.len()).max().unwrap_or(0);
    let count = unsigned_for(longest);
    array(count, "counts", list(program.sums().map(|sum| sum.terms.len())), false);
    array("float", "biases", list(program.sums().map(|sum| float(sum.bias))), false);
    array("float", "fills", list(program.inputs.iter().map(|i| float(f64::from(i.fill)))), false);
    if program.has_shifts() {
        let shifts = program.inputs.iter().map(|input| float(f64::from(input.shift)));
        array("float", "shifts", list(shifts), false);
    }
    let in_use = program.activations();
    let mixed = in_use.len() > 1;
    if mixed {
        let number = |of: &Activation| in_use.iter().position(|one| one == of).unwrap_or(0);
        let kinds = program.neurons.iter().map(|(activation, _)| number(activation));
        array("uint8_t", "kinds", list(kinds), false);
    }
    let apply = match in_use.as_slice() {
        [] => String::new(),
        [one] => format!("            h[u] = {};\n", call(*one)),
        several => {
            let cases = several.iter().enumerate().map(|(number, one)| {
                format!("            case {number}: h[u] = {}; break;\n", call(*one))
            });
            let cases: String = cases.collect();
            format!("            switch (kinds[u]) {{\n{cases}            }}\n")
        }
    };
    let hidden = if neurons == 0 {
        "            z += weights[at] * value_of(x, s);\n".to_owned()
    } else {
        fill(
            form,
            "            z += weights[at] * (s < @inputs@ ? value_of(x, s) : h[s - @inputs@]);\n",
            &[],
        )
    };
    let finish = if neurons == 0 {
        "        sum[u] = z;\n".to_owned()
    } else {
        format!(
            "        if (u < {neurons}) {{\n{apply}        }} else {{\n            sum[u - {neurons}] = z;\n        }}\n"
        )
    };
    let shift = if program.has_shifts() { " - shifts[i]" } else { "" };
    let array = if neurons == 0 {
        String::new()
    } else {
        format!("    float h[{neurons}]{};\n", zeroed(neurons))
    };
    let units = unsigned_for(neurons + program.outputs.len());
    let steps = unsigned_for(links + 1);
    text + &format!(
        "
static float value_of(const float *x, {source} i) {{
    return (x[i] == x[i] ? x[i] : fills[i]){shift};
}}

static void sums(const float *x, float *sum) {{
{array}    {steps} at = 0;
    for ({units} u = 0; u < {all}; ++u) {{
        float z = 0;
        for ({count} n = counts[u]; n != 0; --n, ++at) {{
            {source} s = sources[at];
{hidden}        }}
        z += biases[u];
{finish}    }}
}}
",
        all = neurons + program.outputs.len(),
    )
}

/// The initialisation of the values of neurons. A compiler that keeps a single one in a register
/// cannot see that it is written before it is read.
pub(super) fn zeroed(neurons: usize) -> &'static str {
    if neurons == 1 { " = {0}" } else { "" }
}

/// One statement for each neuron.
fn statements(form: &Form<'_>) -> String {
    let program = form.program;
    let expression = |sum: &WeightedSum| sum.expression("f");
    let mut text = String::from(
        "\nstatic float filled(float x, float fill) {\n    return x == x ? x : fill;\n}\n\n\
         static void sums(const float *x, float *sum) {\n",
    );
    for (index, input) in program.inputs.iter().enumerate().filter(|(_, input)| input.used) {
        let shift = if input.shift == 0.0 {
            String::new()
        } else {
            format!(" - {}f", f32_text(f64::from(input.shift)))
        };
        let fill = f32_text(f64::from(input.fill));
        text += &format!("    const float v{index} = filled(x[{index}], {fill}f){shift};\n");
    }
    if program.inputs.iter().all(|input| !input.used) {
        text += "    (void)filled;\n    (void)x;\n";
    }
    text += "    float z;\n";
    for (index, (activation, sum)) in program.neurons.iter().enumerate() {
        text += &format!("    z = {};\n", expression(sum));
        text += &format!("    const float h{index} = {};\n", call(*activation));
    }
    for (index, output) in program.outputs.iter().enumerate() {
        text += &format!("    z = {};\n    sum[{index}] = z;\n", expression(output));
    }
    text + "}\n"
}

//! An ECMAScript module, and a web page that classifies in the browser.
//!
//! Browsers refuse to import a module from a page that was opened from disk. So the page holds a
//! copy of the module's text.

mod controls;

use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::names;
use crate::program::{Program, WeightedSum};
use crate::text::{classes, f32_text, f64_text, filled, inputs, list};
use controls::controls;

/// The target `js`.
#[derive(Debug, Clone, Copy)]
pub struct JavaScript;

impl Exporter for JavaScript {
    fn name(&self) -> &'static str {
        "js"
    }

    fn summary(&self) -> &'static str {
        "an ECMAScript module, and a web page that classifies in the browser"
    }

    fn capabilities(&self) -> Capabilities {
        // JavaScript has no smaller floats.
        Capabilities::floats(64)
    }

    fn paths(&self, name: &str) -> Vec<String> {
        vec![format!("{name}.mjs"), "index.html".to_owned()]
    }

    fn files(&self, form: &Form<'_>) -> Vec<OutFile> {
        files(form.program)
    }
}

fn files(program: &Program) -> Vec<OutFile> {
    let module = module(program);
    // Only lines of the template start with `export`: names are indented in lists.
    let lines = module.lines().map(|line| line.strip_prefix("export ").unwrap_or(line));
    let inline = lines.collect::<Vec<_>>().join("\n");
    let page = filled(
        PAGE,
        &[
            ("title", html(&program.title)),
            ("name", program.name.clone()),
            ("module", inline),
            ("controls", controls(program)),
        ],
    );
    vec![OutFile::text(format!("{}.mjs", program.name), module), OutFile::text("index.html", page)]
}

/// Text for the body of an HTML page.
fn html(text: &str) -> String {
    names::comment(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn module(program: &Program) -> String {
    let extra = |index: usize| {
        let fill = f32_text(f64::from(program.inputs[index].fill));
        format!("; if missing (NaN or null): {fill}")
    };
    let unit = |activation: &str, sum: &WeightedSum| {
        let links: Vec<String> = sum
            .terms
            .iter()
            .map(|term| {
                let index = program.source_index(term.source);
                format!("[{index}, {}]", f64_text(term.weight))
            })
            .collect();
        format!("    [\"{activation}\", {}, [{}]],\n", f64_text(sum.bias), links.join(", "))
    };
    let neurons: String =
        program.neurons.iter().map(|(activation, sum)| unit(activation.name(), sum)).collect();
    let outputs: String = program.outputs.iter().map(|sum| unit("identity", sum)).collect();
    let functions: String = program
        .activations_and_identity()
        .into_iter()
        .map(|one| format!("    {one}: {},\n", one.source_text().javascript))
        .collect();
    // The page holds the comments too, so nothing in them may look like markup.
    let plain = |text: String| text.replace("<", "(").replace(">", ")");
    filled(
        MODULE,
        &[
            ("title", plain(names::comment(&program.title))),
            ("list", plain(inputs(program, "//   ", extra))),
            ("answers", plain(classes(program, "//   "))),
            ("classes", list(program.classes.iter().map(|class| names::js_string(class)))),
            ("features", list(program.inputs.iter().map(|i| names::js_string(&i.name)))),
            ("meanings", list(program.inputs.iter().map(|i| names::js_string(&i.description)))),
            ("used", list(program.inputs.iter().map(|input| input.used))),
            ("fills", list(program.inputs.iter().map(|i| f64_text(f64::from(i.fill))))),
            ("shifts", list(program.inputs.iter().map(|i| f64_text(f64::from(i.shift))))),
            ("neurons", neurons),
            ("outputs", outputs),
            ("activations", functions),
        ],
    )
}

const MODULE: &str = "// @title@: a classifier made by mge.
//
// Inputs of predict, in order (scaling is part of the weights):
@list@//
// Classes that it returns:
@answers@
export const classes = [
@classes@
];
export const features = [
@features@
];
export const meanings = [
@meanings@
];
export const used = [
@used@
];
// The value that replaces a missing one, and what is subtracted before weights are applied.
export const fills = [
@fills@
];
const shifts = [
@shifts@
];
// Activation, bias, and source and weight of each link. Sources index features, then neurons.
const neurons = [
@neurons@];
const outputs = [
@outputs@];

const activations = {
@activations@};

const bounded = (z) => (Number.isNaN(z) ? 0 : Math.max(-1e300, Math.min(1e300, z)));

// The sum of each output for a row of numbers.
export function scores(row) {
    if (row.length !== features.length) {
        throw new RangeError(`${row.length} numbers, expected ${features.length}`);
    }
    const values = Array.from(row, (x, i) => {
        const number = x === null || x === undefined ? NaN : Number(x);
        return (Number.isNaN(number) ? fills[i] : number) - shifts[i];
    });
    const sum = ([activation, bias, links]) => {
        let z = 0;
        for (const [source, weight] of links) z += weight * values[source];
        return activations[activation](z + bias);
    };
    for (const neuron of neurons) values.push(sum(neuron));
    return outputs.map(sum);
}

// The probability of each class for a row of numbers.
export function probabilities(row) {
    const sums = scores(row).map(bounded);
    if (sums.length === 1) {
        return [1 / (1 + Math.exp(sums[0])), 1 / (1 + Math.exp(-sums[0]))];
    }
    const largest = Math.max(...sums);
    const exps = sums.map((z) => Math.exp(z - largest));
    const total = exps.reduce((a, b) => a + b, 0);
    return exps.map((exp) => exp / total);
}

// The class of a row of numbers, from 0.
export function predictIndex(row) {
    const p = probabilities(row);
    return p.indexOf(Math.max(...p));
}

// The label of a row of numbers.
export function predict(row) {
    return classes[predictIndex(row)];
}
";

const PAGE: &str = include_str!("js/page.html");

//! The formula of a model for raw values: scaling is folded into the weights, numbers are rounded,
//! and each hidden neuron is named once.
//!
//! Rounding uses as few digits as give the same class on every row that is known. Features whose
//! values are far from zero compared with their spread are written as `(x - 1000)`, since a folded
//! offset would need all its digits.

use crate::text::clean;
use mge::net::{Link, Network, Source};
use mge::{CalibrationRows, Model};
use std::fmt;

/// The most significant digits that are tried: those of an f32.
const MAX_DIGITS: usize = 7;
const MIN_DIGITS: usize = 3;
/// An offset of so many units of spread stays a subtraction.
const FAR: f64 = 8.0;

/// A network over raw values.
#[derive(Debug, Clone)]
pub struct OriginalFormula {
    /// The name and the expression of each hidden neuron, then of each output.
    pub lines: Vec<(String, String)>,
    /// Significant digits of its numbers.
    pub digits: usize,
    /// Rows on which the rounded formula was compared with the network; all have the same class.
    pub rows: usize,
    /// What the outputs mean.
    pub answer: String,
}

/// A sum over raw values and neurons.
#[derive(Clone)]
struct Sum {
    terms: Vec<Term>,
    bias: f64,
}

#[derive(Clone, Copy)]
struct Term {
    weight: f64,
    source: Source,
    /// Subtracted from the value first.
    offset: f64,
}

impl OriginalFormula {
    /// The formula of a network that reads the features of a model. `rows` are raw values on which
    /// the rounded formula must give the same classes.
    pub fn of(model: &Model, network: &Network, rows: Option<&CalibrationRows>) -> Self {
        let unit = |links: &[Link], bias: Option<f32>| unscaled(model, links, bias);
        let mut sums: Vec<Sum> =
            network.neurons().iter().map(|neuron| unit(&neuron.links, neuron.bias)).collect();
        sums.extend(network.outputs().iter().map(|output| unit(&output.links, output.bias)));
        let scales = model.target_scale().map(|scale| scale.columns());
        for (sum, scale) in sums[network.neurons().len()..].iter_mut().zip(scales.unwrap_or(&[])) {
            sum.terms.iter_mut().for_each(|term| term.weight *= scale.deviation);
            sum.bias = scale.invert(sum.bias);
        }
        let count = rows.map_or(0, |rows| rows.labels.len());
        let classes = |sums: &[Sum]| -> Vec<i64> {
            let Some(rows) = rows else { return Vec::new() };
            match scales {
                None => {
                    classes(network, sums, rows).into_iter().map(|class| class as i64).collect()
                }
                Some(_) => Vec::new(),
            }
        };
        // Numbers may differ by a hundredth of the deviation of their target.
        let is_near = |sums: &[Sum], exact: &[Sum]| {
            let (Some(rows), Some(scales)) = (rows, scales) else { return true };
            let deviations = scales.iter().cycle().map(|scale| scale.deviation);
            let values = outputs(network, sums, rows).into_iter().flatten();
            let pairs = values.zip(outputs(network, exact, rows).into_iter().flatten());
            let mut pairs = pairs.zip(deviations);
            pairs.all(|((a, b), deviation)| (a - b).abs() <= 0.01 * deviation)
        };
        let exact = classes(&sums);
        let rounded = |digits: usize| sums.iter().map(|sum| sum.rounded(digits)).collect();
        let mut digits = MIN_DIGITS;
        let mut chosen: Vec<Sum> = rounded(digits);
        let is_same = |chosen: &[Sum]| classes(chosen) == exact && is_near(chosen, &sums);
        while digits < MAX_DIGITS && (rows.is_none() || !is_same(&chosen)) {
            digits += 1;
            chosen = rounded(digits);
            if rows.is_none() && digits >= 5 {
                break;
            }
        }
        let is_same = is_same(&chosen);
        Self {
            lines: lines(model, network, &chosen, digits),
            digits,
            rows: if is_same { count } else { 0 },
            answer: answer(model, network),
        }
    }
}

impl fmt::Display for OriginalFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, text) in &self.lines {
            writeln!(f, "{name} = {text}")?;
        }
        f.write_str(&self.answer)
    }
}

/// A sum of scaled features as one of raw values.
fn unscaled(model: &Model, links: &[Link], bias: Option<f32>) -> Sum {
    let features = model.preprocess.features();
    let mut sum = Sum { terms: Vec::new(), bias: f64::from(bias.unwrap_or(0.0)) };
    for link in links {
        let weight = f64::from(link.weight);
        let term = match link.source {
            Source::Neuron(_) => Term { weight, source: link.source, offset: 0.0 },
            Source::Input(index) => {
                let feature = &features[index as usize];
                let (offset, factor) = (f64::from(feature.offset), f64::from(feature.factor));
                let is_far = (offset * factor).abs() > FAR;
                if !is_far {
                    sum.bias -= weight * factor * offset;
                }
                let offset = if is_far { offset } else { 0.0 };
                Term { weight: weight * factor, source: link.source, offset }
            }
        };
        sum.terms.push(term);
    }
    sum
}

impl Sum {
    /// The sum with fewer digits. The bias gets one more, since it holds the offsets of all terms.
    fn rounded(&self, digits: usize) -> Self {
        let term = |term: &Term| Term {
            weight: significant(term.weight, digits),
            // An offset needs the digits that its spread has.
            offset: significant(term.offset, digits + 3),
            ..*term
        };
        let terms = self.terms.iter().map(term).collect();
        Self { terms, bias: significant(self.bias, digits + 1) }
    }
}

/// A number with so many significant digits.
fn significant(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// The class of each row.
fn classes(network: &Network, sums: &[Sum], rows: &CalibrationRows) -> Vec<usize> {
    let class = |outputs: Vec<f64>| match outputs[..] {
        [one] => usize::from(one > 0.0),
        _ => (1..outputs.len()).fold(0, |a, b| if outputs[b] > outputs[a] { b } else { a }),
    };
    outputs(network, sums, rows).into_iter().map(class).collect()
}

/// The sum of each output for each row.
fn outputs(network: &Network, sums: &[Sum], rows: &CalibrationRows) -> Vec<Vec<f64>> {
    let neurons = network.neurons();
    let mut values = vec![0.0; neurons.len()];
    let outputs = |row: usize| {
        let total = |sum: &Sum, values: &[f64]| {
            let value = |term: &Term| match term.source {
                Source::Input(input) => {
                    f64::from(rows.columns.column(input as usize)[row]) - term.offset
                }
                Source::Neuron(neuron) => values[neuron as usize],
            };
            sum.terms.iter().fold(sum.bias, |all, term| all + term.weight * value(term))
        };
        for (index, neuron) in neurons.iter().enumerate() {
            values[index] = neuron.activation.apply(total(&sums[index], &values));
        }
        sums[neurons.len()..].iter().map(|sum| total(sum, &values)).collect()
    };
    (0..rows.labels.len()).map(outputs).collect()
}

fn lines(model: &Model, network: &Network, sums: &[Sum], digits: usize) -> Vec<(String, String)> {
    let features = model.preprocess.features();
    let names: Vec<String> = features.iter().map(|feature| clean(&feature.name)).collect();
    // No feature may have the name of a hidden neuron.
    let mut prefix = "h".to_owned();
    let is_taken = |name: &String, prefix: &str| {
        let number = name.strip_prefix(prefix).unwrap_or("");
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    while names.iter().any(|name| is_taken(name, &prefix)) {
        prefix.push('_');
    }
    let neurons = network.neurons();
    let text = |sum: &Sum| {
        let mut text = String::new();
        let mut add = |value: f64, times: Option<String>, digits: usize| {
            text.push_str(match (text.is_empty(), value < 0.0) {
                (true, true) => "−",
                (true, false) => "",
                (false, true) => " − ",
                (false, false) => " + ",
            });
            text.push_str(&plain(value.abs(), digits));
            if let Some(times) = times {
                text.push('·');
                text.push_str(&times);
            }
        };
        for term in &sum.terms {
            let name = match term.source {
                Source::Neuron(index) => format!("{prefix}{}", index + 1),
                Source::Input(index) => quoted(&names[index as usize]),
            };
            let name = match term.offset {
                0.0 => name,
                offset if offset < 0.0 => format!("({name} + {})", plain(-offset, digits + 3)),
                offset => format!("({name} − {})", plain(offset, digits + 3)),
            };
            add(term.weight, Some(name), digits);
        }
        if sum.bias != 0.0 || sum.terms.is_empty() {
            add(sum.bias, None, digits + 1);
        }
        text
    };
    let mut lines = Vec::with_capacity(sums.len());
    for (index, (neuron, sum)) in neurons.iter().zip(sums).enumerate() {
        lines.push((
            format!("{prefix}{}", index + 1),
            format!("{}({})", neuron.activation, text(sum)),
        ));
    }
    for (output, sum) in sums[neurons.len()..].iter().enumerate() {
        let count = network.outputs().len();
        let name = if model.values.is_some() {
            quoted(&clean(&model.target_columns()[output]))
        } else if count == 1 {
            "score".to_owned()
        } else {
            format!("score({})", clean(&model.classes[output]))
        };
        lines.push((name, text(sum)));
    }
    lines
}

/// A name in quotes if it could be read as something else.
fn quoted(name: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '=';
    if !name.is_empty() && name.chars().all(is_word) && !name.starts_with(|c: char| c.is_numeric())
    {
        name.to_owned()
    } else {
        format!("“{name}”")
    }
}

/// A number with so many significant digits, as people write it.
fn plain(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e7).contains(&value) {
        return format!("{value:.*e}", digits.saturating_sub(1));
    }
    let text = format!("{value:.12}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

fn answer(model: &Model, network: &Network) -> String {
    if model.values.is_some() {
        return "Numbers are in the units of the table".to_owned();
    }
    let class = |index: usize| clean(&model.classes[index]);
    if network.outputs().len() == 1 {
        format!("score > 0 means {1}, else {0}; p({1}) = 1 / (1 + exp(−score))", class(0), class(1))
    } else {
        "The class with the largest score is the answer; p = softmax of the scores".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_to_significant_digits() {
        assert_eq!(significant(1234.567, 3), 1230.0);
        assert_eq!(significant(-0.000_123_456, 4), -0.000_123_5);
        assert_eq!([plain(0.25, 3), plain(1230.0, 3)], ["0.25", "1230"]);
        assert_eq!(plain(1.5e-7, 3), "1.50e-7");
    }

    #[test]
    fn names_that_look_like_arithmetic_are_quoted() {
        assert_eq!(
            [quoted("petal_length"), quoted("a b"), quoted("2x")],
            ["petal_length", "“a b”", "“2x”"]
        );
    }

    #[test]
    fn the_rounded_formula_gives_the_classes_of_the_model_and_names_each_neuron_once() {
        let data = mge::data::load("wine", &Default::default()).unwrap();
        let fit = mge::Fit::new().method(mge::Method::MGE).seed(4).population(60);
        let fitted = fit.generations(40).run(&data).unwrap();
        let rows = &fitted.calibration.sample;
        let formula = OriginalFormula::of(&fitted.model, &fitted.model.network, Some(rows));
        assert_eq!(formula.rows, rows.labels.len());
        assert!(formula.digits < MAX_DIGITS, "{}", formula.digits);
        let text = formula.to_string();
        for neuron in 1..=fitted.model.size.neurons {
            let definition = format!("h{neuron} = ");
            assert_eq!(text.matches(&definition).count(), 1, "{text}");
        }
        // The unrounded sums are those of the network itself.
        let sums: Vec<Sum> = {
            let network = &fitted.model.network;
            let neurons = network.neurons().iter();
            let neurons = neurons.map(|n| unscaled(&fitted.model, &n.links, n.bias));
            let outputs = network.outputs().iter();
            neurons.chain(outputs.map(|o| unscaled(&fitted.model, &o.links, o.bias))).collect()
        };
        let predicted = fitted.model.probabilities_of(rows).unwrap();
        let expected: Vec<usize> = predicted.predicted_classes().collect();
        assert_eq!(classes(&fitted.model.network, &sums, rows), expected);
    }
}

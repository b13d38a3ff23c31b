//! A network as one readable expression for each output (Algorithm 2, Assemble, of the paper).
//!
//! The expression of an output contains its hidden neurons, as in
//! `0.5*sig(0.3*x1 - 0.25*x7 + 0.1)`. Neurons that other neurons use get a name and a definition,
//! so the length of the text is proportional to the size of the network. Evaluated from left to
//! right in `f64`, an expression has exactly the value of
//! [`reference::outputs`](crate::reference::outputs).

use std::fmt;

use thiserror::Error;

use crate::network::{Link, Network, Neuron, Source};

/// A neuron that several outputs share is repeated in each of them up to this many links. With more
/// links it gets a name.
const MAX_REPEATED_LINKS: usize = 16;

/// A network as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// The names and expressions of named neurons, each before its first use.
    pub definitions: Vec<(String, String)>,
    /// The sum of each output, before the sigmoid or softmax.
    pub outputs: Vec<String>,
}

/// Why a network cannot be written with the names given.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{names} feature names for {inputs} inputs; expected one for each input")]
pub struct FormulaError {
    /// How many names were given.
    pub names: usize,
    /// How many inputs the network has.
    pub inputs: usize,
}

impl Formula {
    /// Writes a network with the feature names of the paper: `x1`, `x2`, ...
    pub fn of(network: &Network) -> Self {
        Self::write(network, |input| format!("x{}", input + 1), "h".to_owned())
    }

    /// Writes a network with the given feature names.
    ///
    /// # Errors
    /// When there is not one name for each input.
    pub fn with_names(network: &Network, names: &[impl AsRef<str>]) -> Result<Self, FormulaError> {
        if names.len() != network.inputs() {
            return Err(FormulaError { names: names.len(), inputs: network.inputs() });
        }
        // No feature may have the name of a hidden neuron.
        let mut prefix = "h".to_owned();
        while names.iter().any(|name| is_numbered(name.as_ref(), &prefix)) {
            prefix.push('_');
        }
        Ok(Self::write(network, |input| names[input].as_ref().to_owned(), prefix))
    }

    fn write(network: &Network, feature: impl Fn(usize) -> String, prefix: String) -> Self {
        let named = named_neurons(network);
        let mut definitions = Vec::new();
        let mut texts: Vec<String> = Vec::with_capacity(named.len());
        for (neuron, named) in network.neurons().iter().zip(named) {
            let mut text = expression(neuron, &texts, &feature);
            if named {
                let name = format!("{prefix}{}", definitions.len() + 1);
                definitions.push((name.clone(), text));
                text = name;
            }
            texts.push(text);
        }
        let outputs = network.outputs().iter();
        let outputs = outputs.map(|output| sum(&output.links, output.bias, &texts, &feature));
        Self { outputs: outputs.collect(), definitions }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, text) in &self.definitions {
            writeln!(f, "{name} = {text}")?;
        }
        for (index, text) in self.outputs.iter().enumerate() {
            writeln!(f, "output{} = {text}", index + 1)?;
        }
        Ok(())
    }
}

fn is_numbered(name: &str, prefix: &str) -> bool {
    let number = name.strip_prefix(prefix).unwrap_or("");
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Which neurons get a name: those that other neurons read, and long ones that outputs share.
fn named_neurons(network: &Network) -> Vec<bool> {
    let neurons = network.neurons();
    let source = |link: &Link| match link.source {
        Source::Input(_) => None,
        Source::Neuron(index) => Some(index as usize),
    };
    let mut named = vec![false; neurons.len()];
    for index in neurons.iter().flat_map(|neuron| &neuron.links).filter_map(source) {
        named[index] = true;
    }
    let mut seen = vec![false; neurons.len()];
    for index in network.outputs().iter().flat_map(|output| &output.links).filter_map(source) {
        let again = std::mem::replace(&mut seen[index], true);
        named[index] |= again && neurons[index].links.len() > MAX_REPEATED_LINKS;
    }
    named
}

fn expression(neuron: &Neuron, texts: &[String], feature: &impl Fn(usize) -> String) -> String {
    let inner = sum(&neuron.links, neuron.bias, texts, feature);
    format!("{}({inner})", neuron.activation)
}

/// `0.3*x1 - 0.25*x7 + 0.1`; a sum of nothing is `0`.
fn sum(
    links: &[Link],
    bias: Option<f32>,
    texts: &[String],
    feature: &impl Fn(usize) -> String,
) -> String {
    let mut text = String::new();
    let mut term = |value: f32, times: Option<&str>| {
        let negative = value.is_sign_negative();
        text.push_str(match (text.is_empty(), negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        text.push_str(&number(value.abs()));
        if let Some(times) = times {
            text.push('*');
            text.push_str(times);
        }
    };
    for link in links {
        match link.source {
            Source::Input(index) => term(link.weight, Some(&feature(index as usize))),
            Source::Neuron(index) => term(link.weight, Some(&texts[index as usize])),
        }
    }
    if let Some(bias) = bias {
        term(bias, None);
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// The shortest text that reads back as the same `f32`.
fn number(value: f32) -> String {
    let plain = value == 0.0 || (1e-5..1e7).contains(&value);
    if plain { format!("{value}") } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Output};

    fn links(parts: &[(Source, f32)]) -> Vec<Link> {
        parts.iter().map(|&(source, weight)| Link { source, weight }).collect()
    }

    use Source::{Input as I, Neuron as N};

    fn network() -> Network {
        let sigmoid = |parts: &[(Source, f32)], bias| Neuron {
            activation: Activation::Sigmoid,
            bias,
            links: links(parts),
        };
        let neurons = vec![
            sigmoid(&[(I(0), 0.3), (I(1), -0.25)], Some(0.1)),
            sigmoid(&[(N(0), -1e-9)], None),
        ];
        let outputs = vec![
            Output { bias: Some(-2.0), links: links(&[(N(1), 0.5), (N(0), 7.0), (I(1), -0.5)]) },
            Output::default(),
        ];
        Network::new(2, neurons, outputs).unwrap()
    }

    #[test]
    fn shared_neurons_get_a_name() {
        let text = "h1 = sig(0.3*x1 - 0.25*x2 + 0.1)\n\
                    output1 = 0.5*sig(-1e-9*h1) + 7*h1 - 0.5*x2 - 2\n\
                    output2 = 0\n";
        assert_eq!(Formula::of(&network()).to_string(), text);
    }

    #[test]
    fn neuron_names_never_clash_with_feature_names() {
        let formula = Formula::with_names(&network(), &["mean radius", "h1"]).unwrap();
        assert_eq!(formula.definitions[0].0, "h_1");
        assert_eq!(formula.definitions[0].1, "sig(0.3*mean radius - 0.25*h1 + 0.1)");
        let error = Formula::with_names(&network(), &["one"]).unwrap_err();
        assert_eq!(error, FormulaError { names: 1, inputs: 2 });
    }
}

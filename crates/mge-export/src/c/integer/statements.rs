//! The layout `code`: one statement for each neuron.

use mge_net::Source;

use super::{Writer, literal, product};
use crate::c::fill;
use crate::integer::IntegerSum;

impl Writer<'_> {
    pub(super) fn statements(&self) -> String {
        let integer = self.integer;
        let (sum, score) = (self.sum_type(), self.score_type());
        let expression = |of: &IntegerSum, kind: &str| {
            let mut parts = vec![format!("(u{kind}){}", literal(of.bias))];
            for &(source, weight) in &of.terms {
                let value = match source {
                    Source::Input(index) => format!("x{index}"),
                    Source::Neuron(index) => format!("h{index}"),
                };
                let product = product(integer);
                parts.push(format!("(u{kind})(({product}){weight} * {value})"));
            }
            format!("({kind})(u{kind})({})", parts.join("\n        + "))
        };
        let mut text = self.signature();
        text += &self.clamped_inputs();
        for (index, neuron) in integer.neurons.iter().enumerate() {
            let argument = format!("({sum})({} >> {})", expression(&neuron.sum, sum), neuron.shift);
            let call = format!("{}({argument})", neuron.activation.name());
            text += &fill(self.form, "    const @value@ h", &[]);
            text += &format!("{index} = {call};\n");
        }
        text += &format!("    {score} score;\n");
        if integer.inputs.is_empty() || integer.max_terms() == 0 {
            text += "    (void)x;\n";
        }
        let one = integer.outputs.len() == 1;
        if !one {
            text += &fill(
                self.form,
                "    @score@ best = 0;\n    @class@ winner = 0;\n",
                &[("score", score.to_owned())],
            );
        }
        for (index, output) in integer.outputs.iter().enumerate() {
            text += &format!("    score = {};\n", expression(output, score));
            let call = "    @NAME@_ON_SCORE(@index@, score);\n    \
                        if (into != 0) into[@index@] = score;\n";
            text += &fill(self.form, call, &[("index", index.to_string())]);
            text += &match (one, index) {
                (true, _) => "    return score > 0;\n".to_owned(),
                (false, 0) => "    best = score;\n".to_owned(),
                _ => format!(
                    "    if (score > best) {{\n        best = score;\n        winner = {index};\n    }}\n"
                ),
            };
        }
        text + if one { "}\n" } else { "    return winner;\n}\n" }
    }
}

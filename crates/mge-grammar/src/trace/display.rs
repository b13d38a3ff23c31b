//! A trace as text, like the paper's figure of the mapping.

use std::fmt;

use super::Trace;

/// One row for each step: its number, the codon, and the form before the step with the left-most
/// symbol in brackets. Then the last form and the outcome.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices: Vec<String> = self
            .steps
            .iter()
            .map(|step| match (step.codon, step.value) {
                (Some((_, codon)), _) => {
                    format!("{codon} mod {} = {}", step.alternatives, step.choice)
                }
                (None, Some((number, _))) => format!("value {}", number + 1),
                (None, None) => "-".to_owned(),
            })
            .collect();
        let width = choices.iter().map(String::len).max().unwrap_or(0).max("codon".len());
        writeln!(f, "step  {:width$}  form", "codon")?;
        for (index, (step, choice)) in self.steps.iter().zip(&choices).enumerate() {
            let (before, rest) = step.form.split_at(step.active.start);
            let (symbol, after) = rest.split_at(step.active.len());
            writeln!(f, "{:4}  {choice:width$}  {before}[{symbol}]{after}", index + 1)?;
        }
        if self.steps_left_out > 0 {
            writeln!(f, "      ... and {} more steps", self.steps_left_out)?;
        }
        if let Some(form) = &self.last_form {
            writeln!(f, "      {:width$}  {form}", "")?;
        }
        match self.outcome {
            Err(failure) => f.write_str(&self.template.explain(failure)),
            Ok(derived) => {
                write!(f, "{} of {} codons used", derived.codons_used, self.gene_len)?;
                match derived.wraps_used {
                    0 => Ok(()),
                    1 => f.write_str(", the gene was read again once"),
                    times => write!(f, ", the gene was read again {times} times"),
                }
            }
        }
    }
}

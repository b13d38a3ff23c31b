//! The three networks of a front that a user may want: smallest, recommended, most accurate.

use mge::hybrid::{Limits, Pick};
use mge::net::{Network, Size, table_bytes};
use mge::{FrontNetwork, NetworkFront};
use serde::Serialize;
use std::path::Path;

/// Names of the choices, and the rules that make them.
const CHOICES: [(&str, Pick); 3] = [
    ("smallest", Pick::Smallest),
    ("recommended", Pick::Recommended),
    ("most accurate", Pick::HighestAccuracy),
];

/// One network that a user may want.
#[derive(Debug, Serialize)]
pub struct Choice {
    name: &'static str,
    rule: Pick,
    operations: usize,
    bytes: usize,
    /// The accuracy, or R2 of numbers.
    validation_score: f64,
    /// Whether it is the model of the run.
    is_model: bool,
    command: String,
}

/// The choices within the limits of a run; none if no network keeps them.
pub fn of(front: &NetworkFront, limits: &Limits, model: &Network, run: &Path) -> Vec<Choice> {
    let choice = |(name, rule): (&'static str, Pick)| {
        let FrontNetwork { member, .. } = front.pick(limits, rule)?;
        Some(Choice {
            name,
            rule,
            operations: Size::of(&member.network).operations,
            bytes: table_bytes(&member.network),
            validation_score: member.accuracy,
            is_model: member.network == *model,
            command: format!("mge pick {} --pick {rule} -o FILE", run.display()),
        })
    };
    CHOICES.into_iter().filter_map(choice).collect()
}

/// The choices as a table. `>` marks the model of the run.
pub fn table(choices: &[Choice], score: &str) -> String {
    let score = format!("validation {score}");
    let mut text = format!("  choice         {score:<19}  operations  bytes\n");
    for choice in choices {
        let Choice { name, operations, bytes, validation_score, is_model, command, .. } = choice;
        let mark = if *is_model { ">" } else { " " };
        text += &format!(
            "{mark} {name:<13}  {validation_score:<19.4}  {operations:<10}  {bytes:<6} {command}\n"
        );
    }
    text
}

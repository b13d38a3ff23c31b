//! The company that a fitted network keeps, under the summary of `mge fit`.

use crate::print;
use mge::{Companion, Fitted};

/// Prints the table, and the sentence if a simpler classifier is as good.
pub fn print(fitted: &Fitted) -> miette::Result<()> {
    if fitted.company.is_empty() {
        return Ok(());
    }
    let mut text = format!("\n{}", table(fitted));
    if let Some(remark) = Companion::remark(&fitted.company, &fitted.model) {
        text += &format!("{remark}\n");
    }
    print::out(&text)
}

fn table(fitted: &Fitted) -> String {
    let own = Companion::of(&fitted.model);
    let all: Vec<&Companion> = std::iter::once(&own).chain(&fitted.company).collect();
    let width = all.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:<width$}  {:<6}  {:<10}  bytes\n", "company", "test", "operations");
    for Companion { name, test_accuracy, operations, bytes, .. } in all {
        text += &format!("{name:<width$}  {test_accuracy:.4}  {operations:<10}  {bytes}\n");
    }
    text
}

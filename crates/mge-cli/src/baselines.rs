//! The baselines that a fitted network keeps, under the summary of `mge fit`.

use crate::print;
use mge::{BaselineResult, Fitted};

/// Prints the table, and a sentence where a simpler classifier is as good or better.
pub fn print(fitted: &Fitted) -> anyhow::Result<()> {
    if fitted.baselines.is_empty() {
        return Ok(());
    }
    let mut text = format!("\n{}", table(fitted));
    if let Some(remark) = BaselineResult::remark(&fitted.baselines, &fitted.model) {
        text += &format!("{remark}\n");
    }
    print::out(&text)
}

fn table(fitted: &Fitted) -> String {
    let own = BaselineResult::of(&fitted.model);
    let all: Vec<&BaselineResult> = std::iter::once(&own).chain(&fitted.baselines).collect();
    let width = all.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let rmse = |one: &BaselineResult| one.errors.map(|errors| print::short(errors.test_rmse));
    let rmse_width = all.iter().filter_map(|one| rmse(one)).map(|text| text.len()).max();
    let Some(rmse_width) = rmse_width.map(|width| width.max(4)) else {
        let mut text =
            format!("{:<width$}  {:<6}  {:<10}  bytes\n", "baselines", "test", "operations");
        for BaselineResult { name, test_accuracy, operations, bytes, .. } in all {
            text += &format!("{name:<width$}  {test_accuracy:.4}  {operations:<10}  {bytes}\n");
        }
        return text;
    };
    let mut text = format!(
        "{:<width$}  {:<rmse_width$}  {:<7}  {:<10}  bytes\n",
        "baselines, test", "rmse", "r2", "operations"
    );
    for one in all {
        let BaselineResult { name, test_accuracy, operations, bytes, .. } = one;
        let rmse = rmse(one).unwrap_or_default();
        text += &format!(
            "{name:<width$}  {rmse:<rmse_width$}  {test_accuracy:<7.4}  {operations:<10}  {bytes}\n"
        );
    }
    text
}

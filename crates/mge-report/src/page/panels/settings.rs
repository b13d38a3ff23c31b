//! All settings of a run, and its grammar.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::page::settings_text::flat;
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;

#[derive(Template)]
#[template(path = "panels/settings.html")]
struct Settings {
    settings: Vec<(String, String)>,
    grammar: Option<(String, String)>,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let all = &run.model.settings;
    let mut settings = flat(&serde_json::to_value(all).unwrap_or_default());
    settings.retain(|(name, _)| !name.ends_with("grammar.text"));
    let grammar = all.method.grammar().map(|grammar| {
        let lines: Vec<String> = grammar.text.lines().map(clean).collect();
        (clean(&grammar.name), lines.join("\n"))
    });
    Panel::of("settings", "Settings", &Settings { settings, grammar })
}

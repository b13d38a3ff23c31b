//! The commands that made a run, and when and with what.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;

#[derive(Template)]
#[template(path = "panels/reproduce.html")]
struct Reproduce {
    commands: Vec<String>,
    facts: Vec<(&'static str, String)>,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let model = &run.model;
    let mut facts = vec![("version", format!("mge {}", model.mge_version))];
    if let Some(record) = &run.plan.record {
        let plural = if record.threads == 1 { "" } else { "s" };
        facts.extend([
            ("date", record.date.clone()),
            ("machine", record.platform.clone()),
            ("time", format!("{:.2} s on {} thread{plural}", record.seconds, record.threads)),
        ]);
    }
    let (search, seed) = (&model.search, model.settings.seed);
    facts.extend([
        ("seed", seed.to_string()),
        (
            "search",
            format!("{} generations, {} evaluations", search.generations, search.evaluations),
        ),
        ("stopped by", search.stop_reason.to_string()),
        ("data", fingerprint(run)),
    ]);
    facts.retain(|(_, value)| !value.is_empty());
    Panel::of("reproduce", "Reproduce this run", &Reproduce { commands: run.commands(), facts })
}

fn fingerprint(run: &ReportData) -> String {
    let found = &run.model.data.fingerprint;
    let hash: String = found.sha256.chars().take(16).collect();
    clean(&format!("{} rows, {} columns, SHA-256 {hash}…", found.rows, found.columns))
}

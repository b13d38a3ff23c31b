//! A panel is one section of a report. Each has a file in `panels/`, and a line in the list of the
//! kinds of tasks that it is for. A report shows the panels of its list in their order.

use super::PageError;
use super::panels;
use crate::report_data::ReportData;
use mge::TaskKind;

/// A section of a report.
pub struct Panel {
    /// Its address in the page.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// Its content, as HTML.
    pub body: String,
}

impl Panel {
    /// A panel of a filled template.
    pub fn of(
        id: &'static str,
        title: impl Into<String>,
        template: &impl askama::Template,
    ) -> Result<Option<Self>, PageError> {
        Ok(Some(Self { id, title: title.into(), body: template.render()? }))
    }
}

/// Writes a panel, or `None` where a run has nothing for it.
pub type WritePanel = fn(&ReportData) -> Result<Option<Panel>, PageError>;

/// The panels of a report on classes.
const CLASSIFICATION: &[WritePanel] = &[
    panels::front::panel,
    panels::network::panel,
    panels::pixels::panel,
    panels::what_if::panel,
    panels::test_rows::panel,
    panels::folds::panel,
    panels::confusion::panel,
    panels::probabilities::panel,
    panels::importance::panel,
    panels::formula::panel,
    panels::device::panel,
    panels::curves::panel,
    panels::data::panel,
    panels::reproduce::panel,
    panels::settings::panel,
];

/// The panels of a report on numbers.
const REGRESSION: &[WritePanel] = &[
    panels::front::panel,
    panels::network::panel,
    panels::pixels::panel,
    panels::what_if::panel,
    panels::test_values::panel,
    panels::folds::panel,
    panels::predicted::panel,
    panels::importance::panel,
    panels::formula::panel,
    panels::device::panel,
    panels::curves::panel,
    panels::data::panel,
    panels::reproduce::panel,
    panels::settings::panel,
];

/// The panels of a kind of task.
pub fn panels_of(kind: TaskKind) -> &'static [WritePanel] {
    match kind {
        TaskKind::Values { .. } => REGRESSION,
        _ => CLASSIFICATION,
    }
}

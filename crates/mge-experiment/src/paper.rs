//! The paper's tables and figures: our results beside the published values.
//!
//! A [`PaperItem`] is one table or figure. Some items run a plan, the others analyse
//! representations. Each gives an [`ExperimentReport`]: a table, files with data and figures, and
//! what is needed to repeat it. The published values are in `data/published.toml`, not in code.

mod analysis_reports;
mod comparison;
mod curves;
mod published;
mod report;

pub use analysis_reports::{invalidity, locality_report, scalability_report, sparsity};
pub use report::{ExperimentReport, OutputFile};

use crate::{ExperimentError, ExperimentPlan, Metric, Ranking, Results};
use comparison::compare;
use curves::error_curves;
use published::PublishedRow;
pub(crate) use published::published;

/// A table or figure of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperItem {
    /// The name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    plan: Option<&'static str>,
}

macro_rules! planned {
    ($name:literal, $title:literal) => {
        PaperItem {
            name: $name,
            title: $title,
            plan: Some(include_str!(concat!("../plans/", $name, ".toml"))),
        }
    };
}

/// All tables and figures, numbered as in the text.
pub const ITEMS: [PaperItem; 10] = [
    planned!("table3", "MGE and its variants"),
    PaperItem {
        name: "table4",
        title: "Locality: tree edit distance after 1 and 2 bits",
        plan: None,
    },
    planned!("table5", "MGE and other methods that evolve networks"),
    planned!("table6", "MGE and other classifiers"),
    planned!("table7", "MGE and other classifiers on MNIST"),
    PaperItem { name: "fig-locality", title: "Locality against network size", plan: None },
    PaperItem { name: "fig-scalability", title: "Connections when only they count", plan: None },
    planned!("fig-error-curves", "Error of the fittest during evolution"),
    planned!("budgets", "MGE with the evaluations of other methods"),
    planned!("invalidity", "Individuals that map to nothing"),
];

/// The item of this name.
pub fn find(name: &str) -> Option<PaperItem> {
    ITEMS.into_iter().find(|item| item.name == name)
}

impl PaperItem {
    /// The plan of its runs, if it has one.
    pub fn plan(&self) -> Result<Option<ExperimentPlan>, ExperimentError> {
        self.plan.map(|text| ExperimentPlan::parse(self.name, text)).transpose()
    }

    /// The report of finished runs. Items without a plan have their own functions:
    /// [`locality_report`] and [`scalability_report`].
    pub fn report(
        &self,
        results: &Results,
        unavailable_methods: &[String],
    ) -> Result<ExperimentReport, ExperimentError> {
        let title = format!("{}: {}", self.name, self.title);
        let metrics: &[Metric] = match self.name {
            "table6" | "table7" => &[Metric::Accuracy, Metric::Operations],
            "budgets" => &[Metric::Accuracy],
            "invalidity" => return invalidity(results, unavailable_methods),
            "fig-error-curves" => return error_curves(&title, results),
            _ => &[
                Metric::Accuracy,
                Metric::RmseTrain,
                Metric::RmseTest,
                Metric::Layers,
                Metric::Neurons,
                Metric::Features,
            ],
        };
        let mut table = compare(self.name, &title, metrics, results, unavailable_methods)?;
        let mut ours = results.summary_table();
        let ranking = results.ranking()?;
        for notes in [&mut table.notes, &mut ours.notes] {
            notes.extend(ranking.iter().flat_map(Ranking::notes));
        }
        let mut report = ExperimentReport::new(self.name, table);
        report.add_file("ours.csv", ours.csv());
        report.add_file("ours.md", ours.markdown());
        report.add_file("ours.tex", ours.latex());
        if let Some(ranking) = ranking {
            report.add_file("critical-difference.svg", ranking.svg(&title)?);
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_can_be_expanded_and_names_only_known_methods() {
        for item in ITEMS {
            let Some(plan) = item.plan().unwrap() else { continue };
            assert!(!plan.available_runs().unwrap().is_empty(), "{}", item.name);
            for method in plan.unavailable_methods() {
                let error = crate::method_settings(&method).unwrap_err();
                assert!(error.to_string().ends_with("is not built"), "{error}");
            }
        }
        assert_eq!(find("table3").unwrap().plan().unwrap().unwrap().runs().unwrap().len(), 660);
    }
}

//! The paper's tables and figures: ours beside the published values.
//!
//! An [`Item`] is one of them. Those that need runs have a [`Plan`]; the others analyse a
//! representation. Either ends in a [`Report`]: a table, files with data and figures, and what is
//! needed to make them again. Published values stand in `data/published.toml`, never in code.

mod analysis;
mod comparison;
mod curves;
mod published;
mod report;

pub use analysis::{invalidity, locality_report, scalability_report, sparsity};
pub use comparison::compare;
pub use curves::error_curves;
pub use published::{Published, PublishedRow, published};
pub use report::Report;

use crate::{ExperimentError, Figure, Plan, Ranking, Results};

/// A table or figure of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    plan: Option<&'static str>,
}

macro_rules! planned {
    ($name:literal, $title:literal) => {
        Item {
            name: $name,
            title: $title,
            plan: Some(include_str!(concat!("../plans/", $name, ".toml"))),
        }
    };
}

/// All tables and figures, numbered as in the text.
pub const ITEMS: [Item; 10] = [
    planned!("table3", "MGE and its variants"),
    Item { name: "table4", title: "Locality: tree edit distance after 1 and 2 bits", plan: None },
    planned!("table5", "MGE and other methods that evolve networks"),
    planned!("table6", "MGE and other classifiers"),
    planned!("table7", "MGE and other classifiers on MNIST"),
    Item { name: "fig-locality", title: "Locality against network size", plan: None },
    Item { name: "fig-scalability", title: "Connections when only they count", plan: None },
    planned!("fig-error-curves", "Error of the fittest during evolution"),
    planned!("budgets", "MGE with the evaluations of its rivals"),
    planned!("invalidity", "Individuals that map to nothing"),
];

/// The item of this name.
pub fn find(name: &str) -> Option<Item> {
    ITEMS.into_iter().find(|item| item.name == name)
}

impl Item {
    /// The runs it needs, if it needs any.
    pub fn plan(&self) -> Result<Option<Plan>, ExperimentError> {
        self.plan.map(|text| Plan::parse(self.name, text)).transpose()
    }

    /// The report on finished runs; items without a plan have their own
    /// ([`locality_report`], [`scalability_report`]).
    pub fn report(
        &self,
        results: &Results,
        not_built: &[String],
    ) -> Result<Report, ExperimentError> {
        let title = format!("{}: {}", self.name, self.title);
        let figures: &[Figure] = match self.name {
            "table6" | "table7" => &[Figure::Accuracy, Figure::Operations],
            "budgets" => &[Figure::Accuracy],
            "invalidity" => return invalidity(results, not_built),
            "fig-error-curves" => return error_curves(&title, results),
            _ => &[
                Figure::Accuracy,
                Figure::RmseTrain,
                Figure::RmseTest,
                Figure::Layers,
                Figure::Neurons,
                Figure::Features,
            ],
        };
        let mut sheet = compare(self.name, &title, figures, results, not_built)?;
        let mut ours = results.sheet();
        let ranking = results.ranking()?;
        for notes in [&mut sheet.notes, &mut ours.notes] {
            notes.extend(ranking.iter().flat_map(Ranking::notes));
        }
        let mut report = Report::new(self.name, sheet);
        report.files.push(("ours.csv".to_owned(), ours.csv()));
        report.files.push(("ours.md".to_owned(), ours.markdown()));
        report.files.push(("ours.tex".to_owned(), ours.latex()));
        if let Some(ranking) = ranking {
            report.files.push(("critical-difference.svg".to_owned(), ranking.svg(&title)?));
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
            assert!(!plan.runs_of_built().unwrap().is_empty(), "{}", item.name);
            for method in plan.not_built() {
                let error = crate::method_settings(&method).unwrap_err();
                assert!(error.to_string().ends_with("is not built"), "{error}");
            }
        }
        assert_eq!(find("table3").unwrap().plan().unwrap().unwrap().runs().unwrap().len(), 660);
    }
}

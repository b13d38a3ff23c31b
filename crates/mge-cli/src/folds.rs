//! `mge fit --folds N`: each fold in a folder of its own, then the final model.
//!
//! The library knows what a cross-validation is; here is how it is kept on disk. A complete fold has a model in its folder and is not done again. So a killed cross-validation
//! continues with the fold that was interrupted.

use crate::print;
use anyhow::anyhow;
use mge::evolve::StopReason;
use mge::{
    CrossValidation, Curves, Fitted, Folds, Model, PreparedFit, RunFolder, RunOptions, RunPlan,
};
use std::time::Duration;

/// A cross-validation in a run folder.
pub struct FoldsInFolder<'a> {
    /// The folds.
    pub folds: &'a Folds<'a>,
    /// The folder of the run.
    pub folder: &'a RunFolder,
    /// The time between checkpoints.
    pub every: Duration,
    /// The plan of the run, if each fold gets a report.
    pub reported: Option<&'a RunPlan>,
    /// Whether to show nothing.
    pub quiet: bool,
}

impl FoldsInFolder<'_> {
    /// Does all folds that are not done, and the final fit.
    pub fn run(
        &self,
        last: PreparedFit<'static>,
        options: impl Fn() -> RunOptions<'static>,
    ) -> anyhow::Result<Fitted> {
        let fit_last = || {
            self.report("final model, trained on all rows:".to_owned());
            let last = last.run_with_checkpoints(self.folder.checkpoint_file(), self.every)?;
            check_complete(&last, "the final model", self.folder)?;
            Ok(last)
        };
        self.folds.fit_all(|fold| self.model(fold, &options), fit_last)
    }

    /// The model of a fold: from its folder, or fitted now.
    fn model(
        &self,
        fold: usize,
        options: &impl Fn() -> RunOptions<'static>,
    ) -> anyhow::Result<Model> {
        let name = format!("fold {} of {}", fold + 1, self.folds.count());
        let own = self.folder.fold(fold)?;
        let model = if own.model_file().exists() {
            Model::load(&own.model_file())?
        } else {
            self.report(format!("{name}:"));
            let curves = Curves::new();
            curves.write_to(own.curves_file());
            let ready = self.folds.prepare(fold, options().observer(curves.clone()))?;
            let mut fitted = ready.run_with_checkpoints(own.checkpoint_file(), self.every)?;
            check_complete(&fitted, &name, self.folder)?;
            let curves = curves.finish(&fitted.model)?;
            if let Some(plan) = self.reported {
                fitted = crate::report::of_fit(fitted, curves, plan.clone(), &own)?;
            }
            // The model comes last: it says that the fold is complete.
            own.save(&fitted)?;
            fitted.model
        };
        let test = &model.metrics.test;
        self.report(format!("{name}: {} {:.4}", crate::summary::score_name(test), test.accuracy));
        Ok(model)
    }

    fn report(&self, text: String) {
        if !self.quiet {
            print::note(text);
        }
    }
}

/// Returns an error if the user stopped the fit: its metrics say nothing about the settings.
fn check_complete(fitted: &Fitted, name: &str, folder: &RunFolder) -> anyhow::Result<()> {
    if fitted.model.search.stop_reason != StopReason::Interrupted {
        return Ok(());
    }
    let folder = folder.path().display();
    Err(anyhow!("stopped in {name}; go on with: mge fit --resume {folder}"))
}

/// Mean and deviation of the folds.
pub fn summary(result: &CrossValidation, score: &'static str) -> String {
    let spread = |figure: &mge::Spread, digits: usize| {
        format!("{:.digits$} ± {:.digits$}", figure.mean, figure.deviation)
    };
    let accuracies: Vec<String> = result.accuracies.iter().map(|a| format!("{a:.3}")).collect();
    print::table(&[
        ("folds", format!("{}, mean ± deviation; final model below", result.folds)),
        (score, format!("{} ({})", spread(&result.accuracy, 4), accuracies.join(" "))),
        ("rmse", spread(&result.rmse, 4)),
        ("neurons", spread(&result.neurons, 1)),
        ("operations", spread(&result.operations, 1)),
    ]) + "\n"
}

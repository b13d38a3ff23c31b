//! `mge fit --folds N`: each fold in a folder of its own, then the final model.
//!
//! A complete fold has a model in its folder and is not done again. So a killed cross-validation
//! continues with the fold that was interrupted.

use crate::print;
use anyhow::anyhow;
use mge::evolve::StopReason;
use mge::{
    CrossValidation, Curves, Fitted, Folds, Model, PreparedFit, RunFolder, RunOptions, RunPlan,
};
use std::time::Duration;

/// Does all folds and the final fit. Each fold gets a report if the plan of the run is given.
pub fn run(
    folds: &Folds<'_>,
    last: PreparedFit<'static>,
    folder: &RunFolder,
    every: Duration,
    options: impl Fn() -> RunOptions<'static>,
    reported: Option<&RunPlan>,
    quiet: bool,
) -> anyhow::Result<Fitted> {
    let report = |text: String| {
        if !quiet {
            print::note(text);
        }
    };
    let mut models = Vec::with_capacity(folds.count());
    for fold in 0..folds.count() {
        let name = format!("fold {} of {}", fold + 1, folds.count());
        let own = folder.fold(fold)?;
        let model = if own.model_file().exists() {
            Model::load(&own.model_file())?
        } else {
            report(format!("{name}:"));
            let curves = Curves::new();
            curves.write_to(own.curves_file());
            let ready = folds.prepare(fold, options().observer(curves.clone()))?;
            let mut fitted = ready.run_with_checkpoints(own.checkpoint_file(), every)?;
            check_complete(&fitted, &name, folder)?;
            let curves = curves.finish(&fitted.model)?;
            if let Some(plan) = reported {
                fitted = crate::report::of_fit(fitted, curves, plan.clone(), &own)?;
            }
            // The model comes last: it says that the fold is complete.
            own.save(&fitted)?;
            fitted.model
        };
        let test = &model.metrics.test;
        report(format!("{name}: {} {:.4}", crate::summary::score_name(test), test.accuracy));
        models.push(model);
    }
    report("final model, trained on all rows:".to_owned());
    let last = last.run_with_checkpoints(folder.checkpoint_file(), every)?;
    check_complete(&last, "the final model", folder)?;
    Ok(folds.conclude(last, &models))
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

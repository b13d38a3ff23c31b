//! The learning curves: how a search went, in the figures that its method has.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use askama::Template;
use mge_plot::{Figure, Plot, Series};

#[derive(Template)]
#[template(path = "panels/figures.html")]
struct Curves {
    lead: String,
    figures: Vec<Figure>,
}

/// The names of losses in the history of a run.
struct LossNames {
    axis: &'static str,
    best: &'static str,
    mean: &'static str,
}

/// Methods with a population record training losses of its individuals. Methods with a front record
/// the losses of its networks on the rows that choose among them.
fn loss_names(run: &ReportData) -> LossNames {
    if has_population(run) {
        let (best, mean) = ("best individual", "mean of the population");
        LossNames { axis: "training loss", best, mean }
    } else {
        let (best, mean) = ("best network", "mean of the front");
        LossNames { axis: "validation loss", best, mean }
    }
}

fn has_population(run: &ReportData) -> bool {
    run.model.settings.method.population().is_some()
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let figures = figures(run)?;
    if figures.is_empty() {
        return Ok(None);
    }
    let lead = if has_population(run) {
        "The best individual of each generation, on training rows."
    } else {
        "The network that the run would have chosen after each generation. It may become smaller \
         or less accurate when a network of another size is chosen."
    };
    Panel::of("curves", "Learning curves", &Curves { lead: lead.to_owned(), figures })
}

fn figures(run: &ReportData) -> Result<Vec<Figure>, PageError> {
    let history = |value: fn(&mge::evolve::Record) -> f64| {
        run.history.iter().map(|r| (r.generation as f64, value(r))).collect::<Vec<_>>()
    };
    let curve = |value: fn(&mge::CurvePoint) -> f64| {
        run.curves.iter().map(|p| (p.generation as f64, value(p))).collect::<Vec<_>>()
    };
    let names = loss_names(run);
    let plot = |title, y, from_zero, max, series| Plot {
        title,
        x: "generation",
        y,
        from_zero,
        max,
        series,
    };
    let losses = vec![
        Series::line(names.best, 0, history(|r| r.best_loss)),
        Series::line(names.mean, 1, history(|r| r.mean_loss)),
    ];
    let sizes = vec![
        Series::line("hidden neurons", 0, curve(|p| p.neurons as f64)),
        Series::line("features", 1, curve(|p| p.features as f64)),
        Series::line("connections", 2, curve(|p| p.connections as f64)),
    ];
    let network = if has_population(run) { "best individual" } else { "chosen network" };
    let accuracies = vec![Series::line(network, 0, curve(|point| point.train_accuracy))];
    let size_title = if has_population(run) {
        "Size of the best individual"
    } else {
        "Size of the chosen network"
    };
    let mut plots = vec![
        plot("Loss", names.axis, false, None, losses),
        match run.model.values {
            None => plot("Accuracy", "training accuracy", false, Some(1.0), accuracies),
            Some(_) => plot("R²", "training R²", false, Some(1.0), accuracies),
        },
        plot(size_title, "count", true, None, sizes),
    ];
    if has_population(run) {
        let invalid = vec![Series::line("invalid", 5, invalid_individuals(run))];
        let diversity = vec![Series::line("diversity", 2, curve(|p| p.diversity))];
        let (fraction, distinct) = ("fraction of a generation", "distinct losses / individuals");
        plots.push(plot("Invalid individuals", fraction, true, Some(1.0), invalid));
        plots.push(plot("Diversity", distinct, true, Some(1.0), diversity));
    }
    let figures = plots.into_iter().map(|plot| plot.draw().map_err(PageError::from));
    Ok(figures.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The fraction of invalid individuals in each generation.
fn invalid_individuals(run: &ReportData) -> Vec<(f64, f64)> {
    let mut before = 0;
    let fraction = run.history.iter().map(|record| {
        let evaluated = (record.evaluations - before.min(record.evaluations)).max(1);
        before = record.evaluations;
        (record.generation as f64, record.invalid_individuals as f64 / evaluated as f64)
    });
    fraction.collect()
}

//! Events of a search, without borrows, for the thread that talks to Python.

use mge::evolve::Progress;
use mge::net::Size;
use mge::{Best, FitEvent};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use std::time::Instant;

/// Makes events for Python of those of a fit.
pub struct Events {
    with_network: bool,
    began: Instant,
    /// Whether the first generation was told. The library tells it by `Started` and `Improved`.
    has_first: bool,
}

impl Events {
    /// With `with_network`, generations describe the best network, which is measured for it.
    pub fn new(with_network: bool) -> Self {
        Self { with_network, began: Instant::now(), has_first: false }
    }

    /// The event for Python; `None` for what only a file would be of interest for.
    pub fn next(&mut self, event: &FitEvent<'_>) -> Option<Event> {
        match event {
            FitEvent::Planned { .. } => (self.began, self.has_first) = (Instant::now(), false),
            FitEvent::Improved { progress, best } if !self.has_first => {
                self.has_first = true;
                let seconds = self.began.elapsed().as_secs_f64();
                return Some(Event::generation(progress, seconds, *best, self.with_network));
            }
            FitEvent::Generation { progress, seconds, best } => {
                return Some(Event::generation(progress, *seconds, *best, self.with_network));
            }
            _ => {}
        }
        Event::of(event)
    }
}

/// One event: its name and its entries.
pub struct Event {
    pub kind: &'static str,
    entries: Value,
}

impl Event {
    fn generation(progress: &Progress, seconds: f64, best: Best<'_>, with_network: bool) -> Self {
        let mut entries = json!({
            "generation": progress.generation,
            "evaluations": progress.evaluations,
            "best_loss": progress.best_loss,
            "seconds": seconds,
        });
        if with_network {
            add_best(&mut entries, best);
        }
        Self { kind: "generation", entries }
    }

    fn of(event: &FitEvent<'_>) -> Option<Self> {
        let (kind, entries) = match event {
            FitEvent::Planned { settings, features, train_rows, test_rows, threads, .. } => (
                "planned",
                json!({
                    "method": settings.method.method().name(),
                    "seed": settings.seed,
                    "generations": settings.stop.generations,
                    "seconds": settings.stop.seconds,
                    "features": features,
                    "train_rows": train_rows,
                    "test_rows": test_rows,
                    "threads": threads,
                }),
            ),
            FitEvent::Started { progress, .. } => {
                ("started", json!({ "generation": progress.generation }))
            }
            FitEvent::Diversity { progress, diversity } => {
                ("diversity", json!({ "generation": progress.generation, "diversity": diversity }))
            }
            FitEvent::Finished { reason, progress } => (
                "finished",
                json!({
                    "reason": reason.to_string(),
                    "generation": progress.generation,
                    "evaluations": progress.evaluations,
                    "best_loss": progress.best_loss,
                }),
            ),
            _ => return None,
        };
        Some(Self { kind, entries })
    }

    /// The event as a dict.
    pub fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let dict = crate::json::to_python(py, &self.entries)?;
        dict.cast::<PyDict>()?.set_item("event", self.kind)?;
        Ok(dict)
    }
}

fn add_best(entries: &mut Value, best: Best<'_>) {
    let Some(network) = best.network() else { return };
    let size = Size::of(&network);
    entries["train_accuracy"] = json!(best.train_accuracy(&network));
    entries["operations"] = json!(size.operations);
    entries["neurons"] = json!(size.neurons);
    entries["features"] = json!(size.features);
    entries["network"] = serde_json::to_value(&network).unwrap_or_default();
}

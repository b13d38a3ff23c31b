//! Events of a fit without borrows: for log files, for other threads, for other languages.

use crate::watch::{Best, FitEvent};
use mge_evolve::Progress;
use mge_net::Size;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::time::Instant;

/// One event: its name, and its entries by name. As JSON it is one object, with the name under
/// `event`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventRecord {
    /// `planned`, `started`, `generation`, `diversity` or `finished`.
    pub event: &'static str,
    /// The entries.
    #[serde(flatten)]
    pub entries: Map<String, Value>,
}

impl EventRecord {
    fn new(event: &'static str, entries: Value) -> Self {
        let Value::Object(entries) = entries else { return Self { event, entries: Map::new() } };
        Self { event, entries }
    }

    /// A number among the entries.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.entries.get(name)?.as_f64()
    }
}

/// Makes records of the events of a fit. Each generation has one record, the first one too.
#[derive(Debug)]
pub struct EventRecords {
    with_network: bool,
    began: Instant,
    /// Whether the first generation was told. The loop tells it by `Started` and `Improved`.
    has_first: bool,
}

impl EventRecords {
    /// With `with_network`, generations describe the best network, which is measured for it.
    pub fn new(with_network: bool) -> Self {
        Self { with_network, began: Instant::now(), has_first: false }
    }

    /// The record of an event; `None` for events of files.
    pub fn next(&mut self, event: &FitEvent<'_>) -> Option<EventRecord> {
        let record = match event {
            FitEvent::Planned { settings, features, train_rows, test_rows, threads, .. } => {
                (self.began, self.has_first) = (Instant::now(), false);
                let entries = json!({
                    "method": settings.method.method().name(),
                    "seed": settings.seed,
                    "generations": settings.stop.generations,
                    "seconds": settings.stop.seconds,
                    "features": features,
                    "train_rows": train_rows,
                    "test_rows": test_rows,
                    "threads": threads,
                });
                EventRecord::new("planned", entries)
            }
            FitEvent::Started { resumed, progress } => {
                // The generation that a resumed run starts from was told before.
                self.has_first = *resumed;
                let entries = json!({ "generation": progress.generation, "resumed": resumed });
                EventRecord::new("started", entries)
            }
            FitEvent::Improved { progress, best } if !self.has_first => {
                self.has_first = true;
                self.generation(progress, self.began.elapsed().as_secs_f64(), *best)
            }
            FitEvent::Generation { progress, seconds, best, .. } => {
                self.generation(progress, *seconds, *best)
            }
            FitEvent::Diversity { progress, diversity } => {
                let entries = json!({ "generation": progress.generation, "diversity": diversity });
                EventRecord::new("diversity", entries)
            }
            FitEvent::Finished { reason, progress } => {
                let entries = json!({
                    "reason": reason.to_string(),
                    "generation": progress.generation,
                    "evaluations": progress.evaluations,
                    "best_loss": progress.best_loss,
                });
                EventRecord::new("finished", entries)
            }
            _ => return None,
        };
        Some(record)
    }

    fn generation(&self, progress: &Progress, seconds: f64, best: Best<'_>) -> EventRecord {
        let mut entries = json!({
            "generation": progress.generation,
            "evaluations": progress.evaluations,
            "best_loss": progress.best_loss,
            "seconds": seconds,
        });
        if self.with_network
            && let Some(network) = best.network()
        {
            let Size { operations, neurons, features, .. } = Size::of(&network);
            entries["train_accuracy"] = json!(best.train_accuracy(&network));
            entries["operations"] = json!(operations);
            entries["neurons"] = json!(neurons);
            entries["features"] = json!(features);
        }
        EventRecord::new("generation", entries)
    }
}

//! Learning curves beyond the loss: how accurate and how large the best network is, and how
//! different the individuals are, generation by generation.
//!
//! An observer makes them, so they change no result. Accuracy takes time, so only some generations
//! are measured: all early ones, then ever fewer. Which ones depends on their number alone, so a
//! run that was killed and resumed has the same curves.

use crate::{Best, FitEvent, FitObserver, FolderError, Model};
use mge_evolve::Progress;
use mge_io::write_atomically;
use mge_net::Size;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The best network at one generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Populations evaluated so far.
    pub generation: u64,
    /// Individuals evaluated so far.
    pub evaluations: u64,
    /// The fraction of training rows that the best network gets right.
    pub train_accuracy: f64,
    /// Its hidden neurons.
    pub neurons: usize,
    /// Its connections.
    pub connections: usize,
    /// The features it uses.
    pub features: usize,
    /// Operations of one prediction.
    pub operations: usize,
    /// How different the individuals are, from 0 to 1; `NaN` where the method cannot tell.
    pub diversity: f64,
}

/// Records curves. Clones share what they record: give one to the fit, keep the other.
///
/// ```
/// let data = mge::data::load("wine", &Default::default())?;
/// let curves = mge::Curves::new();
/// let fit = mge::Fit::new().seed(7).generations(3).observer(curves.clone());
/// let fitted = fit.run(&data)?;
/// let points = curves.finish(&fitted.model)?;
/// assert_eq!(points.last().map(|last| last.neurons), Some(fitted.model.size.neurons));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Curves {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    points: Vec<CurvePoint>,
    /// Whether the best network is another one than that of the last point.
    improved: bool,
    diversity: Option<f64>,
    file: Option<PathBuf>,
    unsaved: bool,
}

impl Curves {
    /// Curves without a point.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes the curves to this file too, each time a checkpoint is written. The points that an
    /// earlier part of the run left there are kept.
    pub fn write_to(&self, file: impl Into<PathBuf>) {
        let mut inner = self.lock();
        let file = file.into();
        // A file that cannot be read counts as empty: curves are no part of the result.
        inner.points = Self::read(&file).unwrap_or_default();
        inner.file = Some(file);
    }

    /// Adds the model as the last point, writes the file if there is one, and returns all points.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(&self, model: &Model) -> Result<Vec<CurvePoint>, FolderError> {
        let mut inner = self.lock();
        let (generation, size) = (model.search.generations, &model.size);
        if inner.points.last().is_none_or(|last| last.generation < generation) {
            let accuracy = model.metrics.train.accuracy;
            let last = inner.point(generation, model.search.evaluations, accuracy, size);
            inner.points.push(last);
        }
        inner.write()?;
        Ok(inner.points.clone())
    }

    /// The points in a file, or `None` if there is no such file. Lines that are no points are
    /// left out.
    pub fn read(file: &Path) -> Option<Vec<CurvePoint>> {
        let text = std::fs::read_to_string(file).ok()?;
        Some(text.lines().skip(1).filter_map(read_point).collect())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn point(&self, generation: u64, evaluations: u64, accuracy: f64, size: &Size) -> CurvePoint {
        CurvePoint {
            generation,
            evaluations,
            train_accuracy: accuracy,
            neurons: size.neurons,
            connections: size.connections,
            features: size.features,
            operations: size.operations,
            diversity: self.diversity.unwrap_or(f64::NAN),
        }
    }

    fn measure(&mut self, progress: &Progress, best: &Best<'_>) {
        let (generation, evaluations) = (progress.generation, progress.evaluations);
        if !is_due(generation) || self.points.last().is_some_and(|p| p.generation >= generation) {
            return;
        }
        let point = match self.points.last() {
            Some(last) if !self.improved => {
                let diversity = self.diversity.unwrap_or(f64::NAN);
                CurvePoint { generation, evaluations, diversity, ..*last }
            }
            _ => {
                let Some(network) = best.network() else { return };
                let accuracy = best.train_accuracy(&network);
                self.point(generation, evaluations, accuracy, &Size::of(&network))
            }
        };
        self.improved = false;
        self.unsaved = true;
        self.points.push(point);
    }

    fn write(&mut self) -> Result<(), FolderError> {
        let Some(path) = self.file.clone() else { return Ok(()) };
        write_atomically(&path, csv(&self.points).as_bytes())
            .map_err(|source| FolderError::Write { path, source })?;
        self.unsaved = false;
        Ok(())
    }
}

impl FitObserver for Curves {
    fn observe(&mut self, event: &FitEvent<'_>) {
        let mut inner = self.lock();
        match event {
            FitEvent::Started { progress, .. } => {
                // Points after the checkpoint come again. The last point of a run that had ended
                // may be at a generation that is not due.
                let kept =
                    |p: &CurvePoint| p.generation <= progress.generation && is_due(p.generation);
                inner.points.retain(kept);
                inner.improved = true;
            }
            FitEvent::Diversity { diversity, .. } => inner.diversity = Some(*diversity),
            FitEvent::Improved { progress, best } => {
                inner.improved = true;
                inner.measure(progress, best);
            }
            FitEvent::Generation { progress, best, .. } => inner.measure(progress, best),
            // An error is reported at the end, by `finish`.
            FitEvent::CheckpointWritten { .. } if inner.unsaved => {
                let _ = inner.write();
            }
            _ => {}
        }
    }
}

/// Every generation at first; from 80 on, about forty in each doubling.
fn is_due(generation: u64) -> bool {
    generation.is_multiple_of((generation / 40).max(1).next_power_of_two())
}

const HEADER: &str =
    "generation,evaluations,train_accuracy,neurons,connections,features,operations,diversity\n";

fn csv(points: &[CurvePoint]) -> String {
    let mut text = String::from(HEADER);
    for p in points {
        let (accuracy, diversity) = (p.train_accuracy, p.diversity);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{accuracy},{},{},{},{},{diversity}",
            p.generation, p.evaluations, p.neurons, p.connections, p.features, p.operations
        );
    }
    text
}

fn read_point(line: &str) -> Option<CurvePoint> {
    let mut cells = line.split(',');
    let mut next = || cells.next();
    let point = CurvePoint {
        generation: next()?.parse().ok()?,
        evaluations: next()?.parse().ok()?,
        train_accuracy: next()?.parse().ok()?,
        neurons: next()?.parse().ok()?,
        connections: next()?.parse().ok()?,
        features: next()?.parse().ok()?,
        operations: next()?.parse().ok()?,
        diversity: next()?.parse().ok()?,
    };
    next().is_none().then_some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_generations_are_measured_however_long_a_run_is() {
        let due = |last: u64| (1..=last).filter(|&generation| is_due(generation)).count();
        assert_eq!(due(80), 80);
        assert!(due(500) < 200 && due(3000) < 350 && due(1_000_000) < 700, "{}", due(1_000_000));
    }

    #[test]
    fn a_resumed_run_has_the_same_curves() {
        let data = mge_data::load("wine", &Default::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let fit = |generations, curves: &Curves| {
            let fit = crate::Fit::new().method(crate::Method::MGE).seed(3).population(30);
            let fit = fit.generations(generations).observer(curves.clone());
            let file = folder.path().join("checkpoint.bin");
            let ready = fit.prepare(&data).unwrap();
            let model = ready.run_with_checkpoints(file, std::time::Duration::MAX).unwrap().model;
            curves.finish(&model).unwrap()
        };
        let file = folder.path().join("curves.csv");
        for generations in [91, 150] {
            let curves = Curves::new();
            curves.write_to(&file);
            fit(generations, &curves);
        }
        let resumed = Curves::read(&file).unwrap();
        std::fs::remove_file(folder.path().join("checkpoint.bin")).unwrap();
        let whole = fit(150, &Curves::new());
        assert_eq!(resumed, whole);
        assert!(whole.iter().all(|p| p.diversity > 0.0 && p.neurons > 0));
    }
}

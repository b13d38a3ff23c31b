//! How much of the current generation is done.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How much of the current generation is done. The search counts on any thread, and observers read
/// it from another one while the generation runs. It never changes a result.
///
/// ```
/// use mge_evolve::GenerationProgress;
///
/// let progress = GenerationProgress::default();
/// progress.begin(4);
/// progress.advance();
/// assert_eq!(progress.fraction(), 0.25);
/// ```
#[derive(Debug, Default)]
pub struct GenerationProgress {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl GenerationProgress {
    /// A new generation of this many pieces of work begins.
    pub fn begin(&self, total: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// One piece is done.
    pub fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// The fraction that is done, from 0 to 1; zero before the first generation.
    pub fn fraction(&self) -> f64 {
        let total = self.total.load(Ordering::Relaxed).max(1);
        (self.done.load(Ordering::Relaxed) as f64 / total as f64).min(1.0)
    }
}

//! The bar of a running search. It also moves inside of a generation, which may take seconds.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use mge::evolve::GenerationProgress;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How often the bar is drawn.
const REDRAW: Duration = Duration::from_millis(100);
/// Characters of the bar.
const WIDTH: usize = 14;

/// How far a run is. The bar reads it on a thread of its own.
#[derive(Default)]
pub struct RunPosition {
    /// Finished generations, of those that a rule allows; zero if none does.
    generations: AtomicU64,
    max_generations: u64,
    /// The fraction that is done by rules that do not count generations, in thousandths.
    by_other_rules: AtomicU64,
    /// The generation that runs.
    running: OnceLock<Arc<GenerationProgress>>,
}

impl RunPosition {
    /// The position of a run that may take so many generations, if a rule counts them.
    pub fn new(max_generations: Option<u64>) -> Self {
        Self { max_generations: max_generations.unwrap_or(0), ..Self::default() }
    }

    /// The counter of the generation that runs.
    pub fn set_running(&self, running: Option<Arc<GenerationProgress>>) {
        if let Some(running) = running {
            // A run starts once.
            let _ = self.running.set(running);
        }
    }

    /// So many generations are finished, and rules that do not count them are so far.
    pub fn update(&self, generations: u64, by_other_rules: f64) {
        self.generations.store(generations, Ordering::Relaxed);
        self.by_other_rules.store((by_other_rules * 1000.0) as u64, Ordering::Relaxed);
    }

    /// The fraction of the run that is done.
    pub fn fraction(&self) -> f64 {
        let running = self.running.get().map_or(0.0, |running| running.fraction());
        let finished = self.generations.load(Ordering::Relaxed) as f64;
        let by_other_rules = self.by_other_rules.load(Ordering::Relaxed) as f64 / 1000.0;
        match self.max_generations {
            0 => by_other_rules,
            max => ((finished + running) / max as f64).max(by_other_rules).min(1.0),
        }
    }
}

/// A bar on standard error that shows a position, and a message beside it.
pub fn new(position: Arc<RunPosition>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let draw = move |_: &ProgressState, text: &mut dyn Write| {
        // A terminal that fails has nobody who looks.
        let _ = text.write_str(&drawn(position.fraction()));
    };
    if let Ok(style) = ProgressStyle::with_template("{spinner:.cyan} {position:.cyan} {wide_msg}") {
        bar.set_style(style.with_key("position", draw));
    }
    bar.enable_steady_tick(REDRAW);
    bar
}

/// The bar as text, such as `█████▌░░░░░░░░`.
fn drawn(fraction: f64) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = (fraction * (8 * WIDTH) as f64) as usize;
    let (full, rest) = (eighths / 8, eighths % 8);
    let mut text = "█".repeat(full);
    if rest > 0 {
        text.push(EIGHTHS[rest]);
    }
    let empty = WIDTH - text.chars().count();
    text + &"░".repeat(empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_moves_inside_a_generation() {
        let position = RunPosition::new(Some(4));
        let running = Arc::new(GenerationProgress::default());
        position.set_running(Some(Arc::clone(&running)));
        assert_eq!(position.fraction(), 0.0);
        running.begin(2);
        running.advance();
        assert_eq!(position.fraction(), 0.125);
        running.begin(2);
        position.update(1, 0.0);
        assert_eq!(position.fraction(), 0.25);
        position.update(1, 0.9);
        assert_eq!(position.fraction(), 0.9);
    }

    #[test]
    fn without_a_limit_of_generations_other_rules_count() {
        let position = RunPosition::new(None);
        position.update(70, 0.5);
        assert_eq!(position.fraction(), 0.5);
    }

    #[test]
    fn the_bar_is_as_wide_at_any_fraction() {
        for fraction in [0.0, 0.01, 0.31, 0.5, 0.999, 1.0] {
            assert_eq!(drawn(fraction).chars().count(), WIDTH, "{fraction}");
        }
        assert_eq!(drawn(0.5), "███████░░░░░░░");
    }
}

//! The search loop, written once for every method.
//!
//! A method implements [`Search`]: how to start, how to step, what it has found. A [`Run`] does the
//! rest. It steps until one of the [`StopRules`] holds or the user interrupts. It sends an
//! [`Event`] to each [`Observer`], and it writes [`Checkpoints`]. A killed run continues from the
//! last checkpoint and ends with the same result.
//!
//! Most methods of this project are generational, and [`Generational`] is the `Search` for them.
//! It takes a [`Representation`] (how genomes are made and varied) and an [`Evaluate`] (how they
//! are scored). This crate knows nothing of grammars, networks or data.
//!
//! There are two ways in. Implement [`Representation`] and [`Evaluate`] to evolve genomes of your
//! own, as below. Implement [`Search`] for a method that is not generational.
//!
//! ```
//! use mge_evolve::{Evaluate, Evaluation, Generational, GenerationalParams, Representation};
//! use mge_evolve::{Run, StopRules};
//! use mge_random::Stream;
//!
//! /// Find the number whose square is two.
//! struct Reals;
//! impl Representation for Reals {
//!     type Genome = f64;
//!     fn random(&self, stream: &mut Stream) -> f64 {
//!         stream.unit() * 10.0
//!     }
//!     fn crossover(&self, a: &mut f64, b: &mut f64, stream: &mut Stream) {
//!         let t = stream.unit();
//!         (*a, *b) = (t * *a + (1.0 - t) * *b, t * *b + (1.0 - t) * *a);
//!     }
//!     fn mutate(&self, x: &mut f64, stream: &mut Stream) {
//!         *x += (stream.unit() - 0.5) * 0.01;
//!     }
//! }
//! struct SquareIsTwo;
//! impl Evaluate<f64> for SquareIsTwo {
//!     fn evaluate(&self, genomes: &[f64]) -> Vec<Evaluation> {
//!         genomes.iter().map(|x| Evaluation::valid((x * x - 2.0).abs())).collect()
//!     }
//! }
//!
//! let params = GenerationalParams { population: 50, ..Default::default() }.check()?;
//! let search = Generational::new(Reals, SquareIsTwo, params, 7);
//! let stop = StopRules { generations: Some(60), ..Default::default() }.check()?;
//! let outcome = Run::new(&search, stop).run()?;
//! let best = outcome.state.best();
//! assert!((best.genome - 2f64.sqrt()).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod event;
mod generation_progress;
mod generational;
mod run;
mod search;
mod stop;

pub use checkpoint::{CheckpointError, Checkpoints};
pub use event::{Event, Observer};
pub use generation_progress::GenerationProgress;
pub use generational::{
    CheckedGenerational, Evaluate, Evaluation, Generational, GenerationalParamError,
    GenerationalParams, Individual, Population, Record, Representation,
};
pub use run::{Outcome, Run, RunError};
pub use search::{Progress, Search, ShouldStop};
pub use stop::{CheckedStopRules, StopReason, StopRuleError, StopRules};

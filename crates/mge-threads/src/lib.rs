//! The threads of a search, and how they share the parts of a generation.
//!
//! A generation is a chain of short parallel parts: varying, mapping, planning, computing. To fall
//! asleep and to be woken takes a thread as long as some of them. So [`Threads`] keeps a few
//! threads awake between the parts, and [`share`] lets the thread that began a part wait for the
//! others with open eyes. It also hands each thread the same share again, part by part: what it
//! made in one is in its cache in the next.
//!
//! Results come in the order of the items, for any number of threads.
//!
//! ```
//! use mge_threads::{Threads, share};
//!
//! let mut threads = Threads::new(Some(2))?;
//! let squares = threads.run(|| share((1..=4).collect(), |number: u32| number * number));
//! assert_eq!(squares, [1, 4, 9, 16]);
//! # Ok::<(), mge_threads::StartError>(())
//! ```

mod share;
mod vigil;

pub use rayon::ThreadPoolBuildError as StartError;
pub use share::{Order, share, share_in};
pub use vigil::Threads;

use std::time::Duration;

/// For how long a thread without work stays wide awake. The pauses between the parallel parts of a
/// generation are shorter, and so are most items for which the others wait at the end of a part.
const PATIENCE: Duration = Duration::from_millis(2);

//! The threads of a search: a `rayon` pool that stays awake, and a parallel map that reuses caches.
//!
//! A generation is a chain of short parallel parts: variation, mapping, planning, evaluation. Some
//! of them are shorter than the time that a thread takes to fall asleep and to be woken. Two things
//! avoid this cost:
//!
//! - [`Threads::run`] keeps a few threads of the pool awake while its work runs (*keep-alive*). An
//!   idle thread spins for two milliseconds: it asks the pool for work again and again. After
//!   that it sleeps, and looks for work every 100 microseconds.
//! - [`par_map`] splits the items into one chunk for each thread. A thread processes its own chunk
//!   first and then helps with the others. So thread `i` gets the same chunk in every generation,
//!   and finds in its processor cache what it computed in the last one. The calling thread does not
//!   sleep while the others finish; it *spin-waits*.
//!
//! Results have the order of the items, for any number of threads.
//!
//! ```
//! use mge_threads::{Threads, par_map};
//!
//! let mut threads = Threads::new(Some(2))?;
//! let squares = threads.run(|| par_map((1..=4).collect(), |number: u32| number * number));
//! assert_eq!(squares, [1, 4, 9, 16]);
//! # Ok::<(), mge_threads::StartError>(())
//! ```

mod keep_alive;
mod par_map;

pub use keep_alive::Threads;
pub use par_map::{Order, par_map, par_map_in};
pub use rayon::ThreadPoolBuildError as StartError;

use std::time::Duration;

/// How long a thread without work spins before it sleeps. The pauses between the parts of a
/// generation are shorter, and so are most items that a caller waits for.
const SPIN_TIMEOUT: Duration = Duration::from_millis(2);

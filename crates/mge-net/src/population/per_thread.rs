//! Scratch memory for each thread. A thread always gets its own memory back, which is still in its
//! processor cache.

use std::sync::{Mutex, PoisonError};

/// The scratch memory of all threads of the current `rayon` pool, by thread index.
#[derive(Debug)]
pub(super) struct PerThread<T>(Mutex<Vec<T>>);

impl<T> Default for PerThread<T> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<T: Default> PerThread<T> {
    /// Calls `work` with the scratch memory of the current thread.
    pub(super) fn with_own<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let own = rayon::current_thread_index().unwrap_or(0);
        let mut memory = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.get_mut(own).map(std::mem::take).unwrap_or_default()
        };
        let result = work(&mut memory);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() <= own {
            all.resize_with(own + 1, T::default);
        }
        all[own] = memory;
        result
    }
}

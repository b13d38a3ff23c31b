//! Compiles kernels for each SIMD level, and selects one at run time.

use crate::simd::{Level, UsableLevel};

/// Code that is compiled once for each level. `run` and everything that it calls in its loops must
/// be `inline(always)`; otherwise it is compiled for the baseline level.
pub(crate) trait Kernel {
    /// The result.
    type Output;
    /// Runs the code.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the instructions of `level`.
#[allow(unsafe_code)]
pub(crate) fn run<K: Kernel>(level: UsableLevel, kernel: K) -> K::Output {
    match level.get() {
        // SAFETY: a `UsableLevel` exists only for instructions of this processor.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { with_avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { with_avx512(kernel) },
        _ => kernel.run(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

//! The kernels, compiled for each SIMD level, and the choice between them.

use crate::simd::{Level, UsableLevel};

/// Work whose code is compiled once for each level. `run` and all it calls in its loops must be
/// `inline(always)`, or they keep the baseline's instructions.
pub(crate) trait Kernel {
    /// What the work gives.
    type Output;
    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does the work with the instructions of `level`.
#[allow(unsafe_code)]
pub(crate) fn run<K: Kernel>(level: UsableLevel, kernel: K) -> K::Output {
    match level.get() {
        // SAFETY: a `UsableLevel` exists only for instructions that this processor has.
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

//! The kernel, compiled for each SIMD level, and the choice between them.

use super::{BatchEvaluator, Scratch, kernel};
use crate::network::Network;
use crate::simd::{Level, UsableLevel};

/// The sum of the loss over all rows, with the instructions of `level`.
#[allow(unsafe_code)]
pub(super) fn total_loss(
    level: UsableLevel,
    evaluator: &BatchEvaluator,
    network: &Network,
    scratch: &mut Scratch,
) -> f64 {
    match level.get() {
        // SAFETY: a `UsableLevel` exists only for instructions that this processor has.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { with_avx2(evaluator, network, scratch) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { with_avx512(evaluator, network, scratch) },
        _ => kernel::total_loss(evaluator, network, scratch),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(evaluator: &BatchEvaluator, network: &Network, scratch: &mut Scratch) -> f64 {
    kernel::total_loss(evaluator, network, scratch)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn with_avx512(evaluator: &BatchEvaluator, network: &Network, scratch: &mut Scratch) -> f64 {
    kernel::total_loss(evaluator, network, scratch)
}

//! Digests: 128-bit hashes of what a neuron, an output or a network computes.
//!
//! Equal computations have equal digests, so one table lookup finds them. Different computations
//! with equal digests would give a wrong loss. Among a million digests the probability of that is
//! about `1.5e-27`, less than that of a memory error.

use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The digest of a neuron, an output or a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Digest(u64, u64);

impl Digest {
    /// The digest of a sequence that continues with `value`.
    #[inline]
    pub(crate) fn then(self, value: u64) -> Self {
        Self(
            mix(self.0 ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            mix(self.1.wrapping_add(value) ^ 0xd1b5_4a32_d192_ed03),
        )
    }

    /// The digest of a sequence that continues with something that has a digest.
    #[inline]
    pub(crate) fn then_digest(self, other: Digest) -> Self {
        self.then(other.0).then(other.1)
    }

    /// The digest of a multiset with one more member. The order of the members has no effect.
    #[inline]
    pub(crate) fn with(self, member: Digest) -> Self {
        Self(self.0.wrapping_add(member.0), self.1.wrapping_add(member.1))
    }
}

impl Hash for Digest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0);
    }
}

/// A table by digest. Digests are uniform already, so the table does not hash them again.
pub(crate) type ByDigest<T> =
    std::collections::HashMap<Digest, T, BuildHasherDefault<IdentityHasher>>;

/// Uses the first word of a digest as its hash.
#[derive(Debug, Default)]
pub(crate) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// The finalizer of splitmix64.
#[inline]
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

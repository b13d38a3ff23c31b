//! Shares of a plan for job arrays.

use crate::RunEntry;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One of several equal shares of a plan, for job arrays: `2/3` is the second of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    this: usize,
    of: usize,
}

impl Default for Shard {
    fn default() -> Self {
        Self { this: 1, of: 1 }
    }
}

impl Shard {
    /// The runs of this shard: every `of`-th, so that shards have the same mixture.
    pub fn of(self, runs: &[RunEntry]) -> impl Iterator<Item = &RunEntry> {
        runs.iter().skip(self.this - 1).step_by(self.of)
    }
}

/// `2/3`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.this, self.of)
    }
}

/// A text that is no shard.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{found}` is no shard; expected i/n with 1 <= i <= n, such as 2/3")]
pub struct UnknownShard {
    found: String,
}

impl FromStr for Shard {
    type Err = UnknownShard;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once('/').and_then(|(this, of)| {
            let (this, of) = (this.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&this).then_some(Self { this, of })
        });
        parsed.ok_or_else(|| UnknownShard { found: text.to_owned() })
    }
}

//! Shards of a plan, for job arrays.

use crate::RunEntry;
use mge_names::UnknownName;
use std::fmt;
use std::str::FromStr;

/// One of several equal parts of a plan: `2/3` is the second of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which shard, from 1.
    index: usize,
    /// The number of shards.
    count: usize,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// The runs of this shard: every `count`-th one, so that all shards have a similar mix of runs.
    pub fn select(self, runs: &[RunEntry]) -> impl Iterator<Item = &RunEntry> {
        runs.iter().skip(self.index - 1).step_by(self.count)
    }
}

/// `2/3`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parsed = text.split_once('/').and_then(|(index, count)| {
            let (index, count) = (index.parse().ok()?, count.parse().ok()?);
            (1..=count).contains(&index).then_some(Self { index, count })
        });
        parsed.ok_or_else(|| {
            UnknownName::with_form("shard", text, "i/n with 1 <= i <= n, such as 2/3")
        })
    }
}

//! Checkpoints: the state of a search on disk, from which a killed run continues.
//!
//! The file holds a magic word, the length and checksum of the rest, then the state in postcard.
//! The identity of the run comes first in the state. A run with other settings or other data is
//! therefore refused.

use crate::stop::StopState;
use mge_io::write_atomically;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"MGECKPT\x02";
const HEADER: usize = MAGIC.len() + 8 + 4;

/// Where and how often checkpoints are written, and for which run.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    path: PathBuf,
    interval: Duration,
    identity: String,
}

/// A checkpoint that could not be written or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file could not be written.
    #[error("cannot write the checkpoint {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file could not be read.
    #[error("cannot read the checkpoint {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not a checkpoint, is cut short or was changed.
    #[error("the checkpoint {} is damaged: {found}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: &'static str,
    },
    /// The file belongs to a run with other settings or data.
    #[error(
        "the checkpoint {} belongs to another run: its identity is {found}, expected {expected}",
        path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The identity in the file.
        found: String,
        /// The identity of this run.
        expected: String,
    },
}

/// The content after the header. [`Checkpoints::load`] reads it field by field.
#[derive(Serialize)]
struct Content<'a, S> {
    identity: &'a str,
    stop_state: StopState,
    state: &'a S,
}

impl Checkpoints {
    /// Writes to the file `path`, at most once per `interval`. `identity` is any text that names
    /// the settings, the seed and the data of the run.
    pub fn new(path: impl Into<PathBuf>, interval: Duration, identity: impl Into<String>) -> Self {
        Self { path: path.into(), interval, identity: identity.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn interval(&self) -> Duration {
        self.interval
    }

    pub(crate) fn damaged(&self, found: &'static str) -> CheckpointError {
        CheckpointError::Damaged { path: self.path.clone(), found }
    }

    pub(crate) fn save<S: Serialize>(
        &self,
        state: &S,
        stop_state: StopState,
    ) -> Result<(), CheckpointError> {
        let write_error = |source| CheckpointError::Write { path: self.path.clone(), source };
        let content = Content { identity: &self.identity, stop_state, state };
        let body = postcard::to_stdvec(&content).map_err(|e| write_error(io::Error::other(e)))?;
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        write_atomically(&self.path, &bytes).map_err(write_error)
    }

    /// The saved state, or `None` when there is no checkpoint yet.
    pub(crate) fn load<S: DeserializeOwned>(
        &self,
    ) -> Result<Option<(S, StopState)>, CheckpointError> {
        let bytes = match std::fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(CheckpointError::Read { path: self.path.clone(), source });
            }
        };
        let damaged = |found| self.damaged(found);
        let body = body_of(&bytes).map_err(damaged)?;
        let unreadable = |_| damaged("its state cannot be read");
        // The identity is checked first: the state of another method has another layout.
        let (found, rest) = postcard::take_from_bytes::<String>(body).map_err(unreadable)?;
        if found != self.identity {
            let (path, expected) = (self.path.clone(), self.identity.clone());
            return Err(CheckpointError::OtherRun { path, found, expected });
        }
        let (stop_state, state) =
            postcard::from_bytes::<(StopState, S)>(rest).map_err(unreadable)?;
        Ok(Some((state, stop_state)))
    }
}

/// Checks the header. Returns what follows it.
fn body_of(bytes: &[u8]) -> Result<&[u8], &'static str> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it does not begin as a checkpoint does")?;
    let (length, rest) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    let (checksum, body) = rest.split_first_chunk::<4>().ok_or("it is cut short")?;
    if body.len() as u64 != u64::from_le_bytes(*length) {
        return Err("its length is wrong");
    }
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err("its checksum is wrong");
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Progress;
    use crate::stop::LastImprovement;

    fn stop_state() -> StopState {
        let progress = Progress {
            generation: 3,
            evaluations: 9,
            best_loss: 0.5,
            invalid_individuals: 0,
            invalid_parts: 0,
        };
        StopState { seconds: 1.5, last_improvement: LastImprovement::first(&progress) }
    }

    fn in_folder(folder: &Path) -> Checkpoints {
        Checkpoints::new(folder.join("c.bin"), Duration::ZERO, "run A")
    }

    #[test]
    fn a_saved_state_is_loaded_and_other_runs_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = in_folder(folder.path());
        assert!(checkpoints.load::<Vec<u64>>().unwrap().is_none());
        checkpoints.save(&vec![1u64, 2, 3], stop_state()).unwrap();
        assert_eq!(checkpoints.load::<Vec<u64>>().unwrap(), Some((vec![1, 2, 3], stop_state())));

        let other = Checkpoints::new(checkpoints.path(), Duration::ZERO, "run B");
        assert!(matches!(other.load::<Vec<u64>>(), Err(CheckpointError::OtherRun { .. })));
        assert!(matches!(other.load::<(String, f64)>(), Err(CheckpointError::OtherRun { .. })));
    }

    #[test]
    fn every_changed_byte_and_every_truncation_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = in_folder(folder.path());
        checkpoints.save(&vec![7u64; 20], stop_state()).unwrap();
        let good = std::fs::read(checkpoints.path()).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x20;
            std::fs::write(checkpoints.path(), &bad).unwrap();
            assert!(matches!(checkpoints.load::<Vec<u64>>(), Err(CheckpointError::Damaged { .. })));
            std::fs::write(checkpoints.path(), &good[..at]).unwrap();
            assert!(matches!(checkpoints.load::<Vec<u64>>(), Err(CheckpointError::Damaged { .. })));
        }
    }
}

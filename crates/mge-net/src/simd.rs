//! The vector instructions of the fast evaluator.
//!
//! Every level gives the same bits: the code is the same, without fused multiply-add, and only
//! the vector width differs. So a level affects speed alone. Tests force each level in turn.

use std::env;
use std::fmt;
use std::sync::OnceLock;

use thiserror::Error;

/// The environment variable that forces a level, by [`Level::name`].
pub const LEVEL_VARIABLE: &str = "MGE_SIMD";

/// A set of vector instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The instructions of every processor of the architecture: `sse2` on x86-64, `neon` on 64-bit
    /// ARM, `portable` on others.
    Baseline,
    /// `avx2` on x86-64, 8 rows at once.
    Avx2,
    /// `avx512` on x86-64, 16 rows at once.
    Avx512,
}

/// Why a level cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LevelError {
    /// The environment variable does not name a level.
    #[error("{LEVEL_VARIABLE}=`{name}` is not a SIMD level; expected one of {}", names(&Level::ALL))]
    Unknown {
        /// The name as it was given.
        name: String,
    },
    /// This processor does not have the instructions.
    #[error("this processor does not support {level}; expected one of {} ({LEVEL_VARIABLE})", names(&Level::available()))]
    Unsupported {
        /// The level that was asked for.
        level: Level,
    },
}

fn names(levels: &[Level]) -> String {
    let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
    names.join(", ")
}

impl Level {
    /// Every level, slowest first.
    pub const ALL: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

    /// The name in the environment variable.
    pub fn name(self) -> &'static str {
        match self {
            Level::Baseline if cfg!(target_arch = "x86_64") => "sse2",
            Level::Baseline if cfg!(target_arch = "aarch64") => "neon",
            Level::Baseline => "portable",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// The levels of this processor, slowest first.
    pub fn available() -> Vec<Level> {
        Self::ALL.into_iter().filter(|level| level.is_supported()).collect()
    }

    /// The default level of evaluators. The environment variable [`LEVEL_VARIABLE`], which is read
    /// once, names it; without the variable it is the fastest level of this processor.
    ///
    /// # Errors
    /// When the variable does not name a level, or names one that this processor does not support.
    pub fn chosen() -> Result<Level, LevelError> {
        static CHOSEN: OnceLock<Result<Level, LevelError>> = OnceLock::new();
        CHOSEN.get_or_init(|| Self::choose(env::var_os(LEVEL_VARIABLE).as_deref())).clone()
    }

    fn choose(forced: Option<&std::ffi::OsStr>) -> Result<Level, LevelError> {
        let Some(name) = forced else {
            let fastest = Self::ALL.into_iter().rev().find(|level| level.is_supported());
            return Ok(fastest.unwrap_or(Level::Baseline));
        };
        let known = Self::ALL.into_iter().find(|level| name == level.name());
        let level = known
            .ok_or_else(|| LevelError::Unknown { name: name.to_string_lossy().into_owned() })?;
        UsableLevel::new(level).map(UsableLevel::get)
    }

    #[cfg(target_arch = "x86_64")]
    fn is_supported(self) -> bool {
        match self {
            Level::Baseline => true,
            Level::Avx2 => is_x86_feature_detected!("avx2"),
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_supported(self) -> bool {
        self == Level::Baseline
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A level that this processor supports: the proof that its code may be called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UsableLevel(Level);

impl UsableLevel {
    pub(crate) fn new(level: Level) -> Result<Self, LevelError> {
        if level.is_supported() { Ok(Self(level)) } else { Err(LevelError::Unsupported { level }) }
    }

    pub(crate) fn get(self) -> Level {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_forces_a_level_or_is_an_error() {
        assert_eq!(Level::choose(None).ok(), Level::available().last().copied());
        for level in Level::available() {
            assert_eq!(Level::choose(Some(level.name().as_ref())), Ok(level));
        }
        let error = Level::choose(Some("avx3".as_ref())).unwrap_err();
        assert_eq!(error, LevelError::Unknown { name: "avx3".to_owned() });
        assert!(error.to_string().contains("expected one of"), "{error}");
        for level in Level::ALL.into_iter().filter(|level| !level.is_supported()) {
            assert_eq!(
                Level::choose(Some(level.name().as_ref())),
                Err(LevelError::Unsupported { level })
            );
        }
    }
}

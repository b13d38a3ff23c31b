//! Records of how a model was made: the data, the split, the search, the machine.

use mge_data::{FileLayout, Fingerprint, Table};
use mge_evolve::StopReason;
use mge_net::Metrics;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Metrics on both parts of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartMetrics {
    /// On the rows that the search saw.
    pub train: Metrics,
    /// On the rows that were kept apart.
    pub test: Metrics,
}

/// What the model was trained on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataOrigin {
    /// The built-in name or the file's.
    pub name: String,
    /// Identifies the table's content.
    pub fingerprint: Fingerprint,
    /// The layout of its file: later files are read in the same way.
    #[serde(default)]
    pub form: FileLayout,
    /// How rows were split into training and test.
    pub split: SplitRecord,
}

impl DataOrigin {
    /// The name of a table in a model: its file's name without the folder.
    pub(crate) fn name_of(table: &Table) -> String {
        let file = Path::new(table.name()).file_name();
        file.map_or_else(|| table.name().to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

/// How rows were split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SplitRecord {
    /// Shuffled by the seed; a fraction of them trains.
    Fraction {
        /// The fraction.
        train_fraction: f64,
        /// Whether the fraction holds for each class.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stratified: bool,
        /// The column whose groups are kept together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// The first rows train, the last ones test.
    Time {
        /// The column that orders them.
        column: String,
        /// The fraction that trains.
        train_fraction: f64,
    },
    /// One fold of a cross-validation tests, the others train.
    Fold {
        /// The fold, from 0.
        fold: usize,
        /// How many there are.
        folds: usize,
        /// Whether classes are spread evenly.
        stratified: bool,
        /// The column whose groups are kept together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// All rows train. The test metrics come from cross-validation, in which every row tests once a
    /// model that has not seen it.
    Folds {
        /// How many folds.
        folds: usize,
        /// Whether classes are spread evenly.
        stratified: bool,
        /// The column whose groups are kept together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// As the data set is published.
    Standard,
    /// The test rows came in a table of their own.
    TestTable {
        /// The table's name.
        name: String,
        /// Identifies its content.
        fingerprint: Fingerprint,
    },
}

/// How the search went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRecord {
    /// Populations evaluated.
    pub generations: u64,
    /// Individuals evaluated.
    pub evaluations: u64,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// The loss of the best network, as the search saw it.
    pub best_loss: f64,
    /// Individuals that map to nothing.
    pub invalid_individuals: u64,
    /// Genes that map to nothing.
    pub invalid_genes: u64,
    /// Bits of a codon, where the method has codons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codon_bits: Option<u32>,
}

/// Time and machine: all that differs between equal runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Seconds of search.
    pub seconds: f64,
    /// Threads that searched.
    pub threads: usize,
    /// The version of this library.
    pub mge_version: String,
    /// When the search ended, such as `2026-11-19T02:15:00Z`. Empty where it is not known.
    #[serde(default)]
    pub date: String,
    /// Operating system and processor, such as `linux x86_64`. Empty where it is not known.
    #[serde(default)]
    pub platform: String,
}

impl RunRecord {
    /// The record of a search that has just ended on this machine.
    pub(crate) fn now(seconds: f64, threads: usize) -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            seconds,
            threads,
            mge_version: env!("CARGO_PKG_VERSION").to_owned(),
            date: utc(since_1970.as_secs()),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// Seconds since 1970 as a date and time of day in UTC. Days are counted in eras of 400 years that
/// begin in March, so that the leap day is the last of its year.
pub fn utc(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next_year;
    let (hours, minutes, seconds) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1_798_675_199, "2026-12-30T23:59:59Z"),
            (1_798_848_000, "2027-01-02T00:00:00Z"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(utc(seconds), expected);
        }
    }
}

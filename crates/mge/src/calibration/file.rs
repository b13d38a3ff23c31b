//! The file `calibration.bin` of a run folder: a magic word, then gzip of postcard. Equal runs
//! write equal bytes.

use super::{Calibration, CalibrationRows};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use mge_data::FeatureRange;
use mge_io::write_atomically;
use mge_net::Columns;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name of the file in a run folder.
pub(crate) const FILE_NAME: &str = "calibration.bin";
const MAGIC: &[u8; 8] = b"MGECALB\x01";
/// No calibration comes near this; a larger file is some other file.
const MAX_BYTES: u64 = 1 << 29;
/// The largest number of features: a fit takes no more.
const MAX_FEATURES: usize = 1 << 16;

/// A calibration file that cannot be used.
#[derive(Debug, Error)]
pub enum CalibrationError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not what it should be.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Stored {
    identity: String,
    ranges: Vec<FeatureRange>,
    /// Features whose values are kept, ascending.
    kept: Vec<u32>,
    sample: StoredRows,
    test: Option<StoredRows>,
}

#[derive(Serialize, Deserialize)]
struct StoredRows {
    /// The numbers of each kept feature.
    columns: Vec<Vec<f32>>,
    labels: Vec<u32>,
    of: u64,
}

/// The targets of the same rows, where they are numbers. They follow [`Stored`] in the file, so that
/// files of classes are as they were.
#[derive(Serialize, Deserialize)]
struct StoredValues {
    /// By target column.
    sample: Vec<Vec<f64>>,
    test: Option<Vec<Vec<f64>>>,
}

impl StoredValues {
    /// Gives the numbers back to their rows.
    fn restore(self, calibration: &mut Calibration) -> Result<(), String> {
        let fits = |values: &[Vec<f64>], rows: &CalibrationRows| {
            let is_right = |column: &Vec<f64>| {
                column.len() == rows.labels.len() && column.iter().all(|value| value.is_finite())
            };
            values.iter().all(is_right)
        };
        let wrong = || "its targets do not belong to its rows".to_owned();
        if !fits(&self.sample, &calibration.sample) {
            return Err(wrong());
        }
        calibration.sample.values = self.sample;
        match (self.test, &mut calibration.test) {
            (Some(values), Some(test)) if fits(&values, test) => test.values = values,
            (None, None) => {}
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

impl StoredRows {
    fn of(rows: &CalibrationRows, kept: &[u32]) -> Self {
        let column = |&feature: &u32| rows.columns.column(feature as usize).to_vec();
        let columns = kept.iter().map(column).collect();
        Self { columns, labels: rows.labels.clone(), of: rows.of as u64 }
    }

    /// The rows again, with zeros for what was not kept.
    fn rows(self, features: usize, kept: &[u32]) -> Result<CalibrationRows, String> {
        let Self { columns, labels, of } = self;
        let rows = labels.len();
        let is_whole = columns.len() == kept.len() && columns.iter().all(|c| c.len() == rows);
        if !is_whole || of < rows as u64 {
            return Err("its columns differ in length".to_owned());
        }
        if columns.iter().flatten().any(|x| !x.is_finite()) {
            return Err("it holds a number that is not finite".to_owned());
        }
        let columns = Columns::from_fn(rows, features, |feature, values| {
            if let Ok(index) = kept.binary_search(&(feature as u32)) {
                values.copy_from_slice(&columns[index]);
            }
        });
        Ok(CalibrationRows { columns, labels, values: Vec::new(), of: of as usize })
    }
}

impl Calibration {
    /// Reads the file of a run folder; `None` where there is none.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn read(folder: &Path) -> Result<Option<Self>, CalibrationError> {
        let path = folder.join(FILE_NAME);
        let file = match std::fs::File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(CalibrationError::Read { path, source }),
        };
        let mut bytes = Vec::new();
        if let Err(source) = file.take(MAX_BYTES).read_to_end(&mut bytes) {
            return Err(CalibrationError::Read { path, source });
        }
        let read = Self::from_bytes(&bytes).map(Some);
        read.map_err(|reason| CalibrationError::Damaged { path, reason })
    }

    /// Writes the file into a run folder, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        write_atomically(&folder.join(FILE_NAME), &self.to_bytes()?)
    }

    /// The content of the file.
    ///
    /// # Errors
    /// When it cannot be packed.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let features = 0..self.ranges.len();
        let kept: Vec<u32> =
            features.filter(|f| !self.dropped.contains(f)).map(|feature| feature as u32).collect();
        let stored = Stored {
            identity: self.identity.clone(),
            ranges: self.ranges.clone(),
            sample: StoredRows::of(&self.sample, &kept),
            test: self.test.as_ref().map(|test| StoredRows::of(test, &kept)),
            kept,
        };
        let mut body = postcard::to_stdvec(&stored).map_err(io::Error::other)?;
        if !self.sample.values.is_empty() {
            let sample = self.sample.values.clone();
            let values =
                StoredValues { sample, test: self.test.as_ref().map(|test| test.values.clone()) };
            body.extend(postcard::to_stdvec(&values).map_err(io::Error::other)?);
        }
        let mut bytes = GzEncoder::new(MAGIC.to_vec(), Compression::default());
        bytes.write_all(&body)?;
        bytes.finish()
    }

    /// Reads the content of a file. An error says what is wrong with it.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let packed = bytes.strip_prefix(MAGIC).ok_or("it does not begin as a calibration does")?;
        let mut body = Vec::new();
        let mut unpacked = GzDecoder::new(packed).take(MAX_BYTES);
        unpacked.read_to_end(&mut body).map_err(|error| error.to_string())?;
        let (stored, rest): (Stored, &[u8]) =
            postcard::take_from_bytes(&body).map_err(|error| error.to_string())?;
        let Stored { identity, ranges, kept, sample, test } = stored;
        let features = ranges.len();
        let ascend = kept.is_sorted_by(|a, b| a < b);
        if features > MAX_FEATURES || !ascend || kept.iter().any(|&f| f as usize >= features) {
            return Err("its features contradict each other".to_owned());
        }
        let is_kept = |feature: &usize| kept.binary_search(&(*feature as u32)).is_ok();
        let mut read = Self {
            identity,
            sample: sample.rows(features, &kept)?,
            test: test.map(|test| test.rows(features, &kept)).transpose()?,
            dropped: (0..features).filter(|feature| !is_kept(feature)).collect(),
            ranges,
        };
        if !rest.is_empty() {
            let values: StoredValues =
                postcard::from_bytes(rest).map_err(|error| error.to_string())?;
            values.restore(&mut read)?;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fit, Method};
    use mge_data::load;

    fn fitted() -> crate::Fitted {
        let data = load("wine", &Default::default()).unwrap();
        let fit = Fit::new().method(Method::MGE).seed(3).population(20).generations(3);
        fit.run(&data).unwrap()
    }

    #[test]
    fn a_calibration_comes_back_as_it_was_written() {
        let fitted = fitted();
        let folder = tempfile::tempdir().unwrap();
        assert!(Calibration::read(folder.path()).unwrap().is_none());
        fitted.calibration.write(folder.path()).unwrap();
        let again = Calibration::read(folder.path()).unwrap().unwrap();
        assert_eq!(again, fitted.calibration);
        assert!(again.belongs_to(&fitted.model) && again.covers(&fitted.model.network));

        let small = fitted.calibration.for_networks([&fitted.model.network]);
        small.write(folder.path()).unwrap();
        let again = Calibration::read(folder.path()).unwrap().unwrap();
        assert_eq!(again, small);
        assert!(again.covers(&fitted.model.network));
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_an_error_or_something_equal() {
        let good = fitted().calibration.to_bytes().unwrap();
        let whole = Calibration::from_bytes(&good).unwrap();
        for at in (0..good.len()).step_by(7) {
            let mut bad = good.clone();
            bad[at] ^= 0x20;
            // The header of gzip has bytes that say nothing, such as the time.
            if let Ok(read) = Calibration::from_bytes(&bad) {
                assert_eq!(read, whole);
            }
            assert!(Calibration::from_bytes(&good[..at]).is_err(), "cut at {at}");
        }
    }
}

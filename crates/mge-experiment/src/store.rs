//! Finished runs: a folder with `runs.jsonl`, one JSON object on a line, which only grows.
//!
//! Any number of processes may share a store. A line is appended whole, under a lock of the file;
//! a process that dies in the middle leaves a line without an end, which the next writer closes
//! and every reader skips. A run that is being done is claimed by a lock on a file in `claims`,
//! which the system gives up when the process dies, so a killed run is simply done again.

use crate::{ExperimentError, RunRecord};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A folder of finished runs.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

/// What a store holds.
#[derive(Debug, Clone, Default)]
pub struct Finished {
    /// Each run once, by its key.
    pub runs: BTreeMap<String, RunRecord>,
    /// Lines that are no records: what killed writers left.
    pub damaged: usize,
    /// Runs of programs that behave otherwise than this one; they are not in `runs`.
    pub outdated: usize,
    /// Bytes of the file that were read: its whole lines.
    pub(crate) read_to: u64,
}

/// The right to do a run, held until it is dropped.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    _file: File,
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Others that opened it meanwhile look into the store once they have it.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Store {
    /// The store in this folder. Nothing is made before there is something to keep: a folder that
    /// is not there is an empty store.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The file of finished runs.
    pub fn runs_file(&self) -> PathBuf {
        self.folder.join("runs.jsonl")
    }

    /// The SQLite index, where one was written.
    pub fn index_file(&self) -> PathBuf {
        self.folder.join("runs.sqlite")
    }

    /// All finished runs.
    pub fn read(&self) -> Result<Finished, ExperimentError> {
        let mut finished = Finished::default();
        self.refresh(&mut finished)?;
        Ok(finished)
    }

    /// Adds what was finished since `finished` was read.
    pub fn refresh(&self, finished: &mut Finished) -> Result<(), ExperimentError> {
        let path = self.runs_file();
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(ExperimentError::file("read", &path)(error)),
        };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(finished.read_to))
            .and_then(|_| file.read_to_end(&mut bytes))
            .map_err(ExperimentError::file("read", &path))?;
        // The last line may still be on its way.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        finished.read_to += whole as u64;
        for line in bytes[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice::<RunRecord>(line) {
                Ok(record) if record.behaviour != record.entry.algorithm_version() => {
                    finished.outdated += 1
                }
                Ok(record) => {
                    finished.runs.entry(record.key.clone()).or_insert(record);
                }
                Err(_) => finished.damaged += 1,
            }
        }
        Ok(())
    }

    /// Makes the folder and its files, and tries all that runs will need: an error here is one that
    /// every run would end in.
    pub fn prepare(&self) -> Result<(), ExperimentError> {
        self.claim("trial")?;
        let path = self.runs_file();
        self.open_to_append().map_err(ExperimentError::file("write", &path))?;
        Ok(())
    }

    fn open_to_append(&self) -> std::io::Result<File> {
        OpenOptions::new().create(true).append(true).read(true).open(self.runs_file())
    }

    /// Adds a finished run, safely on disk when this returns.
    pub fn append(&self, record: &RunRecord) -> Result<(), ExperimentError> {
        make_folder(&self.folder)?;
        let path = self.runs_file();
        let mut line = serde_json::to_string(record)
            .map_err(|e| ExperimentError::file("write", &path)(std::io::Error::other(e)))?;
        line.push('\n');
        let mut append = || -> std::io::Result<()> {
            let mut file = self.open_to_append()?;
            file.lock()?;
            if !ends_a_line(&mut file)? {
                line.insert(0, '\n');
            }
            file.write_all(line.as_bytes())?;
            file.sync_data()
        };
        append().map_err(ExperimentError::file("write", &path))
    }

    /// Keeps lines from being added until the file is dropped; `None` if there is no store.
    #[cfg(feature = "sqlite")]
    pub(crate) fn lock(&self) -> Result<Option<File>, ExperimentError> {
        let path = self.runs_file();
        let file = match OpenOptions::new().append(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ExperimentError::file("open", &path)(error)),
        };
        file.lock().map_err(ExperimentError::file("lock", &path))?;
        Ok(Some(file))
    }

    /// The right to do a run, or `None` while another process or thread has it.
    pub fn claim(&self, key: &str) -> Result<Option<RunLock>, ExperimentError> {
        let claims = self.folder.join("claims");
        make_folder(&claims)?;
        let path = claims.join(key);
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = open.map_err(ExperimentError::file("write", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(RunLock { path, _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(ExperimentError::file("lock", &path)(error)),
        }
    }
}

fn make_folder(folder: &Path) -> Result<(), ExperimentError> {
    std::fs::create_dir_all(folder).map_err(ExperimentError::file("make the folder", folder))
}

fn ends_a_line(file: &mut File) -> std::io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_cannot_be_used_says_so_before_the_runs() {
        let folder = tempfile::tempdir().unwrap();
        let told = |place: &str| {
            let path = folder.path().join(place);
            let store = Store::at(&path);
            (store.prepare().map_err(|error| error.to_string().replace('\\', "/")), path)
        };
        let (prepared, path) = told("new");
        assert_eq!((prepared, path.join("runs.jsonl").is_file()), (Ok(()), true));
        assert_eq!(
            std::fs::read_dir(path.join("claims")).unwrap().count(),
            0,
            "no trace of the trial"
        );
        std::fs::write(folder.path().join("a-file"), "").unwrap();
        let error = told("a-file").0.unwrap_err();
        assert!(
            error.contains("cannot make the folder") && error.contains("a-file/claims"),
            "{error}"
        );
        std::fs::create_dir_all(folder.path().join("odd/runs.jsonl")).unwrap();
        let error = told("odd").0.unwrap_err();
        assert!(error.contains("cannot write") && error.contains("odd/runs.jsonl"), "{error}");
    }
}

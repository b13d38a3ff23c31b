//! A store of finished runs: a folder with an append-only file `runs.jsonl`, one JSON object on
//! each line.
//!
//! Any number of processes may share a store. A writer locks the file and appends a whole line. A
//! process that dies while writing leaves an incomplete line; the next writer ends it, and readers
//! skip it. A process that does a run holds a lock on a file in the folder `locks`. The operating
//! system releases the lock when the process dies, so another process can do the run again.

use crate::{ExperimentError, FinishedRun};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A folder of finished runs.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

/// The content of a store.
#[derive(Debug, Clone, Default)]
pub struct FinishedRuns {
    /// Each finished run once, by its key.
    pub runs: BTreeMap<String, FinishedRun>,
    /// The number of lines that are not records, as killed writers leave them.
    pub broken_lines: usize,
    /// The number of runs of other algorithm versions. They are not in `runs`.
    pub outdated: usize,
    /// The bytes of the file that were read: all complete lines.
    pub(crate) bytes_read: u64,
}

/// The exclusive right to do a run. Dropping it releases the right.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    _file: File,
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Another process may have opened the file and get the lock now. It then finds the run
        // finished.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Store {
    /// The store in this folder. Creates nothing yet; a missing folder is an empty store.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The path of the file of finished runs.
    pub fn runs_file(&self) -> PathBuf {
        self.folder.join("runs.jsonl")
    }

    /// The path of the SQLite index. The file exists once `update_index`
    /// made it.
    pub fn index_file(&self) -> PathBuf {
        self.folder.join("runs.sqlite")
    }

    /// Reads all finished runs.
    pub fn read(&self) -> Result<FinishedRuns, ExperimentError> {
        let mut finished = FinishedRuns::default();
        self.refresh(&mut finished)?;
        Ok(finished)
    }

    /// Adds the runs that were finished since `finished` was read.
    pub fn refresh(&self, finished: &mut FinishedRuns) -> Result<(), ExperimentError> {
        let path = self.runs_file();
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(ExperimentError::file("read", &path)(error)),
        };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(finished.bytes_read))
            .and_then(|_| file.read_to_end(&mut bytes))
            .map_err(ExperimentError::file("read", &path))?;
        // Another process may still be writing the last line.
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        finished.bytes_read += complete as u64;
        for line in bytes[..complete].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice::<FinishedRun>(line) {
                Ok(record) if record.algorithm_version != record.entry.algorithm_version() => {
                    finished.outdated += 1
                }
                Ok(record) => {
                    finished.runs.entry(record.key.clone()).or_insert(record);
                }
                Err(_) => finished.broken_lines += 1,
            }
        }
        Ok(())
    }

    /// Creates the folder and its files, and tries everything that runs need. An error here is one
    /// that every run would meet.
    pub fn prepare(&self) -> Result<(), ExperimentError> {
        self.lock_run("trial")?;
        let path = self.runs_file();
        self.open_to_append().map_err(ExperimentError::file("write", &path))?;
        Ok(())
    }

    fn open_to_append(&self) -> std::io::Result<File> {
        OpenOptions::new().create(true).append(true).read(true).open(self.runs_file())
    }

    /// Appends a finished run. It is safely on disk when this returns.
    pub fn append(&self, record: &FinishedRun) -> Result<(), ExperimentError> {
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

    /// Blocks writers until the returned file is dropped; `None` if there is no store.
    #[cfg(feature = "sqlite")]
    pub(crate) fn lock_file(&self) -> Result<Option<File>, ExperimentError> {
        let path = self.runs_file();
        let file = match OpenOptions::new().append(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ExperimentError::file("open", &path)(error)),
        };
        file.lock().map_err(ExperimentError::file("lock", &path))?;
        Ok(Some(file))
    }

    /// Locks a run, or returns `None` while another process or thread holds its lock.
    pub fn lock_run(&self, key: &str) -> Result<Option<RunLock>, ExperimentError> {
        let locks = self.folder.join("locks");
        make_folder(&locks)?;
        let path = locks.join(key);
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
    fn an_unusable_store_is_an_error_before_the_runs() {
        let folder = tempfile::tempdir().unwrap();
        let prepare = |name: &str| {
            let path = folder.path().join(name);
            let store = Store::at(&path);
            (store.prepare().map_err(|error| error.to_string().replace('\\', "/")), path)
        };
        let (prepared, path) = prepare("new");
        assert_eq!((prepared, path.join("runs.jsonl").is_file()), (Ok(()), true));
        assert_eq!(
            std::fs::read_dir(path.join("locks")).unwrap().count(),
            0,
            "the trial leaves no lock"
        );
        std::fs::write(folder.path().join("a-file"), "").unwrap();
        let error = prepare("a-file").0.unwrap_err();
        assert!(
            error.contains("cannot make the folder") && error.contains("a-file/locks"),
            "{error}"
        );
        std::fs::create_dir_all(folder.path().join("odd/runs.jsonl")).unwrap();
        let error = prepare("odd").0.unwrap_err();
        assert!(error.contains("cannot write") && error.contains("odd/runs.jsonl"), "{error}");
    }
}

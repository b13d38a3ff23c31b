//! The events of a fit in files: lines of JSON, and event files that TensorBoard shows.

mod tensorboard;

use crate::event_record::EventRecords;
use crate::watch::{FitEvent, FitObserver};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tensorboard::TensorBoard;

/// Writes the events of a fit to files. A clone is the same log, so that one can observe while the
/// other is asked at the end whether all could be written.
///
/// ```
/// let data = mge::data::load("wine", &Default::default())?;
/// let log = mge::EventLog::new();
/// # let folder = std::env::temp_dir().join(format!("mge-event-log-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// log.write_lines(&folder.join("events.jsonl"))?;
/// mge::Fit::new().seed(7).generations(2).observer(log.clone()).run(&data)?;
/// log.finish()?;
/// let lines = std::fs::read_to_string(folder.join("events.jsonl"))?;
/// assert_eq!(lines.lines().filter(|line| line.contains("\"generation\",")).count(), 2);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EventLog {
    files: Arc<Mutex<Files>>,
}

struct Files {
    records: EventRecords,
    lines: Option<File>,
    board: Option<TensorBoard>,
    /// The first error. Nothing is written after it.
    error: Option<io::Error>,
}

impl Default for EventLog {
    fn default() -> Self {
        Self::new()
    }
}

impl EventLog {
    /// A log without files.
    pub fn new() -> Self {
        let records = EventRecords::new(true);
        let files = Files { records, lines: None, board: None, error: None };
        Self { files: Arc::new(Mutex::new(files)) }
    }

    /// Appends each event to this file, as a line of JSON.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn write_lines(&self, path: &Path) -> io::Result<()> {
        self.lock().lines = Some(OpenOptions::new().create(true).append(true).open(path)?);
        Ok(())
    }

    /// Writes the numbers of each generation to a new event file of TensorBoard in this folder, which
    /// is made if need be.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn write_tensorboard(&self, folder: &Path) -> io::Result<()> {
        self.lock().board = Some(TensorBoard::create(folder)?);
        Ok(())
    }

    /// Whether all events could be written.
    ///
    /// # Errors
    /// The first error.
    pub fn finish(&self) -> io::Result<()> {
        self.lock().error.take().map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FitObserver for EventLog {
    fn observe(&mut self, event: &FitEvent<'_>) {
        let mut files = self.lock();
        let has_files = files.lines.is_some() || files.board.is_some();
        if !has_files || files.error.is_some() {
            return;
        }
        let Some(record) = files.records.next(event) else { return };
        let Files { lines, board, error, .. } = &mut *files;
        let written = lines.as_mut().map_or(Ok(()), |file| {
            let mut line = serde_json::to_vec(&record)?;
            line.push(b'\n');
            file.write_all(&line)
        });
        let shown = board.as_mut().map_or(Ok(()), |board| board.add(&record));
        *error = written.and(shown).err();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fit;

    #[test]
    fn every_generation_is_a_line() {
        let data = mge_data::load("wine", &Default::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (log, file) = (EventLog::new(), folder.path().join("events.jsonl"));
        log.write_lines(&file).unwrap();
        log.write_tensorboard(&folder.path().join("board")).unwrap();
        let fit = Fit::new().seed(7).generations(3).observer(log.clone());
        let fitted = fit.run(&data).unwrap();
        log.finish().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let events: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
        let expected = ["planned", "started", "generation", "generation", "generation", "finished"];
        assert_eq!(events, expected);
        let last = &lines[4];
        assert_eq!(last["generation"], 3);
        assert_eq!(last["best_loss"].as_f64(), Some(fitted.model.search.best_loss));
        assert!(last["operations"].as_u64().is_some_and(|operations| operations > 0));
        let boards = std::fs::read_dir(folder.path().join("board")).unwrap().count();
        assert_eq!(boards, 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_told_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        assert!(EventLog::new().write_lines(&folder.path().join("no/such/file")).is_err());
    }
}

//! The SQLite index of a store: all finished runs as one table `runs`, for SQL tools. It is always
//! rebuilt as a whole and put in place by a rename. Readers therefore never see an incomplete
//! index, and two processes cannot corrupt it.

use crate::{ExperimentError, FinishedRuns, Store};
use rusqlite::{Connection, OpenFlags, params};
use std::path::Path;

const TABLE: &str = "create table runs (
    key text primary key, data text, target text, method text, setting text, protocol text, parts text,
    repetition integer, fold integer, seed integer,
    test_accuracy real, test_rmse real, test_loss real,
    train_accuracy real, train_rmse real, train_loss real,
    hidden_layers integer, neurons integer, features integer, connections integer,
    operations integer, sparsity real,
    generations integer, evaluations integer, invalid_individuals integer,
    seconds real, mge_version text, settings text
)";

/// How many bytes of `runs.jsonl` the index contains, to detect an outdated index.
const SOURCE: &str = "create table source (bytes integer)";

/// Rebuilds the index of a store if it does not contain all runs, for example after a process was
/// killed. Does nothing if there is no store.
pub fn update_index(store: &Store) -> Result<(), ExperimentError> {
    let path = store.index_file();
    let is_current = |finished: &FinishedRuns| {
        indexed(&path).is_ok_and(|bytes| bytes == finished.bytes_read as i64)
    };
    // Checked before locking, because a read-only store cannot be locked.
    if is_current(&store.read()?) {
        return Ok(());
    }
    // The lock blocks writers of runs and other builders of the index.
    let Some(_lock) = store.lock_file()? else { return Ok(()) };
    let finished = store.read()?;
    if is_current(&finished) {
        return Ok(());
    }
    let new = path.with_extension("sqlite.new");
    let _ = std::fs::remove_file(&new);
    fill(&new, &finished)
        .map_err(|e| ExperimentError::Index { path: path.clone(), source: Box::new(e) })?;
    std::fs::rename(&new, &path).map_err(ExperimentError::file("write", &path))
}

fn indexed(path: &Path) -> Result<i64, rusqlite::Error> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.query_row("select bytes from source", [], |row| row.get(0))
}

fn fill(path: &Path, finished: &FinishedRuns) -> Result<(), rusqlite::Error> {
    let mut connection = Connection::open(path)?;
    // A file that a crash leaves is never put in place, so it needs no rollback journal.
    connection.pragma_update(None, "journal_mode", "off")?;
    let transaction = connection.transaction()?;
    transaction.execute(TABLE, [])?;
    transaction.execute(SOURCE, [])?;
    transaction.execute("insert into source values (?)", [finished.bytes_read as i64])?;
    {
        let values = ["?"; 28].join(", ");
        let mut insert = transaction.prepare(&format!("insert into runs values ({values})"))?;
        for run in finished.runs.values() {
            let entry = &run.entry;
            insert.execute(params![
                run.key,
                entry.data,
                entry.target,
                entry.method,
                entry.setting,
                entry.protocol.to_string(),
                entry.protocol.scheme.to_string(),
                entry.repetition as i64,
                entry.fold.map(|fold| fold as i64),
                entry.seed() as i64,
                run.test.accuracy,
                run.test.rmse,
                run.test.loss,
                run.train.accuracy,
                run.train.rmse,
                run.train.loss,
                run.size.hidden_layers as i64,
                run.size.neurons as i64,
                run.size.features as i64,
                run.size.connections as i64,
                run.size.operations as i64,
                run.size.sparsity,
                run.search.generations as i64,
                run.search.evaluations as i64,
                run.search.invalid_individuals as i64,
                run.seconds,
                run.mge_version,
                crate::run_entry::given_values(&entry.settings).to_string(),
            ])?;
        }
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExperimentOptions, ExperimentPlan, run_experiment};

    #[test]
    fn an_outdated_index_is_rebuilt() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        update_index(&store).unwrap();
        assert!(!folder.path().join("store").exists(), "an update creates no store");
        let settings = "settings = { evolution = { population = 10 }, stop = { generations = 1 } }";
        let text = format!("data = ['wine']\nmethods = ['mge']\n{settings}");
        let plan = ExperimentPlan::parse("test", &text).unwrap();
        let rows = || -> i64 {
            let connection = Connection::open(store.index_file()).unwrap();
            connection.query_row("select count(*) from runs", [], |row| row.get(0)).unwrap()
        };
        for count in [1, 2] {
            let runs = plan.clone().with_repetitions(Some(count)).runs().unwrap();
            run_experiment(&runs, &store, &ExperimentOptions::default(), |_| {}).unwrap();
            update_index(&store).unwrap();
            assert_eq!(rows(), count as i64);
        }
        for corrupt in [&b""[..], b"no database"] {
            std::fs::write(store.index_file(), corrupt).unwrap();
            update_index(&store).unwrap();
            assert_eq!(rows(), 2);
        }
        let written = std::fs::metadata(store.index_file()).unwrap().modified().unwrap();
        update_index(&store).unwrap();
        assert_eq!(std::fs::metadata(store.index_file()).unwrap().modified().unwrap(), written);
    }
}

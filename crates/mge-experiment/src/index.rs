//! The SQLite index: the figures of all finished runs as one table, `runs`, for any tool that
//! speaks SQL. It is made from the JSON lines as a whole and put in place by a rename, so readers
//! never see half of it and two processes cannot spoil it.

use crate::{ExperimentError, Finished, Store};
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

/// How much of the lines the index holds, to see whether it lags.
const SOURCE: &str = "create table source (bytes integer)";

/// Makes the index of a store anew if it does not hold all of its lines, as after a process that was
/// killed. Nothing is made where there is no store.
pub fn update_index(store: &Store) -> Result<(), ExperimentError> {
    let path = store.index_file();
    let holds =
        |finished: &Finished| indexed(&path).is_ok_and(|bytes| bytes == finished.read_to as i64);
    // Asked before the lock, which a store that can only be read does not give.
    if holds(&store.read()?) {
        return Ok(());
    }
    // The lock keeps lines from being added meanwhile, and other processes from the file.
    let Some(_lock) = store.lock()? else { return Ok(()) };
    let finished = store.read()?;
    if holds(&finished) {
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

fn fill(path: &Path, finished: &Finished) -> Result<(), rusqlite::Error> {
    let mut connection = Connection::open(path)?;
    // What a crash leaves is never put in place, so nothing has to be taken back.
    connection.pragma_update(None, "journal_mode", "off")?;
    let transaction = connection.transaction()?;
    transaction.execute(TABLE, [])?;
    transaction.execute(SOURCE, [])?;
    transaction.execute("insert into source values (?)", [finished.read_to as i64])?;
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
                entry.protocol.parts.to_string(),
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
                crate::entry::blanks_dropped(&entry.settings).to_string(),
            ])?;
        }
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conditions, Plan, run_experiment};

    #[test]
    fn an_index_that_lags_is_mended() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        update_index(&store).unwrap();
        assert!(!folder.path().join("store").exists(), "looking makes nothing");
        let settings = "settings = { evolution = { population = 10 }, stop = { generations = 1 } }";
        let text = format!("data = ['wine']\nmethods = ['mge']\n{settings}");
        let plan = Plan::parse("test", &text).unwrap();
        let rows = || -> i64 {
            let connection = Connection::open(store.index_file()).unwrap();
            connection.query_row("select count(*) from runs", [], |row| row.get(0)).unwrap()
        };
        for count in [1, 2] {
            let runs = plan.clone().repeated(Some(count)).runs().unwrap();
            run_experiment(&runs, &store, &Conditions::default(), |_| {}).unwrap();
            update_index(&store).unwrap();
            assert_eq!(rows(), count as i64);
        }
        for spoiled in [&b""[..], b"no database"] {
            std::fs::write(store.index_file(), spoiled).unwrap();
            update_index(&store).unwrap();
            assert_eq!(rows(), 2);
        }
        let whole = std::fs::metadata(store.index_file()).unwrap().modified().unwrap();
        update_index(&store).unwrap();
        assert_eq!(std::fs::metadata(store.index_file()).unwrap().modified().unwrap(), whole);
    }
}

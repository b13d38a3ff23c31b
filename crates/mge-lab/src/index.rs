//! The SQLite index: the figures of all finished runs as one table, `runs`, for any tool that
//! speaks SQL. It is made from the JSON lines as a whole and put in place by a rename, so readers
//! never see half of it and two processes cannot spoil it.

use crate::{Finished, LabError, Store};
use rusqlite::{Connection, params};

const TABLE: &str = "create table runs (
    key text primary key, data text, method text, setting text, protocol text, parts text,
    repetition integer, fold integer, seed integer,
    test_accuracy real, test_rmse real, test_loss real,
    train_accuracy real, train_rmse real, train_loss real,
    hidden_layers integer, neurons integer, features integer, connections integer,
    operations integer, sparsity real,
    generations integer, evaluations integer, invalid_individuals integer,
    seconds real, mge_version text, settings text
)";

/// Writes the index of a store anew.
pub fn write_index(store: &Store, finished: &Finished) -> Result<(), LabError> {
    let path = store.index_file();
    let new = path.with_extension(format!("sqlite.{}", std::process::id()));
    let _ = std::fs::remove_file(&new);
    fill(&new, finished)
        .map_err(|e| LabError::Index { path: path.clone(), source: Box::new(e) })?;
    std::fs::rename(&new, &path).map_err(LabError::file("write", &path))
}

fn fill(path: &std::path::Path, finished: &Finished) -> Result<(), rusqlite::Error> {
    let mut connection = Connection::open(path)?;
    let transaction = connection.transaction()?;
    transaction.execute(TABLE, [])?;
    {
        let values = ["?"; 27].join(", ");
        let mut insert = transaction.prepare(&format!("insert into runs values ({values})"))?;
        for run in finished.runs.values() {
            let entry = &run.entry;
            insert.execute(params![
                run.key,
                entry.data,
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

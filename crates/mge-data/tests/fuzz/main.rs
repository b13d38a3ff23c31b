//! Hostile bytes: every reader gives a table or an error, and never panics or takes memory that
//! the file does not pay for.
//!
//! Seeds are the small valid files of every format under `tests/corpus`, one folder for each
//! format; a file that once broke a reader goes there too. Each seed is read as it is, truncated at
//! every length, and with random changes: flipped, inserted, removed and repeated bytes.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mge_data::{LoadOptions, Loaded, Preprocess, PreprocessOptions, Split, load_bytes};
use proptest::prelude::*;

mod change;
use change::{change, config};

/// All seeds, sorted, so that a case number means the same everywhere.
fn corpus() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(&root).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            files.push((path, bytes));
        }
    }
    files.sort();
    files
}

/// Loads, and does everything that a fit does with the table.
fn use_fully(name: &str, bytes: Vec<u8>) -> Option<Loaded> {
    let loaded = load_bytes(name, bytes, &LoadOptions::default()).ok()?;
    let described = loaded.describe();
    assert_eq!(described.rows, loaded.table.rows());
    let target = loaded.class_target().ok()?;
    let split = Split::by_fraction(loaded.table.rows(), 0.7, 1).ok()?;
    let options = PreprocessOptions { missing_indicator: true, ..Default::default() };
    let preprocess =
        Preprocess::fit(&loaded.table, target.column(), &split.train, &options).ok()?;
    let columns = preprocess.apply(&loaded.table, None).unwrap().columns;
    assert!((0..columns.count()).all(|i| columns.column(i).iter().all(|x| x.is_finite())));
    Some(loaded)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_seed_is_what_its_folder_says() {
    let corpus = corpus();
    assert!(corpus.len() >= 20, "the corpus is there");
    for (path, bytes) in corpus {
        let broken = path.components().any(|part| part.as_os_str() == "broken");
        let parquet =
            !cfg!(feature = "parquet") && path.extension().is_some_and(|e| e == "parquet");
        let loaded = load_bytes(&name(&path), bytes, &LoadOptions::default());
        assert_eq!(loaded.is_err(), broken || parquet, "{}: {:?}", path.display(), loaded.err());
    }
}

#[test]
fn truncated_seeds_do_not_panic() {
    for (path, bytes) in corpus().into_iter().filter(|(_, bytes)| bytes.len() < 4096) {
        for end in 0..bytes.len() {
            use_fully(&name(&path), bytes[..end].to_vec());
        }
    }
}

/// How the files of the formats begin.
const MAGIC: &[&[u8]] = &[
    b"",
    b"PAR1",
    b"\x93NUMPY\x01\x00",
    b"PK\x03\x04",
    b"\0\0\x08\x03",
    b"@relation r\n",
    b"\x1f\x8b\x08",
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn changed_seeds_do_not_panic(seed: prop::sample::Index, changes in prop::collection::vec(change(), 1..6)) {
        let corpus = CORPUS.get_or_init(corpus);
        let (path, bytes) = &corpus[seed.index(corpus.len())];
        let mut bytes = bytes.clone();
        changes.iter().for_each(|change| change.apply(&mut bytes));
        use_fully(&name(path), bytes);
    }

    #[test]
    fn arbitrary_bytes_under_every_ending(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        ending in prop::sample::select(&["csv", "tsv", "arff", "npy", "npz", "svm", "parquet", "idx"][..]),
        magic in prop::sample::select(MAGIC),
    ) {
        use_fully(&format!("any.{ending}"), [magic, &bytes[..]].concat());
    }

    #[test]
    fn arbitrary_text(text in "[a-c0-9.,;:|?'\"{}%@# \t\r\n-]{0,120}") {
        use_fully("any", text.into_bytes());
    }
}

static CORPUS: std::sync::OnceLock<Vec<(PathBuf, Vec<u8>)>> = std::sync::OnceLock::new();

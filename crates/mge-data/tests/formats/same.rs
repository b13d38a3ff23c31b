//! Generated tables, written and read in every format.

use super::write;
use mge_data::{Column, LoadOptions, Loaded, Table, TargetColumn, Text, Values, load_bytes};
use proptest::prelude::*;

fn load(name: &str, bytes: Vec<u8>) -> Loaded {
    let target = TargetColumn::Named("class".into());
    let options = LoadOptions { target, ..LoadOptions::default() };
    match load_bytes(name, bytes.clone(), &options) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{error}\n{}", String::from_utf8_lossy(&bytes)),
    }
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        3 => any::<f32>().prop_filter("finite", |x| x.is_finite()).prop_map(|x| x + 0.0),
        2 => (-50i8..50).prop_map(f32::from),
        1 => Just(f32::NAN),
    ]
}

/// Text that is no number and no mark for a missing cell, with everything that needs quoting.
fn word() -> impl Strategy<Value = String> {
    "[ a-zA-Zäß日,;|'\"{}%@#?:\\\\\t\n.0-9-]{0,6}".prop_map(|text| format!("{text}_x"))
}

fn column(rows: usize) -> impl Strategy<Value = Values> {
    let numbers = prop::collection::vec(number(), rows).prop_map(Values::Number);
    let words = prop::collection::vec(word(), 1..4);
    let text = (words, prop::collection::vec(prop::option::of(0usize..4), rows)).prop_map(
        |(words, cells)| {
            let cells = cells.iter().map(|cell| cell.map(|at| words[at % words.len()].as_str()));
            Values::Text(Text::from_cells(cells))
        },
    );
    let yes_no = prop::collection::vec(any::<bool>(), rows).prop_map(|cells| {
        Values::Text(Text::from_cells(cells.iter().map(|&c| Some(if c { "yes" } else { "no" }))))
    });
    prop_oneof![3 => numbers, 2 => text, 1 => yes_no, 2 => truths(rows)]
}

/// Truth values, spelt in one of the ways that programs spell them in text. Formats that have
/// truth values are written with them.
fn truths(rows: usize) -> impl Strategy<Value = Values> {
    let spelt =
        prop::sample::select(&[["False", "True"], ["false", "true"], ["FALSE", "TRUE"]][..]);
    let cells = prop::collection::vec(prop::option::weighted(0.9, any::<bool>()), rows);
    (spelt, cells, any::<bool>()).prop_map(|(spelt, cells, holes)| {
        let cells = cells.iter().map(|cell| cell.or((!holes).then_some(true)));
        let cells = cells.map(|cell| cell.map(|truth| spelt[usize::from(truth)]));
        Values::Text(Text::from_cells(cells))
    })
}

/// Labels that are truth values, as a program writes them that has them.
fn true_labels(rows: usize) -> impl Strategy<Value = Column> {
    prop::collection::vec(any::<bool>(), rows).prop_map(|cells| {
        let cells = cells.iter().map(|&label| Some(if label { "True" } else { "False" }));
        Column { name: "class".into(), values: Values::Text(Text::from_cells(cells)) }
    })
}

fn labels(rows: usize) -> impl Strategy<Value = Column> {
    prop::collection::vec(0usize..3, rows).prop_map(|cells| {
        let cells = cells.iter().map(|&label| Some(["1", "2", "-7"][label]));
        Column { name: "class".into(), values: Values::Text(Text::from_cells(cells)) }
    })
}

/// A table with odd names, text, numbers and missing cells; `class` is the last column.
fn tables() -> impl Strategy<Value = Table> {
    (1usize..30, 1usize..6).prop_flat_map(|(rows, width)| {
        let names = prop::collection::btree_set(word(), width);
        let columns = prop::collection::vec(column(rows), width);
        let labels = prop_oneof![2 => labels(rows), 1 => true_labels(rows)];
        (names, columns, labels).prop_map(|(names, columns, labels)| {
            let columns = names.into_iter().zip(columns);
            let columns = columns.map(|(name, values)| Column { name, values }).chain([labels]);
            Table::new("made", columns.collect()).unwrap()
        })
    })
}

/// Numbers under the names that formats without names give.
fn plain_tables() -> impl Strategy<Value = Table> {
    (1usize..30, 1usize..6).prop_flat_map(|(rows, width)| {
        let columns = prop::collection::vec(prop::collection::vec(number(), rows), width);
        (columns, labels(rows)).prop_map(|(columns, labels)| {
            let named = |(index, cells)| Column {
                name: format!("column_{}", index + 1),
                values: Values::Number(cells),
            };
            let columns = columns.into_iter().enumerate().map(named).chain([labels]);
            Table::new("made", columns.collect()).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_format_gives_the_same_table(table in tables()) {
        let expected = load("t.csv", write::csv(&table));
        let mut files = vec![
            ("t.tsv", write::separated(&table, "\t", false)),
            ("semicolons", write::separated(&table, ";", false)),
            ("decimal commas", write::separated(&table, ";", true)),
            ("bars", write::separated(&table, "|", false)),
            ("t.arff", write::arff(&table, false)),
            ("sparse", write::arff(&table, true)),
            ("t.npz", write::npz(&table)),
        ];
        #[cfg(feature = "parquet")]
        files.extend([("t.parquet", write::parquet(&table, 7))]);
        files.push(("t.csv.gz", write::gz(&write::csv(&table))));
        for (name, bytes) in files {
            let loaded = load(name, bytes);
            prop_assert_eq!(&loaded.table, &expected.table, "{}", name);
            prop_assert_eq!(&loaded.fingerprint, &expected.fingerprint, "{}", name);
            prop_assert_eq!(&loaded.targets, &expected.targets);
        }
    }

    #[test]
    fn booleans_match_in_any_spelling(table in tables()) {
        // Labels keep their spelling, and are still the same content.
        let text = String::from_utf8(write::csv(&table)).unwrap();
        let (lower, plain) = (text.replace("True", "true").replace("False", "false"), load("t.csv", text.into()));
        prop_assert_eq!(load("t.csv", lower.into()).fingerprint, plain.fingerprint);
    }

    #[test]
    fn numeric_tables_are_equal_in_all_formats(table in plain_tables()) {
        let expected = load("t.csv", write::csv(&table));
        prop_assert_eq!(&expected.table, &table);
        for (name, bytes) in [
            ("t.npz", write::npz_pair(&table)),
            ("t.libsvm", write::libsvm(&table)),
            ("no ending", write::gz(&write::libsvm(&table))),
            ("t.arff", write::arff(&table, true)),
        ] {
            let loaded = load(name, bytes);
            prop_assert_eq!(&loaded.table, &expected.table, "{}", name);
            prop_assert_eq!(&loaded.fingerprint, &expected.fingerprint, "{}", name);
        }
    }
}

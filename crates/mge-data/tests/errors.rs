//! Every bad input gets an error that says what, where and what was expected.

use std::io::Write;

use mge_data::{
    CatalogueError, DataError, LoadOptions, Preprocess, PreprocessOptions, TargetColumn, load,
    load_bytes,
};

fn read(text: &str) -> Result<mge_data::Loaded, DataError> {
    load_bytes("bad.csv", text, &LoadOptions::default())
}

fn message(bytes: impl Into<Vec<u8>>) -> String {
    let loaded = load_bytes("bad.csv", bytes, &LoadOptions::default());
    loaded.expect_err("an error").to_string()
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| {
        let path = folder.path().join(name).display().to_string();
        load(&path, &LoadOptions::default()).unwrap_err()
    };
    assert!(matches!(open("none.csv"), DataError::NoSuchFile { .. }));
    assert!(matches!(open(""), DataError::IsFolder { .. }));
    assert!(matches!(
        load("nonesuch", &LoadOptions::default()),
        Err(DataError::Catalogue(CatalogueError::UnknownName { .. }))
    ));
}

#[test]
fn a_built_in_name_wins_unless_it_looks_like_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wine");
    std::fs::write(&path, "a,class\n1,x\n2,y\n3,x\n").unwrap();
    let as_path = load(&path.display().to_string(), &LoadOptions::default()).unwrap();
    assert_eq!(as_path.table.rows(), 3);
    assert!(as_path.entry.is_none());
    assert_eq!(load("wine", &LoadOptions::default()).unwrap().table.rows(), 178);
}

#[test]
fn empty_files_and_files_without_rows() {
    assert_eq!(message(""), "bad.csv: is empty; expected a header line and rows");
    assert_eq!(message("\n \r\n"), "bad.csv: is empty; expected a header line and rows");
    assert_eq!(message("a,b,class\n\n"), "bad.csv: has a header (3 columns) but no rows");
}

#[test]
fn damaged_gzip() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all("a,class\n1,x\n2,y\n".repeat(50).as_bytes()).unwrap();
    let whole = packer.finish().unwrap();
    for cut in 2..whole.len() {
        let error = load_bytes("t.csv.gz", &whole[..cut], &LoadOptions::default()).unwrap_err();
        assert!(matches!(error, DataError::Gzip { .. }), "{cut} bytes: {error}");
    }
    let mut damaged = whole.clone();
    let last = damaged.len() - 5;
    damaged[last] ^= 0xff;
    let error = load_bytes("t.csv.gz", damaged, &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, DataError::Gzip { .. }), "{error}");
}

#[test]
fn ragged_rows_are_listed_up_to_ten() {
    let error = message("a,b,class\n1,2,x\n1,x\n1,2,3,y\n");
    assert!(
        error.contains("2 rows of another length than the table, which has 3 columns"),
        "{error}"
    );
    assert!(error.contains("line 3: 2 cells: `1,x`"), "{error}");
    assert!(error.contains("line 4: 4 cells: `1,2,3,y`"), "{error}");
    let error = message(format!("a,b\n{}", "1\n".repeat(25)));
    assert!(error.ends_with("... and 15 more"), "{error}");
}

#[test]
fn text_in_a_column_of_numbers() {
    let rows: String = (0..50).map(|i| format!("{i}.5,x\n")).collect();
    let error = message(format!("size,class\n{rows}big,y\n"));
    assert!(error.contains("line 52, column `size`: `big`"), "{error}");
    assert!(error.contains("--as-category size"), "{error}");
    let options = LoadOptions { as_category: vec!["size".into()], ..LoadOptions::default() };
    assert!(load_bytes("t.csv", format!("size,class\n{rows}big,y\n"), &options).is_ok());
}

#[test]
fn numbers_that_are_not_finite() {
    let error = message("a,class\n1,x\ninf,y\n1e39,x\n-1e400,y\n");
    for location in ["line 3, column `a`: `inf`", "line 4, column `a`: `1e39`", "line 5"] {
        assert!(error.contains(location), "{error}");
    }
}

#[test]
fn wrong_names_of_columns() {
    let options =
        LoadOptions { target: TargetColumn::Named("clas".into()), ..LoadOptions::default() };
    let error = load_bytes("t.csv", "a,class\n1,x\n", &options).unwrap_err().to_string();
    assert!(error.contains("no column `clas`; did you mean `class`?"), "{error}");
    let error = message("a,b,a,b,a\n1,2,3,4,5\n");
    assert!(error.contains("more than once:\n  a\n  b"), "{error}");
}

#[test]
fn bytes_that_are_not_text() {
    let error = message(b"a,class\n1,x\n\xff\xfe,y\n");
    assert!(error.contains("bad.csv, line 3, byte 1: not UTF-8"), "{error}");
}

#[test]
fn tables_without_features_are_refused() {
    let only_labels = read("class\nx\ny\nx\n").unwrap();
    let fit = |loaded: &mge_data::Loaded| {
        Preprocess::fit(&loaded.table, "class", &[0, 1, 2], &PreprocessOptions::default())
    };
    let error = fit(&only_labels).unwrap_err().to_string();
    assert!(error.contains("the labels are the only column"), "{error}");
    let constant = read("a,b,class\n1,,x\n1,,y\n1,,x\n").unwrap();
    assert!(matches!(fit(&constant), Err(DataError::NoFeatures { .. })));
    let one = read("a,class\n1,x\n2,x\n").unwrap().class_target().unwrap_err().to_string();
    assert!(one.contains("only one class, `x`; expected two or more"), "{one}");
    let few = read("a,class\n1,x\n2,y\n3,z\n").unwrap().class_target().unwrap_err().to_string();
    assert!(few.contains("3 rows for 3 classes"), "{few}");
}

#[test]
fn a_hundred_thousand_columns_are_a_table() {
    let names: Vec<String> = (0..100_000).map(|i| format!("c{i}")).collect();
    let row = |value: usize| (0..100_000).map(|_| value.to_string()).collect::<Vec<_>>().join(",");
    let text = format!("{}\n{}\n{}\n{}\n", names.join(","), row(1), row(2), row(1));
    let loaded = read(&text).unwrap();
    assert_eq!(loaded.table.columns().len(), 100_000);
    let columns = Preprocess::fit(&loaded.table, "c99999", &[0, 1], &PreprocessOptions::default())
        .and_then(|preprocess| preprocess.apply(&loaded.table, None))
        .unwrap()
        .columns;
    assert_eq!((columns.count(), columns.rows()), (99_999, 3));
}

proptest::proptest! {
    #[test]
    fn any_bytes_give_a_table_or_an_error(bytes: Vec<u8>) {
        let _ = load_bytes("any", bytes, &LoadOptions::default());
    }

    #[test]
    fn any_text_with_marks_gives_a_table_or_an_error(text in "[a1?,\"\n\r\t .;-]{0,60}") {
        if let Ok(loaded) = load_bytes("any.csv", text, &LoadOptions::default()) {
            let _ = loaded.class_target();
        }
    }
}

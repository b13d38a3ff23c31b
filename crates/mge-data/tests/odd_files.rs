//! Files as people and programs really write them: nothing is guessed and nothing is dropped in
//! silence.

#![allow(clippy::unwrap_used)]

use mge_data::{ColumnKind, DataError, FormatError, LoadOptions, Loaded, load_bytes};

fn load(text: &str) -> Loaded {
    load_bytes("t.csv", text, &LoadOptions::default()).unwrap()
}

fn names(loaded: &Loaded) -> Vec<&str> {
    loaded.table.columns().iter().map(|column| column.name.as_str()).collect()
}

fn notes(loaded: &Loaded) -> String {
    loaded.notes.iter().map(|note| format!("{note}\n")).collect()
}

#[test]
fn blank_lines_are_rows_in_a_single_column_and_counted_otherwise() {
    let one = load("x\n1\n\n3\n  \n5\n\n\n");
    assert_eq!(one.table.rows(), 5, "blank lines at the end are none");
    assert_eq!(one.table.columns()[0].values.missing(), 2);
    assert_eq!(one.table.line(4), Some(6));
    assert!(notes(&one).contains("2 blank lines between rows: taken as rows"), "{}", notes(&one));
    let two = load("\nx,y\n1,a\n\n3,b\n \t\n5,a\n\n\n");
    assert_eq!(two.table.rows(), 3);
    let said = "3 blank lines between rows: skipped (the first is line 1)";
    assert!(notes(&two).contains(said), "{}", notes(&two));
    assert!(!notes(&load("x,y\n1,a\n2,b\n\n\n")).contains("blank"));
}

#[test]
fn carriage_returns_alone_end_lines() {
    let plain = load("a,b,class\n1,\"x\ny\",p\n2,z,q\n");
    let old = load("a,b,class\r1,\"x\ry\",p\r2,z,q\r");
    assert_eq!((old.table.rows(), names(&old)), (2, names(&plain)));
    assert_eq!(old.table.line(1), Some(4));
    let arff = "% x\r@relation r\r@attribute a numeric\r@attribute class {p,q}\r@data\r1,p\r2,q\r";
    assert_eq!(load(arff).table, load("a,class\n1,p\n2,q\n").table);
    let svm = load("1 1:2\r2 1:3\r1 1:4\r");
    assert_eq!((svm.table.rows(), svm.table.columns().len()), (3, 2));
}

#[test]
fn declared_delimiters_and_comments_are_read() {
    let plain = load("a,b,class\n1,2,x\n3,4,y\n");
    for text in [
        "sep=;\na;b;class\n1;2;x\n3;4;y\n",
        "sep=^\r\na^b^class\r\n1^2^x\r\n3^4^y\r\n",
        "# from a sensor\n# by hand, twice\na,b,class\n1,2,x\n3,4,y\n",
        "# a,b,class\n1,2,x\n3,4,y\n",
    ] {
        assert_eq!(load(text).table, plain.table, "{text}");
    }
    let commented = load("# from a sensor\na,b,class\n1,2,x\n3,4,y\n");
    assert!(notes(&commented).contains("1 line above the table"), "{}", notes(&commented));
    assert_eq!(commented.table.line(0), Some(3));
    assert_eq!(names(&load("#,Name,class\n1,x,p\n2,y,q\n")), ["#", "Name", "class"]);
}

#[test]
fn row_numbers_are_dropped_with_a_note() {
    let plain = load("a,class\n5,x\n7,y\n6,x\n");
    for text in [
        ",a,class\n0,5,x\n1,7,y\n2,6,x\n",
        "\"\",a,class\n1,5,x\n2,7,y\n3,6,x\n",
        "Unnamed: 0,a,class\n12,5,x\n3,7,y\n99,6,x\n",
    ] {
        let loaded = load(text);
        assert_eq!(loaded.table, plain.table, "{text}");
        assert_eq!(loaded.fingerprint, plain.fingerprint);
        assert!(notes(&loaded).contains("only numbers the rows"), "{}", notes(&loaded));
    }
    let values = load(",a,class\n1.5,5,x\n1,7,y\n2,6,x\n");
    assert_eq!(names(&values), ["column_1", "a", "class"], "measurements");
    let asked = LoadOptions { as_number: vec!["column_1".into()], ..Default::default() };
    let asked = load_bytes("t.csv", ",a,class\n0,5,x\n1,7,y\n2,6,x\n", &asked).unwrap();
    assert_eq!(asked.table.columns().len(), 3, "who asks for it gets it");
}

#[test]
fn unsupported_formats_are_named() {
    let error = |text: &str| load_bytes("t.csv", text, &LoadOptions::default()).unwrap_err();
    assert!(matches!(
        error("{\"a\": 1}\n{\"a\": 2}\n"),
        DataError::Format(FormatError::Unsupported { found: "JSON", .. })
    ));
    let error = error("a,b\n1\n").to_string();
    assert!(
        error.contains("1 row of another length than the table, which has 2 columns"),
        "{error}"
    );
}

/// As a model of such a table asks for it.
fn for_model_of(loaded: &Loaded) -> LoadOptions {
    LoadOptions { only_expected: true, ..loaded.options_for_another(&[]) }
}

#[test]
fn a_model_without_names_recognises_a_header() {
    let bare = load("5.1,red,x\n4.9,blue,y\n4.7,red,x\n");
    let options = for_model_of(&bare);
    let named = load_bytes("n.csv", "long,colour,kind\n5.1,red,x\n4.9,blue,y\n", &options).unwrap();
    assert_eq!(named.table, bare.table.select(&[0, 1]));
    assert!(notes(&named).contains("`long,colour,kind`"), "{}", notes(&named));
    let again = load_bytes("n.csv", "5.1,red,x\n4.9,blue,y\n", &options).unwrap();
    assert_eq!(again.table, named.table);
    let own = "column_3,column_1,column_2\nx,5.1,red\ny,4.9,blue\n";
    let own = load_bytes("n.csv", own, &options).unwrap().table;
    assert_eq!(own.column("column_1").unwrap(), named.table.column("column_1").unwrap());
    let bad = load_bytes("n.csv", "oops,red,x\n4.9,blue,y\n", &options).unwrap_err().to_string();
    assert!(bad.contains("line 1, column `column_1`: `oops`"), "{bad}");
}

#[test]
fn a_model_with_names_requires_a_header() {
    let options = for_model_of(&load("long,colour,kind\n5.1,red,x\n4.9,blue,y\n4.7,red,x\n"));
    let error = load_bytes("n.csv", "5.1,red,x\n4.9,blue,y\n", &options).unwrap_err().to_string();
    let said = "n.csv, line 1: `5.1,red,x` names none of the columns";
    assert!(error.contains(said) && error.contains("\n  long"), "{error}");
    let other = load_bytes("n.csv", "kind,colour\nx,red\n", &options).unwrap();
    assert_eq!(names(&other), ["kind", "colour"], "applying the model says what lacks");
}

#[test]
fn booleans_become_numbers_on_request() {
    let options = LoadOptions { as_number: vec!["a".into()], ..Default::default() };
    let csv = load_bytes("t.csv", "a,class\nTrue,x\nfalse,y\nTRUE,x\n", &options).unwrap();
    let numbers = load("a,class\n1,x\n0,y\n1,x\n");
    assert_eq!(csv.table, numbers.table);
    let dict = "{'descr': [('a', '|b1'), ('class', '<U1')], 'fortran_order': False, 'shape': (3,)}";
    let mut npy = b"\x93NUMPY\x01\x00".to_vec();
    npy.extend_from_slice(&(dict.len() as u16).to_le_bytes());
    npy.extend_from_slice(dict.as_bytes());
    for (truth, class) in [(1, b'x'), (0, b'y'), (1, b'x')] {
        npy.extend_from_slice(&[truth, class, 0, 0, 0]);
    }
    let typed = load_bytes("t.npy", npy.clone(), &options).unwrap();
    assert_eq!(typed.fingerprint, numbers.fingerprint);
    let found = load_bytes("t.npy", npy, &LoadOptions::default()).unwrap();
    assert_eq!(found.table.columns()[0].values.kind(), ColumnKind::Boolean);
    assert_eq!(found.fingerprint, load("a,class\ntrue,x\nfalse,y\ntrue,x\n").fingerprint);
}

#[test]
fn an_empty_attribute_gets_no_note() {
    let head = "@relation r\n@attribute d date\n@attribute a numeric\n@attribute class {p,q}\n";
    let loaded = load(&format!("{head}@data\n?,1,p\n?,2,q\n"));
    assert!(!notes(&loaded).contains("declared as text"), "{}", notes(&loaded));
}

#[cfg(feature = "parquet")]
#[test]
fn unused_nested_columns_are_not_read() {
    let bytes = include_bytes!("corpus/broken/nested.parquet").to_vec();
    let error = load_bytes("t", bytes.clone(), &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("nested column") && error.contains("--drop"), "{error}");
    let target = mge_data::TargetColumn::Named("class".into());
    let options = LoadOptions { target, only_expected: true, ..Default::default() };
    assert_eq!(names(&load_bytes("t", bytes, &options).unwrap()), ["class"]);
}

//! Arrays of an NPZ archive other than features and labels are reported.

use super::write;
use mge_data::{Loaded, load_bytes};

/// Two rows of two features, labels, and what else is given.
fn load(others: &[(&str, Vec<u8>)]) -> Loaded {
    let numbers = |shape: &str, cells: &[f32]| {
        let data: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        write::npy("<f4", shape, &data)
    };
    let mut members = vec![
        ("X".to_owned(), numbers("(2, 2)", &[1.0, 2.0, 3.0, 4.0])),
        ("y".to_owned(), numbers("(2,)", &[0.0, 1.0])),
    ];
    members.extend(others.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())));
    load_bytes("t.npz", write::zip(&members), &Default::default()).unwrap()
}

fn texts(cells: &str) -> Vec<u8> {
    write::npy("|S1", &format!("({},)", cells.len()), cells.as_bytes())
}

fn notes(loaded: &Loaded) -> String {
    loaded.notes.iter().map(|note| format!("{note}\n")).collect()
}

#[test]
fn unused_arrays_are_named() {
    assert!(!notes(&load(&[])).contains("not used"));
    let loaded = load(&[("X_val", texts("a")), ("weights", texts("b"))]);
    assert!(notes(&loaded).contains("2 arrays not used: X_val, weights"), "{}", notes(&loaded));
}

#[test]
fn unfit_feature_names_get_a_note() {
    let named = load(&[("feature_names", texts("pq"))]);
    assert_eq!(named.table.columns()[1].name, "q");
    assert!(!notes(&named).contains("not used"));
    let wrong = load(&[("feature_names", texts("pqr"))]);
    assert_eq!(wrong.table.columns()[1].name, "column_2");
    let said = "array `feature_names` of shape (3,) does not name 2 columns: not used";
    assert!(notes(&wrong).contains(said), "{}", notes(&wrong));
}

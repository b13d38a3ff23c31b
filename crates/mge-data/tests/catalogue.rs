//! The data sets have the shapes and class balances that their README states.
//!
//! The eight inside the program are always tested. `MGE_DATA_DIR` adds the files of a data folder.

use std::path::PathBuf;

use mge_data::{ClassTarget, LoadOptions, catalogue, load};

/// Name, rows, features, how many rows each class has.
type Shape = (&'static str, usize, usize, &'static [(&'static str, usize)]);

const SHAPES: [Shape; 9] = [
    ("flame", 240, 2, &[("1", 87), ("2", 153)]),
    ("wdbc", 569, 30, &[("B", 357), ("M", 212)]),
    ("ionosphere", 351, 34, &[("b", 126), ("g", 225)]),
    ("sonar", 208, 60, &[("M", 111), ("R", 97)]),
    ("credit", 1000, 20, &[("1", 700), ("2", 300)]),
    ("heart", 270, 13, &[("1", 150), ("2", 120)]),
    ("wine", 178, 13, &[("1", 59), ("2", 71), ("3", 48)]),
    (
        "digits",
        1797,
        64,
        &[
            ("0", 178),
            ("1", 182),
            ("2", 177),
            ("3", 183),
            ("4", 181),
            ("5", 182),
            ("6", 181),
            ("7", 179),
            ("8", 174),
            ("9", 180),
        ],
    ),
    ("letter", 20000, 16, &[("H", 734), ("U", 813)]),
];

fn counts(task: &ClassTarget) -> Vec<(&str, usize)> {
    let mut counts: Vec<(&str, usize)> =
        task.classes().iter().map(|class| (class.as_str(), 0)).collect();
    task.labels().iter().for_each(|&label| counts[label as usize].1 += 1);
    counts
}

fn check(spec: &str, rows: usize, features: usize, balance: &[(&str, usize)]) {
    let loaded = load(spec, &LoadOptions::default()).expect("a data set");
    assert_eq!(loaded.table.rows(), rows, "{spec}");
    assert_eq!(loaded.table.columns().len(), features + 1, "{spec}");
    let task = loaded.class_target().expect("labels");
    let found = counts(&task);
    for class in balance {
        assert!(found.contains(class), "{spec}: {class:?} in {found:?}");
    }
    if balance.iter().map(|(_, count)| count).sum::<usize>() == rows {
        assert_eq!(found, balance, "{spec}: no further classes, in this order");
    }
}

#[test]
fn embedded_data_sets_have_their_declared_shape() {
    for (name, rows, features, balance) in SHAPES {
        if catalogue::find(name).unwrap().is_embedded() {
            check(name, rows, features, balance);
        }
    }
}

#[test]
fn files_of_the_data_folder() {
    let Some(folder) = std::env::var_os("MGE_DATA_DIR").map(PathBuf::from) else {
        mge_test::report_skipped("files of the data folder", "MGE_DATA_DIR is not set");
        return;
    };
    for (name, rows, features, balance) in SHAPES {
        let file = folder.join(format!("{name}.csv"));
        check(&file.display().to_string(), rows, features, balance);
    }
    let credit = [("1", 700), ("2", 300)];
    for (name, features) in [("credit_numeric", 20), ("credit_numeric24", 24)] {
        let file = folder.join(format!("{name}.csv")).display().to_string();
        check(&file, 1000, features, &credit);
    }
    check("flame", 240, 2, &[("1", 87), ("2", 153)]);

    let mnist = load("mnist", &LoadOptions::default()).unwrap();
    assert_eq!((mnist.table.rows(), mnist.table.columns().len()), (60000, 785));
    let sizes =
        |task: &ClassTarget| counts(task).iter().map(|(_, count)| *count).collect::<Vec<_>>();
    let train = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949];
    assert_eq!(sizes(&mnist.class_target().unwrap()), train);
    let test = mnist.standard_test.as_ref().unwrap();
    let of_test = [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009];
    assert_eq!(sizes(&ClassTarget::new(test, "class").unwrap()), of_test);
}

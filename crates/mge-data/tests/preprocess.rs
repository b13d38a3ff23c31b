//! Encoding, filling and scaling: fitted on training rows alone, never dividing by zero.

use mge_data::{
    Categories, Column, DataError, DropReason, Dropped, Encoding, LoadOptions, Preprocess,
    PreprocessOptions, Scale, Table, Text, Values, load, load_bytes,
};
use proptest::prelude::*;

fn table(text: &str) -> Table {
    load_bytes("t.csv", text, &LoadOptions::default()).expect("a table").table
}

fn fit(table: &Table, rows: &[u32], options: &PreprocessOptions) -> Preprocess {
    Preprocess::fit(table, "class", rows, options).expect("features")
}

fn all(table: &Table) -> Vec<u32> {
    (0..table.rows() as u32).collect()
}

/// The values of a feature in all rows of a table.
fn feature(preprocess: &Preprocess, table: &Table, name: &str) -> Vec<f32> {
    let names = preprocess.feature_names();
    let index = names.iter().position(|other| other == name);
    let index = index.unwrap_or_else(|| panic!("{name} in {names:?}"));
    let columns = preprocess.apply(table, None).expect("a table with the columns").columns;
    columns.column(index).to_vec()
}

#[test]
fn z_scores_have_mean_zero_and_deviation_one() {
    let wdbc = load("wdbc", &LoadOptions::default()).unwrap().table;
    let preprocess = fit(&wdbc, &all(&wdbc), &PreprocessOptions::default());
    let columns = preprocess.apply(&wdbc, None).unwrap().columns;
    for feature in 0..columns.count() {
        let values = columns.column(feature);
        let mean = values.iter().map(|&x| f64::from(x)).sum::<f64>() / values.len() as f64;
        let square =
            values.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>() / values.len() as f64;
        assert!(mean.abs() < 1e-5, "{mean}");
        assert!((square - 1.0).abs() < 1e-5, "{square}");
    }
}

#[test]
fn min_max_and_none() {
    let table = table("a,class\n2,x\n4,y\n3,x\n");
    let scaled = |scale| {
        let options = PreprocessOptions { scale, ..PreprocessOptions::default() };
        feature(&fit(&table, &all(&table), &options), &table, "a")
    };
    assert_eq!(scaled(Scale::MinMax), [0.0, 1.0, 0.5]);
    assert_eq!(scaled(Scale::None), [2.0, 4.0, 3.0]);
}

#[test]
fn constant_columns_are_dropped_and_listed() {
    let ionosphere = load("ionosphere", &LoadOptions::default()).unwrap().table;
    let preprocess = fit(&ionosphere, &all(&ionosphere), &PreprocessOptions::default());
    let a02 = Dropped { column: "a02".into(), reason: DropReason::Constant };
    assert_eq!(preprocess.dropped(), [a02]);
    assert_eq!(preprocess.features().len(), 33);
    assert!(!preprocess.expected().contains_key("a02"), "a model does not ask for it");
}

#[test]
fn categories_become_one_feature_each_or_an_index() {
    let table = table("c,b,two,class\nred,yes,u,x\nblue,no,v,y\ngreen,yes,u,x\nred,,v,y\n");
    let options = PreprocessOptions { scale: Scale::None, ..PreprocessOptions::default() };
    let one_hot = fit(&table, &all(&table), &options);
    assert_eq!(one_hot.feature_names(), ["c=blue", "c=green", "c=red", "b", "two=v"]);
    assert_eq!(feature(&one_hot, &table, "c=red"), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        feature(&one_hot, &table, "b"),
        [1.0, 0.0, 1.0, 1.0],
        "a missing cell is the most frequent"
    );
    assert_eq!(feature(&one_hot, &table, "two=v"), [0.0, 1.0, 0.0, 1.0]);

    let options = PreprocessOptions { categories: Categories::Ordinal, ..options };
    let ordinal = fit(&table, &all(&table), &options);
    assert_eq!(ordinal.feature_names(), ["c", "b", "two"]);
    assert_eq!(feature(&ordinal, &table, "c"), [2.0, 0.0, 1.0, 2.0]);
}

#[test]
fn missing_numbers_become_the_training_median_and_may_be_marked() {
    let table = table("a,class\n1,x\n,y\n3,x\n100,y\n?,x\n");
    let options = PreprocessOptions {
        scale: Scale::None,
        missing_indicator: true,
        ..PreprocessOptions::default()
    };
    let preprocess = fit(&table, &[0, 1, 2], &options);
    assert_eq!(feature(&preprocess, &table, "a"), [1.0, 2.0, 3.0, 100.0, 2.0]);
    assert_eq!(feature(&preprocess, &table, "missing(a)"), [0.0, 1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn categories_that_the_training_part_did_not_have_are_counted() {
    let table = table("c,class\na,x\nb,y\na,x\nc,y\nd,x\nc,y\n");
    let preprocess = fit(&table, &[0, 1, 2], &PreprocessOptions::default());
    let seen = preprocess.apply(&table, Some(&[0, 1])).unwrap();
    assert!(seen.unseen.is_empty());
    let unseen = preprocess.apply(&table, None).unwrap().unseen;
    assert_eq!((unseen[0].column.as_str(), unseen[0].cells), ("c", 3));
    assert_eq!(unseen[0].examples, ["c", "d"]);
}

#[test]
fn rare_categories_have_no_feature_and_identifiers_are_dropped() {
    let mut text = String::from("c,name,class\n");
    for row in 0..60 {
        text += &format!("k{},n{row},{}\n", if row < 50 { row % 3 } else { row }, row % 2);
    }
    let table = table(&text);
    let options = PreprocessOptions { max_categories: 3, ..PreprocessOptions::default() };
    let preprocess = fit(&table, &all(&table), &options);
    let names = preprocess.feature_names();
    assert_eq!(names, ["c=k0", "c=k1", "c=k2"]);
    let name = Dropped { column: "name".into(), reason: DropReason::Identifier };
    assert_eq!(preprocess.dropped(), [name]);
    assert!(preprocess.apply(&table, None).unwrap().unseen.is_empty(), "rare is not unseen");
}

#[test]
fn columns_are_found_by_name_and_missing_ones_are_all_named() {
    let train = table("a,b,c,class\n1,5,p,x\n2,7,q,y\n4,6,r,x\n");
    let preprocess = fit(&train, &[0, 1, 2], &PreprocessOptions::default());
    let other = table("extra,c,b,class,a\n9,p,5,x,1\n9,q,7,y,2\n9,r,6,x,4\n");
    assert_eq!(preprocess.apply(&train, None).unwrap(), preprocess.apply(&other, None).unwrap());
    let error = preprocess.apply(&table("A,c,class\n1,p,x\n"), None).unwrap_err().to_string();
    assert!(error.contains("lacks 2 columns that the model needs"), "{error}");
    assert!(error.contains("`a` (there is `A`)") && error.contains("`b`"), "{error}");
}

#[test]
fn a_column_of_categories_stays_one_when_the_new_file_has_only_numbers() {
    let train = table("c,class\n1,x\nbig,y\n2,x\nbig,y\n");
    let preprocess = fit(&train, &[0, 1, 2, 3], &PreprocessOptions::default());
    let options = LoadOptions { expected: preprocess.expected(), ..LoadOptions::default() };
    let new = load_bytes("new.csv", "c,class\n1,x\n2,y\n1,x\n", &options).unwrap().table;
    assert!(preprocess.apply(&new, None).unwrap().unseen.is_empty());
    let values = feature(&preprocess, &new, "c=1");
    assert_eq!(values[0], values[2]);

    let train = table("c,class\n1,x\n7,y\n2,x\n");
    let preprocess = fit(&train, &[0, 1, 2], &PreprocessOptions::default());
    let new = table("c,class\nbig,x\nsmall,y\n");
    let error = preprocess.apply(&new, None).unwrap_err();
    assert!(matches!(error, DataError::ExpectedNumbers { .. }), "{error}");
}

#[test]
fn features_never_share_a_name() {
    let table = table("c,c=p,class\np,1,x\nq,2,y\nr,3,x\n");
    let names = fit(&table, &all(&table), &PreprocessOptions::default()).feature_names();
    assert_eq!(names, ["c=p", "c=q", "c=r", "c=p'"]);
}

/// A table of one number column, one text column and labels.
fn tables() -> impl Strategy<Value = Table> {
    let number = prop_oneof![
        4 => any::<f32>().prop_filter("finite", |x| x.is_finite()),
        2 => -5f32..5.0,
        1 => Just(f32::NAN),
        1 => Just(1.0),
    ];
    let text = proptest::option::of(prop_oneof![Just("No"), Just("yes"), Just("c, \"d\"")]);
    proptest::collection::vec((number, text, 0u8..2), 2..40).prop_map(|rows| {
        let labels: Vec<String> = rows.iter().map(|row| row.2.to_string()).collect();
        let number = |(x, _, _): &(f32, Option<&str>, u8)| *x + 0.0;
        let columns = vec![
            ("n", Values::Number(rows.iter().map(number).collect())),
            ("t", Values::Text(Text::from_cells(rows.iter().map(|row| row.1)))),
            ("class", Values::Text(Text::from_cells(labels.iter().map(|l| Some(l.as_str()))))),
        ];
        let column = |(name, values): (&str, Values)| Column { name: name.into(), values };
        Table::new("made", columns.into_iter().map(column).collect()).expect("a table")
    })
}

fn any_options() -> impl Strategy<Value = PreprocessOptions> {
    let scale = prop_oneof![Just(Scale::ZScore), Just(Scale::MinMax), Just(Scale::None)];
    let categories = prop_oneof![Just(Categories::OneHot), Just(Categories::Ordinal)];
    (scale, categories, any::<bool>()).prop_map(|(scale, categories, missing_indicator)| {
        PreprocessOptions {
            scale,
            categories,
            missing_indicator,
            max_categories: 2,
            left_out: Vec::new(),
        }
    })
}

proptest! {
    #[test]
    fn features_are_finite_whatever_the_table_holds(
        table in tables(),
        options in any_options(),
        part in 1usize..40,
    ) {
        let rows: Vec<u32> = (0..table.rows().min(part) as u32).collect();
        if let Ok(preprocess) = Preprocess::fit(&table, "class", &rows, &options) {
            let columns = preprocess.apply(&table, None).unwrap().columns;
            let mut indices = 0..columns.count();
            prop_assert!(indices.all(|i| columns.column(i).iter().all(|x| x.is_finite())));
            for feature in preprocess.features() {
                prop_assert!(feature.factor.is_finite() && feature.factor > 0.0);
            }
        }
    }

    #[test]
    fn test_rows_change_nothing(
        table in tables(),
        other in tables(),
        options in any_options(),
        part in 1usize..40,
    ) {
        // The training rows of one table, followed by the rows of the other.
        let part = part.min(table.rows());
        let train: Vec<u32> = (0..part as u32).collect();
        let mut text = Vec::new();
        table.select(&train).write_csv(&mut text).unwrap();
        let mut tail = Vec::new();
        other.write_csv(&mut tail).unwrap();
        let header = tail.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        text.extend_from_slice(&tail[header..]);
        let kinds = LoadOptions {
            as_number: vec!["n".into()],
            as_category: vec!["t".into()],
            ..LoadOptions::default()
        };
        let mixed = load_bytes("mixed.csv", text, &kinds).unwrap().table;

        let fitted = Preprocess::fit(&table, "class", &train, &options);
        let with_others = Preprocess::fit(&mixed, "class", &train, &options);
        let alone = Preprocess::fit(&table.select(&train), "class", &train, &options);
        match (fitted, with_others, alone) {
            (Ok(a), Ok(b), Ok(c)) => {
                prop_assert_eq!(&a, &b);
                prop_assert_eq!(&a, &c);
            }
            (Err(_), Err(_), Err(_)) => {}
            (a, b, c) => prop_assert!(false, "{a:?}\n{b:?}\n{c:?}"),
        }
    }

    #[test]
    fn saved_and_loaded_it_is_the_same(table in tables(), options in any_options()) {
        if let Ok(preprocess) = Preprocess::fit(&table, "class", &all(&table), &options) {
            let json = serde_json::to_string(&preprocess).unwrap();
            let again: Preprocess = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(again, preprocess);
        }
    }

    #[test]
    fn a_written_table_reads_back_equal(table in tables()) {
        let mut text = Vec::new();
        table.write_csv(&mut text).unwrap();
        let kinds = LoadOptions {
            as_number: vec!["n".into()],
            as_category: vec!["t".into()],
            ..LoadOptions::default()
        };
        let again = load_bytes("again.csv", text, &kinds).unwrap();
        prop_assert_eq!(&again.table, &table);
    }
}

#[test]
fn features_have_the_encoding_of_their_column() {
    let table = table("c,n,class\np,1,x\nq,2,y\nr,3,x\n");
    let preprocess = fit(&table, &all(&table), &PreprocessOptions::default());
    let encodings: Vec<&Encoding> = preprocess.features().iter().map(|f| &f.encoding).collect();
    assert_eq!(encodings[0], &Encoding::Is("p".into()));
    assert_eq!(encodings[3], &Encoding::Value);
}

#[test]
fn columns_of_features_that_are_not_needed_may_be_absent() {
    let whole = table("c,n,m,class\np,1,5,x\nq,2,7,y\nr,3,6,x\n");
    let preprocess = fit(&whole, &all(&whole), &PreprocessOptions::default());
    let needed: Vec<bool> = preprocess
        .features()
        .iter()
        .map(|feature| feature.name == "c=q" || feature.column == "m")
        .collect();
    assert!(preprocess.needed_columns(&needed).into_iter().eq(["c", "m"]));
    let complete = preprocess.apply(&whole, None).unwrap().columns;
    let small = table("m,c,class\n5,p,x\n7,q,y\n6,r,x\n");
    let found = preprocess.apply_needed(&small, None, &needed).unwrap().columns;
    for (index, &needed) in needed.iter().enumerate() {
        if needed {
            assert_eq!(found.column(index), complete.column(index));
        } else {
            assert!(found.column(index).iter().all(|&x| x == 0.0));
        }
    }
    let error = preprocess.apply(&small, None).unwrap_err();
    assert!(error.to_string().contains("`n`"), "{error}");
}

//! A model takes raw tables as they come: other columns cannot disturb it, yes and no may be spelt
//! otherwise, and categories it never saw are reported.

#![allow(clippy::unwrap_used)]

use mge::data::{LoadOptions, Loaded, TargetColumn, load_bytes};
use mge::{Fit, Method, Model};

/// The fastest method: how tables are read is the same in all.
fn quick() -> Fit<'static> {
    Fit::new().method(Method::MGE).seed(1)
}

fn train() -> Model {
    let rows: String = (0..60)
        .map(|i| {
            let (yes, town) = (i % 2 == 0, ["ulm", "bonn", "kiel"][i % 3]);
            let flag = if yes { "True" } else { "False" };
            format!("{flag},{town},{},{}\n", i % 7, if yes { "a" } else { "b" })
        })
        .collect();
    let data = load_bytes("t.csv", format!("flag,town,x,y\n{rows}"), &LoadOptions::default());
    quick().population(60).generations(30).run(&data.unwrap()).unwrap().model
}

fn read(model: &Model, text: &str) -> Result<Loaded, mge::data::DataError> {
    let options = model.load_options(TargetColumn::IfPresent(vec![model.target.clone()]));
    load_bytes("new.csv", text, &LoadOptions { only_expected: true, ..options })
}

#[test]
fn other_columns_are_not_even_read() {
    let model = train();
    let plain = read(&model, "flag,town,x\nTrue,ulm,1\nFalse,kiel,2\n").unwrap();
    let answers: Vec<usize> = model.predict(&plain.table).unwrap().classes().collect();
    assert_eq!(answers, [0, 1]);
    let noisy = "x,extra,town,flag\n1,inf,ulm,True\n2,oops,kiel,False\n";
    let noisy = read(&model, noisy).unwrap();
    assert_eq!(model.predict(&noisy.table).unwrap().classes().collect::<Vec<_>>(), answers);
}

#[test]
fn built_in_sets_can_be_read_for_a_model_that_uses_part_of_them() {
    // Ionosphere has a constant column, which no model asks for.
    let data = mge::data::load("ionosphere", &LoadOptions::default()).unwrap();
    let model = quick().population(20).generations(3).run(&data).unwrap().model;
    let options = model.load_options(TargetColumn::Exactly(vec![model.target.clone()]));
    let options = LoadOptions { only_expected: true, ..options };
    let again = mge::data::load("ionosphere", &options).unwrap();
    assert_eq!(model.evaluate(&again.table).unwrap(), model.evaluate(&data.table).unwrap());
}

#[test]
fn yes_and_no_mean_the_same_however_they_are_spelt() {
    let model = train();
    for (yes, no) in [("True", "False"), ("true", "false"), ("YES", "no"), ("1", "0")] {
        let table = read(&model, &format!("flag,town,x\n{yes},ulm,1\n{no},ulm,1\n")).unwrap().table;
        let predictions = model.predict(&table).unwrap();
        assert_eq!(predictions.classes().collect::<Vec<_>>(), [0, 1], "{yes} and {no}");
        assert!(predictions.unseen.is_empty(), "{yes} and {no}");
    }
}

#[test]
fn categories_that_training_did_not_see_are_reported() {
    let model = train();
    let table = read(&model, "flag,town,x,y\nTrue,rome,1,a\nFalse,ulm,2,b\n").unwrap().table;
    let measured = model.evaluate(&table).unwrap();
    assert_eq!(measured.metrics.rows, 2);
    assert_eq!((measured.unseen.len(), measured.unseen[0].column.as_str()), (1, "town"));
}

#[test]
fn columns_that_are_not_needed_may_have_the_same_name() {
    let model = train();
    let twice = read(&model, "z,flag,z,town,x\n1,True,2,ulm,1\n1,False,2,kiel,2\n").unwrap();
    assert_eq!(model.predict(&twice.table).unwrap().classes().collect::<Vec<_>>(), [0, 1]);
    assert!(read(&model, "x,flag,x,town\n1,True,2,ulm\n").is_err(), "one that is needed may not");
}

/// A model of one column, made from this text.
fn model_of(text: &str) -> Model {
    let data = load_bytes("t", text, &LoadOptions::default()).unwrap();
    quick().population(20).generations(3).run(&data).unwrap().model
}

#[test]
fn indices_count_from_where_they_did_in_training() {
    let rows: String = (0..40).map(|i| format!("{} 0:{} 1:{}\n", i % 2, i % 2, i % 5)).collect();
    let model = model_of(&rows);
    assert_eq!(model.data.form.first_index, Some(0));
    let with_zero = read(&model, "1 0:1 1:3\n0 0:0 1:2\n").unwrap().table;
    let without = read(&model, "1 0:1 1:3\n0 1:2\n").unwrap().table;
    let only_one = read(&model, "0 1:2\n").unwrap().table;
    assert_eq!(with_zero, without);
    assert_eq!(only_one, without.select(&[1]), "no index 0 in the file, and still from 0");
}

#[test]
fn only_words_that_training_knew_mean_missing() {
    let rows: String = (0..60)
        .map(|i| match i {
            7 | 9 => format!("unknown,{}\n", i % 2),
            _ => format!("{i},{}\n", i % 2),
        })
        .collect();
    let model = model_of(&format!("x,y\n{rows}"));
    let known = read(&model, "x\n1\nunknown\n?\n").unwrap().table;
    assert_eq!(known.columns()[0].values.missing(), 2);
    let error = read(&model, "x\n1\noops\noops\noops\n").unwrap_err().to_string();
    assert!(error.contains("line 3, column `x`: `oops`"), "{error}");
    let loaded = Model::from_json("m", model.to_json().as_bytes()).unwrap();
    assert_eq!(loaded, model, "the word is in the file");
}

#[test]
fn a_category_may_be_written_as_another_number() {
    let rows: String =
        (0..40).map(|i| format!("{},{}\n", ["1", "2", "x"][i % 3], i % 3 / 2)).collect();
    let model = model_of(&format!("c,y\n{rows}"));
    let answers = |text: &str| {
        let predictions = model.predict(&read(&model, text).unwrap().table).unwrap();
        assert!(predictions.unseen.is_empty(), "{:?}", predictions.unseen);
        predictions.probabilities().unwrap().clone()
    };
    assert_eq!(answers("c\n1.0\n2.00\nx\n"), answers("c\n1\n2\nx\n"));
}

#[test]
fn too_many_features_are_an_error_that_names_file_and_remedy() {
    let names: Vec<String> = (0..65_537).map(|i| format!("c{i}")).collect();
    let row = |value: usize| format!("{}{}\n", format!("{value},").repeat(65_537), value % 2);
    let rows: String = (0..8).map(row).collect();
    let text = format!("{},class\n{rows}", names.join(","));
    let data = load_bytes("wide.csv", text, &LoadOptions::default()).unwrap();
    for fit in [quick(), Fit::new()] {
        let error = fit.run(&data).unwrap_err().to_string();
        assert!(error.starts_with("wide.csv: 65537 features; at most 65536"), "{error}");
        assert!(error.contains("--drop"), "{error}");
    }
}

//! The evaluator of the pages, run by Node, gives the probabilities of the model.

#![allow(clippy::unwrap_used)]

use mge::net::Activation;
use std::process::Command;

/// Columns of every kind, with missing cells and a rare word.
fn table() -> String {
    let mut text = String::from("length,colour,is_new,grade,class\n");
    for row in 0..160u32 {
        let wave = f64::from(row * 37 % 101) / 10.0 - 3.0;
        let colour = ["red", "green", "blue", "violet"][(row * 7 % 11 % 4) as usize];
        let length = if row % 9 == 4 { String::new() } else { format!("{wave:.3}") };
        let colour = if row % 13 == 5 { "" } else { colour };
        let is_new = if row % 3 == 0 { "yes" } else { "no" };
        let class = ["a", "b", "c"][((wave > 1.0) as usize + usize::from(colour == "red")) % 3];
        text += &format!("{length},{colour},{is_new},{},{class}\n", row % 5);
    }
    text
}

#[test]
fn the_page_computes_the_probabilities_of_the_model() {
    if Command::new("node").arg("--version").output().is_err() {
        mge_test::report_skipped("page_evaluator", "no node");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.csv");
    std::fs::write(&file, table()).unwrap();
    let data = mge::data::load(file.to_str().unwrap(), &Default::default()).unwrap();
    for (seed, activation) in Activation::ALL.into_iter().enumerate() {
        let fit = mge::Fit::new().method(mge::Method::MGE).seed(seed as u64).population(40);
        let mut fitted = fit.generations(25).run(&data).unwrap();
        // Every activation, in the neurons that the search has found.
        let mut json: serde_json::Value = serde_json::from_str(&fitted.model.to_json()).unwrap();
        for neuron in json["network"]["neurons"].as_array_mut().unwrap() {
            neuron["activation"] = activation.name().into();
        }
        fitted.model = mge::Model::from_json("changed", json.to_string().as_bytes()).unwrap();
        compare(&fitted.model, &data.table, folder.path());
    }
}

/// Compares the answers for all rows of the table.
fn compare(model: &mge::Model, table: &mge::data::Table, folder: &std::path::Path) {
    let program = mge_report::page_program(model, None).unwrap();
    let rows: Vec<Vec<serde_json::Value>> = (0..table.rows())
        .map(|row| {
            let columns = program["columns"].as_array().unwrap().iter();
            columns.map(|column| cell(table, column, row)).collect()
        })
        .collect();
    let script = format!(
        "{}\nconst program = {program};\nconst rows = {};\n\
         console.log(JSON.stringify(rows.map((row) => probabilitiesOf(program, row))));\n",
        mge_report::evaluator_script(),
        serde_json::to_string(&rows).unwrap(),
    );
    let file = folder.join("evaluate.js");
    std::fs::write(&file, script).unwrap();
    let output = Command::new("node").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Vec<Vec<f64>> = serde_json::from_slice(&output.stdout).unwrap();
    let expected = model.predict(table).unwrap();
    assert_eq!(found.len(), table.rows());
    for (row, (found, expected)) in
        found.iter().zip(expected.probabilities().unwrap().iter()).enumerate()
    {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "row {row}: {found} and {expected}");
        }
    }
}

/// A cell as the page has it.
fn cell(table: &mge::data::Table, column: &serde_json::Value, row: usize) -> serde_json::Value {
    let own = table.columns().iter().find(|c| column["name"] == c.name.as_str()).unwrap();
    match &own.values {
        mge::data::Values::Number(cells) if cells[row].is_nan() => serde_json::Value::Null,
        mge::data::Values::Number(cells) => cells[row].into(),
        mge::data::Values::Text(text) => match text.get(row) {
            None => serde_json::Value::Null,
            Some(word) => {
                let words = column["words"].as_array().unwrap().iter();
                let index = words.clone().position(|known| known == word);
                index.map_or(serde_json::json!(-1), Into::into)
            }
        },
    }
}

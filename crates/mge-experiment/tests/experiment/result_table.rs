//! Tables in all formats: equal to those of version 0.1.0, and readable by other programs.

use crate::fixture;
use mge_experiment::{
    ExperimentPlan, RankTest, ResultTable, Results, Store, TableCell, TableColumn, TableFormat,
};
use std::fs;

fn stored_results() -> Results {
    let plan = ExperimentPlan::read(&fixture("old-store/plan.toml")).unwrap();
    let finished = Store::at(&fixture("old-store")).read().unwrap();
    Results::of(&plan, &finished).unwrap()
}

/// Compares a table with a stored one. `MGE_FIXTURES=overwrite` writes it again, after a wanted change
/// of heads or notes; the figures must stay.
fn check(name: &str, text: &str) {
    let path = fixture("old-store").join(name);
    if std::env::var("MGE_FIXTURES").is_ok_and(|value| value == "overwrite") {
        return fs::write(path, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(path).unwrap(), "{name}");
}

#[test]
fn tables_of_stored_runs_have_the_figures_of_version_0_1_0() {
    let results = stored_results();
    let table = results.summary_table();
    check("table.txt", &table.in_format(TableFormat::Text));
    check("runs.csv", &results.runs_table().csv());
    let detailed = table.with_details();
    check("table.csv", &detailed.in_format(TableFormat::Csv));
    check("table.md", &detailed.in_format(TableFormat::Markdown));
    check("table.tex", &detailed.in_format(TableFormat::Latex));
    let results = results.with_test(RankTest::RankSum);
    let mut table = results.summary_table();
    table.notes.extend(results.ranking().unwrap().unwrap().notes());
    check("details.txt", &table.with_details().text());
}

#[test]
fn special_characters_are_escaped_in_each_format() {
    let table = ResultTable {
        title: "T".to_owned(),
        columns: ["a|b", "50%"].map(TableColumn::from).to_vec(),
        rows: vec![vec!["x_1, \"y\"".into(), "p|q & {r} \\ ~^#$".into()]],
        ..ResultTable::default()
    };
    assert_eq!(table.csv(), "a|b,50%\n\"x_1, \"\"y\"\"\",p|q & {r} \\ ~^#$\n");
    assert!(table.markdown().contains("| x_1, \"y\" | p\\|q & {r} \\ ~^#$ |"));
    let latex = table.latex();
    assert!(latex.contains("a$|$b & 50\\% \\\\"), "{latex}");
    assert!(
        latex.contains(
            "x\\_1, \"y\" & p$|$q \\& \\{r\\} \\textbackslash{} \
             \\textasciitilde{}\\textasciicircum{}\\#\\$"
        ),
        "{latex}"
    );
}

#[test]
fn every_line_of_csv_has_as_many_values_as_the_head() {
    let csv = stored_results().summary_table().csv();
    let counts: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(counts.iter().all(|&count| count == counts[0]), "{counts:?}");
}

#[test]
fn an_empty_table_has_a_head_in_every_format() {
    let columns = ["a", "b"].map(TableColumn::from).to_vec();
    let table = ResultTable { title: "T".to_owned(), columns, ..ResultTable::default() };
    assert_eq!(table.text(), "T\n\na  b\n");
    assert_eq!(table.csv(), "a,b\n");
    assert_eq!(table.markdown(), "T\n\n| a | b |\n| --- | --- |\n");
    assert!(table.latex().contains("a & b \\\\\n\\midrule\n\\bottomrule\n\\end{tabular}"));
}

#[test]
fn cells_convert_from_text_and_numbers() {
    assert_eq!(TableCell::from("a"), TableCell::Text("a".to_owned()));
    let number = TableCell::number(0.12345, 2);
    let columns = vec!["n".into()];
    let table = ResultTable { columns, rows: vec![vec![number]], ..ResultTable::default() };
    assert!(table.text().ends_with("0.12\n") && table.csv().ends_with("0.12345\n"));
}

#[test]
fn format_names_round_trip_and_others_are_errors() {
    for format in [TableFormat::Text, TableFormat::Csv, TableFormat::Markdown, TableFormat::Latex] {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "html".parse::<TableFormat>().unwrap_err().to_string();
    assert_eq!(error, "unknown format `html`; expected text, csv, markdown or latex");
}

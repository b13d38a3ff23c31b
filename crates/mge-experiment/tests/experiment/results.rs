//! Results of a plan: rows, comparisons and the table of runs.

use crate::{plan, results_with};
use mge_experiment::{ExperimentPlan, Metric, RankTest, RunEntry, SummaryColumn};

/// An accuracy that differs between splits, with a bonus of the method.
fn accuracy(run: &RunEntry) -> f64 {
    let bonus = match run.method.as_str() {
        "mge" => 0.1 + run.repetition as f64 / 1000.0,
        "mu" => 0.1,
        _ => 0.0,
    };
    0.5 + run.repetition as f64 / 100.0 + bonus
}

#[test]
fn rows_follow_the_plan_and_hold_their_runs() {
    let plan = plan(
        "data = ['wine', 'heart']\nmethods = ['mge', 'ge']\nprotocol = '4x70/30'\n\
         variations = [{ name = 'a' }, { name = 'b', settings = { loss = 'mse' } }]",
    );
    let results = results_with(&plan, accuracy);
    let titles: Vec<String> =
        results.rows.iter().map(|row| format!("{} {}", row.data, row.title())).collect();
    let expected = ["mge (a)", "mge (b)", "ge (a)", "ge (b)"];
    let expected = ["wine", "heart"].map(|data| expected.map(|title| format!("{data} {title}")));
    assert_eq!(titles, expected.concat());
    assert!(results.rows.iter().all(|row| row.planned == 4 && row.runs.len() == 4));
    assert_eq!(results.data_sets(), ["wine", "heart"]);
    let moments = results.rows[0].moments(Metric::Accuracy).unwrap();
    assert!((moments.mean - 0.6275).abs() < 1e-12, "{moments:?}");
}

#[test]
fn the_best_method_and_its_equals_are_bold_if_another_one_is_worse() {
    let plan = plan("data = ['wine']\nmethods = ['mge', 'mu', 'ge']\nprotocol = '12x70/30'");
    let results = results_with(&plan, |run| match run.method.as_str() {
        // Alternately better and worse than mge, so the two are equal.
        "mu" => accuracy(run) + if run.repetition % 2 == 0 { 0.02 } else { -0.02 },
        _ => accuracy(run),
    });
    let comparisons = results.comparisons_to_best();
    assert!(comparisons[0].is_best && comparisons[0].bold);
    assert!(!comparisons[1].is_best && comparisons[1].bold);
    assert!(!comparisons[2].is_best && !comparisons[2].bold);
    let worst = comparisons[2].against_best.unwrap();
    assert!(worst.test.p_value < 0.025 && worst.effect.value < 0.5);
    assert!(worst.difference.unwrap().difference < -0.09);
    let all_equal = results_with(&plan, |run| 0.5 + run.repetition as f64 / 100.0);
    assert!(all_equal.comparisons_to_best().iter().all(|comparison| !comparison.bold));
}

#[test]
fn methods_of_different_splits_are_not_compared() {
    let text = "data = ['wine']\nmethods = ['mge', 'ge']\nprotocol = ['4x70/30', '4-fold']";
    let results = results_with(&plan(text), accuracy);
    assert_eq!(results.rows.len(), 4);
    for row in &results.rows {
        let best = results.best_row(row).unwrap();
        assert_eq!((best.method.as_str(), best.protocol), ("mge", row.protocol));
    }
}

#[test]
fn unfinished_rows_have_no_comparison() {
    let plan = plan("data = ['wine']\nmethods = ['mge', 'ge']\nprotocol = '4x70/30'");
    let mut results = results_with(&plan, accuracy);
    results.rows[1].runs.clear();
    let comparisons = results.comparisons_to_best();
    assert!(comparisons[0].is_best && comparisons[1].against_best.is_none());
    assert_eq!(results.rows[1].moments(Metric::Accuracy), None);
    let text = results.summary_table().text();
    assert!(text.contains("0 of 4"), "{text}");
}

#[test]
fn both_tests_are_available() {
    let plan = plan("data = ['wine']\nmethods = ['mge', 'ge']\nprotocol = '12x70/30'");
    // The accuracy varies more between splits than between methods.
    let results = results_with(&plan, |run| {
        0.4 + 0.03 * run.repetition as f64 + if run.method == "mge" { 0.01 } else { 0.0 }
    });
    let p_value = |test: RankTest| {
        let compared = results.rows[1].compare(&results.rows[0], test).unwrap();
        compared.test.p_value
    };
    assert_eq!(p_value(RankTest::SignedRank), 2.0 / 4096.0);
    assert!(p_value(RankTest::RankSum) > p_value(RankTest::SignedRank));
    let table = results.with_test(RankTest::RankSum).summary_table();
    assert!(table.text().contains("Wilcoxon's rank-sum test of all runs"));
}

#[test]
fn the_table_of_runs_has_a_line_for_each_run() {
    let plan = plan("data = ['wine']\nmethods = ['mge']\nprotocol = ['2x70/30', '3-fold']");
    let csv = results_with(&plan, |run| run.repetition as f64 / 4.0).runs_table().csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 2 + 3);
    assert!(lines[0].starts_with("data,target,method,setting,protocol,repetition,fold,seed,"));
    assert!(lines[2].starts_with("wine,,mge,,2x70/30,2,,2,0.5,"), "{}", lines[2]);
    assert!(lines[4].starts_with("wine,,mge,,3-fold,1,2,1,0.25,"), "{}", lines[4]);
}

#[test]
fn tables_have_short_names_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let cells: String = (0..20).map(|i| format!("{i},{},{}\n", i % 2, i % 3)).collect();
    for name in ["own.csv", "twice.csv"] {
        std::fs::write(folder.path().join(name), format!("x,a,b\n{cells}")).unwrap();
    }
    let text = "data = ['wine', { name = 'own.csv', target = 'a' }, { name = 'twice.csv', target = 'a' },\n\
                { name = 'twice.csv', target = 'b' }]\nmethods = ['mge', 'ge']\nprotocol = '3x70/30'";
    std::fs::write(folder.path().join("plan.toml"), text).unwrap();
    let plan = ExperimentPlan::read(&folder.path().join("plan.toml")).unwrap();
    let results = results_with(&plan, accuracy);
    assert_eq!(results.data_sets(), ["wine", "own", "twice (a)", "twice (b)"]);
    let table = results.summary_table().with_details();
    let formats = [table.text(), table.csv(), table.markdown(), table.latex()];
    let path = folder.path().display().to_string();
    for written in formats.iter().chain([&results.runs_table().csv()]) {
        assert!(written.contains("own") && !written.contains(&path), "{written}");
    }
}

#[test]
fn a_table_has_the_columns_that_were_asked_for() {
    let plan = plan("data = ['wine']\nmethods = ['mge', 'ge']\nprotocol = '8x70/30'");
    let results = results_with(&plan, accuracy);
    let columns = [SummaryColumn::Method, SummaryColumn::Connections, SummaryColumn::Difference];
    let table = results.summary_table_of(&columns);
    assert!(
        table.csv().starts_with("Method,Conn.,Conn. deviation,Difference\n"),
        "{}",
        table.csv()
    );
    let text = table.text();
    assert!(text.contains("Conn.: connections, biases included."), "{text}");
    assert!(!text.contains("Bold") && text.contains("Difference: accuracy minus"), "{text}");
    let error = "acuracy".parse::<SummaryColumn>().unwrap_err().to_string();
    assert!(error.ends_with("did you mean `accuracy`?"), "{error}");
}

#[test]
fn too_few_runs_are_noted() {
    let note = |data: &str, runs: usize, test: RankTest| {
        let text = format!("data = {data}\nmethods = ['mge', 'ge']\nprotocol = '{runs}x70/30'");
        results_with(&plan(&text), accuracy).with_test(test).too_few_runs()
    };
    let few = note("['wine', 'heart']", 6, RankTest::SignedRank).unwrap();
    assert_eq!(
        few,
        "No difference can be significant: with 6 runs of each method, the smallest p of the \
         signed-rank test is 0.031, above 0.025. Expected 7 runs or more."
    );
    assert_eq!(note("['wine']", 7, RankTest::SignedRank), None);
    assert!(note("['wine']", 4, RankTest::RankSum).unwrap().contains("Expected 5 runs"));
    assert_eq!(note("['wine']", 5, RankTest::RankSum), None);
    let one = plan("data = ['wine']\nmethods = ['mge']\nprotocol = '2x70/30'");
    assert_eq!(results_with(&one, accuracy).too_few_runs(), None, "nothing is compared");
    let some = plan(
        "methods = ['mge', 'ge']\n[[parts]]\ndata = ['wine']\nprotocol = '3x70/30'\n\
         [[parts]]\ndata = ['heart']\nprotocol = '9x70/30'",
    );
    let some = results_with(&some, accuracy).too_few_runs().unwrap();
    assert!(some.starts_with("No difference on wine can be significant: with 3 runs"), "{some}");
}

//! All baselines: compared with scikit-learn, on unusual tables, and twice with one seed.

#![allow(clippy::unwrap_used)]

use mge_baseline::{
    BASELINES, Baseline, BaselineError, DecisionTree, L1LogisticRegression, LabelledRows,
    LogisticRegression, find,
};
use mge_net::gradient::Penalty;
use mge_net::{Columns, Network, OutputLink, reference};
use serde::Deserialize;

/// A table with its own memory.
struct OwnedTable {
    columns: Columns,
    labels: Vec<u32>,
    classes: usize,
}

impl OwnedTable {
    fn new(columns: &[Vec<f32>], labels: &[u32], classes: usize) -> Self {
        // Also without columns there are as many rows as labels.
        let columns = Columns::from_fn(labels.len(), columns.len(), |index, values| {
            values.copy_from_slice(&columns[index]);
        });
        Self { columns, labels: labels.to_vec(), classes }
    }

    fn rows(&self) -> LabelledRows<'_> {
        LabelledRows::new(&self.columns, &self.labels, self.classes).unwrap()
    }
}

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

/// See `scripts/sklearn-golden.py`.
#[derive(Deserialize)]
struct Case {
    classes: usize,
    l1: f64,
    l2: f64,
    columns: Vec<Vec<f32>>,
    labels: Vec<u32>,
    probabilities: Vec<Vec<f64>>,
    weights_left: usize,
}

#[test]
fn logistic_regressions_equal_those_of_scikit_learn() {
    let golden: Golden = serde_json::from_str(include_str!("golden/sklearn.json")).unwrap();
    assert_eq!(golden.cases.len(), 4);
    for case in golden.cases {
        let table = OwnedTable::new(&case.columns, &case.labels, case.classes);
        let rows = table.rows();
        let network: Network = if case.l1 > 0.0 {
            L1LogisticRegression::with_strength(&rows, case.l1).unwrap().network().clone()
        } else {
            let penalty = Penalty { l1: 0.0, l2: case.l2 };
            LogisticRegression::with_penalty(&rows, penalty).unwrap().network().clone()
        };
        let links: usize = network.outputs().iter().map(|output| output.links.len()).sum();
        assert_eq!(links, case.weights_left);
        let link = OutputLink::for_outputs(network.outputs().len());
        let ours = reference::probabilities_of(&network, link, rows.columns()).unwrap();
        for (ours, theirs) in ours.iter().zip(&case.probabilities) {
            for (a, b) in ours.iter().zip(theirs) {
                assert!((a - b).abs() < 2e-3, "{a} {b}, penalties {} {}", case.l1, case.l2);
            }
        }
    }
}

/// The baseline of this name.
fn baseline(name: &str) -> &'static Baseline {
    find(name).unwrap()
}

/// All baselines but the majority class.
fn learners() -> impl Iterator<Item = &'static Baseline> {
    BASELINES.iter().filter(|baseline| baseline.name != "majority class")
}

/// Three classes. Two features separate them, one is noise, and one is constant.
fn three_classes(rows: usize) -> OwnedTable {
    let noise =
        |row: usize, salt: usize| ((row * 7919 + salt * 104_729) % 1009) as f32 / 1009.0 - 0.5;
    let labels: Vec<u32> = (0..rows).map(|row| (row % 3) as u32).collect();
    let a = (0..rows).map(|row| (row % 3) as f32 - 1.0 + noise(row, 1)).collect();
    let b = (0..rows).map(|row| f32::from(row % 3 == 1) + noise(row, 2)).collect();
    let c = (0..rows).map(|row| 2.0 * noise(row, 3)).collect();
    OwnedTable::new(&[a, b, c, vec![0.0; rows]], &labels, 3)
}

#[test]
fn separable_classes_are_learnt_at_the_expected_cost() {
    let table = three_classes(300);
    let rows = table.rows();
    let fit = |name: &str| baseline(name).fit(&rows, 1).unwrap();
    assert_eq!(fit("majority class").accuracy(&rows), 1.0 / 3.0);
    for learner in learners() {
        let accuracy = fit(learner.name).accuracy(&rows);
        assert!(accuracy > 0.97, "{}: {accuracy}", learner.name);
    }
    let cost = |name: &str| fit(name).cost();
    assert_eq!((cost("majority class").operations, cost("majority class").bytes), (0, 1));
    // Three features of four (the constant one has no link) and a bias for each of three outputs.
    let logistic = cost("logistic regression");
    assert_eq!(logistic.operations, 2 * 12 + 4 * 3);
    assert_eq!(logistic.bytes, 3 * (1 + 2) + 9 * 2);
    assert!(cost("L1 logistic regression").operations < logistic.operations);
    let tree = DecisionTree::fit(&rows, 1);
    assert_eq!((tree.leaves(), tree.depth()), (3, 2));
    assert_eq!((cost("small tree").operations, cost("small tree").bytes), (2, 2 * 6 + 3));
}

#[test]
fn large_tables_are_learnt() {
    // Large enough for one validation part in place of folds, and for training on blocks.
    let few = three_classes(6_000);
    let noise = |row: usize, column: usize| ((row * (column + 31)) % 997) as f32 / 498.5 - 1.0;
    let mut columns: Vec<Vec<f32>> =
        (0..4).map(|column| few.rows().columns().column(column).to_vec()).collect();
    columns.extend((0..600).map(|column| (0..6_000).map(|row| noise(row, column)).collect()));
    let table = OwnedTable::new(&columns, &few.labels, 3);
    let rows = table.rows();
    for learner in learners() {
        let fitted = learner.fit(&rows, 3).unwrap();
        let (name, accuracy) = (learner.name, fitted.accuracy(&rows));
        assert!(accuracy > 0.95, "{name}: {accuracy}");
        let is_small = fitted.cost().operations < 100;
        assert!(name == "logistic regression" || is_small, "{name}: {:?}", fitted.cost());
    }
}

#[test]
fn a_tree_on_noise_is_small_and_no_tree_exceeds_the_depth() {
    let noise: Vec<f32> = (0..400).map(|row| ((row * 7919) % 1009) as f32).collect();
    let labels: Vec<u32> = (0..400).map(|row| (row * row / 7 % 2) as u32).collect();
    let table = OwnedTable::new(&[noise], &labels, 2);
    assert!(DecisionTree::fit(&table.rows(), 5).leaves() <= 3);
    // A perfect tree needs 64 leaves, but depth 5 allows 32.
    let steps: Vec<f32> = (0..640).map(|row| row as f32).collect();
    let labels: Vec<u32> = (0..640).map(|row| (row / 10 % 2) as u32).collect();
    let table = OwnedTable::new(&[steps], &labels, 2);
    let tree = DecisionTree::fit(&table.rows(), 5);
    assert!(tree.depth() <= 5 && tree.leaves() <= 32);
}

#[test]
fn unusual_tables_give_classifiers_too() {
    let odd = [
        // One class only; two rows; one row; constant features; no features; a class without rows.
        OwnedTable::new(&[vec![1.0, 2.0, 3.0, 4.0]], &[1; 4], 2),
        OwnedTable::new(&[vec![1.0, 2.0]], &[0, 1], 2),
        OwnedTable::new(&[vec![1.0]], &[0], 2),
        OwnedTable::new(&[vec![3.0; 9], vec![0.0; 9]], &[0, 1, 2, 0, 1, 2, 0, 0, 0], 3),
        OwnedTable::new(&[], &[0, 1, 1], 2),
        OwnedTable::new(
            &[(0..20).map(|row| row as f32).collect()],
            &[[0; 10], [3; 10]].concat(),
            5,
        ),
    ];
    for (index, table) in odd.iter().enumerate() {
        let rows = table.rows();
        let majority = baseline("majority class").fit(&rows, 1).unwrap().accuracy(&rows);
        for baseline in &BASELINES {
            let accuracy = baseline.fit(&rows, 1).unwrap().accuracy(&rows);
            assert!(accuracy >= majority, "table {index}, {}: {accuracy}", baseline.name);
        }
    }
}

#[test]
fn equal_seeds_give_equal_classifiers_for_any_number_of_threads() {
    let table = three_classes(200);
    let large = three_classes(4_500);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = |table: &OwnedTable| -> Vec<String> {
            let rows = table.rows();
            BASELINES.iter().map(|baseline| format!("{:?}", baseline.fit(&rows, 9))).collect()
        };
        pool.install(|| [all(&table), all(&large)])
    };
    assert_eq!(fit(1), fit(3));
}

#[test]
fn too_many_links_and_invalid_rows_are_errors() {
    let wide = OwnedTable::new(&vec![vec![0.5; 2]; 70_000], &[0, 3], 4);
    for baseline in &BASELINES {
        let fitted = baseline.fit(&wide.rows(), 1);
        match baseline.max_links {
            None => assert!(fitted.is_ok(), "{}", baseline.name),
            Some(max) => {
                let (name, links) = (baseline.name, 280_000);
                assert_eq!(fitted.unwrap_err(), BaselineError::TooLarge { name, links, max });
            }
        }
    }
    let error = baseline("logistic regression").fit(&wide.rows(), 1).unwrap_err().to_string();
    assert_eq!(
        error,
        "logistic regression has 280000 links on this table; expected at most 262144"
    );
    let columns = Columns::from_columns([[f32::NAN; 16]]).unwrap();
    assert!(LabelledRows::new(&columns, &[0; 16], 2).is_err());
    let columns = Columns::from_columns([[0.0; 16]]).unwrap();
    assert!(LabelledRows::new(&columns, &[0; 15], 2).is_err());
    assert!(LabelledRows::new(&columns, &[2; 16], 2).is_err());
}

#[test]
fn every_baseline_has_its_own_name_and_a_summary() {
    for (index, baseline) in BASELINES.iter().enumerate() {
        assert!(BASELINES[..index].iter().all(|other| other.name != baseline.name));
        assert!(baseline.summary.ends_with('.'), "{}", baseline.summary);
        assert_eq!(find(baseline.name).map(|found| found.name), Some(baseline.name));
    }
    assert!(find("random forest").is_none());
}

//! All rivals: against scikit-learn, on odd tables, and twice with one seed.

#![allow(clippy::unwrap_used)]

use mge_baseline::{Kind, Lasso, Logistic, MOST_DEPTH, Rows, Tree};
use mge_net::gradient::Penalty;
use mge_net::{Columns, Network, reference};
use serde::Deserialize;

/// A table of one's own.
struct Table {
    columns: Columns,
    labels: Vec<u32>,
    classes: usize,
}

impl Table {
    fn new(columns: &[Vec<f32>], labels: &[u32], classes: usize) -> Self {
        Self { columns: Columns::from_columns(columns).unwrap(), labels: labels.to_vec(), classes }
    }

    fn rows(&self) -> Rows<'_> {
        Rows::new(&self.columns, &self.labels, self.classes).unwrap()
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
fn logistic_regressions_are_those_of_scikit_learn() {
    let golden: Golden = serde_json::from_str(include_str!("golden/sklearn.json")).unwrap();
    assert_eq!(golden.cases.len(), 4);
    for case in golden.cases {
        let table = Table::new(&case.columns, &case.labels, case.classes);
        let rows = table.rows();
        let network: Network = if case.l1 > 0.0 {
            Lasso::with_strength(&rows, case.l1).unwrap().network().clone()
        } else {
            let penalty = Penalty { l1: 0.0, l2: case.l2 };
            Logistic::with_penalty(&rows, penalty).unwrap().network().clone()
        };
        let links: usize = network.outputs().iter().map(|output| output.links.len()).sum();
        assert_eq!(links, case.weights_left);
        let ours = reference::probabilities_of(&network, rows.columns()).unwrap();
        for (ours, theirs) in ours.iter().zip(&case.probabilities) {
            for (a, b) in ours.iter().zip(theirs) {
                assert!((a - b).abs() < 2e-3, "{a} {b}, penalties {} {}", case.l1, case.l2);
            }
        }
    }
}

/// Two features that tell three classes apart, one that is noise, one that never changes.
fn three_classes(rows: usize) -> Table {
    let noise =
        |row: usize, salt: usize| ((row * 7919 + salt * 104_729) % 1009) as f32 / 1009.0 - 0.5;
    let labels: Vec<u32> = (0..rows).map(|row| (row % 3) as u32).collect();
    let a = (0..rows).map(|row| (row % 3) as f32 - 1.0 + noise(row, 1)).collect();
    let b = (0..rows).map(|row| f32::from(row % 3 == 1) + noise(row, 2)).collect();
    let c = (0..rows).map(|row| 2.0 * noise(row, 3)).collect();
    Table::new(&[a, b, c, vec![0.0; rows]], &labels, 3)
}

#[test]
fn what_can_be_learnt_is_learnt() {
    let table = three_classes(300);
    let rows = table.rows();
    let accuracy = |kind: Kind| kind.fit(&rows, 1).unwrap().accuracy(&rows);
    assert_eq!(accuracy(Kind::Majority), 1.0 / 3.0);
    for kind in [Kind::Logistic, Kind::Lasso, Kind::Tree] {
        assert!(accuracy(kind) > 0.97, "{}: {}", kind.name(), accuracy(kind));
    }
    let cost = |kind: Kind| kind.fit(&rows, 1).unwrap().cost();
    assert_eq!((cost(Kind::Majority).operations, cost(Kind::Majority).bytes), (0, 1));
    // Three features of four (the constant does nothing) and a bias for each of three outputs.
    assert_eq!(cost(Kind::Logistic).operations, 2 * 12 + 4 * 3);
    assert_eq!(cost(Kind::Logistic).bytes, 3 * (1 + 2) + 9 * 2);
    assert!(cost(Kind::Lasso).operations < cost(Kind::Logistic).operations);
    let tree = Tree::fit(&rows, 1);
    assert_eq!((tree.leaves(), tree.depth()), (3, 2));
    assert_eq!((cost(Kind::Tree).operations, cost(Kind::Tree).bytes), (2, 2 * 6 + 3));
}

#[test]
fn large_tables_are_learnt_too() {
    // Beyond folds, and beyond descending all rows at once.
    let few = three_classes(6_000);
    let noise = |row: usize, column: usize| ((row * (column + 31)) % 997) as f32 / 498.5 - 1.0;
    let mut columns: Vec<Vec<f32>> =
        (0..4).map(|column| few.rows().columns().column(column).to_vec()).collect();
    columns.extend((0..600).map(|column| (0..6_000).map(|row| noise(row, column)).collect()));
    let table = Table::new(&columns, &few.labels, 3);
    let rows = table.rows();
    for kind in [Kind::Logistic, Kind::Lasso, Kind::Tree] {
        let found = kind.fit(&rows, 3).unwrap();
        assert!(found.accuracy(&rows) > 0.95, "{}: {}", kind.name(), found.accuracy(&rows));
        assert!(kind == Kind::Logistic || found.cost().operations < 100, "{:?}", found.cost());
    }
}

#[test]
fn a_tree_of_noise_is_a_leaf_and_none_is_too_deep() {
    let noise: Vec<f32> = (0..400).map(|row| ((row * 7919) % 1009) as f32).collect();
    let labels: Vec<u32> = (0..400).map(|row| (row * row / 7 % 2) as u32).collect();
    let table = Table::new(&[noise], &labels, 2);
    assert!(Tree::fit(&table.rows(), 5).leaves() <= 3);
    // Needs 64 leaves, which depth 5 does not have.
    let steps: Vec<f32> = (0..640).map(|row| row as f32).collect();
    let labels: Vec<u32> = (0..640).map(|row| (row / 10 % 2) as u32).collect();
    let table = Table::new(&[steps], &labels, 2);
    let tree = Tree::fit(&table.rows(), 5);
    assert!(tree.depth() <= MOST_DEPTH && tree.leaves() <= 32);
}

#[test]
fn odd_tables_make_classifiers_all_the_same() {
    let odd = [
        // One class only; two rows; one row; constant features; no features; a class without rows.
        Table::new(&[vec![1.0, 2.0, 3.0, 4.0]], &[1; 4], 2),
        Table::new(&[vec![1.0, 2.0]], &[0, 1], 2),
        Table::new(&[vec![1.0]], &[0], 2),
        Table::new(&[vec![3.0; 9], vec![0.0; 9]], &[0, 1, 2, 0, 1, 2, 0, 0, 0], 3),
        Table::new(&[], &[0, 1, 1], 2),
        Table::new(&[(0..20).map(|row| row as f32).collect()], &[[0; 10], [3; 10]].concat(), 5),
    ];
    for (index, table) in odd.iter().enumerate() {
        let rows = table.rows();
        let majority = Kind::Majority.fit(&rows, 1).unwrap().accuracy(&rows);
        for kind in Kind::ALL {
            let found = kind.fit(&rows, 1).unwrap();
            let accuracy = found.accuracy(&rows);
            assert!(accuracy >= majority, "table {index}, {}: {accuracy}", kind.name());
        }
    }
}

#[test]
fn equal_seeds_give_equal_classifiers_for_any_number_of_threads() {
    let table = three_classes(200);
    let large = three_classes(4_500);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = |table: &Table| Kind::ALL.map(|kind| format!("{:?}", kind.fit(&table.rows(), 9)));
        pool.install(|| [all(&table), all(&large)])
    };
    assert_eq!(fit(1), fit(3));
}

#[test]
fn too_many_links_are_refused_and_bad_rows_too() {
    let wide = Table::new(&vec![vec![0.5; 2]; 70_000], &[0, 3], 4);
    assert!(Kind::Logistic.fit(&wide.rows(), 1).is_err());
    assert!(Kind::Lasso.fit(&wide.rows(), 1).is_err());
    assert!(Kind::Tree.fit(&wide.rows(), 1).is_ok());
    let columns = Columns::from_columns([[f32::NAN; 16]]).unwrap();
    assert!(Rows::new(&columns, &[0; 16], 2).is_err());
    let columns = Columns::from_columns([[0.0; 16]]).unwrap();
    assert!(Rows::new(&columns, &[0; 15], 2).is_err());
    assert!(Rows::new(&columns, &[2; 16], 2).is_err());
}

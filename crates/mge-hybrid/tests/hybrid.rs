//! What every front must keep: budgets, order, equal bytes for any number of threads, and a run
//! that is killed and resumed ends as one that never stopped.

#![allow(clippy::unwrap_used)]

use mge_evolve::{Checkpoints, Run, Search, StopRules};
use mge_hybrid::{Front, Hybrid, HybridParams, Limits, Pick, Task, non_dominated, pick};
use mge_net::{Columns, Loss, Size};
use mge_random::{Purpose, Stream};
use std::time::Duration;

struct Table {
    rows: usize,
    values: Vec<f32>,
    labels: Vec<u32>,
}

/// Classes are rings around the origin of the first two of five features.
fn rings(rows: usize, classes: u32) -> Table {
    let stride = Columns::stride_for(rows);
    let mut values = vec![0.0; 5 * stride];
    let mut labels = Vec::new();
    let mut stream = Stream::at(3, Purpose::Seed, 0, 0);
    for row in 0..rows {
        for column in 0..5 {
            values[column * stride + row] = (4.0 * stream.unit() - 2.0) as f32;
        }
        let (x, y) = (values[row], values[stride + row]);
        labels.push(((x * x + y * y) as u32).min(classes - 1));
    }
    Table { rows, values, labels }
}

fn search(table: &Table, classes: usize, large: bool) -> Hybrid {
    let columns = Columns::new(&table.values, table.rows, Columns::stride_for(table.rows)).unwrap();
    let params = HybridParams {
        max_ops: Some(90),
        budgets: vec![33, 61],
        ratio: Some(1.5),
        folds: 3,
        repeats: Some(1),
        iterations: 30,
        large_rows: if large { 1000 } else { 10_000 },
        ..Default::default()
    };
    let params = params.check().unwrap();
    let (labels, loss) = (table.labels.as_slice(), Loss::CrossEntropy);
    let task = Task { columns, labels, classes, loss, is_balanced: false };
    Hybrid::new(task, params, 5).unwrap()
}

fn run(search: &Hybrid, generations: u64) -> Front {
    let stop = StopRules { generations: Some(generations), ..Default::default() };
    Run::new(search, stop.check().unwrap()).go().unwrap().state
}

#[test]
fn budgets_are_kept_and_the_front_is_monotone() {
    for (classes, large) in [(2, false), (3, false), (3, true)] {
        let table = rings(if large { 1200 } else { 300 }, classes);
        let search = search(&table, classes as usize, large);
        let front = run(&search, if large { 6 } else { 12 });
        let members = search.finished(&front);
        assert_eq!(members.len(), search.rungs().len());
        for (member, &rung) in members.iter().zip(search.rungs()) {
            let size = Size::of(&member.network);
            assert!(size.operations <= rung, "{} operations on rung {rung}", size.operations);
            assert_eq!((size.operations, member.budget), (member.operations, rung));
        }
        let best = non_dominated(&members);
        for pair in best.windows(2) {
            assert!(pair[0].operations < pair[1].operations && pair[0].loss > pair[1].loss);
        }
        let majority = 0.6;
        assert!(
            search.accuracy(&best.last().unwrap().network) > majority,
            "{classes} classes, large {large}: learned nothing"
        );
        for rule in [Pick::Accuracy, Pick::Knee, Pick::SmallestWithin1se] {
            let limits = Limits { max_ops: Some(61), max_neurons: Some(4), ..Default::default() };
            let picked = pick(&members, &limits, rule).unwrap();
            let size = Size::of(&picked.network);
            assert!(size.operations <= 61 && size.neurons <= 4);
            assert!(pick(&members, &Limits { max_ops: Some(3), ..limits }, rule).is_none());
        }
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    for large in [false, true] {
        let table = rings(if large { 1200 } else { 120 }, 3);
        let search = search(&table, 3, large);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&search, 4))
        };
        assert_eq!(with(1), with(3));
    }
}

#[test]
fn a_killed_run_ends_as_one_that_never_stopped() {
    for large in [false, true] {
        let table = rings(if large { 1200 } else { 120 }, 2);
        let search = search(&table, 2, large);
        let whole = run(&search, 5);
        let folder = tempfile::tempdir().unwrap();
        let part = |generations: u64| {
            let stop = StopRules { generations: Some(generations), ..Default::default() };
            let file = folder.path().join("checkpoint");
            let checkpoints = Checkpoints::new(file, Duration::ZERO, "test");
            let run = Run::new(&search, stop.check().unwrap()).with_checkpoints(checkpoints);
            run.go().unwrap().state
        };
        part(3);
        let resumed = part(5);
        assert_eq!(resumed, whole);
        assert_eq!(search.progress(&resumed).generation, 5);
    }
}

//! What every front must keep: budgets, order, equal bytes for any number of threads, and a run
//! that is killed and resumed ends as one that never stopped.

#![allow(clippy::unwrap_used)]

use mge_evolve::{Checkpoints, Run, Search, StopRules};
use mge_hybrid::{
    Front, Hybrid, HybridError, HybridParams, Limits, Objective, Pick, Task, non_dominated, pick,
};
use mge_net::{Activation, BatchEvaluator, Columns, Link, Loss, Network, Neuron, Output, Scratch, Targets};
use mge_net::{Size, Source, table_bytes};
use mge_random::{Purpose, Stream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

struct Table {
    columns: Columns,
    labels: Vec<u32>,
}

/// Limits all networks of these searches.
const MAX_OPS: usize = 90;

/// Classes are rings around the origin of the first two of five features.
fn rings(rows: usize, classes: u32) -> Table {
    let mut columns = vec![Vec::new(); 5];
    let mut labels = Vec::new();
    let mut stream = Stream::at(3, Purpose::Seed, 0, 0);
    for row in 0..rows {
        for column in &mut columns {
            column.push((4.0 * stream.unit() - 2.0) as f32);
        }
        let (x, y): (f32, f32) = (columns[0][row], columns[1][row]);
        labels.push(((x * x + y * y) as u32).min(classes - 1));
    }
    Table { columns: Columns::from_columns(columns).unwrap(), labels }
}

fn search(table: &Table, classes: usize, large: bool) -> Hybrid {
    search_with(table, classes, large, |params| params).unwrap()
}

fn search_with(
    table: &Table,
    classes: usize,
    large: bool,
    change: impl Fn(HybridParams) -> HybridParams,
) -> Result<Hybrid, HybridError> {
    let columns = &table.columns;
    let params = HybridParams {
        max_ops: Some(MAX_OPS),
        budgets: vec![33, 61],
        ratio: Some(1.5),
        folds: 3,
        repeats: Some(1),
        iterations: 30,
        large_rows: if large { 1000 } else { 10_000 },
        ..Default::default()
    };
    let params = change(params).check().unwrap();
    let (labels, loss) = (table.labels.as_slice(), Loss::CrossEntropy);
    let task = Task { columns, labels, classes, loss, is_balanced: false };
    Hybrid::new(task, params, 5)
}

fn run(search: &Hybrid, generations: u64) -> Front {
    let stop = StopRules { generations: Some(generations), ..Default::default() };
    Run::new(search, stop.check().unwrap()).run().unwrap().state
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

/// Large tables are searched above a low budget too, and nothing of that is in the front.
#[test]
fn what_is_above_the_front_only_serves_it() {
    let table = rings(1200, 3);
    let low = |params| HybridParams { max_ops: Some(61), budgets: vec![33], ..params };
    let search = search_with(&table, 3, true, low).unwrap();
    let front = run(&search, 6);
    let budgets: Vec<usize> = front.members.iter().map(|member| member.budget).collect();
    assert_eq!(budgets[..search.rungs().len()], *search.rungs());
    assert_eq!((search.rungs().last(), budgets.last()), (Some(&61), Some(&183)));
    let members = search.finished(&front);
    assert_eq!(members.len(), search.rungs().len());
    assert!(members.iter().all(|member| Size::of(&member.network).operations <= 61));
    assert!(search.best(&front).operations <= 61);
}

/// A single feature whose middle is one class: small budgets make networks that may collapse on all
/// rows although the folds' did not.
#[test]
fn no_network_knows_its_own_rows_much_worse_than_its_loss_says() {
    let rows = 210;
    let mut stream = Stream::at(3, Purpose::Seed, 0, 1);
    let normal = |stream: &mut Stream| (0..12).map(|_| stream.unit()).sum::<f64>() - 6.0;
    let columns = &Columns::from_fn(rows, 1, |_, values| {
        values.fill_with(|| normal(&mut stream) as f32);
    });
    let labels: Vec<u32> = columns.column(0).iter().map(|x| u32::from(x.abs() > 1.0)).collect();
    let params = HybridParams { max_ops: Some(40), ..Default::default() };
    let task =
        Task { columns, labels: &labels, classes: 2, loss: Loss::CrossEntropy, is_balanced: false };
    let judge = BatchEvaluator::new(columns, Targets::classes(&labels, 2), Loss::CrossEntropy).unwrap();
    for seed in 1..4 {
        let search = Hybrid::new(task, params.clone().check().unwrap(), seed).unwrap();
        for member in &search.finished(&run(&search, 6)) {
            let own = judge.loss(&member.network, &mut Scratch::new());
            let most = member.loss + 3.0 * member.standard_error + 0.01;
            assert!(own <= most, "seed {seed}: {own} on its own rows, {}", member.loss);
        }
    }
}

#[test]
fn features_and_neurons_are_limited_on_every_rung() {
    for large in [false, true] {
        let table = rings(if large { 1200 } else { 200 }, 3);
        let limited =
            |params| HybridParams { max_features: Some(2), max_neurons: Some(2), ..params };
        let search = search_with(&table, 3, large, limited).unwrap();
        for member in &search.finished(&run(&search, 4)) {
            let size = Size::of(&member.network);
            assert!(size.features <= 2 && size.neurons <= 2, "{size:?}");
        }
    }
}

#[test]
fn the_front_may_be_one_of_bytes() {
    for large in [false, true] {
        let table = rings(if large { 1200 } else { 200 }, 3);
        let bytes = |params| HybridParams { objective: Objective::Bytes, ..params };
        let search = search_with(&table, 3, large, bytes).unwrap();
        let members = search.finished(&run(&search, 6));
        for member in &members {
            let (cost, real) = (member.cost(), table_bytes(&member.network));
            assert!(cost <= member.budget, "{cost} bytes on rung {}", member.budget);
            let Size { neurons, operations, .. } = Size::of(&member.network);
            assert!(operations <= MAX_OPS, "{operations} operations");
            assert!(cost.abs_diff(real) <= neurons + 3, "{cost} bytes by parts, {real} in a table");
        }
        let costs: Vec<usize> = non_dominated(&members).iter().map(|m| m.cost()).collect();
        assert!(costs.is_sorted() && costs.len() > 2, "{costs:?}");
    }
}

#[test]
fn features_that_cost_are_read_sparingly() {
    const COST: usize = 40;
    for large in [false, true] {
        let table = rings(if large { 1200 } else { 200 }, 3);
        let priced = |params| HybridParams { feature_cost: COST, ..params };
        let search = search_with(&table, 3, large, priced).unwrap();
        let members = search.finished(&run(&search, 6));
        for member in &members {
            let size = Size::of(&member.network);
            assert_eq!(member.cost(), size.operations + COST * size.features);
            assert!(member.cost() <= member.budget);
            assert!(size.operations <= MAX_OPS, "{} operations", size.operations);
        }
        // Two of the five features say all there is.
        let of_two = members.iter().filter(|member| Size::of(&member.network).features == 2);
        let best = of_two.map(|member| search.accuracy(&member.network)).fold(0.0, f64::max);
        assert!(best > 0.7, "large {large}: {best} with two features");
    }
}

#[test]
fn bytes_are_limited_and_nearly_used_up() {
    let table = rings(200, 3);
    for most in [40, 60] {
        let limited = |params| HybridParams { max_bytes: Some(most), ..params };
        let search = search_with(&table, 3, false, limited).unwrap();
        let members = search.finished(&run(&search, 2));
        let bytes = members.iter().map(|member| table_bytes(&member.network));
        let largest = bytes.filter(|&bytes| bytes <= most).max().unwrap();
        assert!(largest * 10 >= most * 9, "{largest} of {most} bytes");
        assert!(table_bytes(&search.pick(&members).unwrap().network) <= most);
    }
    let limited = |params| HybridParams { max_bytes: Some(3), ..params };
    let error = search_with(&table, 3, false, limited).err().unwrap();
    assert!(matches!(error, HybridError::Bytes { found: 3, .. }), "{error}");
}

#[test]
fn a_search_from_a_front_begins_about_as_good_as_that_front() {
    let table = rings(1200, 3);
    let earlier = search(&table, 3, true);
    let front = run(&earlier, 6);
    let members = &front.members[..earlier.rungs().len()];
    let networks = || members.iter().map(|member| member.network.clone()).collect();
    let known = |params| HybridParams { start: networks(), ..params };
    let again = search_with(&table, 3, true, known).unwrap();
    let front_again = run(&again, 1);
    for (before, after) in members.iter().zip(&front_again.members) {
        let accuracy = |network| again.accuracy(network);
        assert!(after.loss <= 1.05 * before.loss + 0.01, "{} after {}", after.loss, before.loss);
        assert!(accuracy(&after.network) >= accuracy(&before.network) - 0.02);
    }
}

/// Enough of them for offspring on large tables, which come after the five starts.
fn some_generations(large: bool) -> u64 {
    if large { 8 } else { 4 }
}

#[test]
fn threads_do_not_change_a_byte() {
    for large in [false, true] {
        let table = rings(if large { 1200 } else { 120 }, 3);
        let search = search(&table, 3, large);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&search, some_generations(large)))
        };
        assert_eq!(with(1), with(3));
    }
}

#[test]
fn a_killed_run_ends_as_one_that_never_stopped() {
    for large in [false, true] {
        let table = rings(if large { 1200 } else { 120 }, 2);
        let search = search(&table, 2, large);
        let last = some_generations(large);
        let whole = run(&search, last);
        let folder = tempfile::tempdir().unwrap();
        let part = |generations: u64| {
            let stop = StopRules { generations: Some(generations), ..Default::default() };
            let file = folder.path().join("checkpoint");
            let checkpoints = Checkpoints::new(file, Duration::ZERO, "test");
            let run = Run::new(&search, stop.check().unwrap()).with_checkpoints(checkpoints);
            run.run().unwrap().state
        };
        part(last - 2);
        let resumed = part(last);
        assert_eq!(resumed, whole);
        assert_eq!(search.progress(&resumed).generation, last);
    }
}

#[test]
fn a_generation_that_is_given_up_leaves_no_trace() {
    // A start and an offspring on a large table, a start on a small one.
    for (large, generations) in [(true, 2), (true, 7), (false, 2)] {
        let table = rings(if large { 1200 } else { 120 }, 3);
        let search = search(&table, 3, large);
        let mut front = run(&search, generations);
        let before = front.clone();
        let asked = AtomicUsize::new(0);
        let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        assert!(!search.try_step(&mut front, &is_over));
        assert_eq!(front, before);
        assert!(search.try_step(&mut front, &|| false));
        assert_eq!(front, run(&search, generations + 1));
    }
}

#[test]
fn a_search_may_begin_from_a_deep_network() {
    let table = rings(1200, 3);
    let link = |source| Link { source, weight: 0.5 };
    let neuron = |sources: &[Source]| Neuron {
        activation: Activation::Gauss,
        bias: Some(0.1),
        links: sources.iter().copied().map(link).collect(),
    };
    let [x, y, first, second] =
        [Source::Input(0), Source::Input(1), Source::Neuron(0), Source::Neuron(1)];
    let hidden = vec![neuron(&[x, y]), neuron(&[x, y]), neuron(&[x, first]), neuron(&[y, second])];
    let output =
        |k: u32| Output { bias: None, links: (k..4).map(Source::Neuron).map(link).collect() };
    let deep = Network::new(5, hidden, (0..3).map(output).collect()).unwrap();
    let search = search_with(&table, 3, true, |params| HybridParams {
        start: vec![deep.clone()],
        changes: 1.0,
        exchange: 1.0,
        ..params
    });
    let front = run(&search.unwrap(), 6);
    assert!(front.members.iter().any(|member| member.accuracy > 0.5));
}

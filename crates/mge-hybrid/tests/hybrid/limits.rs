//! Budgets and limits of networks, and the order of the front.

use crate::tables::{BOTH, MAX_OPS, Size as TableSize, rings, rings_for, run, search, search_with};
use mge_evolve::Search;
use mge_hybrid::{
    Dependence, HybridError, HybridParams, Limits, Pick, TrainingData, non_dominated, pick,
};
use mge_net::{BatchEvaluator, Columns, Loss, Scratch, Size, Targets, table_bytes};
use mge_random::{Purpose, Stream};

#[test]
fn budgets_are_kept_and_the_front_is_monotone() {
    for (classes, size) in [(2, TableSize::Small), (3, TableSize::Small), (3, TableSize::Large)] {
        let table = rings_for(size, classes);
        let search = search(&table, classes as usize, size);
        let front = run(&search, if size == TableSize::Large { 7 } else { 10 });
        let members = search.final_front(&front);
        assert_eq!(members.len(), search.budgets().len());
        for (member, &budget) in members.iter().zip(search.budgets()) {
            let size = Size::of(&member.network);
            assert!(size.operations <= budget, "{} operations of {budget}", size.operations);
            assert_eq!((size.operations, member.budget), (member.operations, budget));
        }
        let best = non_dominated(&members);
        for pair in best.windows(2) {
            assert!(pair[0].operations < pair[1].operations && pair[0].loss > pair[1].loss);
        }
        let majority = 0.6;
        let accuracy = search.accuracy(&best.last().unwrap().network);
        assert!(accuracy > majority, "{classes} classes, {size:?}: {accuracy}");
        for rule in [Pick::LowestLoss, Pick::Knee, Pick::SmallestWithin1se] {
            let limits = Limits { max_ops: Some(61), max_neurons: Some(4), ..Default::default() };
            let picked = pick(&members, &limits, rule).unwrap();
            let size = Size::of(&picked.network);
            assert!(size.operations <= 61 && size.neurons <= 4);
            assert!(pick(&members, &Limits { max_ops: Some(3), ..limits }, rule).is_none());
        }
    }
}

#[test]
fn networks_of_auxiliary_budgets_are_not_in_the_result() {
    let table = rings(1200, 3);
    let low = |params| HybridParams { max_ops: Some(61), budgets: vec![33], ..params };
    let search = search_with(&table, 3, TableSize::Large, low).unwrap();
    let front = run(&search, 6);
    let budgets: Vec<usize> = front.members.iter().map(|member| member.budget).collect();
    assert_eq!(budgets[..search.budgets().len()], *search.budgets());
    assert_eq!((search.budgets().last(), budgets.last()), (Some(&61), Some(&183)));
    let members = search.final_front(&front);
    assert_eq!(members.len(), search.budgets().len());
    assert!(members.iter().all(|member| Size::of(&member.network).operations <= 61));
    assert!(search.best(&front).operations <= 61);
}

#[test]
fn features_and_neurons_are_limited_at_every_budget() {
    for size in BOTH {
        let table = rings_for(size, 3);
        let limited =
            |params| HybridParams { max_features: Some(2), max_neurons: Some(2), ..params };
        let search = search_with(&table, 3, size, limited).unwrap();
        for member in &search.final_front(&run(&search, 6)) {
            let size = Size::of(&member.network);
            assert!(size.features <= 2 && size.neurons <= 2, "{size:?}");
        }
    }
}

#[test]
fn bytes_are_limited_and_nearly_used_up() {
    let table = rings(200, 3);
    for max in [40, 60] {
        let limited = |params| HybridParams { max_bytes: Some(max), ..params };
        let search = search_with(&table, 3, TableSize::Small, limited).unwrap();
        let members = search.final_front(&run(&search, 2));
        let bytes = members.iter().map(|member| table_bytes(&member.network));
        let largest = bytes.filter(|&bytes| bytes <= max).max().unwrap();
        assert!(largest * 10 >= max * 9, "{largest} of {max} bytes");
        assert!(table_bytes(&search.pick(&members).unwrap().network) <= max);
    }
}

#[test]
fn limits_below_the_smallest_network_are_refused() {
    let table = rings(200, 3);
    let error = |params: HybridParams| {
        let change = |_| HybridParams { max_ops: params.max_ops, ..params.clone() };
        search_with(&table, 3, TableSize::Small, change).err().unwrap()
    };
    let bytes = HybridParams { max_bytes: Some(3), ..Default::default() };
    assert!(matches!(error(bytes), HybridError::Bytes { found: 3, .. }));
    let operations = HybridParams { max_ops: Some(13), ..Default::default() };
    let error = error(operations);
    assert_eq!(error, HybridError::Budget { found: 13, min: 14 });
    assert!(error.to_string().starts_with("max_ops is 13, expected at least 14"), "{error}");
}

/// A single feature whose middle is one class: small budgets make networks that may collapse on all
/// rows although those of the folds did not.
#[test]
fn no_network_does_much_worse_on_its_own_rows_than_its_loss_says() {
    let rows = 210;
    let mut stream = Stream::at(3, Purpose::Seed, 0, 1);
    let normal = |stream: &mut Stream| (0..12).map(|_| stream.unit()).sum::<f64>() - 6.0;
    let columns = &Columns::from_fn(rows, 1, |_, values| {
        values.fill_with(|| normal(&mut stream) as f32);
    });
    let labels: Vec<u32> = columns.column(0).iter().map(|x| u32::from(x.abs() > 1.0)).collect();
    let params = HybridParams { max_ops: Some(40), ..Default::default() };
    let (targets, loss) = (Targets::classes(&labels, 2), Loss::CrossEntropy);
    let data = TrainingData {
        columns,
        targets,
        loss,
        is_balanced: false,
        dependence: Dependence::Independent,
    };
    let evaluator = BatchEvaluator::new(columns, targets, loss).unwrap();
    for seed in 1..4 {
        let params = params.clone().check().unwrap();
        let search = mge_hybrid::Hybrid::new(data, params, seed).unwrap();
        for member in &search.final_front(&run(&search, 6)) {
            let own = evaluator.loss(&member.network, &mut Scratch::new());
            let max = member.loss + 3.0 * member.standard_error + 0.01;
            assert!(own <= max, "seed {seed}: {own} on its own rows, {}", member.loss);
        }
    }
}

#[test]
fn balanced_classes_raise_the_accuracy_on_the_small_one() {
    // One row of twelve is of the second class, and the classes overlap.
    let rows = 240;
    let mut stream = Stream::at(4, Purpose::Seed, 0, 0);
    let labels: Vec<u32> = (0..rows as u32).map(|row| u32::from(row % 12 == 0)).collect();
    let value = |&label: &u32| (stream.normal() + 1.5 * f64::from(label)) as f32;
    let values: Vec<f32> = labels.iter().map(value).collect();
    let columns = &Columns::from_columns([&values]).unwrap();
    let recall = |is_balanced: bool| {
        let params = HybridParams { max_ops: Some(MAX_OPS), iterations: 30, ..Default::default() };
        let (targets, loss) = (Targets::classes(&labels, 2), Loss::CrossEntropy);
        let data = TrainingData {
            columns,
            targets,
            loss,
            is_balanced,
            dependence: Dependence::Independent,
        };
        let search = mge_hybrid::Hybrid::new(data, params.check().unwrap(), 1).unwrap();
        let front = search.final_front(&run(&search, 1));
        let network = &front.last().unwrap().network;
        let right = (0..rows)
            .filter(|&row| labels[row] == 1)
            .filter(|&row| mge_net::reference::outputs(network, &[values[row]])[0] > 0.0);
        right.count()
    };
    let (plain, balanced) = (recall(false), recall(true));
    assert!(balanced > plain && balanced >= 14, "{balanced} of 20, without {plain}");
}

use super::*;
use crate::params::HybridParams;
use crate::start::TableShape;
use crate::testing::TestTable;
use mge_evolve::GenerationProgress;
use std::sync::atomic::{AtomicUsize, Ordering};

const BUDGETS: [usize; 4] = [20, 40, 60, 80];

fn configs(params: &CheckedParams) -> Vec<TrainingConfig> {
    let size = TableShape { rows: 120, inputs: 4, outputs: 3 };
    TrainingConfig::first_of_small_table(&params.0, size)
}

fn run(
    config: &TrainingConfig,
    params: &CheckedParams,
    should_stop: ShouldStop<'_>,
) -> Option<Vec<SparseNetwork>> {
    let table = TestTable::rings(120, 4, 3);
    let training_set = &table.training_set(15);
    let progress = &GenerationProgress::default();
    let context = RunContext { training_set, budgets: &BUDGETS, params, should_stop, progress };
    config.run(context, &mut GradientScratch::new())
}

fn checked(params: HybridParams) -> CheckedParams {
    params.check().expect("valid settings")
}

#[test]
fn a_run_gives_a_network_for_each_budget() {
    let params = checked(HybridParams::default());
    let configs = configs(&params);
    for config in &configs[..4] {
        for regrowth_cycles in [0, 2] {
            let config = TrainingConfig { regrowth_cycles, ..config.clone() };
            let networks = run(&config, &params, &|| false).expect("not over");
            assert_eq!(networks.len(), BUDGETS.len());
            for (network, budget) in networks.iter().zip(BUDGETS) {
                let cost = CostModel::OPERATIONS.cost(network);
                assert!(cost <= budget, "{cost} of {budget}");
                assert!(network.to_network().is_ok());
            }
        }
    }
}

#[test]
fn the_same_configuration_gives_the_same_networks() {
    let params = checked(HybridParams::default());
    let config = TrainingConfig { regrowth_cycles: 1, ..configs(&params)[1].clone() };
    assert_eq!(run(&config, &params, &|| false), run(&config, &params, &|| false));
    let other = TrainingConfig { seed: 9, ..config.clone() };
    assert_ne!(run(&config, &params, &|| false), run(&other, &params, &|| false));
}

#[test]
fn limits_on_features_and_neurons_hold_at_every_budget() {
    let params =
        checked(HybridParams { max_features: Some(2), max_neurons: Some(2), ..Default::default() });
    let config = TrainingConfig { regrowth_cycles: 2, ..configs(&params)[1].clone() };
    for network in run(&config, &params, &|| false).expect("not over") {
        assert!(network.features().len() <= 2 && network.neurons().len() <= 2);
    }
}

#[test]
fn a_run_that_is_over_gives_nothing() {
    let params = checked(HybridParams::default());
    let config = TrainingConfig { regrowth_cycles: 1, ..configs(&params)[1].clone() };
    assert_eq!(run(&config, &params, &|| true), None);
    for last in [1, 3] {
        let asked = AtomicUsize::new(0);
        let should_stop = || asked.fetch_add(1, Ordering::Relaxed) >= last;
        assert_eq!(run(&config, &params, &should_stop), None);
    }
}

#[test]
fn mutations_stay_in_range_and_follow_their_stream() {
    let params = checked(HybridParams::default());
    let activations = &params.0.activations;
    let mut config = configs(&params)[0].clone();
    let before = config.clone();
    for index in 0..200 {
        let stream = || Stream::at(1, Purpose::Mutation, 1, index);
        let next = config.mutated(&mut stream(), activations);
        assert_eq!(next, config.mutated(&mut stream(), activations));
        assert!((1e-6..=1.0).contains(&next.l2));
        assert!(next.curves_per_input < 3 && next.regrowth_cycles < 4);
        assert!(activations.contains(&next.activation));
        assert_eq!((next.l1, next.range_scaled), (before.l1, before.range_scaled));
        config = next;
    }
    assert_ne!(config, before);
}

#[test]
fn the_l1_penalty_is_for_the_start_only() {
    let params = checked(HybridParams::default());
    let config = TrainingConfig { l1: 0.5, l2: 0.25, ..configs(&params)[0].clone() };
    assert_eq!(config.start_regularization().penalty, Penalty { l1: 0.5, l2: 0.25 });
    assert_eq!(config.regularization().penalty, Penalty { l1: 0.0, l2: 0.25 });
}

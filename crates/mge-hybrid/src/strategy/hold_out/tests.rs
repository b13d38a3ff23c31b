use super::*;
use crate::params::HybridParams;
use crate::score::PartScore;
use crate::start::TableShape;
use crate::testing::TestTable;

fn strategy(params: HybridParams) -> HoldOutStrategy {
    let table = TestTable::rings(1500, 3, 3);
    let params = params.check().expect("valid settings");
    let size = TableShape { rows: 1500, inputs: 3, outputs: 3 };
    let first_configs = TrainingConfig::first_of_large_table(&params.0, size);
    let context = SearchContext::for_tests(params, first_configs);
    HoldOutStrategy::new(&table.data(), context).expect("valid rows")
}

fn quick() -> HybridParams {
    HybridParams { epochs: Some(1), budgets: vec![30], ..Default::default() }
}

fn scores(training_loss: f64, held_out: &[f64]) -> ValidationScores {
    let score = |&loss: &f64| PartScore { rows: 10, loss, accuracy: 0.5 };
    let held_out = held_out.iter().map(score).collect();
    ValidationScores { held_out, training_loss: Some(training_loss) }
}

/// A front after one generation, whose scores are replaced by these at all levels.
fn front_with(strategy: &HoldOutStrategy, scores: &ValidationScores) -> HybridState {
    let mut front = HybridState::default();
    assert!(strategy.run_generation(&mut front, 1, &|| false));
    front.scores.fill(scores.clone());
    front
}

fn candidate(front: &HybridState, scores: ValidationScores, l2: f64) -> Candidate {
    let network = SparseNetwork::from(&front.members[0].network);
    Candidate { network, config: TrainingConfig { l2, ..front.configs[0].clone() }, scores }
}

#[test]
fn rows_are_split_into_training_and_validation() {
    let strategy = strategy(quick());
    assert!(strategy.rows.has_validation());
    assert_eq!(strategy.rows.evaluator().rows(), 1500);
}

#[test]
fn with_the_same_penalty_training_rows_decide_and_validation_must_agree() {
    let strategy = strategy(quick());
    let front = front_with(&strategy, &scores(0.5, &[0.5, 0.7]));
    let l2 = front.configs[0].l2;
    let is_better = |training_loss, held_out: &[f64]| {
        is_better(&front, 0, &candidate(&front, scores(training_loss, held_out), l2))
    };
    assert!(is_better(0.4, &[0.5, 0.7]), "lower training loss, equal validation loss");
    assert!(is_better(0.4, &[0.4, 0.9]), "worse validation loss by less than its error");
    assert!(!is_better(0.4, &[0.6, 0.8]), "worse validation loss on every block");
    assert!(!is_better(0.5, &[0.1, 0.1]), "equal training loss");
}

#[test]
fn with_another_penalty_validation_decides_alone() {
    let strategy = strategy(quick());
    let front = front_with(&strategy, &scores(0.5, &[0.5, 0.7]));
    let l2 = 2.0 * front.configs[0].l2;
    let is_better = |training_loss, held_out: &[f64]| {
        is_better(&front, 0, &candidate(&front, scores(training_loss, held_out), l2))
    };
    assert!(is_better(0.9, &[0.4, 0.6]), "better on every block");
    assert!(!is_better(0.1, &[0.5, 0.7]), "no better");
    assert!(!is_better(0.1, &[0.3, 0.75]), "better by less than its error");
}

#[test]
fn the_lowest_validation_loss_stays_the_one_to_beat() {
    let strategy = strategy(quick());
    let old = scores(0.5, &[0.4, 0.7]);
    let mut front = front_with(&strategy, &old);
    let new = scores(0.4, &[0.7, 0.5]);
    let l2 = front.configs[0].l2;
    let better = candidate(&front, new.clone(), l2);
    strategy.try_insert(&mut front, 0, better);
    assert_eq!(front.scores[0].training_loss, Some(0.4), "it was inserted");
    assert_eq!(front.scores[0].held_out, old.held_out);
    assert!((front.members[0].loss - new.loss().mean).abs() < 1e-12);
}

#[test]
fn a_better_network_of_less_cost_is_promoted() {
    let strategy = strategy(quick());
    let mut front = front_with(&strategy, &scores(0.5, &[0.5, 0.5]));
    let last = front.members.len() - 1;
    let before = front.clone();
    promote(&mut front);
    assert_eq!(front, before, "equal networks stay");
    front.scores[0].training_loss = Some(0.4);
    promote(&mut front);
    for level in 0..=last {
        assert_eq!(front.members[level].network, front.members[0].network);
        assert_eq!(front.members[level].budget, before.members[level].budget);
    }
}

#[test]
fn cheap_levels_have_more_offspring_and_expensive_ones_come_first() {
    let strategy = strategy(quick());
    let levels = strategy.levels_to_breed();
    assert!(levels.is_sorted_by(|a, b| a >= b));
    let all = strategy.context.budgets.all();
    for (level, &budget) in all.iter().enumerate() {
        let count = levels.iter().filter(|&&own| own == level).count();
        assert_eq!(count, all[all.len() - 1].div_ceil(budget).min(MAX_OFFSPRING));
    }
    let breeding = strategy.context.first_configs.len() as u64 + 1;
    assert_eq!(strategy.cost_of_generation(breeding), levels.len() as u64);
    assert_eq!(strategy.cost_of_generation(1), all.len() as u64);
}

#[test]
fn offspring_keep_their_budget_and_follow_their_stream() {
    let mut checked = 0;
    let strategy = strategy(HybridParams { max_neurons: Some(6), ..quick() });
    let front = front_with(&strategy, &scores(0.5, &[0.5, 0.5]));
    let cost_model = strategy.context.cost_model;
    for (level, &budget) in strategy.context.budgets.all().iter().enumerate().step_by(3) {
        let stream = || Stream::at(1, Purpose::Mutation, 7, level as u64);
        let Some(one) = strategy.offspring(&front, level, stream(), &|| false) else { continue };
        checked += 1;
        assert!(cost_model.cost(&one.network) <= budget);
        assert!(one.network.neurons().len() <= 6);
        let same = strategy.offspring(&front, level, stream(), &|| false).expect("the same");
        assert_eq!((one.network, one.scores), (same.network, same.scores));
        assert!(strategy.offspring(&front, level, stream(), &|| true).is_none());
    }
    assert!(checked > 0, "no level has an offspring");
}

#[test]
fn a_generation_that_is_over_leaves_the_front_alone() {
    let strategy = strategy(quick());
    let mut front = front_with(&strategy, &scores(0.5, &[0.5, 0.5]));
    let before = front.clone();
    let breeding = strategy.context.first_configs.len() as u64 + 1;
    for generation in [2, breeding] {
        assert!(!strategy.run_generation(&mut front, generation, &|| true));
        assert_eq!(front, before);
    }
}

use super::*;
use crate::params::HybridParams;
use crate::start::TableShape;
use crate::testing::TestTable;

fn strategy(table: &TestTable, rows: usize, params: HybridParams) -> CvStrategy {
    let params = params.check().expect("valid settings");
    let size = TableShape { rows, inputs: 3, outputs: 3 };
    let first_configs = TrainingConfig::first_of_small_table(&params.0, size);
    let context = SearchContext::for_tests(params, first_configs);
    CvStrategy::new(&table.data(), context).expect("valid rows")
}

fn scores(losses: &[f64]) -> ValidationScores {
    let score = |&loss: &f64| PartScore { rows: 10, loss, accuracy: 0.5 };
    ValidationScores { held_out: losses.iter().map(score).collect(), training_loss: None }
}

#[test]
fn every_row_is_held_out_once_in_each_repeat() {
    let table = TestTable::rings(103, 3, 3);
    let params = HybridParams { cv_folds: 5, cv_repeats: Some(2), ..Default::default() };
    let strategy = strategy(&table, 103, params);
    assert_eq!(strategy.folds.len(), 10);
    let rows = |set: &TrainingSet| set.evaluator().rows();
    for repeat in strategy.folds.chunks(5) {
        assert_eq!(repeat.iter().map(|fold| rows(&fold.held_out)).sum::<usize>(), 103);
        assert!(repeat.iter().all(|fold| rows(&fold.training) + rows(&fold.held_out) == 103));
    }
    assert_eq!(rows(&strategy.all_rows), 103);
    assert_eq!(strategy.cost_of_generation(1), 11 * strategy.context.levels() as u64);
}

#[test]
fn a_gain_that_changes_from_fold_to_fold_is_chance() {
    let table = TestTable::rings(60, 3, 3);
    let params = HybridParams { min_z_score: 2.0, ..Default::default() };
    let strategy = strategy(&table, 60, params);
    let mut front = HybridState::default();
    assert!(strategy.is_better(&front, 0, &scores(&[9.0])), "an empty level takes anything");
    front.scores.push(scores(&[0.5, 0.6, 0.7]));
    assert!(strategy.is_better(&front, 0, &scores(&[0.4, 0.5, 0.6])), "better on each fold");
    assert!(!strategy.is_better(&front, 0, &scores(&[0.1, 0.9, 0.6])), "better on the mean only");
    assert!(!strategy.is_better(&front, 0, &scores(&[0.5, 0.6, 0.7])), "equal");
}

#[test]
fn a_generation_fills_every_level_with_what_its_configuration_makes() {
    let table = TestTable::rings(90, 3, 3);
    let params =
        HybridParams { cv_folds: 2, cv_repeats: Some(1), iterations: 10, ..Default::default() };
    let strategy = strategy(&table, 90, params);
    let mut front = HybridState::default();
    assert_eq!(strategy.context.progress.fraction(), 0.0);
    assert!(strategy.run_generation(&mut front, 1, &|| false));
    assert_eq!(front.members.len(), strategy.context.levels());
    assert_eq!(strategy.context.progress.fraction(), 1.0, "all steps are counted");
    assert!(front.configs.iter().all(|config| *config == strategy.context.first_configs[0]));
    assert!(front.scores.iter().all(|scores| scores.held_out.len() == 2));
    let before = front.clone();
    assert!(!strategy.run_generation(&mut front, 2, &|| true));
    assert_eq!(front, before);
    let member = &front.members[0];
    assert_eq!(strategy.refit(member), member.network);
}

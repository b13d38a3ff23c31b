//! Plans whose targets are numbers: metrics, tables, and plans that have classes too.

use crate::{plan, run_in};
use mge_experiment::{ExperimentPlan, Metric, Results, Store};

fn results(data: &str, store: &Store) -> Results {
    let plan: ExperimentPlan = plan(&format!(
        "data = {data}\nmethods = ['mge', 'alpha']\nprotocol = '3x70/30'\n\
         settings = {{ evolution = {{ population = 10 }}, stop = {{ generations = 3 }} }}"
    ));
    run_in(store, &plan.runs().unwrap());
    Results::of(&plan, &store.read().unwrap()).unwrap()
}

#[test]
fn numbers_have_metrics_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let numbers = results("['yacht', { name = 'slump', target = 'slump,flow' }]", &store);
    let yacht = &numbers.rows[0];
    let mean = |metric| yacht.moments(metric).unwrap().mean;
    // RMSE and MAE are in the units of the target, whose deviation is 15.
    assert!((1.0..40.0).contains(&mean(Metric::RmseTest)), "{}", mean(Metric::RmseTest));
    assert!(mean(Metric::MaeTest) < mean(Metric::RmseTest));
    assert!(mean(Metric::MedianErrorTest) < mean(Metric::RmseTest));
    assert!(mean(Metric::Accuracy) < 1.0);
    let table = numbers.summary_table().markdown();
    assert!(table.contains("| R2_t |") && table.contains("| MAE_t |"), "{table}");
    assert!(table.contains("the best R2 of a data set"), "{table}");
    assert!(!table.contains("Acc._t"), "{table}");
    let csv = numbers.runs_table().csv();
    assert!(csv.lines().next().unwrap().ends_with("test_r2,test_mae,test_median_error"), "{csv}");

    let both = results("['yacht', 'wine']", &store);
    let table = both.summary_table().markdown();
    assert!(table.contains("| Acc._t or R2_t |") && table.contains("| MAE_t |"), "{table}");
    let wine = both.rows.iter().find(|row| row.data == "wine").unwrap();
    assert_eq!(wine.moments(Metric::MaeTest), None);
    let classes = results("['wine']", &store).summary_table().markdown();
    assert!(classes.contains("| Acc._t |") && !classes.contains("MAE_t"), "{classes}");
}

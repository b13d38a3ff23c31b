//! Keys of runs: equal in all versions, also for renamed settings and for committed plans.

use crate::fixture;
use mge_experiment::{ExperimentPlan, RunEntry};
use sha2::{Digest, Sha256};
use std::path::Path;

fn keys(plan: &ExperimentPlan) -> Vec<String> {
    plan.runs().unwrap().iter().map(RunEntry::key).collect()
}

/// The settings that were renamed: the first name and the present one, with their separators.
const RENAMED: [(&str, &str); 16] = [
    (" ratio =", " budget_ratio ="),
    (" large_rows =", " large_table_rows ="),
    (" folds =", " cv_folds ="),
    (" repeats =", " cv_repeats ="),
    (" caution =", " min_z_score ="),
    (" validation =", " validation_fraction ="),
    (" last_loss =", " refit_loss ="),
    (" exchange =", " crossover_rate ="),
    (" new_neurons =", " neuron_addition_rate ="),
    (" changes =", " activation_mutation_rate ="),
    (" ranges =", " range_scaled_penalty ="),
    (" least_genes =", " min_genes ="),
    (" most_genes =", " max_genes ="),
    (" least_codons =", " min_codons ="),
    (" most_codons =", " max_codons ="),
    (" longest =", " max_length ="),
];

#[test]
fn plans_with_first_and_present_names_have_the_keys_of_version_0_1_0() {
    let text = std::fs::read_to_string(fixture("old-names/plan.toml")).unwrap();
    let expected = std::fs::read_to_string(fixture("old-names/keys.txt")).unwrap();
    let expected: Vec<&str> = expected.lines().collect();
    assert_eq!(keys(&ExperimentPlan::parse("first", &text).unwrap()), expected);
    let mut present = text.clone();
    for (first, name) in RENAMED {
        assert!(text.contains(first), "{first}");
        present = present.replace(first, name);
    }
    assert_eq!(keys(&ExperimentPlan::parse("present", &present).unwrap()), expected);
}

#[test]
fn committed_plans_have_the_keys_of_version_0_1_0() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
    let expected = std::fs::read_to_string(fixture("committed-plans.txt")).unwrap();
    for line in expected.lines() {
        let [folder, count, hash] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("expected folder, count and hash: {line}")
        };
        let plan = ExperimentPlan::read(&results.join(folder).join("plan.toml")).unwrap();
        let keys = keys(&plan);
        assert_eq!(keys.len().to_string(), count, "{folder}");
        let digest = Sha256::digest(keys.join("\n").as_bytes());
        let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, hash, "{folder}");
    }
}

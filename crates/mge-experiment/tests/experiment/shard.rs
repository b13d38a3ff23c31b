//! Shards of a plan.

use crate::short_plan;
use mge_experiment::{RunEntry, Shard};

#[test]
fn shards_cover_all_runs_once_and_have_similar_sizes() {
    let runs = short_plan("['mge', 'mu', 'ge']").runs().unwrap();
    for count in [1, 2, 5, 12, 20] {
        let shards: Vec<Vec<&RunEntry>> = (1..=count)
            .map(|index| format!("{index}/{count}").parse::<Shard>().unwrap())
            .map(|shard| shard.select(&runs).collect())
            .collect();
        let mut keys: Vec<String> = shards.iter().flatten().map(|run| run.key()).collect();
        keys.sort();
        let mut expected: Vec<String> = runs.iter().map(RunEntry::key).collect();
        expected.sort();
        assert_eq!(keys, expected, "{count} shards");
        let sizes = || shards.iter().map(Vec::len);
        assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1, "{count} shards");
    }
}

#[test]
fn shard_names_round_trip_and_others_are_errors() {
    for text in ["1/1", "2/3", "10/10"] {
        assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
    }
    assert_eq!(Shard::default(), "1/1".parse().unwrap());
    for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/2"] {
        let error = text.parse::<Shard>().unwrap_err().to_string();
        let expected =
            format!("unknown shard `{text}`; expected i/n with 1 <= i <= n, such as 2/3");
        assert_eq!(error, expected);
    }
}

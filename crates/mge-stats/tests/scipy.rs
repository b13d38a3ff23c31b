//! Compares every statistic with scipy. `scripts/scipy-golden.py` writes the expected values.

#![allow(clippy::unwrap_used)]

use mge_stats::{
    Distribution, Moments, Summary, a12, critical_difference, friedman, holm, one_sample_t,
    rank_sum, rank_sum_by, signed_rank, signed_rank_by, student_t, welch_t,
};
use serde_json::Value;

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/scipy.json")).unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn cases(golden: &Value, name: &str, check: impl Fn(&Value)) {
    let cases = golden[name].as_array().unwrap();
    assert!(!cases.is_empty(), "{name}");
    cases.iter().for_each(check);
}

#[track_caller]
fn near(found: f64, expected: &Value, case: &Value) {
    // JSON has no infinity, so the script writes a string.
    let expected = match expected {
        Value::String(word) if word == "inf" => f64::INFINITY,
        Value::String(word) if word == "-inf" => f64::NEG_INFINITY,
        number => number.as_f64().unwrap(),
    };
    let close = found == expected || (found - expected).abs() <= 1e-9 * expected.abs() + 1e-15;
    assert!(close, "found {found}, scipy has {expected}, in {case}");
}

#[test]
fn wilcoxon_tests_agree_with_scipy() {
    let golden = golden();
    cases(&golden, "signed_rank", |case| {
        let (x, y) = (list(&case["x"]), list(&case["y"]));
        let exact = signed_rank(&x, &y).unwrap();
        if case["statistic"].is_number() {
            near(exact.statistic, &case["statistic"], case);
        }
        if case["exact"].is_number() {
            assert_eq!(exact.distribution, Distribution::Exact);
            near(exact.p_value, &case["exact"], case);
        }
        if case["normal"].is_number() {
            let normal = signed_rank_by(&x, &y, Distribution::Normal).unwrap();
            near(normal.p_value, &case["normal"], case);
        }
    });
    cases(&golden, "rank_sum", |case| {
        let (x, y) = (list(&case["x"]), list(&case["y"]));
        let exact = rank_sum(&x, &y).unwrap();
        near(exact.statistic, &case["statistic"], case);
        if case["exact"].is_number() {
            assert_eq!(exact.distribution, Distribution::Exact);
            near(exact.p_value, &case["exact"], case);
        }
        if case["normal"].is_number() {
            let normal = rank_sum_by(&x, &y, Distribution::Normal).unwrap();
            near(normal.p_value, &case["normal"], case);
        }
        near(a12(&x, &y).unwrap().value, &case["a12"], case);
    });
}

#[test]
fn t_tests_and_summaries_agree_with_scipy() {
    let golden = golden();
    cases(&golden, "t", |case| {
        let [x, y] = ["x", "y"].map(|name| Moments::of(&list(&case[name])).unwrap());
        for (name, found) in [
            ("student", student_t(&x, &y)),
            ("welch", welch_t(&x, &y)),
            ("one_sample", one_sample_t(&x, case["mean"].as_f64().unwrap())),
        ] {
            let found = found.unwrap();
            let expected = &case[name];
            // For constant samples scipy's t is infinite, or NaN without a difference.
            assert_eq!(found.has_spread(), expected["t"].is_number(), "{case}");
            if !expected["t"].is_null() {
                near(found.t, &expected["t"], case);
                near(found.p_value, &expected["p"], case);
            }
            if found.has_spread() {
                near(found.freedom, &expected["freedom"], case);
            }
            let interval = found.confidence(0.95).unwrap();
            near(interval.low, &expected["confidence"][0], case);
            near(interval.high, &expected["confidence"][1], case);
        }
    });
    cases(&golden, "summary", |case| {
        let summary = Summary::of(&list(&case["x"])).unwrap();
        for (name, found) in [
            ("mean", summary.moments.mean),
            ("deviation", summary.moments.deviation),
            ("min", summary.min),
            ("lower_quartile", summary.lower_quartile),
            ("median", summary.median),
            ("upper_quartile", summary.upper_quartile),
            ("max", summary.max),
        ] {
            near(found, &case[name], case);
        }
        match summary.moments.confidence(0.95) {
            Ok(interval) => {
                near(interval.low, &case["confidence"][0], case);
                near(interval.high, &case["confidence"][1], case);
            }
            Err(_) => assert!(case["confidence"].is_null()),
        }
    });
}

#[test]
fn friedman_nemenyi_and_holm_agree_with_scipy() {
    let golden = golden();
    cases(&golden, "friedman", |case| {
        let blocks: Vec<Vec<f64>> = case["blocks"].as_array().unwrap().iter().map(list).collect();
        let found = friedman(&blocks).unwrap();
        near(found.chi_square, &case["chi_square"], case);
        near(found.p_value, &case["p"], case);
        near(found.f_p_value, &case["f_p"], case);
        assert_eq!(
            found.freedom(),
            (blocks[0].len() - 1, (blocks[0].len() - 1) * (blocks.len() - 1))
        );
    });
    cases(&golden, "critical_difference", |case| {
        let [methods, blocks] = ["methods", "blocks"].map(|n| case[n].as_u64().unwrap() as usize);
        let level = case["level"].as_f64().unwrap();
        let found = critical_difference(methods, blocks, level).unwrap();
        // Here scipy integrates to about seven digits only.
        let expected = case["difference"].as_f64().unwrap();
        assert!((found - expected).abs() <= 1e-6 * expected, "{found} in {case}");
    });
    cases(&golden, "holm", |case| {
        for (found, expected) in
            holm(&list(&case["p"])).iter().zip(case["adjusted"].as_array().unwrap())
        {
            near(*found, expected, case);
        }
    });
}

//! Pins every conversion from bits to numbers, since published results depend on them.

use mge_random::{Purpose, Stream};
use proptest::prelude::*;

fn stream() -> Stream {
    Stream::at(42, Purpose::Mutation, 7, 3)
}

#[test]
fn conversions_give_the_golden_values() {
    let mut s = stream();
    assert_eq!([s.bits(), s.bits()], GOLDEN_BITS);
    let mut s = stream();
    assert_eq!(std::array::from_fn::<u64, 6, _>(|_| s.below(1000)), GOLDEN_BELOW);
    let mut s = stream();
    assert_eq!(std::array::from_fn::<u64, 2, _>(|_| s.unit().to_bits()), GOLDEN_UNIT);
    let mut s = stream();
    let skips = std::array::from_fn::<u64, 6, _>(|_| s.failures_before_success(0.01));
    assert_eq!(skips, GOLDEN_SKIPS);
    let mut s = stream();
    assert_eq!(std::array::from_fn::<u64, 2, _>(|_| s.normal().to_bits()), GOLDEN_NORMAL);
    let mut items: Vec<u8> = (0..10).collect();
    stream().shuffle(&mut items);
    assert_eq!(items, GOLDEN_SHUFFLE);
}

#[test]
fn every_part_of_the_address_selects_another_stream() {
    let purposes = [Purpose::Split, Purpose::Selection, Purpose::Crossover, Purpose::Mutation];
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..8 {
        for purpose in purposes {
            for generation in 0..8 {
                for index in 0..8 {
                    seen.insert(Stream::at(seed, purpose, generation, index).bits());
                }
            }
        }
    }
    assert_eq!(seen.len(), 8 * 4 * 8 * 8);
}

#[test]
fn below_is_uniform() {
    let mut counts = [0u32; 7];
    let mut s = stream();
    for _ in 0..70_000 {
        counts[s.index(7)] += 1;
    }
    // Chi-square with 6 degrees of freedom; 22.5 is the 0.999 quantile.
    let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
    assert!(chi < 22.5, "{counts:?}");
}

#[test]
fn normal_numbers_have_the_moments_of_the_distribution() {
    let mut s = stream();
    let count = 200_000;
    let numbers: Vec<f64> = (0..count).map(|_| s.normal()).collect();
    let moment = |power| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / f64::from(count);
    for (power, expected, tolerance) in
        [(1, 0.0, 0.01), (2, 1.0, 0.015), (3, 0.0, 0.04), (4, 3.0, 0.1)]
    {
        let found = moment(power);
        assert!((found - expected).abs() < tolerance, "moment {power}: {found}");
    }
}

#[test]
fn geometric_skips_hit_with_the_given_probability() {
    let (mut hits, mut position) = (0u32, 0u64);
    let mut s = stream();
    loop {
        position = position.saturating_add(s.failures_before_success(0.003));
        if position >= 10_000_000 {
            break;
        }
        (hits, position) = (hits + 1, position + 1);
    }
    assert!((f64::from(hits) / 10_000_000.0 - 0.003).abs() < 0.0001, "{hits}");
    assert_eq!(s.failures_before_success(0.0), u64::MAX);
    assert_eq!(s.failures_before_success(1.0), 0);
}

proptest! {
    #[test]
    fn numbers_stay_in_range(seed: u64, generation: u64, index: u64, bound in 1u64..) {
        let mut s = Stream::at(seed, Purpose::Selection, generation, index);
        prop_assert!(s.below(bound) < bound);
        prop_assert!((0.0..1.0).contains(&s.unit()));
    }

    #[test]
    fn a_shuffle_keeps_all_items(seed: u64, mut items: Vec<u8>) {
        let mut shuffled = items.clone();
        Stream::at(seed, Purpose::Split, 0, 0).shuffle(&mut shuffled);
        items.sort_unstable();
        shuffled.sort_unstable();
        prop_assert_eq!(items, shuffled);
    }
}
const GOLDEN_BITS: [u64; 2] = [14998235178484684551, 16467418981388646999];
const GOLDEN_BELOW: [u64; 6] = [813, 892, 198, 960, 666, 452];
const GOLDEN_UNIT: [u64; 2] = [4605498576566020890, 4606215951469782591];
const GOLDEN_NORMAL: [u64; 2] = [4611594017372731971, 13834241602799044401];
const GOLDEN_SKIPS: [u64; 6] = [166, 222, 22, 321, 109, 59];
const GOLDEN_SHUFFLE: [u8; 10] = [4, 0, 5, 7, 2, 3, 6, 1, 9, 8];

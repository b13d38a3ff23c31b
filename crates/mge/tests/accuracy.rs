//! The paper's settings reach at least this mean test accuracy. Seeds are fixed, so the test is as
//! sure as the rest; `examples/seeds.rs` does more of them.

#![allow(clippy::unwrap_used)]

use mge::data::load;
use mge::{Fit, Method};

#[test]
fn four_data_sets_reach_their_floor() {
    for (name, floor) in [("wdbc", 0.955), ("wine", 0.93), ("ionosphere", 0.88), ("heart", 0.80)] {
        let data = load(name, &Default::default()).unwrap();
        let accuracy = |seed| {
            Fit::new()
                .method(Method::MGE)
                .seed(seed)
                .run(&data)
                .unwrap()
                .model
                .metrics
                .test
                .accuracy
        };
        let mean = (1..=3).map(accuracy).sum::<f64>() / 3.0;
        assert!(mean >= floor, "{name}: {mean:.4}, expected at least {floor}");
    }
}

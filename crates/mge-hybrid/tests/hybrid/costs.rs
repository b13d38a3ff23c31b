//! Fronts of other costs than operations.

use crate::tables::{BOTH, MAX_OPS, rings_for, run, search_with};
use mge_hybrid::{HybridParams, Objective, non_dominated};
use mge_net::{Size, table_bytes};

#[test]
fn the_front_may_be_one_of_bytes() {
    for size in BOTH {
        let table = rings_for(size, 3);
        let bytes = |params| HybridParams { objective: Objective::Bytes, ..params };
        let search = search_with(&table, 3, size, bytes).unwrap();
        let members = search.final_front(&run(&search, 6));
        for member in &members {
            let (cost, real) = (member.cost(), table_bytes(&member.network));
            assert!(cost <= member.budget, "{cost} bytes of {}", member.budget);
            let Size { neurons, operations, .. } = Size::of(&member.network);
            assert!(operations <= MAX_OPS, "{operations} operations");
            assert!(cost.abs_diff(real) <= neurons + 3, "{cost} bytes by parts, {real} in a table");
        }
        let costs: Vec<usize> = non_dominated(&members).iter().map(|m| m.cost()).collect();
        assert!(costs.is_sorted() && costs.len() > 2, "{costs:?}");
    }
}

#[test]
fn features_that_cost_are_read_sparingly() {
    const COST: usize = 40;
    for size in BOTH {
        let table = rings_for(size, 3);
        let priced = |params| HybridParams { feature_cost: COST, ..params };
        let search = search_with(&table, 3, size, priced).unwrap();
        let members = search.final_front(&run(&search, 6));
        for member in &members {
            let size = Size::of(&member.network);
            assert_eq!(member.cost(), size.operations + COST * size.features);
            assert!(member.cost() <= member.budget);
            assert!(size.operations <= MAX_OPS, "{} operations", size.operations);
        }
        // Two of the five features say all there is.
        let of_two = members.iter().filter(|member| Size::of(&member.network).features == 2);
        let best = of_two.map(|member| search.accuracy(&member.network)).fold(0.0, f64::max);
        assert!(best > 0.7, "{size:?}: {best} with two features");
    }
}

use super::*;
use crate::testing::random_network;
use mge_net::Size;

#[test]
fn operations_are_those_of_the_size() {
    for seed in 0..10 {
        let network = random_network(4, seed as usize % 4, 1 + seed as usize % 3, seed);
        let size = Size::of(&network.to_network().expect("valid"));
        assert_eq!(CostModel::OPERATIONS.cost(&network), size.operations);
    }
}

#[test]
fn features_cost_once_however_many_links_read_them() {
    let network = random_network(5, 3, 2, 1);
    let without = CostModel::new(Objective::Operations, 0, 5).cost(&network);
    let with = CostModel::new(Objective::Operations, 7, 5).cost(&network);
    assert_eq!(with, without + 5 * 7);
}

#[test]
fn bytes_are_nearly_those_of_the_table() {
    for seed in 0..10 {
        let network = random_network(6, seed as usize % 5, 2, seed);
        let cost = CostModel::new(Objective::Bytes, 0, 6).cost(&network);
        let bytes = table_bytes(&network.to_network().expect("valid"));
        assert!(cost.abs_diff(bytes) <= network.neurons().len() + 3, "{cost} {bytes}");
    }
}

#[test]
fn the_smallest_network_has_one_link() {
    let link = bytes_of_link(10);
    assert_eq!(min_bytes(10, 3), bytes_of_links(10, 3, 0) + link);
    // A table of more than 255 inputs needs wider indices.
    assert!(bytes_of_link(300) > link);
}

#[test]
fn objectives_are_read_by_name() {
    assert_eq!("bytes".parse(), Ok(Objective::Bytes));
    assert_eq!(Objective::Operations.to_string().parse(), Ok(Objective::Operations));
    let error = "speed".parse::<Objective>().unwrap_err();
    assert_eq!(error.to_string(), "unknown objective `speed`; expected operations or bytes");
}

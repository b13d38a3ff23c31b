//! Protocols of splits.

use mge_experiment::{SplitProtocol, SplitScheme};

fn protocol(text: &str) -> SplitProtocol {
    text.parse().unwrap()
}

#[test]
fn a_protocol_counts_its_runs() {
    assert_eq!(protocol("30x70/30").runs(), 30);
    assert_eq!(protocol("10-fold").runs(), 10);
    assert_eq!(protocol("3x10-fold").runs(), 30);
    assert_eq!(protocol("standard").runs(), 1);
    assert_eq!(protocol("10-fold").with_repetitions(4).runs(), 40);
}

#[test]
fn texts_are_parsed_with_spaces() {
    assert_eq!(protocol("2 x 70/30"), protocol("2x70/30"));
    assert_eq!(protocol("2x5-fold").scheme, SplitScheme::Folds(5));
    assert_eq!(protocol("90/10").scheme, SplitScheme::Percent(90));
}

#[test]
fn protocols_are_stored_as_text() {
    let json = serde_json::to_string(&protocol("1x10-fold")).unwrap();
    assert_eq!(json, "\"10-fold\"");
    assert_eq!(serde_json::from_str::<SplitProtocol>(&json).unwrap(), protocol("10-fold"));
    assert!(serde_json::from_str::<SplitProtocol>("\"often\"").is_err());
}

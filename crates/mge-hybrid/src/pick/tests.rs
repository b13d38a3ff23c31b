use super::*;
use mge_net::{Link, Output, Source};
use proptest::prelude::*;

/// A member with this many links to inputs, which cost two operations each.
fn member(links: usize, loss: f64, standard_error: f64) -> Member {
    let link = |input| Link { source: Source::Input(input), weight: 1.0 };
    let links = (0..links as u32).map(link).collect();
    let network = Network::new(64, Vec::new(), vec![Output { bias: None, links }]);
    let network = network.expect("valid");
    Member {
        budget: 1000,
        operations: Size::of(&network).operations,
        cost: None,
        loss,
        standard_error,
        accuracy: 0.5,
        l2: 0.0,
        range_scaled: false,
        network,
    }
}

fn links_of(member: &Member) -> usize {
    member.network.outputs()[0].links.len()
}

fn picked(members: &[Member], limits: Limits, rule: Pick) -> Option<usize> {
    pick(members, &limits, rule).map(links_of)
}

proptest! {
    #[test]
    fn the_front_holds_exactly_the_members_that_none_beats(
        points in proptest::collection::vec((0usize..12, 0u32..8), 0..20),
    ) {
        let members: Vec<Member> =
            points.iter().map(|&(links, loss)| member(links, f64::from(loss), 0.0)).collect();
        let front = non_dominated(&members);
        for pair in front.windows(2) {
            prop_assert!(pair[0].cost() < pair[1].cost() && pair[0].loss > pair[1].loss);
        }
        for candidate in &members {
            let is_beaten = members.iter().any(|other| {
                let no_worse = other.cost() <= candidate.cost() && other.loss <= candidate.loss;
                no_worse && (other.cost(), other.loss) != (candidate.cost(), candidate.loss)
            });
            let point = (candidate.cost(), candidate.loss);
            let is_on_front = front.iter().any(|member| (member.cost(), member.loss) == point);
            prop_assert_eq!(is_on_front, !is_beaten);
        }
    }

    #[test]
    fn a_picked_network_keeps_the_limits_and_is_on_the_front_of_the_allowed(
        points in proptest::collection::vec((0usize..12, 0u32..8), 1..20), max_ops in 4usize..30,
    ) {
        let members: Vec<Member> =
            points.iter().map(|&(links, loss)| member(links, f64::from(loss), 1.0)).collect();
        let limits = Limits { max_ops: Some(max_ops), ..Default::default() };
        let allowed: Vec<Member> =
            members.iter().filter(|member| member.operations <= max_ops).cloned().collect();
        for rule in Pick::ALL {
            match pick(&members, &limits, rule) {
                Some(member) => prop_assert!(non_dominated(&allowed).contains(&member)),
                None => prop_assert!(allowed.is_empty()),
            }
        }
    }
}

#[test]
fn each_rule_picks_its_network() {
    let members = [
        member(1, 0.9, 0.0),
        member(2, 0.5, 0.0),
        member(4, 0.2, 0.0),
        member(16, 0.18, 0.0),
        member(32, 0.1, 0.12),
    ];
    let any = Limits::default();
    assert_eq!(picked(&members, any, Pick::LowestLoss), Some(32));
    assert_eq!(picked(&members, any, Pick::Knee), Some(4));
    assert_eq!(picked(&members, any, Pick::SmallestWithin1se), Some(4));
    let tight = Limits { max_ops: Some(8), ..any };
    assert_eq!(picked(&members, tight, Pick::LowestLoss), Some(2));
    assert_eq!(picked(&members, Limits { max_ops: Some(5), ..any }, Pick::Knee), None);
}

#[test]
fn the_recommended_network_is_small_and_hardly_less_accurate() {
    let with_accuracy = |links, loss, accuracy| Member { accuracy, ..member(links, loss, 0.0) };
    let members = [
        with_accuracy(1, 0.9, 0.80),
        with_accuracy(4, 0.5, 0.946),
        with_accuracy(8, 0.4, 0.95),
        with_accuracy(9, 0.3, 0.95),
        with_accuracy(20, 0.2, 0.94),
    ];
    let any = Limits::default();
    assert_eq!(picked(&members, any, Pick::Recommended), Some(4));
    assert_eq!(picked(&members, any, Pick::HighestAccuracy), Some(8), "of equals the smallest");
    assert_eq!(picked(&members, any, Pick::LowestLoss), Some(20));
    assert_eq!(picked(&members[..2], any, Pick::Smallest), Some(4));
    let nearly = with_accuracy(3, 0.6, 0.931);
    let with_nearly = [members[0].clone(), nearly, members[2].clone()];
    assert_eq!(picked(&with_nearly, any, Pick::Smallest), Some(3));
    let tight = Limits { max_ops: Some(7), ..any };
    assert_eq!(picked(&members, tight, Pick::Recommended), Some(1));
}

#[test]
fn a_front_of_one_or_two_has_no_knee_and_gives_the_best() {
    let two = [member(1, 0.9, 0.0), member(8, 0.1, 0.0)];
    assert_eq!(picked(&two, Limits::default(), Pick::Knee), Some(8));
    assert_eq!(picked(&two[..1], Limits::default(), Pick::Knee), Some(1));
    assert_eq!(picked(&[], Limits::default(), Pick::Knee), None);
}

#[test]
fn every_limit_counts() {
    let members = [member(2, 0.5, 0.0), member(6, 0.1, 0.0)];
    let any = Limits::default();
    let bytes = table_bytes(&members[0].network);
    let limits = [
        Limits { max_ops: Some(8), ..any },
        Limits { max_bytes: Some(bytes), ..any },
        Limits { max_features: Some(2), ..any },
    ];
    for limits in limits {
        assert_eq!(picked(&members, limits, Pick::LowestLoss), Some(2), "{limits:?}");
    }
    assert_eq!(picked(&members, Limits { max_neurons: Some(0), ..any }, Pick::LowestLoss), Some(6));
}

#[test]
fn another_cost_than_operations_orders_the_front() {
    let mut members = [member(2, 0.5, 0.0), member(6, 0.6, 0.0)];
    assert_eq!(non_dominated(&members).len(), 1);
    members[1].cost = Some(1);
    let costs: Vec<usize> = non_dominated(&members).iter().map(|member| member.cost()).collect();
    assert_eq!(costs, [1, members[0].operations]);
}

#[test]
fn rules_are_read_by_name() {
    for rule in Pick::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
        assert_eq!(serde_json::to_value(rule).expect("text"), rule.to_string());
    }
    let error = "best".parse::<Pick>().unwrap_err();
    assert!(error.to_string().contains("expected recommended, smallest, most-accurate"), "{error}");
    assert_eq!("accuracy".parse(), Ok(Pick::LowestLoss), "its first name");
}

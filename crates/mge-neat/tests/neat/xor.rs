//! The paper's first task: exclusive or needs a hidden neuron, so structure must grow.

use crate::tasks::Rows;
use mge_evolve::{Run, StopReason, StopRules};
use mge_neat::{Mapper, Neat, NeatParams, Workspace};
use mge_net::{OutputLink, reference};

#[test]
fn xor_is_solved_in_48_of_50_runs_with_a_hidden_neuron() {
    let rows = Rows::xor();
    let params = NeatParams::default().check(rows.shape).unwrap();
    // With this mean every row is right: one row with p below 0.5 alone adds ln(2) / 4 = 0.173.
    let stop = StopRules { generations: Some(150), target_loss: Some(0.17), ..Default::default() };
    let stop = stop.check().unwrap();
    let mut solved = 0;
    for seed in 0..50 {
        let search = Neat::new(rows.loss(&rows.labels, &params), params.clone(), seed);
        let outcome = Run::new(&search, stop.clone()).run().unwrap();
        if outcome.reason != StopReason::TargetLoss {
            continue;
        }
        solved += 1;
        let best = outcome.state.best();
        let network = Mapper::new(&params).map(best, &mut Workspace::default()).unwrap();
        assert!(!network.neurons().is_empty());
        for (row, class) in [([0.0, 0.0], 0), ([0.0, 1.0], 1), ([1.0, 0.0], 1), ([1.0, 1.0], 0)] {
            let link = OutputLink::Logistic;
            let p = reference::probabilities(&network, link, &row);
            assert_eq!(link.predicted_class(&p), class);
        }
    }
    assert!(solved >= 48, "{solved} of 50");
}

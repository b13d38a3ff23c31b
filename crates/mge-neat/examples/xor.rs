//! Exclusive or, the paper's first task. Prints how many of 100 runs solve it within 150
//! generations of 150 genomes, after how many generations, and with how many hidden neurons. The
//! paper reports 100 runs, 32 generations and 2.35 hidden neurons on average.
//!
//!     cargo run --release -p mge-neat --example xor [WEIGHT_POWER]

use mge_evolve::{Run, StopReason, StopRules};
use mge_neat::{Mapper, Neat, NeatParams, NetworkLoss, Shape, Workspace};
use mge_net::{BatchEvaluator, Columns, Loss, Network, Scratch, Targets};

const RUNS: u64 = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut raw = NeatParams::default();
    if let Some(power) = std::env::args().nth(1) {
        raw.weight_power = power.parse()?;
    }
    let columns = Columns::from_columns([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]])?;
    let targets = Targets::classes(&[0, 1, 1, 0], 2);
    let evaluator = BatchEvaluator::new(&columns, targets, Loss::CrossEntropy)?;
    let params = raw.check(Shape { inputs: 2, outputs: 1 })?;
    // With this mean every row is right: one row with p below 0.5 alone adds ln(2) / 4 = 0.173.
    let stop = StopRules { generations: Some(150), target_loss: Some(0.17), ..Default::default() };
    let stop = stop.check()?;

    let (mut solved, mut generations, mut longest, mut hidden) = (0, 0, 0, 0);
    for seed in 0..RUNS {
        let mapper = Mapper::new(&params);
        let loss = |network: &Network, scratch: &mut Scratch| evaluator.loss(network, scratch);
        let search = Neat::new(NetworkLoss::new(mapper.clone(), loss), params.clone(), seed);
        let outcome = Run::new(&search, stop.clone()).run()?;
        if outcome.reason == StopReason::TargetLoss {
            solved += 1;
            generations += outcome.progress.generation;
            longest = longest.max(outcome.progress.generation);
            let network = mapper.map(outcome.state.best(), &mut Workspace::default());
            hidden += network.map_or(0, |network| network.neurons().len());
        }
    }
    let mean = |total: f64| total / f64::from(solved.max(1));
    println!(
        "solved {solved} of {RUNS}; {:.1} generations on average, {longest} at most; {:.2} hidden \
         neurons",
        mean(generations as f64),
        mean(hidden as f64),
    );
    Ok(())
}

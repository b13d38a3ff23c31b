//! The speed of NEAT on rows of the shape of WDBC: 30 features, 398 rows, two classes. It includes
//! variation, speciation, mapping and the batch evaluator.
//!
//!     cargo run --release -p mge-neat --example wdbc [GENERATIONS]
//!
//! One thread. The rate is per second of processor time, or of wall time where the system does not
//! give the former.

use mge_evolve::Search;
use mge_neat::{Mapper, Neat, NeatParams, NetworkLoss, Shape};
use mge_net::{BatchEvaluator, Columns, Loss, Network, Scratch, Targets};
use mge_random::{Purpose, Stream};
use std::time::Duration;

const ROWS: usize = 398;
const FEATURES: usize = 30;

/// Normally distributed features, shifted by the class. The task is hard enough that evolution
/// keeps adding structure.
fn random_rows() -> (Columns, Vec<u32>) {
    let mut stream = Stream::at(1, Purpose::Initialisation, 0, 0);
    let labels: Vec<u32> = (0..ROWS).map(|_| u32::from(stream.chance(0.37))).collect();
    let columns = Columns::from_fn(ROWS, FEATURES, |_, values| {
        let shift = stream.unit();
        for (value, &label) in values.iter_mut().zip(&labels) {
            let bell = (0..12).map(|_| stream.unit()).sum::<f64>() - 6.0;
            *value = (bell + shift * f64::from(label)) as f32;
        }
    });
    (columns, labels)
}

#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let generations: u64 = std::env::args().nth(1).map_or(Ok(500), |text| text.parse())?;
    let (columns, labels) = random_rows();
    let evaluator =
        BatchEvaluator::new(&columns, Targets::classes(&labels, 2), Loss::CrossEntropy)?;
    let params = NeatParams::default().check(Shape { inputs: FEATURES, outputs: 1 })?;
    let mapper = Mapper::new(&params);
    let loss = |network: &Network, scratch: &mut Scratch| evaluator.loss(network, scratch);
    let search = Neat::new(NetworkLoss::new(mapper, loss), params, 1);

    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let began = processor_time();
        let mut state = search.start();
        while state.generation() < generations {
            search.step(&mut state);
        }
        let seconds = (processor_time() - began).as_secs_f64();
        let progress = search.progress(&state);
        println!(
            "{} evaluations in {seconds:.2} CPU-seconds: {:.0} per second; best loss {:.4}, {} species, \
             {} links and {} hidden neurons in the best genome",
            progress.evaluations,
            progress.evaluations as f64 / seconds,
            progress.best_loss,
            state.species().len(),
            state.best().links().len(),
            state.best().hidden().len(),
        );
    });
    Ok(())
}

//! Prints how many connection-rows per second the batch evaluator does on one thread, for rows
//! like those of WDBC and of MNIST, on every SIMD level of this processor.
//!
//! ```text
//! cargo run --release -p mge-net --example throughput
//! ```

use std::time::Instant;

use mge_net::{
    Activation, BatchEvaluator, Columns, EvaluationError, Level, Link, Loss, Network, Neuron,
    Output, OutputLink, Size, Source, Targets,
};
use mge_random::{Purpose, Stream};

/// One layer: each neuron reads two random inputs and feeds one random output.
fn network(inputs: usize, neurons: usize, outputs: usize, random: &mut Stream) -> Network {
    let weight = |random: &mut Stream| (random.unit() * 2.0 - 1.0) as f32;
    let mut ends = vec![Output::default(); outputs];
    let mut hidden = Vec::new();
    for index in 0..neurons {
        let first = random.index(inputs);
        let second = (first + 1 + random.index(inputs - 1)) % inputs;
        let links = [first, second]
            .map(|input| Link { source: Source::Input(input as u32), weight: weight(random) });
        let bias = Some(weight(random));
        hidden.push(Neuron { activation: Activation::Sigmoid, bias, links: links.to_vec() });
        let source = Source::Neuron(index as u32);
        ends[random.index(outputs)].links.push(Link { source, weight: weight(random) });
    }
    Network::new(inputs, hidden, ends).expect("valid by construction")
}

fn main() -> Result<(), EvaluationError> {
    // Rows, inputs, neurons, outputs: about 36 connections for WDBC, 256 for MNIST.
    for (rows, inputs, neurons, outputs) in [(398, 30, 9, 1), (60_000, 784, 64, 10)] {
        let mut random = Stream::at(1, Purpose::Initialisation, 0, 0);
        let columns = Columns::from_fn(rows, inputs, |_, values| {
            values.fill_with(|| (random.unit() * 4.0 - 2.0) as f32);
        });
        let count = OutputLink::for_outputs(outputs).classes();
        let labels: Vec<u32> = (0..rows).map(|_| random.index(count) as u32).collect();
        let networks: Vec<Network> =
            (0..50).map(|_| network(inputs, neurons, outputs, &mut random)).collect();
        let connections: usize = networks.iter().map(|network| Size::of(network).connections).sum();
        let targets = Targets::classes(&labels, count);
        for level in Level::available() {
            let evaluator =
                BatchEvaluator::with_level(&columns, targets, Loss::CrossEntropy, level)?;
            let mut scratch = mge_net::Scratch::new();
            let mut best = f64::INFINITY;
            let mut sum = 0.0;
            for _ in 0..if rows > 1000 { 5 } else { 200 } {
                let start = Instant::now();
                for network in &networks {
                    sum += evaluator.loss(network, &mut scratch);
                }
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!(
                "{rows:>6} rows, {:>3} connections, {level:>6}: {:>7.0} million connection-rows/s, \
                 {:>8.0} networks/s (mean loss {:.4})",
                connections / networks.len(),
                (connections * rows) as f64 / best / 1e6,
                networks.len() as f64 / best,
                sum / networks.len() as f64 / if rows > 1000 { 5.0 } else { 200.0 },
            );
        }
    }
    Ok(())
}

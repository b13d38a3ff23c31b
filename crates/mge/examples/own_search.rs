//! The third depth: a search method of one's own in the shared loop, over the shared network and
//! evaluator. Here a (1+1) hill climber on the weights of a small fixed network.
//!
//! `cargo run --release --example own_search`

use mge::data::{Preprocess, PreprocessOptions, Split};
use mge::evolve::{Progress, Run, Search, StopRules};
use mge::net::{Activation, BatchEvaluator, Link, Loss, Network, Neuron, Output, Scratch, Source};
use mge::random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

struct HillClimber {
    evaluator: BatchEvaluator,
    features: u32,
}

/// What a step reads and changes; it would go into checkpoints as it is.
#[derive(Serialize, Deserialize)]
struct Climb {
    generation: u64,
    network: Network,
    loss: f64,
}

impl HillClimber {
    /// Four neurons, each reading every fourth feature.
    fn first(&self) -> Network {
        let link = |source, weight| Link { source, weight };
        let neuron = |index: u32| Neuron {
            activation: Activation::Tanh,
            bias: Some(0.0),
            links: (index..self.features).step_by(4).map(|i| link(Source::Input(i), 0.1)).collect(),
        };
        let output = Output {
            bias: Some(0.0),
            links: (0..4).map(|i| link(Source::Neuron(i), 0.5)).collect(),
        };
        Network::new(self.features as usize, (0..4).map(neuron).collect(), vec![output])
            .expect("links point backwards only")
    }

    fn loss(&self, network: &Network) -> f64 {
        self.evaluator.loss(network, &mut Scratch::default())
    }
}

impl Search for HillClimber {
    type State = Climb;
    type Solution = Network;

    fn start(&self) -> Climb {
        let network = self.first();
        Climb { generation: 1, loss: self.loss(&network), network }
    }

    fn step(&self, state: &mut Climb) {
        state.generation += 1;
        let mut stream = Stream::at(1, Purpose::Mutation, state.generation, 0);
        let mut neurons = state.network.neurons().to_vec();
        let neuron = &mut neurons[stream.index(4)];
        let link = stream.index(neuron.links.len());
        neuron.links[link].weight += (stream.unit() - 0.5) as f32;
        let outputs = state.network.outputs().to_vec();
        let Ok(network) = Network::new(state.network.inputs(), neurons, outputs) else { return };
        let loss = self.loss(&network);
        if loss <= state.loss {
            (state.network, state.loss) = (network, loss);
        }
    }

    fn cost_of_start(&self) -> u64 {
        1
    }

    fn cost_of_step(&self, _: &Climb) -> u64 {
        1
    }

    fn progress(&self, state: &Climb) -> Progress {
        Progress {
            generation: state.generation,
            evaluations: state.generation,
            best_loss: state.loss,
            invalid_individuals: 0,
            invalid_parts: 0,
        }
    }

    fn best<'s>(&self, state: &'s Climb) -> &'s Network {
        &state.network
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = mge::data::load("wdbc", &Default::default())?;
    let task = data.class_target()?;
    let split = Split::by_fraction(data.table.rows(), 0.7, 1)?;
    let options = PreprocessOptions::default();
    let preprocess = Preprocess::fit(&data.table, task.column(), &split.train, &options)?;
    let train = preprocess.apply(&data.table, Some(&split.train))?.columns;
    let labels = task.labels_of(&split.train);
    let evaluator = BatchEvaluator::new(&train, &labels, 1, Loss::CrossEntropy)?;

    let search = HillClimber { evaluator, features: train.count() as u32 };
    let stop = StopRules { evaluations: Some(5000), ..Default::default() }.check()?;
    let outcome = Run::new(&search, stop).run()?;
    println!("loss {:.3} after {} evaluations", outcome.state.loss, outcome.progress.evaluations);
    Ok(())
}

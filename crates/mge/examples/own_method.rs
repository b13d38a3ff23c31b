//! A search method of your own, with all that the built-in methods have.
//!
//! Random search over small networks: each step draws some networks and keeps the best. The method
//! is registered under the name `random-search`. So it has a settings table of that name, fits a
//! model, and the model file loads again.
//!
//! `cargo run --release -p mge --example own_method`

use mge::evolve::{Progress, Search};
use mge::method::{BoundSearch, MethodInfo, PreparedMethod, SearchMethod, TrainingTask, register};
use mge::net::{Activation, BatchEvaluator, Link, Network, Neuron, Output, Scratch, Source};
use mge::random::{Purpose, Stream};
use mge::{Fit, FitError, Method, Model, Settings, SettingsError, TaskSize};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The method, to be registered.
pub static RANDOM_SEARCH: RandomSearch = RandomSearch;

/// Draws networks and keeps the best.
pub struct RandomSearch;

/// The table `[random-search]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomParams {
    /// Hidden neurons of a network. Default 4.
    neurons: usize,
    /// Networks of a generation. Default 200.
    draws: u64,
}

impl Default for RandomParams {
    fn default() -> Self {
        Self { neurons: 4, draws: 200 }
    }
}

impl SearchMethod for RandomSearch {
    type Params = RandomParams;
    type Config = RandomParams;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "random-search",
            summary: "random weights of a small network",
            algorithm_version: 1,
            table: "random-search",
            reads: &[],
            keeps_front: false,
        }
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        _: TaskSize,
    ) -> Result<RandomParams, SettingsError> {
        settings.params(self, &RandomParams::default())
    }

    fn default_generations(&self, _: &RandomParams, _: TaskSize) -> u64 {
        50
    }

    fn prepare(
        &self,
        params: &RandomParams,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        let rows = Arc::new(task.evaluator()?);
        let (features, outputs, seed) = (task.features(), task.outputs(), task.seed);
        let (params, evaluator) = (params.clone(), Arc::clone(&rows));
        let search = Draws { params, evaluator, features, outputs, seed };
        Ok(Box::new(BoundSearch::new(search, rows, |_, best: &Network| Some(best.clone()))))
    }
}

/// The search on one task.
struct Draws {
    params: RandomParams,
    evaluator: Arc<BatchEvaluator>,
    features: usize,
    outputs: usize,
    seed: u64,
}

/// What a step reads and changes. Checkpoints store it as it is.
#[derive(Serialize, Deserialize)]
struct Best {
    generation: u64,
    network: Network,
    loss: f64,
}

impl Draws {
    /// Tanh neurons that read two features each, all of them read by every output.
    fn draw(&self, stream: &mut Stream) -> Network {
        let weight = |stream: &mut Stream| (2.0 * stream.unit() - 1.0) as f32;
        let neuron = |stream: &mut Stream| {
            let mut inputs = [stream.index(self.features), stream.index(self.features)].to_vec();
            inputs.dedup();
            let link = |&input: &usize| Source::Input(input as u32);
            let sources: Vec<Source> = inputs.iter().map(link).collect();
            let links = sources.into_iter().map(|source| Link { source, weight: weight(stream) });
            let links = links.collect();
            Neuron { activation: Activation::Tanh, bias: Some(weight(stream)), links }
        };
        let neurons: Vec<Neuron> = (0..self.params.neurons).map(|_| neuron(stream)).collect();
        let output = |stream: &mut Stream| {
            let links = (0..neurons.len() as u32)
                .map(|index| Link { source: Source::Neuron(index), weight: weight(stream) });
            Output { links: links.collect(), bias: Some(weight(stream)) }
        };
        let outputs = (0..self.outputs).map(|_| output(stream)).collect();
        Network::new(self.features, neurons.clone(), outputs).expect("links point backwards only")
    }

    /// The best network of one generation. Its random numbers depend on seed and generation alone.
    fn best_of(&self, generation: u64) -> Best {
        let mut scratch = Scratch::new();
        let drawn = (0..self.params.draws).map(|index| {
            let stream = &mut Stream::at(self.seed, Purpose::Initialisation, generation, index);
            let network = self.draw(stream);
            Best { generation, loss: self.evaluator.loss(&network, &mut scratch), network }
        });
        let best = drawn.reduce(|a, b| if b.loss < a.loss { b } else { a });
        best.expect("a generation has at least one draw")
    }
}

impl Search for Draws {
    type State = Best;
    type Solution = Network;

    fn start(&self) -> Best {
        self.best_of(1)
    }

    fn step(&self, state: &mut Best) {
        let next = self.best_of(state.generation + 1);
        state.generation = next.generation;
        if next.loss < state.loss {
            *state = next;
        }
    }

    fn cost_of_start(&self) -> u64 {
        self.params.draws
    }

    fn cost_of_step(&self, _: &Best) -> u64 {
        self.params.draws
    }

    fn progress(&self, state: &Best) -> Progress {
        Progress {
            generation: state.generation,
            evaluations: state.generation * self.params.draws,
            best_loss: state.loss,
            invalid_individuals: 0,
            invalid_parts: 0,
        }
    }

    fn best<'s>(&self, state: &'s Best) -> &'s Network {
        &state.network
    }
}

#[allow(dead_code, reason = "a test includes this file for the method alone")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let method: Method = register(&RANDOM_SEARCH)?;
    let data = mge::data::load("wdbc", &Default::default())?;
    let settings = Settings::of_entries(&["random-search.neurons=6"])?;
    let fitted = Fit::with(settings).method(method).seed(7).run(&data)?;

    let file = std::env::temp_dir().join(format!("mge-own-method-{}.json", std::process::id()));
    fitted.model.save(&file)?;
    let model = Model::load(&file)?;
    std::fs::remove_file(&file)?;
    let accuracy = model.metrics.test.accuracy;
    println!("{}: {accuracy:.3} of the test rows are right", model.settings.method);
    Ok(())
}

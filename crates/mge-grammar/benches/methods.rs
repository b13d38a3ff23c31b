//! The grammar methods in the shared loop, each with the population its paper reports: speed, where
//! the time goes, and how good the networks are.
//!
//! `cargo bench -p mge-grammar --bench methods -- [DATA [SEEDS [METHOD]]]`, usually wdbc, 1, all.
//! Times are CPU time of one thread.

use std::cell::Cell;
use std::error::Error;
use std::hint::black_box;

use mge_data::{Preprocess, PreprocessOptions, Split};
use mge_evolve::{
    Evaluate, Evaluation, Generational, GenerationalParams, Representation, Run, Search, StopRules,
};
use mge_grammar::network_mapper::{NetworkMapper, Workspace};
use mge_grammar::{Shape, Template, dsge, ge, sge, shipped};
use mge_net::{BatchEvaluator, Loss, Network, OutputLink, Scratch, Size, Targets};
use mge_random::{Purpose, Stream};

/// Rows to train on and to test with.
struct Task {
    shape: Shape,
    classes: usize,
    train: BatchEvaluator,
    test: BatchEvaluator,
}

impl Task {
    fn new(name: &str, seed: u64) -> Result<Self, Box<dyn Error>> {
        let data = mge_data::load(name, &Default::default())?;
        let task = data.class_target()?;
        let classes = task.classes().len();
        let split = Split::by_fraction(data.table.rows(), 0.7, seed)?;
        let options = PreprocessOptions::default();
        let preprocess = Preprocess::fit(&data.table, task.column(), &split.train, &options)?;
        let mut features = 0;
        let mut part = |rows: &[u32]| -> Result<BatchEvaluator, Box<dyn Error>> {
            let columns = preprocess.apply(&data.table, Some(rows))?.columns;
            features = columns.count();
            let labels = task.labels_of(rows);
            Ok(BatchEvaluator::new(
                &columns,
                Targets::classes(&labels, classes),
                Loss::CrossEntropy,
            )?)
        };
        let (train, test) = (part(&split.train)?, part(&split.test)?);
        let shape = Shape { features, outputs: OutputLink::for_classes(classes).outputs() };
        Ok(Self { shape, classes, train, test })
    }
}

/// Maps and evaluates one genotype after the other.
struct Plain<'t, M> {
    map: M,
    train: &'t BatchEvaluator,
}

impl<G, M: Fn(&G) -> Option<Network> + Sync> Evaluate<G> for Plain<'_, M> {
    fn evaluate(&self, genomes: &[G]) -> Vec<Evaluation> {
        let mut scratch = Scratch::new();
        let evaluate = |genome| match (self.map)(genome) {
            Some(network) => Evaluation::valid(self.train.loss(&network, &mut scratch)),
            None => Evaluation::invalid(),
        };
        genomes.iter().map(evaluate).collect()
    }
}

/// CPU seconds of this process.
fn cpu() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Mean microseconds of a call.
fn each<T>(items: &[T], mut call: impl FnMut(&T)) -> f64 {
    const ROUNDS: usize = 50;
    let begin = cpu();
    for _ in 0..ROUNDS {
        items.iter().for_each(&mut call);
    }
    (cpu() - begin) * 1e6 / (ROUNDS * items.len()) as f64
}

struct Budget {
    evolution: GenerationalParams,
    generations: u64,
}

thread_local!(static SPACE: Cell<Workspace> = Cell::default());

/// One run. Returns the accuracy on the test rows and the hidden neurons.
fn run<R: Representation>(
    (task, seed, verbose): (&Task, u64, bool),
    budget: &Budget,
    representation: R,
    mapper: &impl NetworkMapper<Genotype = R::Genome>,
) -> Result<(f64, f64), Box<dyn Error>> {
    mapper.check(&representation)?;
    let map = |genome: &R::Genome| {
        let mut space = SPACE.take();
        let network = mapper.map(genome, &mut space).network;
        SPACE.set(space);
        network
    };
    let evaluator = Plain { map: &map, train: &task.train };
    let params = budget.evolution.clone().check()?;
    let search = Generational::new(representation, evaluator, params, seed);
    let stop = StopRules { generations: Some(budget.generations), ..Default::default() };
    let begin = cpu();
    let outcome = Run::new(&search, stop.check()?).run()?;
    let rate = outcome.progress.evaluations as f64 / (cpu() - begin);
    if verbose {
        let genomes: Vec<_> = outcome.state.members().iter().map(|m| m.genome.clone()).collect();
        let networks: Vec<_> = genomes.iter().filter_map(&map).collect();
        let neurons: usize = networks.iter().map(|network| network.neurons().len()).sum();
        let links: usize = networks.iter().map(|network| Size::of(network).connections).sum();
        let mean = |sum: usize| sum as f64 / networks.len() as f64;
        let mut scratch = Scratch::new();
        let mut pair = 0;
        let vary = each(&genomes, |genome| {
            pair += 1;
            let mut stream = Stream::at(0, Purpose::Mutation, 0, pair);
            let (mut one, mut other) =
                (genome.clone(), genomes[pair as usize % genomes.len()].clone());
            search.representation().crossover(&mut one, &mut other, &mut stream);
            search.representation().mutate(&mut one, &mut stream);
            search.representation().mutate(&mut other, &mut stream);
            black_box((one, other));
        });
        println!(
            "  {rate:8.0} evaluations/s; map {:.2} us, vary {:.2} us, compute {:.2} us; the last \
             population has {:.1} neurons, {:.1} connections",
            each(&genomes, |genome| drop(black_box(map(genome)))),
            vary / 2.0,
            each(&networks, |network| {
                black_box(task.train.loss(network, &mut scratch));
            }),
            mean(neurons),
            mean(links),
        );
    }
    let best = map(search.best(&outcome.state)).ok_or("no valid individual")?;
    Ok((task.test.accuracy(&best, &mut Scratch::new()), best.neurons().len() as f64))
}

fn one(method: &str, task: &Task, seed: u64, verbose: bool) -> Result<(f64, f64), Box<dyn Error>> {
    let bind = |shipped: shipped::Shipped| -> Result<_, Box<dyn Error>> {
        Ok(Template::parse(shipped.name, shipped.text)?.bind(task.shape)?)
    };
    let on = (task, seed, verbose);
    match method {
        "ge" => {
            let grammar = bind(shipped::GE)?;
            let params = ge::GeParams::for_classes(task.classes).check(&grammar)?;
            let mapper = ge::Mapper::new(grammar, &params)?;
            let budget = Budget { evolution: ge::GeParams::LOOP, generations: 100 };
            run(on, &budget, ge::Variation::new(params), &mapper)
        }
        "sge" => {
            let params = sge::SgeParams::default().check()?;
            let mapper = sge::Mapper::new(bind(shipped::SGE)?, &params)?;
            let budget = Budget { evolution: sge::SgeParams::LOOP, generations: 500 };
            run(on, &budget, sge::Variation::new(&mapper, params), &mapper)
        }
        "dsge" => {
            let params = dsge::DsgeParams::default().check()?;
            let mapper = dsge::Mapper::new(bind(shipped::DSGE)?, &params)?;
            let budget = Budget { evolution: dsge::DsgeParams::LOOP, generations: 2500 };
            run(on, &budget, dsge::Variation::new(&mapper, params), &mapper)
        }
        _ => Err("expected ge, sge or dsge".into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let data = arguments.first().map_or("wdbc", String::as_str);
    let seeds: u64 = arguments.get(1).map_or(Ok(1), |seeds| seeds.parse())?;
    let only = arguments.get(2).map(String::as_str);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for method in ["ge", "sge", "dsge"].into_iter().filter(|m| only.is_none_or(|only| only == *m)) {
        let (mut accuracies, mut neurons) = (Vec::new(), 0.0);
        println!("{method} on {data}");
        for seed in 1..=seeds {
            let task = Task::new(data, seed)?;
            let result =
                pool.install(|| one(method, &task, seed, seed == 1).map_err(|e| e.to_string()));
            let (accuracy, size) = result?;
            accuracies.push(accuracy);
            neurons += size;
        }
        let count = accuracies.len() as f64;
        let mean = accuracies.iter().sum::<f64>() / count;
        let squares = accuracies.iter().map(|a| (a - mean) * (a - mean)).sum::<f64>();
        println!(
            "  test accuracy {mean:.3} (deviation {:.3}) with {:.1} neurons, {seeds} seeds",
            (squares / count).sqrt(),
            neurons / count
        );
    }
    Ok(())
}

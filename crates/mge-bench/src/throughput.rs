//! The batch evaluator alone: against a roofline, and how its cost grows.

use super::clock::best_cpu_seconds;
use super::{BenchPlan, BenchRow, Measurements};
use mge::FitError;
use mge_net::roofline::{Loops, Roofline};
use mge_net::{
    Activation, BatchEvaluator, Columns, EvaluationError, Link, Loss, Network, Neuron, Output,
    OutputLink, Scratch, Size, Source, Targets,
};
use mge_random::{Purpose, Stream};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Rows with random values, for networks that read some of their features.
pub(super) struct Synthetic {
    pub(super) classes: usize,
    pub(super) columns: Columns,
    pub(super) labels: Vec<u32>,
}

impl Synthetic {
    pub(super) fn new(rows: usize, features: usize, classes: usize) -> Self {
        let mut random = Stream::at(1, Purpose::Initialisation, 0, 0);
        let columns = Columns::from_fn(rows, features, |_, values| {
            values.fill_with(|| (random.unit() * 4.0 - 2.0) as f32);
        });
        let labels = (0..rows).map(|_| random.index(classes) as u32).collect();
        Self { classes, columns, labels }
    }

    fn evaluator(&self) -> Result<BatchEvaluator, EvaluationError> {
        let link = OutputLink::for_outputs(self.classes);
        let targets = Targets::Classes { labels: &self.labels, link };
        BatchEvaluator::new(&self.columns, targets, Loss::CrossEntropy)
    }
}

/// One layer: each neuron reads two of the first `read` inputs and feeds one output.
fn network(inputs: usize, read: usize, neurons: usize, outputs: usize, seed: u64) -> Network {
    let mut random = Stream::at(seed, Purpose::Mutation, 0, 0);
    let weight = |random: &mut Stream| (random.unit() * 2.0 - 1.0) as f32;
    let mut ends = vec![Output::default(); outputs];
    let mut hidden = Vec::new();
    for index in 0..neurons {
        let first = random.index(read);
        let second = (first + 1 + random.index(read - 1)) % read;
        let links = [first, second]
            .map(|input| Link { source: Source::Input(input as u32), weight: weight(&mut random) });
        let bias = Some(weight(&mut random));
        hidden.push(Neuron { activation: Activation::Sigmoid, bias, links: links.to_vec() });
        let source = Source::Neuron(index as u32);
        ends[index % outputs].links.push(Link { source, weight: weight(&mut random) });
    }
    Network::new(inputs, hidden, ends).expect("valid by construction")
}

/// A bare computing loop over rows that stay in the cache: how much faster two threads of this
/// machine are, before any search.
pub(super) struct BareLoop {
    evaluator: BatchEvaluator,
    flat: Roofline,
}

impl BareLoop {
    pub(super) fn new() -> Result<Self, EvaluationError> {
        let network = network(20, 20, 64, 10, 1);
        let flat = Roofline::new(&network).expect("of the one shape by construction");
        Ok(Self { evaluator: Synthetic::new(4096, 20, 10).evaluator()?, flat })
    }

    /// Elapsed seconds for a number of passes, which the threads take one by one. Some passes before
    /// them are not counted.
    pub(super) fn wall_seconds(&self, threads: usize) -> f64 {
        const PASSES: usize = 250;
        let pass = || _ = black_box(self.flat.run(&self.evaluator, Loops::Fused));
        let (awake, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let wake_up = || {
            (0..PASSES / 10).for_each(|_| pass());
            awake.fetch_add(1, Ordering::AcqRel);
            while awake.load(Ordering::Acquire) < threads {
                std::hint::spin_loop();
            }
        };
        let take_passes = || {
            while taken.fetch_add(1, Ordering::Relaxed) < PASSES {
                pass();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| {
                    wake_up();
                    take_passes();
                });
            }
            wake_up();
            let began = Instant::now();
            take_passes();
            began
        })
        .elapsed()
        .as_secs_f64()
    }
}

/// Connection-rows per second, as a fraction of the roofline's.
pub(super) fn roofline(plan: &BenchPlan, report: &mut Measurements<'_>) -> Result<(), FitError> {
    let (rows, features) = if plan.quick { (20_000, 784) } else { (60_000, 784) };
    let data = Synthetic::new(rows, features, 10);
    let evaluator = data.evaluator()?;
    let networks: Vec<Network> = (0..8).map(|i| network(features, features, 64, 10, i)).collect();
    let flat: Vec<Roofline> = networks.iter().filter_map(Roofline::new).collect();
    let connections: usize = networks.iter().map(|n| Size::of(n).connections).sum();
    let mut scratch = Scratch::new();
    // Alternating, so that both see the same machine.
    let (mut ours, mut bound) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..if plan.quick { 8 } else { 12 } {
        ours = ours.min(best_cpu_seconds(1, || {
            networks.iter().for_each(|n| _ = black_box(evaluator.loss(n, &mut scratch)));
        }));
        for loops in Loops::ALL {
            bound = bound.min(best_cpu_seconds(1, || {
                flat.iter().for_each(|flat| _ = black_box(flat.run(&evaluator, loops)));
            }));
        }
    }
    let work =
        format!("batch evaluator, one thread, {rows} x {features}: fraction of the roofline");
    let rate = |seconds: f64| (connections * rows) as f64 / seconds / 1e6;
    report.add(BenchRow::at_least(work, "of the roofline", 0.7, bound / ours).with_note(format!(
        "{:.0} against {:.0} million connection-rows per CPU-second, {}",
        rate(ours),
        rate(bound),
        evaluator.level()
    )));
    Ok(())
}

/// One network on rows of one size, and its shortest times so far: by the evaluator, and in the
/// bare loops of the roofline.
struct AtSize {
    evaluator: BatchEvaluator,
    network: Network,
    flat: Roofline,
    scratch: Scratch,
    best: f64,
    bare: f64,
}

impl AtSize {
    fn new(rows: usize, features: usize, neurons: usize) -> Result<Self, EvaluationError> {
        let evaluator = Synthetic::new(rows, features, 10).evaluator()?;
        let network = network(features, 20, neurons, 10, 1);
        let flat = Roofline::new(&network).expect("of the one shape by construction");
        let (best, bare) = (f64::INFINITY, f64::INFINITY);
        Ok(Self { evaluator, network, flat, scratch: Scratch::new(), best, bare })
    }

    fn measure(&mut self) {
        let pass = || _ = black_box(self.evaluator.loss(&self.network, &mut self.scratch));
        self.best = self.best.min(best_cpu_seconds(PASSES, pass));
        let bare_pass = || _ = black_box(self.flat.run(&self.evaluator, Loops::Fused));
        self.bare = self.bare.min(best_cpu_seconds(PASSES, bare_pass));
    }
}

/// Passes of each size before the next one; the first of them brings the rows into the cache.
const PASSES: usize = 4;

/// How the cost grows with rows, connections and unused features.
pub(super) fn linearity(plan: &BenchPlan, report: &mut Measurements<'_>) -> Result<(), FitError> {
    let sizes = [
        (16_384, 20, 64),
        (65_536, 20, 64),
        (262_144, 20, 64),
        (16_384, 20, 256),
        (16_384, 400, 64),
    ];
    let sized = |(rows, features, neurons)| AtSize::new(rows, features, neurons);
    let mut sized = sizes.into_iter().map(sized).collect::<Result<Vec<_>, _>>()?;
    // Alternating, so that all sizes see the same machine.
    for _ in 0..if plan.quick { 20 } else { 60 } {
        sized.iter_mut().for_each(AtSize::measure);
    }
    let mut row = |what: &str, times: f64, max: f64, note: String| {
        let row = BenchRow::at_most(format!("cost of {what}"), "times the cost", max, times);
        report.add(row.with_note(note));
    };
    let times = |size: usize, base: usize| sized[size].best / sized[base].best;
    // More rows leave the caches, at a size that depends on the machine. Bare loops show how much
    // that costs.
    for (what, size, base) in [("from 16,384", 1, 0), ("from 65,536", 2, 1)] {
        let bare = sized[size].bare / sized[base].bare;
        let note = format!(
            "bare loops over the same rows: {bare:.3} times; the target is a tenth more, or 4.4"
        );
        row(&format!("4 x the rows, {what}"), times(size, base), (1.1 * bare).max(4.4), note);
    }
    let reads = |features| format!("the network reads 20 features of {features}");
    row("4 x the neurons and connections", times(3, 0), 4.4, reads(20));
    row("20 x the features, all unused", times(4, 0), 1.25, reads(400));
    Ok(())
}

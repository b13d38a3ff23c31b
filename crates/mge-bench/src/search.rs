//! Whole searches with the paper's settings.

use crate::clock::{CpuInstant, peak_memory, wall_seconds};
use crate::speedup::Speedup;
use crate::throughput::{BareLoop, Synthetic};
use crate::{BenchPlan, BenchRow, Measurements};
use mge::fitness::{Fitness, Objective};
use mge::{ClassWeight, FitError};
use mge_data::catalogue::Protocol;
use mge_data::{
    CatalogueError, DataError, LoadOptions, Loaded, Preprocess, PreprocessOptions, Split, load,
};
use mge_evolve::{
    Evaluate, Evaluation, Event, Generational, GenerationalParams, Population, Run, Search,
    StopRules,
};
use mge_grammar::mge::{Genotype, Mapper, MgeParams, Variant, Variation};
use mge_grammar::{Shape, Template, shipped};
use mge_net::{Columns, Loss, Targets};
use mge_threads::Threads;
use std::sync::Mutex;

/// Rows to search on.
enum Rows {
    Real { columns: Columns, labels: Vec<u32>, classes: usize },
    Synthetic(Synthetic),
}

impl Rows {
    /// The training rows of a built-in data set.
    fn load(name: &str, plan: &BenchPlan) -> Result<Self, FitError> {
        let options = LoadOptions { data_dir: plan.data_dir.clone(), ..Default::default() };
        let data = load(name, &options)?;
        let target = data.class_target()?;
        let rows = match data.standard_test {
            Some(_) => Split::all_train(data.table.rows()),
            None => Split::by_fraction(data.table.rows(), train_fraction(&data), SEED)?,
        };
        let options = PreprocessOptions::default();
        let preprocess = Preprocess::fit(&data.table, target.column(), &rows.train, &options)?;
        let columns = preprocess.apply(&data.table, Some(&rows.train))?.columns;
        let labels = target.labels_of(&rows.train);
        Ok(Rows::Real { columns, labels, classes: target.classes().len() })
    }

    fn get(&self) -> (&Columns, &[u32], usize) {
        match self {
            Rows::Real { columns, labels, classes } => (columns, labels, *classes),
            Rows::Synthetic(data) => (&data.columns, &data.labels, data.classes),
        }
    }
}

/// The fraction of training rows of a built-in data set.
fn train_fraction(data: &Loaded) -> f64 {
    match data.entry.map(|entry| entry.protocol) {
        Some(Protocol::Fraction(fraction)) => fraction,
        _ => 1.0,
    }
}

const SEED: u64 = 1;

/// What incremental evaluation may keep by default.
const INCREMENTAL: Option<usize> = Some(512 << 20);

fn start_threads(threads: usize) -> Result<Threads, FitError> {
    Threads::new(Some(threads)).map_err(|source| FitError::Threads { threads, source })
}

/// What a search cost.
struct Cost {
    evaluations: f64,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// The processor time of evaluations.
    evaluation_seconds: f64,
    best_loss: f64,
}

/// Adds up the processor time of evaluations.
struct Timed {
    fitness: Fitness<Mapper>,
    seconds: Mutex<f64>,
}

impl Evaluate<Genotype> for Timed {
    fn evaluate(&self, genotypes: &[Genotype]) -> Vec<Evaluation> {
        let began = CpuInstant::now();
        let evaluations = self.fitness.evaluate(genotypes);
        if let Ok(mut seconds) = self.seconds.lock() {
            *seconds += began.seconds_since();
        }
        evaluations
    }
}

/// The search that is measured.
type TimedSearch = Generational<Variation, Timed>;

fn search(
    rows: &Rows,
    generations: u64,
    threads: usize,
    memory: Option<usize>,
) -> Result<Cost, FitError> {
    observed_search(rows, generations, threads, memory, |_| {})
}

/// The same; `observer` is told of each generation.
fn observed_search(
    rows: &Rows,
    generations: u64,
    threads: usize,
    memory: Option<usize>,
    mut observer: impl FnMut(u64) + Send,
) -> Result<Cost, FitError> {
    let generational = default_search(rows, memory)?;
    let stop = StopRules { generations: Some(generations), ..Default::default() }.check()?;
    let mut pool = start_threads(threads)?;
    let began = CpuInstant::now();
    let run = Run::new(&generational, stop).observer(move |event: &Event<'_, Genotype>| {
        if let Event::Generation { progress, .. } = event {
            observer(progress.generation);
        }
    });
    let (outcome, wall_seconds) = wall_seconds(|| pool.run(|| run.run()));
    let cpu_seconds = began.seconds_since();
    let progress = outcome?.progress;
    let evaluation_seconds = generational.evaluator().seconds.lock().map_or(0.0, |s| *s);
    Ok(Cost {
        evaluations: progress.evaluations as f64,
        cpu_seconds,
        wall_seconds,
        evaluation_seconds,
        best_loss: progress.best_loss,
    })
}

/// The MGE variant with the paper's settings. `memory` is what incremental evaluation may keep.
fn default_search(rows: &Rows, memory: Option<usize>) -> Result<TimedSearch, FitError> {
    let (columns, labels, classes) = rows.get();
    let targets = Targets::classes(labels, classes);
    let shape = Shape { features: columns.count(), outputs: targets.outputs() };
    let grammar = Template::parse(shipped::MGE.name, shipped::MGE.text)?
        .bind(shape)
        .map_err(FitError::method)?;
    let params = MgeParams::for_classes(classes).check(&grammar, Variant::Mge);
    let params = params.map_err(FitError::method)?;
    let mapper =
        Mapper::new(grammar, Variant::Mge, params.raw().wraps).map_err(FitError::method)?;
    let objective = Objective { loss: Loss::CrossEntropy, weight: ClassWeight::None };
    let fitness = Fitness::new(mapper, columns, targets, objective, memory)?;
    let timed = Timed { fitness, seconds: Mutex::new(0.0) };
    let variation = Variation::new(params);
    Ok(Generational::new(variation, timed, GenerationalParams::default().check()?, SEED))
}

/// The whole loop on WDBC, and the fraction of it that is not evaluation.
pub(super) fn wdbc(plan: &BenchPlan, report: &mut Measurements<'_>) -> Result<(), FitError> {
    let rows = Rows::load("wdbc", plan)?;
    let mut best: Option<Cost> = None;
    for _ in 0..if plan.quick { 5 } else { 10 } {
        let taken = search(&rows, 500, 1, INCREMENTAL)?;
        if best.as_ref().is_none_or(|best| taken.cpu_seconds < best.cpu_seconds) {
            best = Some(taken);
        }
    }
    let full = search(&rows, 500, 1, None)?;
    let Some(taken) = best else { return Ok(()) };
    let rate = |cost: &Cost| cost.evaluations / cost.cpu_seconds;
    let row = BenchRow::at_least(
        "WDBC, 100,000 evaluations, one thread, whole loop",
        "evaluations per CPU-second",
        300_000.0,
        rate(&taken),
    );
    let note = format!("without incremental evaluation {:.0}", rate(&full));
    report.add(row.with_note(note).with_losses(taken.best_loss, full.best_loss));
    let fraction = 1.0 - taken.evaluation_seconds / taken.cpu_seconds;
    report.add(
        BenchRow::at_most("WDBC, everything but evaluation", "of the CPU time", 0.25, fraction)
            .with_note("evaluation is mapping, planning and computing; the rest is the loop"),
    );
    Ok(())
}

/// Two threads against one on Letter.
pub(super) fn letter(plan: &BenchPlan, report: &mut Measurements<'_>) -> Result<(), FitError> {
    let rows = Rows::load("letter", plan)?;
    let pairs = if plan.quick { 50 } else { 150 };
    let row = two_threads("Letter", &rows, Pairs { pairs, generations: 5 }, report)?;
    report.add(row);
    Ok(())
}

/// How much of a search is measured on one thread and on two.
#[derive(Clone, Copy)]
struct Pairs {
    pairs: u64,
    /// Measured generations of each pair.
    generations: u64,
}

/// A search that advances by a few generations at a time.
struct SteppedSearch {
    search: TimedSearch,
    state: Population<Genotype>,
    threads: Threads,
}

impl SteppedSearch {
    fn start(rows: &Rows, threads: usize) -> Result<Self, FitError> {
        let search = default_search(rows, INCREMENTAL)?;
        let mut threads = start_threads(threads)?;
        let state = threads.run(|| search.start());
        Ok(Self { search, state, threads })
    }

    fn best_loss(&self) -> f64 {
        self.state.best().loss
    }

    /// Elapsed seconds of so many generations. One before them is not counted: it wakes the threads
    /// and brings their work back into the caches.
    fn advance(&mut self, generations: u64) -> f64 {
        let Self { search, state, threads } = self;
        threads.run(|| {
            search.step(state);
            wall_seconds(|| (0..generations).for_each(|_| search.step(state))).1
        })
    }
}

/// The same search on one thread and on two, alternating, a few generations at a time. A bare loop
/// is measured beside them: processors that share their clock or their caches slow it down too.
fn two_threads(
    name: &str,
    rows: &Rows,
    amount: Pairs,
    report: &mut Measurements<'_>,
) -> Result<BenchRow, FitError> {
    let Pairs { pairs, generations } = amount;
    let bare_loop = BareLoop::new()?;
    let (mut searches, mut bare) = (Speedup::default(), Speedup::default());
    let (mut one, mut two) = (SteppedSearch::start(rows, 1)?, SteppedSearch::start(rows, 2)?);
    for pair in 1..=pairs {
        searches.measure(|| one.advance(generations), || two.advance(generations));
        bare.measure(|| bare_loop.wall_seconds(1), || bare_loop.wall_seconds(2));
        report.generation(pair * generations, pairs * generations);
    }
    let work = format!("{name}, two threads against one, {} generations", pairs * generations);
    let losses = (one.best_loss(), two.best_loss());
    let (one, two) = searches.seconds();
    let (times, of_bare) = (searches.median(), bare.median());
    let mut note = format!(
        "{}, {one:.2} s and {two:.2} s in all; {:.2} of the {of_bare:.3} times of a bare loop \
         without a search",
        searches.pairs(),
        times / of_bare
    );
    let mut row = BenchRow::at_least(work, "times as fast", MIN_SPEEDUP, times);
    if row.reached == Some(false) && times >= of_bare * (MIN_SPEEDUP / 2.0) {
        note += "; not judged: two whole processors were not available";
        row = row.without_result();
    }
    Ok(row.with_note(note).with_losses(losses.0, losses.1))
}

/// How much faster two threads must be. If a bare loop is not twice as fast on two either, and the
/// search keeps up with that loop, the machine is the limit and the row is not judged.
const MIN_SPEEDUP: f64 = 1.85;

/// MNIST on two threads: the rate over the run, its memory, and two threads against one.
pub(super) fn mnist(plan: &BenchPlan, report: &mut Measurements<'_>) -> Result<(), FitError> {
    const WHOLE: u64 = 3000;
    let (rows, kind) = match Rows::load("mnist", plan) {
        Ok(rows) => (rows, "MNIST"),
        // Files that cannot be read are an error, and so is a named folder without files.
        Err(FitError::Data(DataError::Catalogue(CatalogueError::DatasetFileMissing {
            ..
        }))) if plan.data_dir.is_none() => {
            (Rows::Synthetic(Synthetic::new(60_000, 784, 10)), "MNIST-shaped random rows")
        }
        Err(error) => return Err(error),
    };
    let generations = if plan.quick { 60 } else { WHOLE };
    let observer = |done| report.generation(done, generations);
    let taken = observed_search(&rows, generations, 2, INCREMENTAL, observer)?;
    let work = format!("{kind}, two threads, {generations} generations");
    let rate = taken.evaluations / taken.wall_seconds;
    let mut note = format!(
        "{:.1} s elapsed, {:.1} s of CPU, loss {:.4}",
        taken.wall_seconds, taken.cpu_seconds, taken.best_loss
    );
    let is_part = generations < WHOLE || matches!(rows, Rows::Synthetic(_));
    let mut row = BenchRow::at_least(work, "evaluations per second", 2500.0, rate);
    if is_part {
        note += "; the target is for 3,000 generations of MNIST";
        if matches!(rows, Rows::Synthetic(_)) {
            note += ", whose files are not there (see `mge data list`)";
        }
        row = row.without_result();
    }
    report.add(row.with_note(note));
    if let Some(bytes) = peak_memory() {
        let work = format!("{kind}, peak memory of this process so far");
        let mebibytes = bytes as f64 / f64::from(1 << 20);
        let row = BenchRow::at_most(work, "MiB", 2048.0, mebibytes);
        let note = "two searches at once, in the next row, take more";
        report.add(if is_part { row.without_result() } else { row }.with_note(note));
    }
    let pairs = if plan.quick { 25 } else { 100 };
    let row = two_threads(kind, &rows, Pairs { pairs, generations: 2 }, report)?;
    report.add(row);
    Ok(())
}

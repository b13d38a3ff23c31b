//! The loop: budgets hold, the number of threads changes nothing, a resumed run ends in the same
//! state, observers change nothing.

#![allow(clippy::unwrap_used)]

use mge_evolve::*;
use mge_random::Stream;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bit strings; the loss is the number of zeros.
struct Bits;

impl Representation for Bits {
    type Genome = Vec<bool>;

    fn random(&self, stream: &mut Stream) -> Vec<bool> {
        (0..64).map(|_| stream.chance(0.5)).collect()
    }

    fn crossover(&self, one: &mut Vec<bool>, other: &mut Vec<bool>, stream: &mut Stream) {
        let point = stream.index(one.len());
        one[..point].swap_with_slice(&mut other[..point]);
    }

    fn mutate(&self, genome: &mut Vec<bool>, stream: &mut Stream) {
        let index = stream.index(genome.len());
        genome[index] ^= true;
    }
}

struct CountZeros;

impl Evaluate<Vec<bool>> for CountZeros {
    fn evaluate(&self, genomes: &[Vec<bool>]) -> Vec<Evaluation> {
        genomes
            .par_iter()
            .map(|bits| Evaluation::valid(bits.iter().filter(|&&bit| !bit).count() as f64))
            .collect()
    }
}

fn search(seed: u64) -> Generational<Bits, CountZeros> {
    let params = GenerationalParams { population: 31, ..Default::default() };
    Generational::new(Bits, CountZeros, params.check().unwrap(), seed)
}

fn generations(n: u64) -> CheckedStopRules {
    StopRules { generations: Some(n), ..Default::default() }.check().unwrap()
}

fn run(n: u64) -> Population<Vec<bool>> {
    Run::new(&search(5), generations(n)).run().unwrap().state
}

/// Before its evaluation, each string gets one bit set, which its stream draws.
struct SetOneBit;

impl Evaluate<Vec<bool>> for SetOneBit {
    fn evaluate(&self, genomes: &[Vec<bool>]) -> Vec<Evaluation> {
        CountZeros.evaluate(genomes)
    }

    fn improve(&self, genomes: &mut [Vec<bool>], streams: &(dyn Fn(usize) -> Stream + Sync)) {
        let set = |(index, bits): (usize, &mut Vec<bool>)| {
            let bit = streams(index).index(bits.len());
            bits[bit] = true;
        };
        genomes.par_iter_mut().enumerate().for_each(set);
    }
}

#[test]
fn improved_genomes_are_evaluated_and_inherited() {
    let improving = |seed| {
        let params = GenerationalParams { population: 31, ..Default::default() };
        Generational::new(Bits, SetOneBit, params.check().unwrap(), seed)
    };
    let run = |n| Run::new(&improving(5), generations(n)).run().unwrap().state;
    let total = |state: &Population<Vec<bool>>| -> f64 {
        let zeros = |genome: &Vec<bool>| CountZeros.evaluate(std::slice::from_ref(genome))[0].loss;
        let members = state.members().iter();
        members
            .inspect(|member| assert_eq!(member.loss, zeros(&member.genome)))
            .map(|m| m.loss)
            .sum()
    };
    // About half of the bits that are drawn were zero.
    let gain = total(&self::run(1)) - total(&run(1));
    assert!((5.0..=26.0).contains(&gain), "{gain}");
    assert!(total(&run(10)) < total(&self::run(10)) - 31.0);
    let with_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| run(30))
    };
    assert_eq!(with_threads(1), with_threads(7));
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let with_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| run(30))
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(7));
}

#[test]
fn a_resumed_run_ends_in_the_same_state() {
    let whole = run(40);
    for cut in [1, 2, 17, 39] {
        let folder = tempfile::tempdir().unwrap();
        let saved = || Checkpoints::new(folder.path().join("c"), Duration::ZERO, "bits");
        Run::new(&search(5), generations(cut)).with_checkpoints(saved()).run().unwrap();
        let outcome =
            Run::new(&search(5), generations(40)).with_checkpoints(saved()).run().unwrap();
        assert_eq!(outcome.state, whole, "cut at {cut}");
    }
}

/// Patience depends on all earlier generations, also on those before a resume.
#[test]
fn patience_ends_a_resumed_run_at_the_same_generation() {
    let patient = |patience, generations| {
        let patience = Some(patience);
        StopRules { patience, generations, ..Default::default() }.check().unwrap()
    };
    // Without elitism the best is lost and found again.
    let params = GenerationalParams { population: 31, elite: 0.0, ..Default::default() };
    let search = Generational::new(Bits, CountZeros, params.check().unwrap(), 5);
    for patience in [1, 5] {
        let whole = Run::new(&search, patient(patience, None)).run().unwrap();
        assert_eq!(whole.reason, StopReason::Patience);
        let losses: Vec<f64> = whole.state.history().iter().map(|r| r.best_loss).collect();
        let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
        let first = losses.iter().position(|&loss| loss == best).unwrap();
        assert_eq!(losses.len() - 1 - first, patience as usize, "{losses:?}");

        for cut in 1..losses.len() as u64 {
            let folder = tempfile::tempdir().unwrap();
            // The last state is always saved; more saves only cost time.
            let saved = || Checkpoints::new(folder.path().join("c"), Duration::MAX, "bits");
            let part = Run::new(&search, patient(patience, Some(cut))).with_checkpoints(saved());
            assert_eq!(part.run().unwrap().reason, StopReason::Generations);
            let rest = Run::new(&search, patient(patience, None)).with_checkpoints(saved());
            let rest = rest.run().unwrap();
            assert_eq!(rest.reason, StopReason::Patience);
            assert_eq!(rest.state, whole.state, "cut at {cut}");
        }
    }
}

#[test]
fn budgets_are_never_exceeded() {
    for budget in [31, 32, 61, 62, 100, 1000] {
        let rules = StopRules { evaluations: Some(budget), ..Default::default() };
        let outcome = Run::new(&search(1), rules.check().unwrap()).run().unwrap();
        assert!(outcome.progress.evaluations <= budget);
        assert!(outcome.progress.evaluations + 31 > budget);
        assert_eq!(outcome.reason, StopReason::Evaluations);
    }
    let rules = StopRules { evaluations: Some(30), ..Default::default() };
    let error = Run::new(&search(1), rules.check().unwrap()).run().unwrap_err();
    assert!(matches!(error, RunError::BudgetTooSmall { budget: 30, population: 31 }));
}

#[test]
fn every_stop_rule_ends_a_run_with_its_reason() {
    let reason =
        |rules: StopRules| Run::new(&search(1), rules.check().unwrap()).run().unwrap().reason;
    let forever = || StopRules { generations: Some(1_000_000), ..Default::default() };
    assert_eq!(reason(StopRules { target_loss: Some(2.0), ..forever() }), StopReason::TargetLoss);
    assert_eq!(reason(StopRules { seconds: Some(0.05), ..forever() }), StopReason::Time);
    assert_eq!(reason(StopRules { generations: Some(3), ..forever() }), StopReason::Generations);

    let flag = Arc::new(AtomicBool::new(false));
    let search = search(1);
    let outcome = Run::new(&search, forever().check().unwrap())
        .cancel_flag(flag.clone())
        .observer(|event: &Event<'_, Vec<bool>>| {
            if let Event::Generation { progress, .. } = event
                && progress.generation == 9
            {
                flag.store(true, Ordering::Relaxed);
            }
        })
        .run()
        .unwrap();
    assert_eq!((outcome.reason, outcome.progress.generation), (StopReason::Interrupted, 9));
}

#[test]
fn invalid_settings_are_refused() {
    for rules in [
        StopRules { generations: Some(0), ..Default::default() },
        StopRules { evaluations: Some(0), ..Default::default() },
        StopRules { patience: Some(0), ..Default::default() },
        StopRules { seconds: Some(0.0), ..Default::default() },
        StopRules { seconds: Some(f64::NAN), ..Default::default() },
        StopRules { seconds: Some(f64::INFINITY), ..Default::default() },
        StopRules { target_loss: Some(f64::NAN), ..Default::default() },
    ] {
        assert!(rules.clone().check().is_err(), "{rules:?}");
    }
    for params in [
        GenerationalParams { population: 0, ..Default::default() },
        GenerationalParams { population: 1, ..Default::default() },
        GenerationalParams { tournament: 0, ..Default::default() },
        GenerationalParams { crossover_rate: 1.5, ..Default::default() },
        GenerationalParams { elite: f64::NAN, ..Default::default() },
    ] {
        assert!(params.clone().check().is_err(), "{params:?}");
    }
}

#[test]
fn an_unwritable_checkpoint_is_an_error_before_the_first_step() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path().join("no/c"), Duration::ZERO, "bits");
    let result = Run::new(&search(5), generations(5)).with_checkpoints(checkpoints).run();
    assert!(matches!(result, Err(RunError::Checkpoint(CheckpointError::Write { .. }))));
}

#[test]
fn events_come_in_order_and_observers_change_nothing() {
    let mut events = Vec::new();
    let search = search(5);
    let observed = Run::new(&search, generations(20))
        .observer(|event: &Event<'_, Vec<bool>>| {
            events.push(match event {
                Event::Diversity { .. } => "diversity",
                Event::Starting { .. } => "starting",
                Event::Started { .. } => "started",
                Event::Improved { .. } => "improved",
                Event::Generation { .. } => "generation",
                Event::Finished { .. } => "finished",
                _ => "other",
            })
        })
        .run()
        .unwrap();
    assert_eq!(observed.state, run(20));
    assert_eq!(events[..4], ["starting", "started", "diversity", "improved"]);
    assert_eq!(events.iter().filter(|&&name| name == "diversity").count(), 20);
    assert_eq!(events.last(), Some(&"finished"));
    assert_eq!(events.iter().filter(|&&name| name == "generation").count(), 19);
    let best: Vec<f64> = observed.state.history().iter().map(|r| r.best_loss).collect();
    assert!(best.is_sorted_by(|a, b| a >= b), "elitism never loses the best: {best:?}");
}

#[test]
fn an_invalid_state_in_a_checkpoint_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let saved = || Checkpoints::new(folder.path().join("c"), Duration::ZERO, "bits");
    Run::new(&search(5), generations(3)).with_checkpoints(saved()).run().unwrap();
    let params = GenerationalParams { population: 30, ..Default::default() };
    let smaller = Generational::new(Bits, CountZeros, params.check().unwrap(), 5);
    let error = Run::new(&smaller, generations(5)).with_checkpoints(saved()).run().unwrap_err();
    assert!(error.to_string().contains("its state is impossible"), "{error}");
}

/// A search whose generations never end by themselves.
struct Endless;

impl Search for Endless {
    type State = ();
    type Solution = ();

    fn start(&self) {}

    fn cost_of_start(&self) -> u64 {
        1
    }

    fn step(&self, _: &mut ()) {
        unreachable!("the loop calls `try_step`")
    }

    fn try_step(&self, _: &mut (), should_stop: ShouldStop<'_>) -> bool {
        while !should_stop() {
            std::thread::yield_now();
        }
        false
    }

    fn cost_of_step(&self, _: &()) -> u64 {
        1
    }

    fn progress(&self, _: &()) -> Progress {
        Progress {
            generation: 1,
            evaluations: 1,
            best_loss: 1.0,
            invalid_individuals: 0,
            invalid_parts: 0,
        }
    }

    fn best<'s>(&self, state: &'s ()) -> &'s () {
        state
    }
}

#[test]
fn a_time_limit_or_an_interrupt_can_end_a_generation_early() {
    let rules = StopRules { seconds: Some(0.05), ..Default::default() }.check().unwrap();
    let outcome = Run::new(&Endless, rules).run().unwrap();
    assert_eq!(outcome.reason, StopReason::Time);

    let flag = Arc::new(AtomicBool::new(false));
    let run = Run::new(&Endless, generations(5)).cancel_flag(Arc::clone(&flag));
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| run.run());
        std::thread::sleep(Duration::from_millis(50));
        flag.store(true, Ordering::Relaxed);
        running.join().unwrap()
    });
    assert_eq!(outcome.unwrap().reason, StopReason::Interrupted);
}

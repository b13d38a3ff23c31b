//! Equal bytes for any number of threads, after a resume, and after a generation that was given up.

use crate::tables::{BOTH, Size, rings_for, run, search, some_generations};
use mge_evolve::{Checkpoints, Run, Search, StopRules};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    for size in BOTH {
        let table = rings_for(size, 3);
        let search = search(&table, 3, size);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let front = run(&search, some_generations(size));
                let members = search.final_front(&front);
                (front, members)
            })
        };
        let one = with(1);
        assert_eq!(one, with(2));
        assert_eq!(one, with(3));
    }
}

#[test]
fn a_killed_run_ends_as_one_that_never_stopped() {
    for size in BOTH {
        let table = rings_for(size, 2);
        let search = search(&table, 2, size);
        let last = some_generations(size);
        let whole = run(&search, last);
        let folder = tempfile::tempdir().unwrap();
        let part = |generations: u64| {
            let stop = StopRules { generations: Some(generations), ..Default::default() };
            let file = folder.path().join("checkpoint");
            let checkpoints = Checkpoints::new(file, Duration::ZERO, "test");
            let run = Run::new(&search, stop.check().unwrap()).with_checkpoints(checkpoints);
            run.run().unwrap().state
        };
        part(last - 2);
        let resumed = part(last);
        assert_eq!(resumed, whole);
        assert_eq!(search.progress(&resumed).generation, last);
    }
}

#[test]
fn a_generation_that_is_given_up_leaves_no_trace() {
    // A configuration and offspring of a large table, a configuration of a small one.
    for (size, generations) in [(Size::Large, 2), (Size::Large, 6), (Size::Small, 2)] {
        let table = rings_for(size, 3);
        let search = search(&table, 3, size);
        let mut front = run(&search, generations);
        let before = front.clone();
        let asked = AtomicUsize::new(0);
        let should_stop = || asked.fetch_add(1, Ordering::Relaxed) >= 2;
        assert!(!search.try_step(&mut front, &should_stop));
        assert_eq!(front, before);
        assert!(search.try_step(&mut front, &|| false));
        assert_eq!(front, run(&search, generations + 1));
    }
}

#[test]
fn steps_cost_what_they_announce() {
    for size in BOTH {
        let table = rings_for(size, 3);
        let search = search(&table, 3, size);
        let mut front = search.start();
        assert_eq!(search.progress(&front).evaluations, search.cost_of_start());
        for _ in 0..some_generations(size) - 1 {
            let before = search.progress(&front).evaluations;
            let cost = search.cost_of_step(&front);
            search.step(&mut front);
            assert_eq!(search.progress(&front).evaluations, before + cost);
        }
        assert_eq!(search.history(&front).len() as u64, some_generations(size));
        assert!(search.is_valid_state(&front));
    }
}

#[test]
fn a_state_of_another_table_is_refused() {
    let table = rings_for(Size::Small, 3);
    let (two, three) = (search(&table, 3, Size::Small), rings_for(Size::Small, 2));
    let other = search(&three, 2, Size::Small);
    assert!(!two.is_valid_state(&other.start()));
    assert!(!two.is_valid_state(&Default::default()));
}

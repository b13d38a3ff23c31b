//! The same bytes for any number of threads and after any interruption; invalid states are refused.

use crate::tasks::{FiveLinks, Rows, lively};
use mge_evolve::{Evaluate, Search};
use mge_neat::{Genome, Neat, NeatParams, NeatState, Shape};

fn bytes(state: &NeatState) -> Vec<u8> {
    postcard::to_stdvec(state).unwrap()
}

fn search() -> Neat<impl Evaluate<Genome>> {
    let rows = Rows::sectors(3, 60);
    let params = NeatParams { species: Some(6), ..lively(70) }.check(rows.shape).unwrap();
    Neat::new(rows.loss(&rows.labels, &params), params, 11)
}

fn after(generations: usize, threads: usize) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let search = search();
        let mut state = search.start();
        (0..generations).for_each(|_| search.step(&mut state));
        bytes(&state)
    })
}

#[test]
fn the_number_of_threads_does_not_change_the_state() {
    let one = after(25, 1);
    assert_eq!(one, after(25, 2));
    assert_eq!(one, after(25, 7));
}

#[test]
fn a_resumed_run_ends_in_the_same_bytes() {
    let whole = after(25, 2);
    let mut state = search().start();
    for _ in 0..25 {
        let read: NeatState = postcard::from_bytes(&bytes(&state)).unwrap();
        assert_eq!(read, state);
        // A new search, so that the state must hold everything.
        let search = search();
        assert!(search.is_valid_state(&read));
        state = read;
        search.step(&mut state);
    }
    assert_eq!(bytes(&state), whole);
}

#[test]
fn seeds_differ() {
    let shape = Shape { inputs: 3, outputs: 1 };
    let start = |seed| Neat::new(FiveLinks, lively(10).check(shape).unwrap(), seed).start();
    assert_ne!(start(1), start(2));
}

#[test]
fn states_of_other_searches_are_refused() {
    let shape = Shape { inputs: 3, outputs: 1 };
    let of = |shape, raw: NeatParams| Neat::new(FiveLinks, raw.check(shape).unwrap(), 1);
    let mut state = of(shape, lively(20)).start();
    let search = of(shape, lively(20));
    (0..20).for_each(|_| search.step(&mut state));
    assert!(search.is_valid_state(&state));
    assert!(!of(shape, lively(21)).is_valid_state(&state));
    assert!(!of(Shape { inputs: 4, outputs: 1 }, lively(20)).is_valid_state(&state));
    let narrow = NeatParams { weight_limit: 0.1, ..lively(20) };
    assert!(!of(shape, narrow).is_valid_state(&state));
}

/// A state with a changed byte is unreadable, refused, or can be stepped without a panic.
#[test]
fn no_forged_state_panics() {
    let shape = Shape { inputs: 2, outputs: 1 };
    let search = Neat::new(FiveLinks, lively(8).check(shape).unwrap(), 1);
    let mut state = search.start();
    (0..4).for_each(|_| search.step(&mut state));
    let good = bytes(&state);
    let mut refused = 0;
    for at in 0..good.len() {
        for change in [0x01, 0x10, 0x80] {
            let mut bad = good.clone();
            bad[at] ^= change;
            let Ok(mut forged) = postcard::from_bytes::<NeatState>(&bad) else { continue };
            if search.is_valid_state(&forged) {
                (0..2).for_each(|_| search.step(&mut forged));
            } else {
                refused += 1;
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

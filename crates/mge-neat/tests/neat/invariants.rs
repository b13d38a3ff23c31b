//! Invariants of every generation, for all settings.

use crate::tasks::{FiveLinks, lively};
use mge_evolve::Search;
use mge_neat::{Genome, Mapper, Neat, NeatParams, NeatState, NodeId, NodeKind, Shape, Workspace};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;

const SHAPE: Shape = Shape { inputs: 3, outputs: 2 };

fn innovation_numbers_are_unique(state: &NeatState) {
    let mut ends: BTreeMap<u32, (NodeId, NodeId)> = BTreeMap::new();
    for genome in state.genomes() {
        assert!(genome.links().is_sorted_by(|a, b| a.innovation < b.innovation));
        for link in genome.links() {
            let known = *ends.entry(link.innovation).or_insert((link.from, link.to));
            assert_eq!(known, (link.from, link.to), "number {}", link.innovation);
        }
    }
}

fn species_partition_the_population(state: &NeatState) {
    let mut members: Vec<u32> =
        state.species().iter().flat_map(|species| species.members.clone()).collect();
    members.sort_unstable();
    assert!(members.into_iter().eq(0..state.genomes().len() as u32));
    for species in state.species() {
        let losses: Vec<f64> =
            species.members.iter().map(|&m| state.losses()[m as usize]).collect();
        assert!(losses.is_sorted());
        assert!(species.best_loss <= losses[0]);
    }
}

/// Whether the hidden neurons can be sorted topologically, so that there is no cycle.
fn has_topological_order(genome: &Genome) -> bool {
    let mut done: Vec<NodeId> = Vec::new();
    let is_sensor = |node| matches!(SHAPE.kind(node), NodeKind::Input(_) | NodeKind::Bias);
    let mut remaining: Vec<NodeId> = genome.hidden().to_vec();
    while !remaining.is_empty() {
        let ready = |node: &NodeId| {
            let mut into = genome.links().iter().filter(|link| link.to == *node);
            into.all(|link| is_sensor(link.from) || done.contains(&link.from))
        };
        let Some(index) = remaining.iter().position(ready) else {
            return false;
        };
        done.push(remaining.remove(index));
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_generation_is_valid(
        seed: u64,
        population in 2..40usize,
        threshold in 0.1..4.0f64,
        species in prop::option::of(1..8usize),
        recurrent in prop::bool::weighted(0.3),
    ) {
        let raw = NeatParams { threshold, species, recurrent, ..lively(population) };
        let params = raw.check(SHAPE).unwrap();
        let search = Neat::new(FiveLinks, params.clone(), seed);
        let mut state = search.start();
        let mut best = f64::INFINITY;
        for generation in 1..=30u64 {
            prop_assert!(state.best_loss() <= best, "the best was lost");
            best = state.best_loss();
            prop_assert_eq!(state.genomes().len(), population);
            prop_assert_eq!(state.generation(), generation);
            prop_assert_eq!(search.progress(&state).evaluations, generation * population as u64);
            innovation_numbers_are_unique(&state);
            species_partition_the_population(&state);
            prop_assert!(search.is_valid_state(&state));
            prop_assert!(recurrent || state.genomes().iter().all(has_topological_order));
            for genome in state.genomes() {
                // The network has no cycle: `Network::new` would refuse it.
                let is_live = Mapper::new(&params).map(genome, &mut Workspace::default()).is_some();
                let enters = |link: &mge_neat::LinkGene| {
                    link.enabled && matches!(SHAPE.kind(link.to), NodeKind::Output(_))
                        && matches!(SHAPE.kind(link.from), NodeKind::Input(_) | NodeKind::Bias)
                };
                prop_assert!(is_live || !genome.links().iter().any(enters));
            }
            search.step(&mut state);
        }
        prop_assert_eq!(search.history(&state).len(), 31);
    }
}

#[test]
fn the_threshold_moves_with_the_number_of_species() {
    let raw = NeatParams { species: Some(10), threshold_step: 0.25, ..lively(100) };
    let search = Neat::new(FiveLinks, raw.check(SHAPE).unwrap(), 3);
    let mut state = search.start();
    for _ in 0..60 {
        let before = state.threshold();
        search.step(&mut state);
        let expected = match state.species().len().cmp(&10) {
            Ordering::Greater => before + 0.25,
            Ordering::Equal => before,
            Ordering::Less => (before - 0.25).max(0.25),
        };
        assert_eq!(state.threshold(), expected);
    }
}

/// With the default mutation rates, over five runs. With higher rates, new structure comes too fast
/// and the number of species oscillates.
#[test]
fn the_number_of_species_comes_near_its_target() {
    let mean = |target: usize| {
        let raw = NeatParams { species: Some(target), threshold_step: 0.1, ..Default::default() };
        let params = raw.check(SHAPE).unwrap();
        let mut total = 0;
        for seed in 0..5 {
            let search = Neat::new(FiveLinks, params.clone(), seed);
            let mut state = search.start();
            for generation in 0..80 {
                search.step(&mut state);
                total += if generation < 40 { 0 } else { state.species().len() };
            }
        }
        total as f64 / 200.0
    };
    for target in [5, 15] {
        let found = mean(target);
        assert!((found / target as f64 - 1.0).abs() < 0.2, "{target}: {found}");
    }
}

#[test]
fn without_improvement_at_most_two_species_have_offspring() {
    /// All genomes have the same loss.
    struct Flat;
    impl mge_evolve::Evaluate<Genome> for Flat {
        fn evaluate(&self, genomes: &[Genome]) -> Vec<mge_evolve::Evaluation> {
            genomes.iter().map(|_| mge_evolve::Evaluation::valid(1.0)).collect()
        }
    }
    let search = Neat::new(Flat, lively(60).check(SHAPE).unwrap(), 5);
    let mut state = search.start();
    for _ in 0..8 {
        search.step(&mut state);
    }
    let before: Vec<u64> = state.species().iter().map(|species| species.id).collect();
    assert!(before.len() > 2);
    search.step(&mut state);
    let survived = state.species().iter().filter(|species| before.contains(&species.id)).count();
    assert!(survived <= 2, "{survived}");
}

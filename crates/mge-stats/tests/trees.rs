//! APTED against the plain algorithm on random trees.

#![allow(clippy::unwrap_used)]

use mge_random::{Purpose, Stream};
use mge_stats::tree::{Tree, edit_distance, zhang_shasha};
use proptest::prelude::*;

/// A random tree of `size` nodes: each node hangs below an earlier one. `depth` biases towards
/// deep trees.
fn random_tree(size: usize, labels: u64, depth: f64, stream: &mut Stream) -> Tree<u64> {
    let parents: Vec<usize> = (1..size)
        .map(|node| if stream.chance(depth) { node - 1 } else { stream.index(node) })
        .collect();
    let labels: Vec<u64> = (0..size).map(|_| stream.below(labels)).collect();
    let mut trees: Vec<Option<Tree<u64>>> =
        labels.into_iter().map(|label| Some(Tree::leaf(label))).collect();
    for node in (1..size).rev() {
        let child = trees[node].take().unwrap();
        trees[parents[node - 1]].as_mut().unwrap().children.push(child);
    }
    trees[0].take().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn apted_is_zhang_and_shasha(
        sizes in (1usize..40, 1usize..40),
        labels in 1u64..6,
        depth in 0.0f64..1.0,
        seed: u64,
    ) {
        let mut stream = Stream::at(seed, Purpose::Initialisation, 0, 0);
        let one = random_tree(sizes.0, labels, depth, &mut stream);
        let other = random_tree(sizes.1, labels, 1.0 - depth, &mut stream);
        prop_assert_eq!(edit_distance(&one, &other), zhang_shasha(&one, &other));
        prop_assert_eq!(edit_distance(&one, &one), 0);
        prop_assert_eq!(edit_distance(&one, &other), edit_distance(&other, &one));
    }
}

#[test]
fn zhang_and_shashas_own_example_has_distance_two() {
    let leaf = Tree::leaf;
    // f(d(a c(b)) e) and f(c(d(a b)) e)
    let one = Tree::node(
        'f',
        vec![Tree::node('d', vec![leaf('a'), Tree::node('c', vec![leaf('b')])]), leaf('e')],
    );
    let other = Tree::node(
        'f',
        vec![Tree::node('c', vec![Tree::node('d', vec![leaf('a'), leaf('b')])]), leaf('e')],
    );
    assert_eq!((zhang_shasha(&one, &other), edit_distance(&one, &other)), (2, 2));
}

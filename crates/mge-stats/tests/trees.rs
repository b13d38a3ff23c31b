//! APTED against Zhang and Shasha's algorithm on random trees.

#![allow(clippy::unwrap_used)]

use mge_random::{Purpose, Stream};
use mge_stats::tree::{OrderedTree, edit_distance, zhang_shasha};
use proptest::prelude::*;

/// A random tree of `size` nodes. The parent of each node is an earlier node; with probability
/// `depth` it is the previous one.
fn random_tree(size: usize, labels: u64, depth: f64, stream: &mut Stream) -> OrderedTree<u64> {
    let parents: Vec<usize> = (1..size)
        .map(|node| if stream.chance(depth) { node - 1 } else { stream.index(node) })
        .collect();
    let labels: Vec<u64> = (0..size).map(|_| stream.below(labels)).collect();
    let mut trees: Vec<Option<OrderedTree<u64>>> =
        labels.into_iter().map(|label| Some(OrderedTree::leaf(label))).collect();
    for node in (1..size).rev() {
        let child = trees[node].take().unwrap();
        trees[parents[node - 1]].as_mut().unwrap().children.push(child);
    }
    trees[0].take().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn apted_equals_zhang_and_shasha(
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
fn the_example_of_zhang_and_shasha_has_distance_two() {
    let leaf = OrderedTree::leaf;
    // f(d(a c(b)) e) and f(c(d(a b)) e)
    let one = OrderedTree::node(
        'f',
        vec![
            OrderedTree::node('d', vec![leaf('a'), OrderedTree::node('c', vec![leaf('b')])]),
            leaf('e'),
        ],
    );
    let other = OrderedTree::node(
        'f',
        vec![
            OrderedTree::node('c', vec![OrderedTree::node('d', vec![leaf('a'), leaf('b')])]),
            leaf('e'),
        ],
    );
    assert_eq!((zhang_shasha(&one, &other), edit_distance(&one, &other)), (2, 2));
}

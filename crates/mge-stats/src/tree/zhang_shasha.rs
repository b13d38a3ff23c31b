//! Zhang and Shasha's tree edit distance (1989), as in their paper: slow and short, a reference for
//! tests.

use super::OrderedTree;

/// A tree in postorder: labels, the first leaf below each node, and the key roots.
struct Postorder<'t, L> {
    labels: Vec<&'t L>,
    first_leaf: Vec<usize>,
    key_roots: Vec<usize>,
}

impl<'t, L> Postorder<'t, L> {
    fn of(tree: &'t OrderedTree<L>) -> Self {
        let mut order = Self { labels: Vec::new(), first_leaf: Vec::new(), key_roots: Vec::new() };
        order.add(tree);
        // A key root is the last node with its first leaf.
        let is_last =
            |&node: &usize| !order.first_leaf[node + 1..].contains(&order.first_leaf[node]);
        order.key_roots = (0..order.labels.len()).filter(is_last).collect();
        order
    }

    fn add(&mut self, tree: &'t OrderedTree<L>) -> usize {
        let mut first_leaf = None;
        for child in &tree.children {
            let leaf = self.add(child);
            first_leaf.get_or_insert(leaf);
        }
        let first_leaf = first_leaf.unwrap_or(self.labels.len());
        self.labels.push(&tree.label);
        self.first_leaf.push(first_leaf);
        first_leaf
    }
}

/// The same distance as [`edit_distance`](super::edit_distance), by dynamic programming over all
/// pairs of key roots.
pub fn zhang_shasha<L: PartialEq>(one: &OrderedTree<L>, other: &OrderedTree<L>) -> usize {
    let (one, other) = (Postorder::of(one), Postorder::of(other));
    let mut trees = vec![vec![0; other.labels.len()]; one.labels.len()];
    for &i in &one.key_roots {
        for &j in &other.key_roots {
            forests(&one, &other, i, j, &mut trees);
        }
    }
    trees[one.labels.len() - 1][other.labels.len() - 1]
}

/// Computes the distances between the forests below two key roots, and stores those of whole
/// subtrees in `trees`.
fn forests<L: PartialEq>(
    one: &Postorder<'_, L>,
    other: &Postorder<'_, L>,
    i: usize,
    j: usize,
    trees: &mut [Vec<usize>],
) {
    let (left, right) = (one.first_leaf[i], other.first_leaf[j]);
    let mut distance = vec![vec![0; j - right + 2]; i - left + 2];
    for a in 0..=i - left {
        distance[a + 1][0] = distance[a][0] + 1;
    }
    for b in 0..=j - right {
        distance[0][b + 1] = distance[0][b] + 1;
    }
    for a in 0..=i - left {
        for b in 0..=j - right {
            let (x, y) = (left + a, right + b);
            let edit = (distance[a][b + 1] + 1).min(distance[a + 1][b] + 1);
            let are_trees = one.first_leaf[x] == left && other.first_leaf[y] == right;
            let matched = if are_trees {
                distance[a][b] + usize::from(one.labels[x] != other.labels[y])
            } else {
                distance[one.first_leaf[x] - left][other.first_leaf[y] - right] + trees[x][y]
            };
            distance[a + 1][b + 1] = edit.min(matched);
            if are_trees {
                trees[x][y] = distance[a + 1][b + 1];
            }
        }
    }
}

//! Rows that belong together are put into one part.

use crate::Stream;

/// Random orders that are tried; the one whose parts come nearest to their fractions is kept.
const ORDERS: usize = 8;

/// The rows of a group, counted by kind. Kinds that it does not have are not listed.
struct Group {
    kinds: Vec<(u32, f64)>,
    rows: f64,
}

impl Stream {
    /// Puts each row into one of `fractions.len()` parts, so that all rows of a group are in the same
    /// part, and each part has about its fraction of the rows of every kind. Returns the part of
    /// each row.
    ///
    /// Groups and kinds are numbered from 0. With a single kind, parts only have about the right
    /// size. Groups are taken in random order, and each goes where it does least harm. So parts are
    /// as even as the sizes of groups allow, and another stream gives other parts. With at least as
    /// many groups as parts, no part is empty.
    ///
    /// # Panics
    /// When there are not as many kinds as groups, or no parts.
    pub fn partition_groups(
        &mut self,
        groups: &[u32],
        kinds: &[u32],
        fractions: &[f64],
    ) -> Vec<u32> {
        assert_eq!(groups.len(), kinds.len(), "a kind for each row");
        assert!(!fractions.is_empty(), "at least one part");
        let items = count(groups, kinds);
        let mut totals = vec![0.0; kinds.iter().max().map_or(0, |&max| max as usize + 1)];
        for &(kind, rows) in items.iter().flat_map(|item| &item.kinds) {
            totals[kind as usize] += rows;
        }
        let mut order: Vec<usize> = (0..items.len()).filter(|&i| items[i].rows > 0.0).collect();
        let mut best: Option<(f64, Vec<u32>)> = None;
        for _ in 0..ORDERS {
            self.shuffle(&mut order);
            let found = assign(&items, &order, &totals, fractions);
            if best.as_ref().is_none_or(|(cost, _)| found.0 < *cost) {
                best = Some(found);
            }
        }
        let (_, parts) = best.expect("several orders are tried");
        groups.iter().map(|&group| parts[group as usize]).collect()
    }
}

fn count(groups: &[u32], kinds: &[u32]) -> Vec<Group> {
    let groups_count = groups.iter().max().map_or(0, |&max| max as usize + 1);
    let mut pairs: Vec<(u32, u32)> = groups.iter().copied().zip(kinds.iter().copied()).collect();
    pairs.sort_unstable();
    let mut items: Vec<Group> =
        (0..groups_count).map(|_| Group { kinds: Vec::new(), rows: 0.0 }).collect();
    for run in pairs.chunk_by(|a, b| a == b) {
        let ((group, kind), rows) = (run[0], run.len() as f64);
        items[group as usize].kinds.push((kind, rows));
        items[group as usize].rows += rows;
    }
    items
}

/// The part of each group, and how far the parts are from what they should hold.
fn assign(items: &[Group], order: &[usize], totals: &[f64], fractions: &[f64]) -> (f64, Vec<u32>) {
    let parts = fractions.len();
    let mut has = vec![vec![0.0; totals.len()]; parts];
    let mut sizes = vec![0.0; parts];
    let mut part_of = vec![0; items.len()];
    let wanted = |part: usize, kind: u32| fractions[part] * totals[kind as usize];
    for (done, &index) in order.iter().enumerate() {
        let item = &items[index];
        // The squared distance from the wanted rows, before and after, relative to each kind.
        let harm = |part: usize| -> f64 {
            let of_kind = |&(kind, rows): &(u32, f64)| {
                let gap = has[part][kind as usize] - wanted(part, kind);
                rows * (2.0 * gap + rows) / totals[kind as usize]
            };
            item.kinds.iter().map(of_kind).sum()
        };
        let empty = sizes.iter().filter(|&&size| size == 0.0).count();
        let must_fill = empty >= order.len() - done;
        let free = (0..parts).filter(|&part| !must_fill || sizes[part] == 0.0);
        let part = free.min_by(|&a, &b| harm(a).total_cmp(&harm(b))).unwrap_or(0);
        for &(kind, rows) in &item.kinds {
            has[part][kind as usize] += rows;
        }
        sizes[part] += item.rows;
        part_of[index] = part as u32;
    }
    let kinds = 0..totals.len() as u32;
    let cost_of = |part: usize, kind: u32| {
        let gap = has[part][kind as usize] - wanted(part, kind);
        gap * gap / totals[kind as usize].max(1.0)
    };
    let cost = (0..parts).flat_map(|part| kinds.clone().map(move |kind| (part, kind)));
    (cost.map(|(part, kind)| cost_of(part, kind)).sum(), part_of)
}

#[cfg(test)]
mod tests {
    use crate::{Purpose, Stream};

    fn parts(groups: &[u32], kinds: &[u32], fractions: &[f64], seed: u64) -> Vec<u32> {
        Stream::at(seed, Purpose::Split, 0, 0).partition_groups(groups, kinds, fractions)
    }

    #[test]
    fn groups_stay_together_and_parts_have_their_size() {
        // Groups of 1 to 12 rows.
        let groups: Vec<u32> = (1..=12).flat_map(|g| vec![g - 1; g as usize]).collect();
        let kinds = vec![0; groups.len()];
        let mut seen = std::collections::HashSet::new();
        for seed in 0..20 {
            let parts = parts(&groups, &kinds, &[0.7, 0.3], seed);
            for group in 0..12 {
                let of: Vec<u32> = (0..groups.len())
                    .filter(|&row| groups[row] == group)
                    .map(|row| parts[row])
                    .collect();
                assert!(of.iter().all(|&part| part == of[0]), "seed {seed}, group {group}");
            }
            let first = parts.iter().filter(|&&part| part == 0).count();
            assert!(first.abs_diff(55) <= 6, "seed {seed}: {first} of 78 rows");
            seen.insert(parts);
        }
        assert!(seen.len() > 15, "{} different splits", seen.len());
    }

    #[test]
    fn kinds_are_spread_over_the_parts() {
        // Forty groups of five rows; a quarter of the groups is of kind 1.
        let groups: Vec<u32> = (0..200).map(|row| row / 5).collect();
        let kinds: Vec<u32> = groups.iter().map(|group| u32::from(group % 4 == 0)).collect();
        for seed in 0..10 {
            let parts = parts(&groups, &kinds, &[0.2; 5], seed);
            for part in 0..5 {
                let rows = (0..200).filter(|&row| parts[row] == part);
                assert_eq!(rows.filter(|&row| kinds[row] == 1).count(), 10, "seed {seed}");
            }
        }
    }

    #[test]
    fn no_part_is_empty() {
        let groups = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        let parts = parts(&groups, &[0; 10], &[0.9, 0.1], 3);
        assert_ne!(parts[0], parts[9]);
        let three = super::tests::parts(&[0, 1, 2], &[0; 3], &[0.98, 0.01, 0.01], 3);
        let mut sorted = three.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2]);
    }

    #[test]
    fn the_parts_of_a_seed_never_change() {
        let groups = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4];
        assert_eq!(parts(&groups, &[0; 10], &[0.6, 0.4], 42), GOLDEN);
    }

    const GOLDEN: [u32; 10] = [0, 0, 0, 0, 1, 1, 0, 0, 1, 1];
}

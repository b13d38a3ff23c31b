//! Parent selection: the best of a few drawn at random, with replacement.

use super::Population;
use mge_random::Stream;

/// The index of the winner. Of equals the one drawn first wins, so that no place in the
/// population is preferred.
pub(super) fn tournament<G>(population: &Population<G>, size: usize, stream: &mut Stream) -> usize {
    let members = population.members();
    let mut winner = stream.index(members.len());
    for _ in 1..size {
        let rival = stream.index(members.len());
        if members[rival].loss < members[winner].loss {
            winner = rival;
        }
    }
    winner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;
    use mge_random::Purpose;

    #[test]
    fn the_best_of_n_wins_as_often_as_it_should() {
        // With n members and tournaments of r, the best is drawn with probability
        // 1 - (1 - 1/n)^r; here 1 - 0.9^7 = 0.5217.
        let population = Population::first(
            (0..10).collect(),
            (0..10).map(|i| Evaluation::valid(f64::from(i))).collect(),
        );
        let wins = (0..20_000)
            .filter(|&i| {
                let mut stream = Stream::at(1, Purpose::Selection, 0, i);
                tournament(&population, 7, &mut stream) == 0
            })
            .count();
        assert!((wins as f64 / 20_000.0 - 0.5217).abs() < 0.012, "{wins}");
    }
}

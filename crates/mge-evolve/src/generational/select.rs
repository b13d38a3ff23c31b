//! Parent selection: the best of a few drawn at random, with replacement.

use mge_random::Stream;

/// The index of the winner, by the losses of all. Of equals the one drawn first wins, so that no
/// place in the population is preferred.
#[inline]
pub(super) fn tournament(losses: &[f64], size: usize, stream: &mut Stream) -> usize {
    let mut winner = stream.index(losses.len());
    let mut least = losses[winner];
    for _ in 1..size {
        let rival = stream.index(losses.len());
        // Two choices in place of a branch that nobody could foresee.
        let is_better = losses[rival] < least;
        winner = if is_better { rival } else { winner };
        least = if is_better { losses[rival] } else { least };
    }
    winner
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_random::Purpose;

    #[test]
    fn the_best_of_n_wins_as_often_as_it_should() {
        // With n members and tournaments of r, the best is drawn with probability
        // 1 - (1 - 1/n)^r; here 1 - 0.9^7 = 0.5217.
        let losses: Vec<f64> = (0..10).map(f64::from).collect();
        let wins = (0..20_000)
            .filter(|&i| {
                let mut stream = Stream::at(1, Purpose::Selection, 0, i);
                tournament(&losses, 7, &mut stream) == 0
            })
            .count();
        assert!((wins as f64 / 20_000.0 - 0.5217).abs() < 0.012, "{wins}");
    }
}

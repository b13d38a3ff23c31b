//! Parent selection by tournament: the best of a few members, drawn with replacement.

use mge_random::Stream;

/// Draws `size` members. Returns the index of the one with the lowest loss. Among equals the member
/// drawn first wins, so that no position in the population is preferred (decision 19).
#[inline]
pub(super) fn tournament(losses: &[f64], size: usize, stream: &mut Stream) -> usize {
    let mut winner = stream.index(losses.len());
    let mut min_loss = losses[winner];
    for _ in 1..size {
        let candidate = stream.index(losses.len());
        // Two conditional moves: a branch here would be mispredicted most of the time.
        let is_better = losses[candidate] < min_loss;
        winner = if is_better { candidate } else { winner };
        min_loss = if is_better { losses[candidate] } else { min_loss };
    }
    winner
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_random::Purpose;

    #[test]
    fn the_best_member_wins_with_the_expected_probability() {
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

//! The ranking of many methods on many data sets (Demsar 2006): Friedman's test, its form by Iman
//! and Davenport, Nemenyi's critical difference, and the diagram.

use crate::{ExperimentError, Metric, ResultRow, Results, TableCell};
use mge_plot::critical_difference as draw;
use mge_stats::{Friedman, critical_difference, friedman};

/// The significance level of the critical difference.
const LEVEL: f64 = 0.05;

/// The mean ranks of methods over data sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The methods.
    pub methods: Vec<String>,
    /// The mean ranks and the test of whether the methods differ.
    pub friedman: Friedman,
    /// Methods whose mean ranks are further apart differ at 0.05 (Nemenyi).
    pub critical_difference: f64,
}

impl Results {
    /// Ranks the methods on the data sets that have all of them. `None` if fewer than three methods
    /// or two data sets are finished. A data set with two protocols counts twice.
    pub fn ranking(&self) -> Result<Option<Ranking>, ExperimentError> {
        let mut blocks: Vec<Vec<&ResultRow>> = Vec::new();
        for row in self.rows.iter().filter(|row| !row.runs.is_empty()) {
            match blocks.iter_mut().find(|rows| rows[0].is_compared_with(row)) {
                Some(rows) => rows.push(row),
                None => blocks.push(vec![row]),
            }
        }
        let largest = blocks.iter().max_by_key(|rows| rows.len());
        let methods = largest.map_or(vec![], |rows| titles(rows));
        let mean = |row: &&ResultRow| row.moments(Metric::Accuracy).map_or(0.0, |m| m.mean);
        let blocks: Vec<Vec<f64>> = blocks
            .iter()
            .filter(|rows| titles(rows) == methods)
            .map(|rows| rows.iter().map(mean).collect())
            .collect();
        if methods.len() < 3 || blocks.len() < 2 {
            return Ok(None);
        }
        Ok(Some(Ranking {
            friedman: friedman(&blocks)?,
            critical_difference: critical_difference(methods.len(), blocks.len(), LEVEL)?,
            methods,
        }))
    }
}

fn titles(rows: &[&ResultRow]) -> Vec<String> {
    rows.iter().map(|row| row.title()).collect()
}

impl Ranking {
    /// Both test statistics and their p-values, as text.
    pub fn test_text(&self) -> String {
        let Friedman { blocks, chi_square, p_value, f, f_p_value, .. } = self.friedman;
        let (numerator, denominator) = self.friedman.freedom();
        // An infinite F has a formal p-value of 0, however few data sets there are.
        let davenport = if f.is_finite() {
            format!("F({numerator}, {denominator}) {f:.2}, p {}", TableCell::p_text(f_p_value))
        } else {
            "F infinite (all data sets rank alike), no p".to_owned()
        };
        format!(
            "Friedman on {blocks} data sets: chi-square({numerator}) {chi_square:.2}, p {}; Iman and \
             Davenport: {davenport}",
            TableCell::p_text(p_value)
        )
    }

    /// The tests, the mean ranks and the critical difference as notes of a table.
    pub fn notes(&self) -> [String; 2] {
        let mut order: Vec<usize> = (0..self.methods.len()).collect();
        let ranks = &self.friedman.mean_ranks;
        order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
        let ranks: Vec<String> =
            order.iter().map(|&i| format!("{} {:.2}", self.methods[i], ranks[i])).collect();
        let ranks = ranks.join(", ");
        let difference = self.critical_difference;
        [
            format!("{}.", self.test_text()),
            format!(
                "Mean ranks: {ranks}; critical difference (Nemenyi at {LEVEL}) {difference:.2}."
            ),
        ]
    }

    /// The critical-difference diagram.
    pub fn svg(&self, title: &str) -> Result<String, ExperimentError> {
        let text = self.test_text();
        let (ranks, difference) = (&self.friedman.mean_ranks, self.critical_difference);
        Ok(draw(title, &text, &self.methods, ranks, difference)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(blocks: &[Vec<f64>]) -> Ranking {
        Ranking {
            methods: ["a", "b", "c"].map(String::from).to_vec(),
            friedman: friedman(blocks).unwrap(),
            critical_difference: critical_difference(3, blocks.len(), LEVEL).unwrap(),
        }
    }

    #[test]
    fn both_statistics_are_in_the_notes_and_in_the_diagram() {
        let found = ranking(&[vec![1.0, 2.0, 3.0], vec![1.0, 3.0, 2.0], vec![2.0, 1.0, 3.0]]);
        let [test, ranks] = found.notes();
        assert_eq!(
            test,
            "Friedman on 3 data sets: chi-square(2) 2.67, p 0.264; Iman and Davenport: F(2, 4) \
             1.60, p 0.309."
        );
        assert_eq!(
            ranks,
            "Mean ranks: c 1.33, b 2.00, a 2.67; critical difference (Nemenyi at 0.05) 1.91."
        );
        assert!(found.svg("D").unwrap().contains("F(2, 4) 1.60, p 0.309"));
    }

    #[test]
    fn full_agreement_of_few_data_sets_is_not_significant() {
        let text = ranking(&[vec![1.0, 2.0, 3.0], vec![1.0, 2.0, 3.0]]).test_text();
        assert!(
            text.ends_with(
                "p 0.135; Iman and Davenport: F infinite (all data sets rank alike), no p"
            ),
            "{text}"
        );
    }
}

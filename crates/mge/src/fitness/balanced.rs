//! The loss in which every class counts the same, however few rows it has.
//!
//! With the weights `rows / (classes * rows of the class)` the weighted mean over all rows is the
//! plain mean, over the classes that occur, of the mean loss of each class's rows. So each class
//! gets evaluators of its own, and the fast ones need to know nothing about weights.

use mge_net::{
    BatchEvaluator, Columns, EvaluationError, Loss, Network, PartLists, PopulationEvaluator,
    Scratch, Targets,
};
use rayon::prelude::*;
use std::sync::Arc;

/// One evaluator for each class that occurs.
pub(super) struct Balanced {
    classes: Vec<Arc<BatchEvaluator>>,
}

impl Balanced {
    /// Splits the rows by class.
    pub fn new(rows: &Columns, targets: Targets<'_>, loss: Loss) -> Result<Self, EvaluationError> {
        let Targets::Classes { labels, link } = targets else {
            return Err(EvaluationError::NothingToBalance);
        };
        let count = labels.iter().max().map_or(0, |&last| last + 1);
        let mut classes = Vec::new();
        for class in 0..count {
            let of_class = |&row: &u32| labels[row as usize] == class;
            let own: Vec<u32> = (0..labels.len() as u32).filter(of_class).collect();
            if own.is_empty() {
                continue;
            }
            let (columns, labels) = (rows.select(&own), vec![class; own.len()]);
            let targets = Targets::Classes { labels: &labels, link };
            classes.push(Arc::new(BatchEvaluator::new(&columns, targets, loss)?));
        }
        Ok(Self { classes })
    }

    /// The mean, over the classes, of the mean loss of a class.
    pub fn loss(&self, network: &Network, scratch: &mut Scratch) -> f64 {
        let sum: f64 = self.classes.iter().map(|class| class.loss(network, scratch)).sum();
        sum / self.classes.len().max(1) as f64
    }

    /// The same for whole populations, with at most about `memory` bytes.
    pub fn shared(&self, memory: usize) -> SharedLosses {
        let rows: usize = self.classes.iter().map(|class| class.rows()).sum();
        let of_class = |class: &Arc<BatchEvaluator>| {
            let own = (memory as u128 * class.rows() as u128 / rows.max(1) as u128) as usize;
            PopulationEvaluator::new(Arc::clone(class), own)
        };
        let outputs = self.classes.first().map_or(0, |class| class.outputs());
        SharedLosses { evaluators: self.classes.iter().map(of_class).collect(), outputs, memory }
    }
}

/// Losses of whole populations: the mean of those that one or several evaluators find.
pub(super) struct SharedLosses {
    evaluators: Vec<PopulationEvaluator>,
    outputs: usize,
    memory: usize,
}

impl SharedLosses {
    /// All rows count the same.
    pub fn plain(evaluator: &Arc<BatchEvaluator>, memory: usize) -> Self {
        Self {
            evaluators: vec![PopulationEvaluator::new(Arc::clone(evaluator), memory)],
            outputs: evaluator.outputs(),
            memory,
        }
    }

    /// Whether the cache metadata for a population of this size fits into the memory. A single
    /// evaluator always passes. With class weights each class has an evaluator of its own, and the
    /// metadata of many classes may take more memory than all columns.
    pub fn fits_memory(&self, networks: usize) -> bool {
        let others = self.evaluators.len().saturating_sub(1);
        let of_one = PopulationEvaluator::metadata_bytes(networks, self.outputs);
        of_one.saturating_mul(others) <= self.memory
    }

    /// `None` for a network that must be evaluated by itself.
    pub fn of(&mut self, population: &[PartLists<'_>]) -> Vec<Option<f64>> {
        let count = self.evaluators.len().max(1) as f64;
        // In parallel: classes with few rows have few blocks each, and a plan of their own.
        let evaluators = self.evaluators.par_iter_mut().with_max_len(1);
        let of_each: Vec<_> = evaluators.map(|evaluator| evaluator.losses(population)).collect();
        let mut of_each = of_each.into_iter();
        let nothing = || vec![None; population.iter().map(PartLists::len).sum()];
        let mut sums = of_each.next().unwrap_or_else(nothing);
        for losses in of_each {
            for (sum, loss) in sums.iter_mut().zip(losses) {
                *sum = sum.zip(loss).map(|(sum, loss)| sum + loss);
            }
        }
        sums.into_iter().map(|sum| sum.map(|sum| sum / count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluators of one row and one class each.
    fn classes(count: u32) -> Balanced {
        let rows = Columns::from_fn(count as usize, 1, |_, _| ());
        let labels: Vec<u32> = (0..count).collect();
        let targets = Targets::classes(&labels, count as usize);
        Balanced::new(&rows, targets, Loss::CrossEntropy).unwrap()
    }

    #[test]
    fn the_cache_index_of_many_classes_needs_more_memory() {
        let fits =
            |count, mebibytes: usize| classes(count).shared(mebibytes << 20).fits_memory(200);
        assert!(fits(26, 512));
        assert!(!fits(26, 1));
        assert!(!fits(300, 512));
        assert!(fits(300, 16 << 10));
        let one = classes(3).classes.remove(0);
        assert!(SharedLosses::plain(&one, 0).fits_memory(100_000), "one index is always there");
    }

    use mge_evolve::Representation;
    use mge_grammar::mge::{Mapper, MgeParams, Variant, Variation, Workspace};
    use mge_grammar::{Shape, Template, shipped};
    use mge_net::reference;

    #[test]
    fn it_is_the_weighted_mean_over_all_rows() {
        let rows = 200;
        let column = |step: usize| -> Vec<f32> {
            (0..rows).map(|row| (row * step % 17) as f32 / 8.0 - 1.0).collect()
        };
        let columns = Columns::from_columns([3, 5, 11].map(column)).unwrap();
        let labels: Vec<u32> =
            (0..rows).map(|row| if row % 20 == 0 { 2 } else { (row % 2) as u32 }).collect();
        let shape = Shape { features: 3, outputs: 3 };
        let template = Template::parse("mge", shipped::MGE.text).unwrap();
        let grammar = template.bind(shape).unwrap();
        let params = MgeParams::for_classes(3).check(&grammar, Variant::Mge).unwrap();
        let mapper = Mapper::new(grammar, Variant::Mge, 0).unwrap();
        let variation = Variation::new(params);
        for loss in [Loss::CrossEntropy, Loss::MeanSquaredError] {
            let targets = Targets::classes(&labels, 3);
            let balanced = Balanced::new(&columns, targets, loss).unwrap();
            for seed in 0..20 {
                let mut stream = mge_random::Stream::at(seed, mge_random::Purpose::Split, 0, 0);
                let genotype = variation.random(&mut stream);
                let Some(network) = mapper.map(&genotype, &mut Workspace::default()).network else {
                    continue;
                };
                let probabilities =
                    reference::probabilities_of(&network, targets.link(), &columns).unwrap();
                let mut by_hand = 0.0;
                for class in 0..3u32 {
                    let own: Vec<usize> = (0..rows).filter(|&row| labels[row] == class).collect();
                    let weight = rows as f64 / (3.0 * own.len() as f64);
                    for row in own {
                        let values = probabilities.iter().nth(row).unwrap().to_vec();
                        let one = reference::Probabilities::from_values(targets.link(), values);
                        by_hand += weight * loss.of(&one, Targets::classes(&[class], 3)).unwrap()
                            / rows as f64;
                    }
                }
                let found = balanced.loss(&network, &mut Scratch::default());
                assert!((found - by_hand).abs() < 1e-5 * (1.0 + by_hand), "{found} {by_hand}");
            }
        }
    }
}

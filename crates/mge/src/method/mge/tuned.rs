//! Fitness with tuned weights: before a genotype is evaluated, L-BFGS tunes the weights of its
//! network on the training rows. The weights are then written back into its genes.
//!
//! A genotype stays as it was, to the bit, if the loss that the search sees did not fall. There are
//! four reasons for that: several weights may share one value, values have bounds, many rows are
//! represented by a sample, and the gradient knows no class weights.

use crate::fitness::{Fitness, INDIVIDUALS_PER_TASK, MAX_PER_TASK};
use mge_evolve::{Evaluate, Evaluation};
use mge_grammar::mge::{Genotype, Mapper, RealParams, Workspace};
use mge_net::gradient::{LbfgsParams, lbfgs};
use mge_net::{GradientEvaluator, GradientScratch, Network, Scratch, SparseNetwork};
use mge_random::Stream;
use rayon::prelude::*;
use std::ops::Range;

/// Fitness, and how genotypes are tuned before they are evaluated.
pub(crate) struct TunedFitness {
    pub fitness: Fitness<Mapper>,
    /// `None` where they are not.
    tuning: Option<Tuning>,
}

struct Tuning {
    rows: GradientEvaluator,
    descent: LbfgsParams,
    /// The chance of a genotype to be tuned.
    probability: f64,
}

/// Blocks of rows that a genotype is tuned on, at most: 4096 rows. Where there are more, its blocks
/// are drawn, so that tuning takes no longer on larger tables.
const MAX_BLOCKS: usize = 8;

/// Buffers that one thread uses again for every genotype.
#[derive(Default)]
struct Buffers {
    workspace: Workspace,
    gradient: GradientScratch,
    loss: Scratch,
}

impl TunedFitness {
    /// Without real weights, or with `tuning` zero, it is the fitness alone.
    pub fn new(fitness: Fitness<Mapper>, real: Option<&RealParams>) -> Self {
        let tuning = real.filter(|real| real.tuning > 0).map(|real| Tuning {
            rows: GradientEvaluator::of(&fitness.rows()),
            descent: LbfgsParams { iterations: real.tuning as usize, ..Default::default() },
            probability: real.tuned_fraction,
        });
        Self { fitness, tuning }
    }

    /// Tunes a genotype with the probability of the settings.
    fn tune(
        &self,
        tuning: &Tuning,
        genotype: &mut Genotype,
        stream: &mut Stream,
        buffers: &mut Buffers,
    ) {
        if !stream.chance(tuning.probability) {
            return;
        }
        let mapper = self.fitness.mapping();
        let mapped = mapper.map_with_origins(genotype, &mut buffers.workspace);
        let Some((network, origins)) = mapped else { return };
        let mut sparse = SparseNetwork::from(&network);
        let weights = sparse.weights();
        let blocks = tuning.blocks(stream);
        lbfgs(&tuning.rows, &mut sparse, blocks, &tuning.descent, &mut buffers.gradient);
        let tuned = sparse.weights();
        if tuned == weights {
            return;
        }
        let mut changed = genotype.clone();
        origins.write(&weights, &tuned, &mut changed);
        let after = mapper.map(&changed, &mut buffers.workspace).network;
        let mut loss = |network: &Network| self.fitness.loss(network, &mut buffers.loss);
        let before = loss(&network);
        if after.is_some_and(|after| loss(&after) < before) {
            *genotype = changed;
        }
    }
}

impl Tuning {
    /// All blocks, or consecutive ones from a random one on.
    fn blocks(&self, stream: &mut Stream) -> Range<usize> {
        let all = self.rows.blocks();
        if all <= MAX_BLOCKS {
            return 0..all;
        }
        let first = stream.index(all - MAX_BLOCKS + 1);
        first..first + MAX_BLOCKS
    }
}

impl Evaluate<Genotype> for TunedFitness {
    fn evaluate(&self, genotypes: &[Genotype]) -> Vec<Evaluation> {
        self.fitness.evaluate(genotypes)
    }

    fn improve(&self, genotypes: &mut [Genotype], streams: &(dyn Fn(usize) -> Stream + Sync)) {
        let Some(tuning) = &self.tuning else { return };
        genotypes
            .par_iter_mut()
            .enumerate()
            .with_min_len(INDIVIDUALS_PER_TASK)
            .with_max_len(MAX_PER_TASK)
            .for_each_init(Buffers::default, |buffers, (index, genotype)| {
                self.tune(tuning, genotype, &mut streams(index), buffers);
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClassWeight;
    use crate::fitness::Objective;
    use mge_evolve::Representation;
    use mge_grammar::mge::{MgeParams, Variant, Variation};
    use mge_grammar::{Shape, Template, shipped};
    use mge_net::{Columns, Loss, Targets};
    use mge_random::Purpose;
    use proptest::prelude::*;

    const SHAPE: Shape = Shape { features: 4, outputs: 3 };

    /// Weights that are products of values, have factors and signs, or are no values.
    const PRODUCTS: &str = "
        <S> ::= (<o>:<Weight>) * <A>(<Sum> - <Bias>) | <o>:<Weight>*sig(<Sum> + 0.25)
        <Sum> ::= <T> | <T> + <Sum> | <T> - <Sum>
        <T> ::= <x> | <Weight>*<Weight>*<x> | 2*<Weight>*<x> | <Weight>*<x>
        <A> ::= sig | tanh
        <Weight> ::= 1
        <Bias> ::= 1
        <o> ::= output1..outputc
        <x> ::= x1..xd";

    fn text_of(variant: Variant) -> &'static str {
        if variant.is_modular() { shipped::MGE.text } else { shipped::MONOLITHIC.text }
    }

    /// Rows of three classes that a few features tell apart, with noise.
    fn fitness(
        variant: Variant,
        text: &str,
        rows: usize,
        weight: ClassWeight,
        seed: u64,
    ) -> (Variation, TunedFitness) {
        let grammar = Template::parse("test.bnf", text).unwrap().bind(SHAPE).unwrap();
        let mut raw = MgeParams::real_for_classes(3);
        let real = RealParams { tuning: 5, ..RealParams::default() };
        raw.real = Some(real.clone());
        let params = raw.check(&grammar, variant).unwrap();
        let mapper = Mapper::new(grammar, variant, 0)
            .unwrap()
            .with_weight_slots(params.weight_slots().cloned());
        let mut stream = Stream::at(seed, Purpose::Split, 0, 0);
        let columns = Columns::from_fn(rows, SHAPE.features, |_, values| {
            values.fill_with(|| stream.normal() as f32);
        });
        let label = |row: usize| {
            let [x, y] = [0, 1].map(|column| f64::from(columns.column(column)[row]));
            if x + 0.3 * stream.normal() > 0.5 { 2 } else { u32::from(y > 0.2) }
        };
        let labels: Vec<u32> = (0..rows).map(label).collect();
        let objective = Objective { loss: Loss::ALL[(seed % 2) as usize], weight };
        let targets = Targets::classes(&labels, 3);
        let fitness = Fitness::new(mapper, &columns, targets, objective, None).unwrap();
        (Variation::new(params), TunedFitness::new(fitness, Some(&real)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn tuning_never_raises_the_loss_and_leaves_codons_and_steps_alone(
            seed: u64, rows in prop::sample::select(vec![1usize, 70, 700, 6000]), balanced: bool,
        ) {
            let weight = if balanced { ClassWeight::Balanced } else { ClassWeight::None };
            let mut fell = 0;
            let shipped = Variant::ALL.map(|variant| (variant, text_of(variant)));
            for case in shipped.into_iter().chain([(Variant::Mge, PRODUCTS), (Variant::Beta, PRODUCTS)]) {
                let (variation, fitness) = fitness(case.0, case.1, rows, weight, seed);
                let streams = |index: usize| Stream::at(seed, Purpose::Tuning, 1, index as u64);
                let random = |index| {
                    variation.random(&mut Stream::at(seed, Purpose::Initialisation, 1, index))
                };
                let before: Vec<Genotype> = (0..6).map(random).collect();
                let mut after = before.clone();
                fitness.improve(&mut after, &streams);
                let losses = fitness.evaluate(&before);
                for ((old, new), was) in before.iter().zip(&after).zip(losses) {
                    let is = fitness.evaluate(std::slice::from_ref(new))[0];
                    prop_assert!(is.loss <= was.loss, "{} {}", is.loss, was.loss);
                    prop_assert_eq!(is.loss < was.loss, new != old);
                    fell += usize::from(is.loss < was.loss);
                    prop_assert!(variation.is_valid(new));
                    prop_assert!(new.genes().eq(old.genes()));
                    for gene in 0..old.len() {
                        prop_assert_eq!(new.step_and_values(gene).unwrap().0, old.step_and_values(gene).unwrap().0);
                    }
                }
            }
            prop_assert!(fell > 20 || rows == 1, "only {} of 42 fell", fell);
        }
    }

    #[test]
    fn only_the_given_fraction_is_tuned() {
        let (variation, mut fitness) =
            fitness(Variant::Mge, shipped::MGE.text, 70, ClassWeight::None, 1);
        fitness.tuning.as_mut().unwrap().probability = 0.25;
        let streams = |index: usize| Stream::at(1, Purpose::Tuning, 1, index as u64);
        let random =
            |index| variation.random(&mut Stream::at(1, Purpose::Initialisation, 1, index));
        let before: Vec<Genotype> = (0..80).map(random).collect();
        let mut after = before.clone();
        fitness.improve(&mut after, &streams);
        let changed = before.iter().zip(&after).filter(|(old, new)| old != new).count();
        assert!((8..=32).contains(&changed), "{changed} of 80");
    }
}

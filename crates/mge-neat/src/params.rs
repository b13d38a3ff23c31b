//! Settings of NEAT: raw from the user, checked for the search.
//!
//! The defaults are those of Stanley and Miikkulainen 2002 (section 4.1) where the paper gives
//! them; `docs/reference/methods/neat.md` says where each of the others comes from.

use crate::genome::Shape;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NeatParams {
    /// Genomes in a population. Default 150. More keeps more species alive, and each generation
    /// costs proportionally more.
    pub population: usize,
    /// Probability that a genome of the first population has a given direct link, from an input
    /// or the bias to an output. Default 1, all of them. Lower it when there are hundreds of
    /// features; an output always gets at least one link.
    pub initial_links: f64,
    /// New weights are drawn uniformly from plus or minus this. Default 1.
    pub weight_range: f64,
    /// The largest change of a weight by one perturbation. Default 0.25. Raise it when weights must
    /// become large soon; lower it when there are many links.
    pub weight_power: f64,
    /// The largest absolute weight. Default 8.
    pub weight_limit: f64,
    /// Probability that the weights of an offspring are mutated. Default 0.8.
    pub mutate_weights: f64,
    /// In such an offspring, the fraction of the weights that are perturbed; the others are drawn
    /// anew. Default 0.9.
    pub perturbed: f64,
    /// Probability that an offspring gets a new node. Default 0.03. Raise it when networks stay
    /// too simple for the task.
    pub add_node: f64,
    /// Probability that an offspring gets a new link. Default 0.05. It should be higher than
    /// `add_node`; large populations tolerate more.
    pub add_link: f64,
    /// Probability that one link of an offspring changes between enabled and disabled. Default 0.
    pub toggle_link: f64,
    /// Probability that the oldest disabled link of an offspring is enabled. Default 0.
    pub reenable_link: f64,
    /// Probability that a link is disabled in an offspring if it is in one of the parents.
    /// Default 0.75.
    pub inherit_disabled: f64,
    /// Fraction of the offspring that have one parent and are only mutated. Default 0.25.
    pub mutation_only: f64,
    /// Fraction of the other offspring whose second parent is from another species. Default 0.001.
    pub interspecies: f64,
    /// Fraction of a species, its fittest members, that may have offspring; at least one may.
    /// Default 0.2. Higher is less greedy.
    pub survival: f64,
    /// Weight of excess genes in the distance, `c1`. Default 1.
    pub excess: f64,
    /// Weight of disjoint genes in the distance, `c2`. Default 1.
    pub disjoint: f64,
    /// Weight of the mean difference of matching weights in the distance, `c3`. Default 0.4.
    pub weight_difference: f64,
    /// Counts of genes are divided by the size of the larger genome if that has at least this
    /// many links. Default 20. Raise it when large genomes never form species.
    pub normalise_from: usize,
    /// Genomes closer than this are of one species. Default 3.
    pub threshold: f64,
    /// The target number of species. Default none: the threshold is constant. Otherwise it moves by
    /// `threshold_step` after each generation with more or fewer species.
    pub species: Option<usize>,
    /// How far the threshold moves in one generation, and its smallest value. Default 0.3.
    pub threshold_step: f64,
    /// Generations without improvement after which a species has no offspring. Default 15. The
    /// species of the best genome always has some.
    pub stagnation: u64,
    /// If the population does not improve for more generations than this, only the best two species
    /// have offspring until it improves. Default 20.
    pub population_stagnation: u64,
    /// The champion of a species with more members than this is copied unchanged. Default 5.
    pub champion_above: usize,
    /// Slope of the sigmoid, multiplied into the weights when a genome becomes a network.
    /// Default 4.9.
    pub slope: f64,
    /// Whether new links may close cycles or leave an output. Default false. The [`Mapper`] omits
    /// such links; they are for other evaluators.
    ///
    /// [`Mapper`]: crate::Mapper
    pub recurrent: bool,
}

impl Default for NeatParams {
    fn default() -> Self {
        Self {
            population: 150,
            initial_links: 1.0,
            weight_range: 1.0,
            weight_power: 0.25,
            weight_limit: 8.0,
            mutate_weights: 0.8,
            perturbed: 0.9,
            add_node: 0.03,
            add_link: 0.05,
            toggle_link: 0.0,
            reenable_link: 0.0,
            inherit_disabled: 0.75,
            mutation_only: 0.25,
            interspecies: 0.001,
            survival: 0.2,
            excess: 1.0,
            disjoint: 1.0,
            weight_difference: 0.4,
            normalise_from: 20,
            threshold: 3.0,
            species: None,
            threshold_step: 0.3,
            stagnation: 15,
            population_stagnation: 20,
            champion_above: 5,
            slope: 4.9,
            recurrent: false,
        }
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NeatParamError {
    /// A count out of range.
    #[error("{name} is {found}, expected a whole number from {min} to {max}")]
    Count {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: u64,
        /// The smallest valid value.
        min: u64,
        /// The largest valid value.
        max: u64,
    },
    /// A probability or fraction out of range.
    #[error("{name} is {found}, expected a number from 0 to 1")]
    Fraction {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: f64,
    },
    /// A number out of range.
    #[error("{name} is {found}, expected a number from {min} to {max}")]
    Number {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: f64,
        /// The smallest valid value.
        min: f64,
        /// The largest valid value.
        max: f64,
    },
    /// A task that is too large, or has no input or no output.
    #[error(
        "{} inputs and {} outputs, expected at least one of each and at most {} links between them",
        shape.inputs, shape.outputs, mge_net::MAX_LINKS
    )]
    Shape {
        /// The task.
        shape: Shape,
    },
    /// One-versus-all needs at least two classes, and one evaluator for each.
    #[error("{found} evaluators, expected one for each of at least 2 classes")]
    Classes {
        /// How many there were.
        found: usize,
    },
    /// One-versus-all takes settings that were checked for a single output.
    #[error("settings for {outputs} outputs, expected a single one for each binary search")]
    NotBinary {
        /// How many there were.
        outputs: usize,
    },
}

const MAX_POPULATION: u64 = 10_000_000;

impl NeatParams {
    /// Checks the settings for a task.
    ///
    /// # Errors
    /// When a setting is out of its range, or the task is too large.
    pub fn check(self, shape: Shape) -> Result<CheckedNeat, NeatParamError> {
        if !shape.is_possible() {
            return Err(NeatParamError::Shape { shape });
        }
        let target = self.species.unwrap_or(1) as u64;
        for (name, found, min, max) in [
            ("population", self.population as u64, 2, MAX_POPULATION),
            ("species", target, 1, MAX_POPULATION),
            ("stagnation", self.stagnation, 1, u64::MAX),
            ("population_stagnation", self.population_stagnation, 1, u64::MAX),
        ] {
            if !(min..=max).contains(&found) {
                return Err(NeatParamError::Count { name, found, min, max });
            }
        }
        for (name, found) in [
            ("initial_links", self.initial_links),
            ("mutate_weights", self.mutate_weights),
            ("perturbed", self.perturbed),
            ("add_node", self.add_node),
            ("add_link", self.add_link),
            ("toggle_link", self.toggle_link),
            ("reenable_link", self.reenable_link),
            ("inherit_disabled", self.inherit_disabled),
            ("mutation_only", self.mutation_only),
            ("interspecies", self.interspecies),
            ("survival", self.survival),
        ] {
            if !(0.0..=1.0).contains(&found) {
                return Err(NeatParamError::Fraction { name, found });
            }
        }
        for (name, found, min, max) in [
            ("weight_range", self.weight_range, 1e-6, 1e6),
            ("weight_power", self.weight_power, 0.0, 1e6),
            ("weight_limit", self.weight_limit, 1e-6, 1e6),
            ("excess", self.excess, 0.0, 1e6),
            ("disjoint", self.disjoint, 0.0, 1e6),
            ("weight_difference", self.weight_difference, 0.0, 1e6),
            ("threshold", self.threshold, 1e-6, 1e9),
            ("threshold_step", self.threshold_step, 1e-6, 1e6),
            ("slope", self.slope, 1e-6, 1e6),
        ] {
            if !(min..=max).contains(&found) {
                return Err(NeatParamError::Number { name, found, min, max });
            }
        }
        Ok(CheckedNeat { raw: self, shape })
    }
}

/// Settings that were checked for a task.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedNeat {
    raw: NeatParams,
    shape: Shape,
}

impl CheckedNeat {
    /// The settings as they were given.
    pub fn raw(&self) -> &NeatParams {
        &self.raw
    }

    /// The task they were checked for.
    pub fn shape(&self) -> Shape {
        self.shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { inputs: 2, outputs: 1 };

    #[test]
    fn the_defaults_are_valid_and_errors_name_the_setting() {
        assert!(NeatParams::default().check(SHAPE).is_ok());
        let bad = |change: fn(&mut NeatParams)| {
            let mut params = NeatParams::default();
            change(&mut params);
            params.check(SHAPE).unwrap_err().to_string()
        };
        assert_eq!(
            bad(|p| p.population = 1),
            "population is 1, expected a whole number from 2 to 10000000"
        );
        assert_eq!(bad(|p| p.add_node = -0.5), "add_node is -0.5, expected a number from 0 to 1");
        assert!(bad(|p| p.survival = f64::NAN).starts_with("survival is NaN"));
        assert!(bad(|p| p.slope = f64::INFINITY).starts_with("slope is inf"));
        assert!(bad(|p| p.species = Some(0)).starts_with("species is 0"));
    }

    #[test]
    fn impossible_tasks_are_refused() {
        for shape in [
            Shape { inputs: 0, outputs: 1 },
            Shape { inputs: 1, outputs: 0 },
            Shape { inputs: 1 << 20, outputs: 1 << 12 },
        ] {
            let error = NeatParams::default().check(shape).unwrap_err();
            assert_eq!(error, NeatParamError::Shape { shape });
        }
    }
}

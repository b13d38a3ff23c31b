//! Settings of the representation: raw from the user, checked for mapping and variation. The
//! defaults are the paper's (its table of parameter settings).

use super::real_weights::{RealParamError, RealParams};
use crate::{Grammar, WeightSlots, WeightSlotsError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

mge_names::named_enum! {
    /// The five forms of modularity (section "Defining Modularity" and its figure; decision 4).
    #[derive(Default)]
    pub enum Variant: "variant" {
        /// Single-layer modules without coupling: each hidden neuron feeds one output and reads
        /// features only.
        #[default]
        Mge = "mge",
        /// Multi-layer modules without coupling: neurons may also read earlier ones of their module.
        Alpha = "alpha",
        /// Multi-layer modules with coupling: neurons may read any earlier one.
        Beta = "beta",
        /// Single-layer, monolithic: a neuron may feed several outputs.
        Eta = "eta",
        /// Multi-layer, monolithic.
        Mu = "mu",
    }
}

impl Variant {
    /// Whether each hidden neuron feeds one output only (by the first rule of the grammar).
    pub fn is_modular(self) -> bool {
        matches!(self, Self::Mge | Self::Alpha | Self::Beta)
    }

    /// Whether neurons may read earlier neurons (line 11 of Algorithm 1).
    pub fn is_multi_layer(self) -> bool {
        matches!(self, Self::Alpha | Self::Beta | Self::Mu)
    }
}

mge_names::named_enum! {
    /// Where weights come from.
    #[derive(Default)]
    pub enum Weights: "kind of weights" {
        /// Digits that codons choose, as in the paper.
        #[default]
        Codon = "codon",
        /// Values of the genes, in the weight slots of the grammar.
        Real = "real",
    }
}

/// Raw settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MgeParams {
    /// The smallest number of genes of a random genotype. Default 2, or 30 for more than three
    /// classes.
    #[serde(alias = "least_genes")]
    pub min_genes: usize,
    /// The largest number of genes of a random genotype. Default 10, or 40 for more than three
    /// classes. Raise it when the first generations are far too weak for the task.
    #[serde(alias = "most_genes")]
    pub max_genes: usize,
    /// Codons of a gene, `m` in the paper. Default 100; 40 with real weights. A gene that runs out
    /// of codons is skipped, so grammars with long sentences need longer genes.
    pub gene_length: usize,
    /// Each offspring draws its mutation probability from this list (decision 10). Default 0.001,
    /// 0.002, 0.003 and 0.01; with real weights 0.003, 0.006, 0.01 and 0.03.
    pub mutation_rates: Vec<f64>,
    /// How often a gene may be read again from its start. Default 0, as in the paper.
    pub wraps: u32,
    /// Bits of a codon, 8 or 16. Default: 8, or 16 if a rule has more than 256 alternatives, among
    /// which 8 bits cannot choose (decision 3).
    pub codon_bits: Option<u32>,
    /// The settings of real weights. Default: none; weights are digits that codons choose, as in
    /// the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real: Option<RealParams>,
}

impl Default for MgeParams {
    fn default() -> Self {
        Self::for_classes(2)
    }
}

impl MgeParams {
    /// The paper's settings for a number of classes: it starts with larger networks when there
    /// are more than three.
    pub fn for_classes(classes: usize) -> Self {
        let (min_genes, max_genes) = if classes <= 3 { (2, 10) } else { (30, 40) };
        Self {
            min_genes,
            max_genes,
            gene_length: 100,
            mutation_rates: vec![0.001, 0.002, 0.003, 0.01],
            wraps: 0,
            codon_bits: None,
            real: None,
        }
    }

    /// The settings with real weights. These read no codons: a neuron reads four or five codons
    /// instead of 24. So genes are shorter and codons mutate three times as often.
    pub fn real_for_classes(classes: usize) -> Self {
        Self {
            gene_length: 40,
            mutation_rates: vec![0.003, 0.006, 0.01, 0.03],
            real: Some(RealParams::default()),
            ..Self::for_classes(classes)
        }
    }

    /// Checks the settings for a grammar and a variant.
    pub fn check(self, grammar: &Grammar, variant: Variant) -> Result<CheckedMge, MgeParamError> {
        if self.min_genes == 0 || self.min_genes > self.max_genes {
            return Err(MgeParamError::Genes { min: self.min_genes, max: self.max_genes });
        }
        for (name, found, max) in
            [("max_genes", self.max_genes, 50_000), ("gene_length", self.gene_length, 1_000_000)]
        {
            if found == 0 || found > max {
                return Err(MgeParamError::Count { name, found, max });
            }
        }
        if self.mutation_rates.is_empty() {
            return Err(MgeParamError::NoRates);
        }
        if let Some(&found) = self.mutation_rates.iter().find(|rate| !(0.0..=1.0).contains(*rate)) {
            return Err(MgeParamError::Rate { found });
        }
        // In multi-layer variants the rule of the features grows by one alternative per neuron.
        let references = if variant.is_multi_layer() { self.max_genes } else { 0 };
        let inputs = grammar.input_symbols().map(|symbol| grammar.alternatives(symbol)).max();
        let widest = grammar.widest().max(inputs.map_or(0, |count| count + references));
        let codon_bits = match self.codon_bits {
            None if widest > 1 << 8 => 16,
            None => 8,
            Some(bits @ (8 | 16)) => bits,
            Some(found) => return Err(MgeParamError::CodonBits { found }),
        };
        if grammar.widest() > 1 << 16 {
            return Err(MgeParamError::TooWide { widest: grammar.widest() });
        }
        let slots = match &self.real {
            None => None,
            Some(real) => {
                real.check()?;
                Some(WeightSlots::of(grammar)?)
            }
        };
        Ok(CheckedMge { raw: self, codon_bits, slots })
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MgeParamError {
    /// An empty range of initial genes, or one that starts at 0.
    #[error("min_genes is {min} and max_genes {max}, expected 1 <= min_genes <= max_genes")]
    Genes {
        /// `min_genes`.
        min: usize,
        /// `max_genes`.
        max: usize,
    },
    /// A count out of range.
    #[error("{name} is {found}, expected a whole number from 1 to {max}")]
    Count {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: usize,
        /// The largest valid value.
        max: usize,
    },
    /// No mutation rate to draw from.
    #[error("mutation_rates is empty, expected at least one probability")]
    NoRates,
    /// A mutation rate that is not a probability.
    #[error("mutation_rates has {found}, expected numbers from 0 to 1")]
    Rate {
        /// What was given.
        found: f64,
    },
    /// A setting of real weights.
    #[error(transparent)]
    Real(#[from] RealParamError),
    /// A grammar without weight slots.
    #[error(transparent)]
    WeightSlots(#[from] WeightSlotsError),
    /// A codon width that does not exist.
    #[error("codon_bits is {found}, expected 8 or 16")]
    CodonBits {
        /// What was given.
        found: u32,
    },
    /// A rule that not even 16 bits can choose from.
    #[error("a rule of the grammar has {widest} alternatives, expected at most 65536")]
    TooWide {
        /// The number of alternatives.
        widest: usize,
    },
}

/// Settings that were checked against a grammar.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedMge {
    raw: MgeParams,
    codon_bits: u32,
    slots: Option<WeightSlots>,
}

impl CheckedMge {
    /// The settings as they were given.
    pub fn raw(&self) -> &MgeParams {
        &self.raw
    }

    /// Bits of a codon: 8 or 16.
    pub fn codon_bits(&self) -> u32 {
        self.codon_bits
    }

    /// The weight slots of the grammar; `None` unless weights are real.
    pub fn weight_slots(&self) -> Option<&WeightSlots> {
        self.slots.as_ref()
    }
}

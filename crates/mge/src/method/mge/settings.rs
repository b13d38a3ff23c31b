//! The table `[mge]` of the settings.

use crate::settings::PartialParams;
use mge_grammar::mge::{MgeParams, RealParams, Weights};
use serde::{Deserialize, Serialize};

/// The representation; see [`MgeParams`] for when to change what. `None` is the default for the
/// number of classes and the kind of weights.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MgeSettings {
    #[serde(alias = "least_genes")]
    min_genes: Option<usize>,
    #[serde(alias = "most_genes")]
    max_genes: Option<usize>,
    gene_length: Option<usize>,
    mutation_rates: Option<Vec<f64>>,
    wraps: Option<u32>,
    codon_bits: Option<u32>,
    /// Where weights come from. Default `codon`, as in the paper.
    weights: Option<Weights>,
    /// Settings of real weights; see [`RealParams`].
    real: PartialParams<RealParams>,
}

impl MgeSettings {
    /// Fills in the defaults for a number of classes.
    pub fn resolve(&self, classes: usize) -> Result<MgeParams, serde_json::Error> {
        let default = match self.weights.unwrap_or_default() {
            Weights::Codon => MgeParams::for_classes(classes),
            Weights::Real => MgeParams::real_for_classes(classes),
        };
        // Where one end is given the other follows, so that `--min-genes 20` alone is valid.
        let max_or_default = self.max_genes.unwrap_or(default.min_genes);
        let min_genes = self.min_genes.unwrap_or(default.min_genes.min(max_or_default));
        Ok(MgeParams {
            min_genes,
            max_genes: self.max_genes.unwrap_or(default.max_genes.max(min_genes)),
            gene_length: self.gene_length.unwrap_or(default.gene_length),
            mutation_rates: self.mutation_rates.clone().unwrap_or(default.mutation_rates),
            wraps: self.wraps.unwrap_or(default.wraps),
            codon_bits: self.codon_bits,
            real: default.real.map(|default| self.real.apply(&default)).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn genes(text: &str) -> (usize, usize) {
        let settings: MgeSettings = toml::from_str(text).unwrap();
        let params = settings.resolve(2).unwrap();
        (params.min_genes, params.max_genes)
    }

    #[test]
    fn one_bound_of_the_genes_moves_the_other() {
        assert_eq!(genes(""), (2, 10));
        assert_eq!(genes("min_genes = 20"), (20, 20));
        assert_eq!(genes("max_genes = 1"), (1, 1));
        assert_eq!(genes("least_genes = 3"), (3, 10), "an old name");
    }
}

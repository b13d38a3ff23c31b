//! Modular Grammatical Evolution on one task: grammar, mapper, variation and fitness joined into
//! a search. Everything that settings and data can get wrong together is found here.

use super::prepared::{BoundMethod, PreparedMethod, bind};
use super::{GrammarConfig, Method, MethodConfig, PartialParams, SettingsError};
use crate::FitError;
use crate::fit::EvaluationMode;
use crate::fitness::{Fitness, Listed, ListedNetwork, Mapping, chunk_size};
use crate::grammar_text::GrammarText;
use crate::prepare::Prepared;
use crate::settings::{ResolvedSettings, Settings};
use crate::tuned::TunedFitness;
use mge_evolve::{Generational, GenerationalParams};
use mge_grammar::mge::{
    GeneCache, Genotype, Mapper, MgeParams, RealParams, UncachedGenes, Variant, Variation, Weights,
    Workspace,
};
use mge_net::{Network, PartLists};
use mge_threads::par_map;
use serde::{Deserialize, Serialize};

/// The representation; see [`MgeParams`] for when to change what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "documented on MgeParams")]
pub struct MgeSettings {
    #[serde(alias = "least_genes")]
    pub min_genes: Option<usize>,
    #[serde(alias = "most_genes")]
    pub max_genes: Option<usize>,
    pub gene_length: Option<usize>,
    pub mutation_rates: Option<Vec<f64>>,
    pub wraps: Option<u32>,
    pub codon_bits: Option<u32>,
    /// Where weights come from. Default `codon`, as in the paper.
    pub weights: Option<Weights>,
    /// Settings of real weights; see [`RealParams`].
    pub real: PartialParams<RealParams>,
}

impl MgeSettings {
    /// These settings where they say something, `base` where they do not.
    pub(crate) fn over(self, base: Self) -> Self {
        Self {
            min_genes: self.min_genes.or(base.min_genes),
            max_genes: self.max_genes.or(base.max_genes),
            gene_length: self.gene_length.or(base.gene_length),
            mutation_rates: self.mutation_rates.or(base.mutation_rates),
            wraps: self.wraps.or(base.wraps),
            codon_bits: self.codon_bits.or(base.codon_bits),
            weights: self.weights.or(base.weights),
            real: self.real.over(base.real),
        }
    }

    /// The name of a setting that is given, if any is.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("min_genes", self.min_genes.is_some()),
            ("max_genes", self.max_genes.is_some()),
            ("gene_length", self.gene_length.is_some()),
            ("mutation_rates", self.mutation_rates.is_some()),
            ("wraps", self.wraps.is_some()),
            ("codon_bits", self.codon_bits.is_some()),
            ("weights", self.weights.is_some()),
            ("real", self.real != PartialParams::default()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    fn resolve(&self, classes: usize) -> Result<MgeParams, serde_json::Error> {
        let usual = match self.weights.unwrap_or_default() {
            Weights::Codon => MgeParams::for_classes(classes),
            Weights::Real => MgeParams::real_for_classes(classes),
        };
        // One end given: the other follows, so that `--min-genes 20` alone is a valid wish.
        let least = self
            .min_genes
            .unwrap_or_else(|| usual.min_genes.min(self.max_genes.unwrap_or(usual.min_genes)));
        let most = self.max_genes.unwrap_or(usual.max_genes.max(least));
        Ok(MgeParams {
            min_genes: least,
            max_genes: most,
            gene_length: self.gene_length.unwrap_or(usual.gene_length),
            mutation_rates: self.mutation_rates.clone().unwrap_or(usual.mutation_rates),
            wraps: self.wraps.unwrap_or(usual.wraps),
            codon_bits: self.codon_bits,
            real: usual.real.map(|usual| self.real.apply(&usual)).transpose()?,
        })
    }
}

pub(super) fn resolve(settings: &Settings, classes: usize) -> Result<MethodConfig, SettingsError> {
    let variant = settings.variant.unwrap_or_default();
    let grammar = match &settings.grammar {
        Some(asked) => GrammarText::find(asked)?,
        None => GrammarText::of_variant(variant),
    };
    let evolution = settings.evolution.resolve(GenerationalParams::default());
    let wrong = |source| SettingsError::Wrong { method: Method::Mge, source };
    let params = settings.mge.resolve(classes).map_err(wrong)?;
    Ok(MethodConfig::Mge { variant, rules: GrammarConfig { evolution, params, grammar } })
}

pub(super) fn prepare(
    variant: Variant,
    rules: &GrammarConfig<MgeParams>,
    task: &Prepared,
    settings: &ResolvedSettings,
    evaluation: EvaluationMode,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let grammar = bind(&rules.grammar, task)?;
    let warnings = grammar.template().warnings().to_vec();
    let params = rules.params.clone().check(&grammar, variant)?;
    let codon_bits = params.codon_bits();
    let mapper = Mapper::new(grammar, variant, rules.params.wraps)?;
    let mapper = mapper.with_weight_slots(params.weight_slots().cloned());
    mapper.check(rules.params.gene_length, codon_bits)?;
    let fitness = Fitness::of_task(mapper, task, settings, evaluation)?;
    let rows = fitness.rows();
    let fitness = TunedFitness::new(fitness, rules.params.real.as_ref());
    let evolution = rules.evolution.clone().check()?;
    let search = Generational::new(Variation::new(params), fitness, evolution, settings.seed);
    let network =
        Box::new(|search: &Generational<Variation, TunedFitness>, genotype: &Genotype| {
            search.evaluator().fitness.network(genotype)
        });
    Ok(Box::new(BoundMethod { search, network, rows, codon_bits: Some(codon_bits), warnings }))
}

/// Genes that a population shares with earlier ones are mapped once.
impl Mapping for Mapper {
    type Genome = Genotype;
    type Workspace = Workspace;
    type Memory = GeneCache;

    fn map(&self, genotype: &Genotype, workspace: &mut Workspace) -> (Option<Network>, u32) {
        let mapped = Mapper::map(self, genotype, workspace);
        (mapped.network, mapped.invalid_genes)
    }

    fn memory(&self) -> GeneCache {
        self.gene_cache()
    }

    fn learn(&self, genotypes: &[Genotype], known: &mut GeneCache) {
        known.begin_population();
        let pieces = genotypes.chunks(chunk_size(genotypes.len())).collect();
        let of_some = |some| self.uncached_genes(some, known, &mut Workspace::default());
        let fresh: Vec<UncachedGenes<'_>> = par_map(pieces, of_some);
        fresh.into_iter().for_each(|fresh| known.insert(fresh));
    }

    fn list<'m>(
        &self,
        _: usize,
        genotype: &'m Genotype,
        known: &'m GeneCache,
        lists: &mut PartLists<'m>,
    ) -> Listed {
        let listed = self.list_parts(genotype, known, lists);
        let network = if listed.is_network { ListedNetwork::Parts } else { ListedNetwork::None };
        Listed { network, invalid_parts: listed.invalid_genes }
    }
}

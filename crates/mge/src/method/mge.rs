//! Modular Grammatical Evolution on one task: grammar, mapper, variation and fitness joined into
//! a search. Everything that settings and data can get wrong together is found here.

use super::prepared::{Joined, PreparedMethod, bind};
use super::{GrammarRules, MethodRules, SettingsError};
use crate::FitError;
use crate::fit::Evaluation;
use crate::fitness::{Fitness, Listed, ListedNetwork, Mapping};
use crate::grammar_text::GrammarText;
use crate::prepare::Prepared;
use crate::settings::{Resolved, Settings};
use mge_evolve::{Generational, GenerationalParams};
use mge_grammar::mge::{Genotype, Mapper, MgeParams, Variant, Variation, Workspace};
use mge_net::{Network, PartLists};
use serde::{Deserialize, Serialize};

/// The representation; see [`MgeParams`] for when to change what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "documented on MgeParams")]
pub struct MgeSettings {
    pub least_genes: Option<usize>,
    pub most_genes: Option<usize>,
    pub gene_length: Option<usize>,
    pub mutation_rates: Option<Vec<f64>>,
    pub wraps: Option<u32>,
    pub codon_bits: Option<u32>,
}

impl MgeSettings {
    /// These settings where they say something, `base` where they do not.
    pub(crate) fn over(self, base: Self) -> Self {
        Self {
            least_genes: self.least_genes.or(base.least_genes),
            most_genes: self.most_genes.or(base.most_genes),
            gene_length: self.gene_length.or(base.gene_length),
            mutation_rates: self.mutation_rates.or(base.mutation_rates),
            wraps: self.wraps.or(base.wraps),
            codon_bits: self.codon_bits.or(base.codon_bits),
        }
    }

    fn resolve(&self, classes: usize) -> MgeParams {
        let usual = MgeParams::for_classes(classes);
        // One end given: the other follows, so that `--least-genes 20` alone is a valid wish.
        let least = self
            .least_genes
            .unwrap_or_else(|| usual.least_genes.min(self.most_genes.unwrap_or(usual.least_genes)));
        let most = self.most_genes.unwrap_or(usual.most_genes.max(least));
        MgeParams {
            least_genes: least,
            most_genes: most,
            gene_length: self.gene_length.unwrap_or(usual.gene_length),
            mutation_rates: self.mutation_rates.clone().unwrap_or(usual.mutation_rates),
            wraps: self.wraps.unwrap_or(usual.wraps),
            codon_bits: self.codon_bits,
        }
    }
}

pub(super) fn resolve(settings: &Settings, classes: usize) -> Result<MethodRules, SettingsError> {
    let variant = settings.variant.unwrap_or_default();
    let grammar = match &settings.grammar {
        Some(asked) => GrammarText::find(asked)?,
        None => GrammarText::of_variant(variant),
    };
    let evolution = settings.evolution.resolve(GenerationalParams::default());
    let params = settings.mge.resolve(classes);
    Ok(MethodRules::Mge { variant, rules: GrammarRules { evolution, params, grammar } })
}

pub(super) fn prepare(
    variant: Variant,
    rules: &GrammarRules<MgeParams>,
    task: &Prepared,
    settings: &Resolved,
    evaluation: Evaluation,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let grammar = bind(&rules.grammar, task)?;
    let warnings = grammar.template().warnings().to_vec();
    let params = rules.params.clone().check(&grammar, variant)?;
    let codon_bits = params.codon_bits();
    let mapper = Mapper::new(grammar, variant, rules.params.wraps)?;
    mapper.check(rules.params.gene_length, codon_bits)?;
    let fitness = Fitness::of_task(mapper, task, settings, evaluation)?;
    let evolution = rules.evolution.clone().check()?;
    let search = Generational::new(Variation::new(params), fitness, evolution, settings.seed);
    Ok(Box::new(Joined { search, codon_bits: Some(codon_bits), warnings }))
}

/// Genes remember what they map to, so nothing needs to be carried from mapping to listing.
impl Mapping for Mapper {
    type Genome = Genotype;
    type Workspace = Workspace;
    type Ready = ();

    fn map(&self, genotype: &Genotype, workspace: &mut Workspace) -> (Option<Network>, u32) {
        let mapped = Mapper::map(self, genotype, workspace);
        (mapped.network, mapped.invalid_genes)
    }

    fn ready(&self, genotype: &Genotype, workspace: &mut Workspace) {
        // On one thread, listing does it on the way.
        if rayon::current_num_threads() > 1 {
            self.prepare(genotype, workspace);
        }
    }

    fn list<'g>(
        &self,
        genotype: &'g Genotype,
        (): &'g (),
        lists: &mut PartLists<'g>,
        workspace: &mut Workspace,
    ) -> Listed {
        let listed = self.list_parts(genotype, lists, workspace);
        let network = if listed.is_network { ListedNetwork::Parts } else { ListedNetwork::None };
        Listed { network, invalid_parts: listed.invalid_genes }
    }
}

//! Genotypes of MGE for the evaluators: a gene that a population shares with earlier ones is
//! mapped once.

use crate::fitness::{MappedNetwork, MappedParts, Mapping, chunk_size};
use mge_grammar::mge::{GeneCache, Genotype, Mapper, UncachedGenes, Workspace};
use mge_net::{Network, PartLists};
use mge_threads::par_map;

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

    fn map_missing(&self, genotypes: &[Genotype], cache: &mut GeneCache) {
        cache.begin_population();
        let chunks = genotypes.chunks(chunk_size(genotypes.len())).collect();
        let of_chunk = |chunk| self.uncached_genes(chunk, cache, &mut Workspace::default());
        let missing: Vec<UncachedGenes<'_>> = par_map(chunks, of_chunk);
        missing.into_iter().for_each(|missing| cache.insert(missing));
    }

    fn list<'m>(
        &self,
        _: usize,
        genotype: &'m Genotype,
        cache: &'m GeneCache,
        lists: &mut PartLists<'m>,
    ) -> MappedParts {
        let listed = self.list_parts(genotype, cache, lists);
        let network = if listed.is_network { MappedNetwork::Parts } else { MappedNetwork::None };
        MappedParts { network, invalid_parts: listed.invalid_genes }
    }
}

//! The loop of method `mge` for a user's own fitness function and operators, one generation at a
//! time.
//!
//! Selection, replacement, mapping and the operators that the user does not replace are those of the
//! method. Random numbers keep their addresses: the same seed gives the same run, if the user's
//! functions give equal answers to equal questions. The GIL is released between the calls.

use crate::error::Kind;
use crate::grammar::{bind, template};
use crate::json;
use crate::network::Phenotype;
use mge::Variant;
use mge::evolve::{
    Evaluate, Evaluation, Generational, GenerationalParams, Population, Representation, Search,
};
use mge::grammar::mge::{Genotype, Mapper, MgeParams, Variation, Workspace};
use mge::random::Stream;
use mge_threads::Threads;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde_json::json;
use std::sync::{Mutex, PoisonError};

/// The first exception of a user's function. The step that raised it is given up.
#[derive(Default)]
struct Raised(Mutex<Option<PyErr>>);

impl Raised {
    fn keep(&self, error: PyErr) {
        let mut raised = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.get_or_insert(error);
    }

    fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The user's fitness function: a list of networks in, a list of losses out.
struct OwnFitness {
    mapper: Mapper,
    function: Py<PyAny>,
    raised: Raised,
}

impl OwnFitness {
    fn losses(&self, networks: Vec<mge::net::Network>) -> PyResult<Vec<f64>> {
        let count = networks.len();
        let losses: Vec<f64> = Python::attach(|py| {
            let networks = networks.into_iter().map(|network| Py::new(py, Phenotype::new(network)));
            let batch = PyList::new(py, networks.collect::<PyResult<Vec<_>>>()?)?;
            let answer = self.function.bind(py).call1((batch,))?;
            answer.try_iter()?.map(|loss| loss?.extract::<f64>()).collect::<PyResult<Vec<f64>>>()
        })?;
        if losses.len() == count {
            return Ok(losses);
        }
        let found = losses.len();
        let message = format!("fitness returned {found} losses for {count} networks");
        Err(Kind::Search.message(message))
    }
}

impl Evaluate<Genotype> for OwnFitness {
    fn evaluate(&self, genotypes: &[Genotype]) -> Vec<Evaluation> {
        let mut workspace = Workspace::default();
        let (mut networks, mut evaluations) = (Vec::new(), Vec::with_capacity(genotypes.len()));
        for genotype in genotypes {
            let mapped = self.mapper.map(genotype, &mut workspace);
            let is_valid = mapped.network.is_some();
            networks.extend(mapped.network);
            evaluations.push((is_valid, mapped.invalid_genes));
        }
        let losses = self.losses(networks).unwrap_or_else(|error| {
            self.raised.keep(error);
            Vec::new()
        });
        let mut losses = losses.into_iter();
        let evaluation = |(is_valid, invalid_genes): (bool, u32)| {
            // A genotype without a network has no loss in the list.
            let loss = if is_valid { losses.next() } else { None };
            let evaluation = loss.map_or_else(Evaluation::invalid, Evaluation::valid);
            evaluation.with_invalid_parts(invalid_genes)
        };
        evaluations.into_iter().map(evaluation).collect()
    }
}

/// The operators of the method, or the user's in their place.
struct OwnVariation {
    inner: Variation,
    mutate: Option<Py<PyAny>>,
    crossover: Option<Py<PyAny>>,
    raised: Raised,
}

/// A genotype as users see it: a list of genes, each a list of codons.
fn genes_of(genotype: &Genotype) -> Vec<Vec<u16>> {
    genotype.genes().collect()
}

fn genotype_of(genes: Vec<Vec<u16>>) -> Genotype {
    let mut genotype = Genotype::default();
    genes.into_iter().for_each(|gene| genotype.push(gene));
    genotype
}

/// A number to seed a generator of the user with.
fn seed_of(stream: &mut Stream) -> u64 {
    stream.below(1 << 63)
}

impl Representation for OwnVariation {
    type Genome = Genotype;

    fn random(&self, stream: &mut Stream) -> Genotype {
        self.inner.random(stream)
    }

    fn crossover(&self, one: &mut Genotype, other: &mut Genotype, stream: &mut Stream) {
        let Some(function) = &self.crossover else {
            return self.inner.crossover(one, other, stream);
        };
        let answer = Python::attach(|py| {
            let arguments = (genes_of(one), genes_of(other), seed_of(stream));
            function.bind(py).call1(arguments)?.extract::<(Vec<Vec<u16>>, Vec<Vec<u16>>)>()
        });
        match answer {
            Ok((first, second)) => (*one, *other) = (genotype_of(first), genotype_of(second)),
            Err(error) => self.raised.keep(error),
        }
    }

    fn mutate(&self, genome: &mut Genotype, stream: &mut Stream) {
        let Some(function) = &self.mutate else { return self.inner.mutate(genome, stream) };
        let answer = Python::attach(|py| {
            let arguments = (genes_of(genome), seed_of(stream));
            function.bind(py).call1(arguments)?.extract::<Vec<Vec<u16>>>()
        });
        match answer {
            Ok(genes) => *genome = genotype_of(genes),
            Err(error) => self.raised.keep(error),
        }
    }
}

type State = Population<Genotype>;

/// A search whose generations are asked for one by one.
#[pyclass(module = "mge._mge")]
pub struct Evolution {
    search: Generational<OwnVariation, OwnFitness>,
    state: Option<State>,
}

#[pymethods]
impl Evolution {
    #[new]
    #[pyo3(signature = (
        *, features, outputs, fitness, mutate, crossover, grammar, variant, evolution, params, seed
    ))]
    #[allow(clippy::too_many_arguments, reason = "called by keyword, from one place")]
    fn new(
        features: usize,
        outputs: usize,
        fitness: Py<PyAny>,
        mutate: Option<Py<PyAny>>,
        crossover: Option<Py<PyAny>>,
        grammar: (String, String),
        variant: &str,
        evolution: &str,
        params: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let variant: Variant = variant.parse().map_err(|error| Kind::Settings.error(error))?;
        let grammar = bind(&template(&grammar.0, &grammar.1)?, features, outputs)?;
        let evolution: GenerationalParams = over(GenerationalParams::default(), evolution)?;
        let params: MgeParams = over(MgeParams::for_classes(outputs.max(2)), params)?;
        if params.real.is_some() {
            let message = "the search takes codon weights only; found settings of real weights";
            return Err(Kind::Settings.message(message.to_owned()));
        }
        let (wraps, length) = (params.wraps, params.gene_length);
        let params = params.check(&grammar, variant).map_err(|e| Kind::Settings.error(e))?;
        let bits = params.codon_bits();
        let mapper = Mapper::new(grammar, variant, wraps).map_err(|e| Kind::Settings.error(e))?;
        mapper.check(length, bits).map_err(|error| Kind::Settings.error(error))?;
        let evolution = evolution.check().map_err(|error| Kind::Settings.error(error))?;
        let variation = OwnVariation {
            inner: Variation::new(params),
            mutate,
            crossover,
            raised: Raised::default(),
        };
        let fitness = OwnFitness { mapper, function: fitness, raised: Raised::default() };
        let search = Generational::new(variation, fitness, evolution, seed);
        Ok(Self { search, state: None })
    }

    /// One more generation. Returns what it found.
    fn step<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (search, before) = (&self.search, self.state.take());
        // A pool of one thread: a user's functions are called one after another.
        let after = py.detach(|| {
            let threads = Threads::new(Some(1)).map_err(|error| Kind::Search.error(error));
            threads.map(|mut threads| {
                threads.run(|| match before.clone() {
                    None => search.start(),
                    Some(mut state) => {
                        search.step(&mut state);
                        state
                    }
                })
            })
        })?;
        let raised = search.evaluator().raised.take().or(search.representation().raised.take());
        if let Some(error) = raised {
            self.state = before;
            return Err(error);
        }
        let record = after.history().last().copied();
        let losses: Vec<f64> = after.members().iter().map(|member| member.loss).collect();
        let found = json!({ "record": record, "diversity": after.diversity() });
        self.state = Some(after);
        let found = json::to_python(py, &found)?;
        found.set_item("losses", losses)?;
        Ok(found)
    }

    /// The best network so far; None if no genotype maps to one.
    fn best(&self) -> Option<Phenotype> {
        let best = &self.state.as_ref()?.best().genome;
        let mapped = self.search.evaluator().mapper.map(best, &mut Workspace::default());
        mapped.network.map(Phenotype::new)
    }

    /// The best genotype so far, as lists of codons.
    fn best_genotype(&self) -> Option<Vec<Vec<u16>>> {
        Some(genes_of(&self.state.as_ref()?.best().genome))
    }

    /// The network of a genotype; None if it maps to nothing.
    fn map(&self, genes: Vec<Vec<u16>>) -> Option<Phenotype> {
        let mapped =
            self.search.evaluator().mapper.map(&genotype_of(genes), &mut Workspace::default());
        mapped.network.map(Phenotype::new)
    }
}

/// Defaults, overridden by the entries of a JSON object.
fn over<P>(defaults: P, entries: &str) -> PyResult<P>
where
    P: Default + serde::Serialize + serde::de::DeserializeOwned,
{
    let entries: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(entries).map_err(|error| Kind::Settings.error(error))?;
    let mut table = mge::MethodTable::default();
    entries.into_iter().for_each(|(name, value)| table.set(&name, value));
    table.apply(&defaults).map_err(|error| Kind::Settings.message(crate::settings::explain(&error)))
}

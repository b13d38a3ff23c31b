//! Incremental evaluation of a population gives the same bits as evaluating each genotype alone,
//! for all variants, activations, losses, class counts, thread counts, SIMD levels and memory
//! limits.

use mge_evolve::Representation;
use mge_grammar::mge::{GeneCache, Genotype, Mapper, MgeParams, Variant, Variation, Workspace};
use mge_grammar::{Shape, Template, shipped};
use mge_net::{
    BatchEvaluator, Columns, Level, Loss, OutputLink, PartLists, PopulationEvaluator, Scratch,
    Targets,
};
use mge_random::{Purpose, Stream};
use proptest::prelude::*;
use std::sync::Arc;

const FEATURES: usize = 6;

/// All activations; each neuron may feed several outputs if the variant is monolithic.
fn grammar_text(variant: Variant) -> String {
    let text = shipped::find("activations").expect("shipped").text;
    if variant.is_modular() {
        return text.to_owned();
    }
    text.replace("(<OutputNeuron>:<Number>) *", "<Conns> *")
        + "\n<Conns> ::= (<OutputNeuron>:<Number>) | <Conns>(<OutputNeuron>:<Number>)\n"
}

struct Fixture {
    mapper: Mapper,
    cache: GeneCache,
    variation: Variation,
    evaluator: Arc<BatchEvaluator>,
}

#[derive(Debug, Clone)]
struct Setting {
    variant: Variant,
    /// Whether weights are real.
    real: bool,
    outputs: usize,
    rows: usize,
    loss: Loss,
    level: Level,
    /// The max_input input. Large inputs force sums out of the range of the fast kernels.
    max_input: f32,
    threads: usize,
    /// The memory limit, in columns.
    columns: usize,
    seed: u64,
}

fn fixture(setting: &Setting) -> Fixture {
    let template = Template::parse("test.bnf", &grammar_text(setting.variant)).expect("valid");
    let shape = Shape { features: FEATURES, outputs: setting.outputs };
    let grammar = template.bind(shape).expect("valid");
    let params = MgeParams {
        min_genes: 1,
        max_genes: 8,
        mutation_rates: vec![0.003, 0.02],
        ..if setting.real { MgeParams::real_for_classes(2) } else { MgeParams::default() }
    };
    let params = params.check(&grammar, setting.variant).expect("valid");
    let mapper = Mapper::new(grammar, setting.variant, 0).expect("valid");
    let mapper = mapper.with_weight_slots(params.weight_slots().cloned());
    let variation = Variation::new(params);
    let mut random = Stream::at(setting.seed, Purpose::Split, 0, 0);
    let columns = Columns::from_fn(setting.rows, FEATURES, |_, values| {
        values.fill_with(|| (random.unit() * 2.0 - 1.0) as f32 * setting.max_input);
    });
    let link = OutputLink::for_outputs(setting.outputs);
    let labels: Vec<u32> = (0..setting.rows).map(|_| random.index(link.classes()) as u32).collect();
    let targets = Targets::Classes { labels: &labels, link };
    let evaluator = BatchEvaluator::with_level(&columns, targets, setting.loss, setting.level);
    let cache = mapper.gene_cache();
    Fixture { mapper, cache, variation, evaluator: Arc::new(evaluator.expect("valid")) }
}

/// Inserts a population's genes into the cache in two chunks, as two threads would.
fn fill_cache(mapper: &Mapper, population: &[Genotype], cache: &mut GeneCache) {
    cache.begin_population();
    let (some, others) = population.split_at(population.len() / 2);
    let uncached =
        [some, others].map(|half| mapper.uncached_genes(half, cache, &mut Workspace::default()));
    uncached.into_iter().for_each(|uncached| cache.insert(uncached));
}

impl Fixture {
    /// The slow twin.
    fn plain(&self, genotype: &Genotype) -> (Option<u64>, u32) {
        let mapped = self.mapper.map(genotype, &mut Workspace::default());
        let loss = |network| self.evaluator.loss(network, &mut Scratch::new()).to_bits();
        (mapped.network.as_ref().map(loss), mapped.invalid_genes)
    }

    /// Checks one population. Returns how many losses were computed incrementally.
    fn check(&mut self, population: &[Genotype], shared: &mut PopulationEvaluator) -> usize {
        fill_cache(&self.mapper, population, &mut self.cache);
        let (mut lists, mut expected) = (Vec::new(), Vec::new());
        // In chunks, as several threads would list them.
        for some in population.chunks(7) {
            let mut piece = PartLists::default();
            for genotype in some {
                let listed = self.mapper.list_parts(genotype, &self.cache, &mut piece);
                let (loss, invalid_genes) = self.plain(genotype);
                assert_eq!(listed.is_network, loss.is_some());
                assert_eq!(listed.invalid_genes, invalid_genes);
                match loss {
                    Some(loss) => {
                        piece.close();
                        expected.push(loss);
                    }
                    None => piece.discard_open(),
                }
            }
            lists.push(piece);
        }
        let losses = shared.losses(&lists);
        assert_eq!(losses.len(), expected.len());
        let shared_losses = losses.iter().zip(&expected).filter_map(|(loss, &expected)| {
            loss.map(|loss| assert_eq!(loss.to_bits(), expected, "{loss}"))
        });
        shared_losses.count()
    }

    /// Offspring of a population, some of them plain copies.
    fn offspring(&self, parents: &[Genotype], generation: u64, seed: u64) -> Vec<Genotype> {
        let mut stream = Stream::at(seed, Purpose::Mutation, generation, 0);
        let mut offspring = Vec::new();
        while offspring.len() < parents.len() {
            let mut one = parents[stream.index(parents.len())].clone();
            let mut other = parents[stream.index(parents.len())].clone();
            self.variation.crossover(&mut one, &mut other, &mut stream);
            if stream.chance(0.7) {
                self.variation.mutate(&mut one, &mut stream);
            }
            offspring.extend([one, other]);
        }
        offspring
    }
}

fn settings() -> impl Strategy<Value = Setting> {
    let variant = proptest::sample::select(Variant::ALL.to_vec());
    let outputs = prop_oneof![Just(1usize), Just(2usize), Just(3usize), Just(10usize)];
    let rows = prop_oneof![1usize..60, Just(512usize), 900usize..1100];
    let losses = Loss::for_link(OutputLink::for_classes(2)).to_vec();
    let loss = proptest::sample::select(losses);
    let level = proptest::sample::select(Level::available());
    let max_input = prop_oneof![Just(1.5f32), Just(60.0), Just(3e6)];
    let threads = proptest::sample::select(vec![1usize, 2, 7]);
    let columns = proptest::sample::select(vec![0usize, 1, 7, 100_000]);
    let variant = (variant, any::<bool>());
    (variant, outputs, rows, loss, level, max_input, threads, columns, any::<u64>()).prop_map(
        |((variant, real), outputs, rows, loss, level, max_input, threads, columns, seed)| {
            Setting { variant, real, outputs, rows, loss, level, max_input, threads, columns, seed }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn incremental_evaluation_gives_the_same_bits(setting in settings()) {
        let mut fixture = fixture(&setting);
        let column = setting.rows.div_ceil(512).max(1) * 512 * 5;
        let mut shared =
            PopulationEvaluator::new(Arc::clone(&fixture.evaluator), setting.columns * column);
        let mut population: Vec<Genotype> = (0..20)
            .map(|index| {
                let mut stream = Stream::at(setting.seed, Purpose::Initialisation, 0, index);
                fixture.variation.random(&mut stream)
            })
            .collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(setting.threads).build().expect("valid");
        let mut shared_losses = 0;
        for generation in 1..8 {
            shared_losses += pool.install(|| fixture.check(&population, &mut shared));
            population = fixture.offspring(&population, generation, setting.seed);
        }
        prop_assert!(shared_losses > 0 || setting.max_input > 2.0, "nothing was shared");
    }
}

#[test]
fn inherited_genes_are_not_evaluated_again() {
    for (variant, real) in Variant::ALL.into_iter().flat_map(|v| [(v, false), (v, true)]) {
        let setting = Setting {
            variant,
            real,
            outputs: 3,
            rows: 100,
            loss: Loss::CrossEntropy,
            level: Level::available()[0],
            max_input: 1.0,
            threads: 1,
            columns: 10_000,
            seed: 5,
        };
        let mut fixture = fixture(&setting);
        let mut shared = PopulationEvaluator::new(Arc::clone(&fixture.evaluator), 100 << 20);
        let parents: Vec<Genotype> = (0..50)
            .map(|index| {
                fixture.variation.random(&mut Stream::at(5, Purpose::Initialisation, 0, index))
            })
            .collect();
        fixture.check(&parents, &mut shared);
        let first = shared.stats();
        fixture.check(&parents, &mut shared);
        let again = shared.stats();
        assert_eq!((again.networks, again.outputs, again.neurons), (0, 0, 0), "{variant}");
        let offspring = fixture.offspring(&parents, 1, 5);
        fixture.check(&offspring, &mut shared);
        let next = shared.stats();
        assert!(next.neurons * 2 < first.neurons, "{variant}: {next:?} after {first:?}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_work() {
    let work_with = |variant: Variant, threads: usize| {
        let setting = Setting {
            variant,
            real: false,
            outputs: 5,
            rows: 1100,
            loss: Loss::CrossEntropy,
            level: Level::available()[0],
            max_input: 1.0,
            threads,
            columns: 40,
            seed: 8,
        };
        let mut fixture = fixture(&setting);
        let memory = setting.columns * 1100 * size_of::<f32>();
        let mut shared = PopulationEvaluator::new(Arc::clone(&fixture.evaluator), memory);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("valid");
        let mut population: Vec<Genotype> = (0..40)
            .map(|index| {
                fixture.variation.random(&mut Stream::at(8, Purpose::Initialisation, 0, index))
            })
            .collect();
        let mut work = Vec::new();
        for generation in 1..6 {
            pool.install(|| fixture.check(&population, &mut shared));
            work.push(shared.stats());
            population = fixture.offspring(&population, generation, 8);
        }
        work
    };
    for variant in Variant::ALL {
        let one = work_with(variant, 1);
        assert!(one.iter().any(|work| work.cached_bytes > 0), "{variant}: nothing was kept");
        assert_eq!(one, work_with(variant, 2), "{variant}");
        assert_eq!(one, work_with(variant, 7), "{variant}");
    }
}

#[test]
fn a_cache_is_never_used_with_another_grammar() {
    let mapper = |features: usize, variant: Variant| {
        let template = Template::parse("test.bnf", &grammar_text(variant)).expect("valid");
        Mapper::new(template.bind(Shape { features, outputs: 3 }).expect("valid"), variant, 0)
            .expect("valid")
    };
    let mappers = [
        mapper(6, Variant::Mge),
        mapper(5, Variant::Mge),
        mapper(6, Variant::Eta),
        mapper(6, Variant::Beta),
        mapper(6, Variant::Alpha),
    ];
    let params =
        MgeParams::default().check(mappers[0].grammar(), mappers[0].variant()).expect("valid");
    let variation = Variation::new(params);
    let mut caches = mappers.each_ref().map(Mapper::gene_cache);
    let mut workspace = Workspace::default();
    for index in 0..50 {
        let mut stream = Stream::at(9, Purpose::Initialisation, 0, index);
        let mut genotype = variation.random(&mut stream);
        // Mutants inherit the hints that still hold, and only those.
        for _ in 0..6 {
            for (mapper, cache) in mappers.iter().zip(&mut caches) {
                fill_cache(mapper, std::slice::from_ref(&genotype), cache);
                let mut lists = PartLists::default();
                mapper.list_parts(&genotype, cache, &mut lists);
                let network = mapper.map(&genotype, &mut workspace).network;
                assert_eq!(lists.open_network(mapper.grammar().shape().features, 3), network);
            }
            variation.mutate(&mut genotype, &mut stream);
        }
    }
}

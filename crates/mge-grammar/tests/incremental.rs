//! Evaluating whole populations by what is new in them gives the same bits as evaluating each
//! genotype by itself: for all variants, activations, losses, class counts, thread counts, SIMD
//! levels and memory budgets.

use mge_evolve::Representation;
use mge_grammar::mge::{GeneCache, Genotype, Mapper, MgeParams, Variant, Variation, Workspace};
use mge_grammar::{Shape, Template, shipped};
use mge_net::{
    BatchEvaluator, Columns, Level, Loss, PartLists, PopulationEvaluator, Scratch, classes_of,
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

struct World {
    mapper: Mapper,
    known: GeneCache,
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
    /// Inputs are up to this: large ones force sums out of the tame range.
    largest: f32,
    threads: usize,
    /// Columns' worth of memory.
    columns: usize,
    seed: u64,
}

fn world(setting: &Setting) -> World {
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
        values.fill_with(|| (random.unit() * 2.0 - 1.0) as f32 * setting.largest);
    });
    let classes = classes_of(setting.outputs);
    let labels: Vec<u32> = (0..setting.rows).map(|_| random.index(classes) as u32).collect();
    let evaluator =
        BatchEvaluator::with_level(&columns, &labels, setting.outputs, setting.loss, setting.level);
    let known = mapper.gene_cache();
    World { mapper, known, variation, evaluator: Arc::new(evaluator.expect("valid")) }
}

/// Learns a population's genes in two pieces, as two threads would.
fn learn(mapper: &Mapper, population: &[Genotype], known: &mut GeneCache) {
    known.begin();
    let (some, others) = population.split_at(population.len() / 2);
    let fresh =
        [some, others].map(|half| mapper.uncached_genes(half, known, &mut Workspace::default()));
    fresh.into_iter().for_each(|fresh| known.learn(fresh));
}

impl World {
    /// The slow twin.
    fn plain(&self, genotype: &Genotype) -> (Option<u64>, u32) {
        let mapped = self.mapper.map(genotype, &mut Workspace::default());
        let loss = |network| self.evaluator.loss(network, &mut Scratch::new()).to_bits();
        (mapped.network.as_ref().map(loss), mapped.invalid_genes)
    }

    /// Checks one population; tells how many losses could be shared.
    fn check(&mut self, population: &[Genotype], shared: &mut PopulationEvaluator) -> usize {
        learn(&self.mapper, population, &mut self.known);
        let (mut lists, mut expected) = (Vec::new(), Vec::new());
        // In pieces, as several threads would list them.
        for some in population.chunks(7) {
            let mut piece = PartLists::default();
            for genotype in some {
                let listed = self.mapper.list_parts(genotype, &self.known, &mut piece);
                let (loss, invalid_genes) = self.plain(genotype);
                assert_eq!(listed.is_network, loss.is_some());
                assert_eq!(listed.invalid_genes, invalid_genes);
                match loss {
                    Some(loss) => {
                        piece.end();
                        expected.push(loss);
                    }
                    None => piece.abandon(),
                }
            }
            lists.push(piece);
        }
        let losses = shared.losses(&lists);
        assert_eq!(losses.len(), expected.len());
        let known = losses.iter().zip(&expected).filter_map(|(loss, &expected)| {
            loss.map(|loss| assert_eq!(loss.to_bits(), expected, "{loss}"))
        });
        known.count()
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
    let loss = proptest::sample::select(Loss::ALL.to_vec());
    let level = proptest::sample::select(Level::available());
    let largest = prop_oneof![Just(1.5f32), Just(60.0), Just(3e6)];
    let threads = proptest::sample::select(vec![1usize, 2, 7]);
    let columns = proptest::sample::select(vec![0usize, 1, 7, 100_000]);
    let variant = (variant, any::<bool>());
    (variant, outputs, rows, loss, level, largest, threads, columns, any::<u64>()).prop_map(
        |((variant, real), outputs, rows, loss, level, largest, threads, columns, seed)| Setting {
            variant,
            real,
            outputs,
            rows,
            loss,
            level,
            largest,
            threads,
            columns,
            seed,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_same_bits_as_one_by_one(setting in settings()) {
        let mut world = world(&setting);
        let column = setting.rows.div_ceil(512).max(1) * 512 * 5;
        let mut shared =
            PopulationEvaluator::new(Arc::clone(&world.evaluator), setting.columns * column);
        let mut population: Vec<Genotype> = (0..20)
            .map(|index| {
                let mut stream = Stream::at(setting.seed, Purpose::Initialisation, 0, index);
                world.variation.random(&mut stream)
            })
            .collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(setting.threads).build().expect("valid");
        let mut known = 0;
        for generation in 1..8 {
            known += pool.install(|| world.check(&population, &mut shared));
            population = world.offspring(&population, generation, setting.seed);
        }
        prop_assert!(known > 0 || setting.largest > 2.0, "nothing was shared");
    }
}

#[test]
fn inherited_work_is_not_done_again() {
    for (variant, real) in Variant::ALL.into_iter().flat_map(|v| [(v, false), (v, true)]) {
        let setting = Setting {
            variant,
            real,
            outputs: 3,
            rows: 100,
            loss: Loss::CrossEntropy,
            level: Level::available()[0],
            largest: 1.0,
            threads: 1,
            columns: 10_000,
            seed: 5,
        };
        let mut world = world(&setting);
        let mut shared = PopulationEvaluator::new(Arc::clone(&world.evaluator), 100 << 20);
        let parents: Vec<Genotype> = (0..50)
            .map(|index| {
                world.variation.random(&mut Stream::at(5, Purpose::Initialisation, 0, index))
            })
            .collect();
        world.check(&parents, &mut shared);
        let first = shared.work();
        world.check(&parents, &mut shared);
        let again = shared.work();
        assert_eq!((again.networks, again.outputs, again.neurons), (0, 0, 0), "{variant}");
        let offspring = world.offspring(&parents, 1, 5);
        world.check(&offspring, &mut shared);
        let next = shared.work();
        assert!(next.neurons * 2 < first.neurons, "{variant}: {next:?} after {first:?}");
    }
}

#[test]
fn the_work_does_not_depend_on_threads() {
    let work_with = |variant: Variant, threads: usize| {
        let setting = Setting {
            variant,
            real: false,
            outputs: 5,
            rows: 1100,
            loss: Loss::CrossEntropy,
            level: Level::available()[0],
            largest: 1.0,
            threads,
            columns: 40,
            seed: 8,
        };
        let mut world = world(&setting);
        let memory = setting.columns * 1100 * size_of::<f32>();
        let mut shared = PopulationEvaluator::new(Arc::clone(&world.evaluator), memory);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("valid");
        let mut population: Vec<Genotype> = (0..40)
            .map(|index| {
                world.variation.random(&mut Stream::at(8, Purpose::Initialisation, 0, index))
            })
            .collect();
        let mut work = Vec::new();
        for generation in 1..6 {
            pool.install(|| world.check(&population, &mut shared));
            work.push(shared.work());
            population = world.offspring(&population, generation, 8);
        }
        work
    };
    for variant in Variant::ALL {
        let one = work_with(variant, 1);
        assert!(one.iter().any(|work| work.kept_bytes > 0), "{variant}: nothing was kept");
        assert_eq!(one, work_with(variant, 2), "{variant}");
        assert_eq!(one, work_with(variant, 7), "{variant}");
    }
}

#[test]
fn a_memory_is_never_read_with_another_grammar() {
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
    let mut books = mappers.each_ref().map(Mapper::gene_cache);
    let mut workspace = Workspace::default();
    for index in 0..50 {
        let mut stream = Stream::at(9, Purpose::Initialisation, 0, index);
        let mut genotype = variation.random(&mut stream);
        // Mutants inherit memories that still hold, and only those.
        for _ in 0..6 {
            for (mapper, known) in mappers.iter().zip(&mut books) {
                learn(mapper, std::slice::from_ref(&genotype), known);
                let mut lists = PartLists::default();
                mapper.list_parts(&genotype, known, &mut lists);
                let network = mapper.map(&genotype, &mut workspace).network;
                assert_eq!(lists.present_network(mapper.grammar().shape().features, 3), network);
            }
            variation.mutate(&mut genotype, &mut stream);
        }
    }
}

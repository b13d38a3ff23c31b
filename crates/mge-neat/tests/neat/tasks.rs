//! Small tasks that tests share.

use mge_evolve::{Evaluate, Evaluation};
use mge_neat::{CheckedNeat, Genome, Mapper, NeatParams, NetworkLoss, Shape};
use mge_net::{BatchEvaluator, Columns, Loss, Network, OutputLink, Scratch, Targets};
use mge_random::{Purpose, Stream};

/// The rows of a task, column by column.
pub struct Rows {
    pub columns: Columns,
    pub shape: Shape,
    pub labels: Vec<u32>,
}

impl Rows {
    fn new(columns: &[Vec<f32>], labels: Vec<u32>, outputs: usize) -> Self {
        let shape = Shape { inputs: columns.len(), outputs };
        Self { columns: Columns::from_columns(columns).unwrap(), shape, labels }
    }

    /// Exclusive or.
    pub fn xor() -> Self {
        let columns = [vec![0.0, 0.0, 1.0, 1.0], vec![0.0, 1.0, 0.0, 1.0]];
        Self::new(&columns, vec![0, 1, 1, 0], 1)
    }

    /// Points in the square from -1 to 1; the class is the sector of the angle.
    pub fn sectors(classes: usize, rows: usize) -> Self {
        let mut stream = Stream::at(9, Purpose::Initialisation, 0, 0);
        let mut draw = || (0..rows).map(|_| (2.0 * stream.unit() - 1.0) as f32).collect();
        let (x, y): (Vec<f32>, Vec<f32>) = (draw(), draw());
        let sector = |(&x, &y): (&f32, &f32)| {
            let turn = libm::atan2(f64::from(y), f64::from(x)) / (2.0 * std::f64::consts::PI);
            ((turn + 0.5) * classes as f64).min(classes as f64 - 1.0) as u32
        };
        let labels = x.iter().zip(&y).map(sector).collect();
        Self::new(&[x, y], labels, OutputLink::for_classes(classes).outputs())
    }

    /// An evaluator of genomes by the cross-entropy of these labels.
    pub fn loss(&self, labels: &[u32], params: &CheckedNeat) -> impl Evaluate<Genome> + use<> {
        let outputs = params.shape().outputs;
        let targets = Targets::Classes { labels, link: OutputLink::for_outputs(outputs) };
        let batch = BatchEvaluator::new(&self.columns, targets, Loss::CrossEntropy).unwrap();
        let loss = move |network: &Network, scratch: &mut Scratch| batch.loss(network, scratch);
        NetworkLoss::new(Mapper::new(params), loss)
    }
}

/// A loss without data: the distance of the number of enabled links from five. With fewer than two
/// links an individual is invalid.
#[derive(Debug)]
pub struct FiveLinks;

impl Evaluate<Genome> for FiveLinks {
    fn evaluate(&self, genomes: &[Genome]) -> Vec<Evaluation> {
        let of = |genome: &Genome| match genome.links().iter().filter(|link| link.enabled).count() {
            0 | 1 => Evaluation::invalid(),
            links => {
                let weights: f32 = genome.links().iter().map(|link| link.weight.abs()).sum();
                Evaluation::valid(links.abs_diff(5) as f64 + f64::from(weights) / 100.0)
            }
        };
        genomes.iter().map(of).collect()
    }
}

/// Settings with high mutation rates, so that a few generations change much.
pub fn lively(population: usize) -> NeatParams {
    NeatParams {
        population,
        initial_links: 0.7,
        add_node: 0.3,
        add_link: 0.5,
        toggle_link: 0.1,
        reenable_link: 0.1,
        interspecies: 0.1,
        threshold: 1.0,
        stagnation: 4,
        population_stagnation: 6,
        ..Default::default()
    }
}

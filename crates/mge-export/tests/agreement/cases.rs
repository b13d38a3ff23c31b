//! Models to export: fitted on every built-in data set (`tests/models`), and random ones.

use std::path::Path;
use std::sync::LazyLock;

use mge_data::{
    Columns, FeatureRange, LoadOptions, Loaded, Preprocess, PreprocessOptions, catalogue, load,
};
use mge_export::{Program, TrainedClassifier};
use mge_net::{Activation, Link, Network, Neuron, Output, OutputLink, Source, reference};
use mge_random::{Purpose, Stream};
use serde::Deserialize;

pub struct Case {
    pub name: String,
    pub network: Network,
    pub preprocess: Preprocess,
    pub classes: Vec<String>,
    /// Numbers before scaling, with missing ones filled.
    pub numbers: Columns,
    /// The class and the probabilities of each row by the model.
    pub answers: Vec<(usize, Vec<f64>)>,
    pub labels: Vec<u32>,
}

impl Case {
    pub fn classifier(&self) -> TrainedClassifier<'_> {
        TrainedClassifier {
            name: &self.name,
            network: &self.network,
            preprocess: &self.preprocess,
            classes: &self.classes,
        }
    }

    /// The numbers of each row that a program takes.
    pub fn rows_for(&self, program: &Program) -> Vec<Vec<f32>> {
        let features = program.inputs.iter().map(|input| input.feature);
        let row = |row| features.clone().map(|c| self.numbers.column(c)[row]).collect();
        (0..self.numbers.rows()).map(row).collect()
    }

    /// The rows as exported examples read them.
    pub fn rows_text(&self, program: &Program) -> String {
        let line = |row: Vec<f32>| row.iter().map(|x| format!("{x:e} ")).collect::<String>() + "\n";
        self.rows_for(program).into_iter().map(line).collect()
    }

    fn new(name: String, network: Network, preprocess: Preprocess, data: &Loaded) -> Self {
        let task = data.class_target().unwrap();
        // Rows of pixels are long; `mnist.rs` reads all of them in binary.
        let max_rows = if network.inputs() > 500 { 1000 } else { usize::MAX };
        let rows: Vec<u32> = (0..data.table.rows().min(max_rows) as u32).collect();
        let scaled = preprocess.apply(&data.table, Some(&rows)).unwrap().columns;
        let answers = answers(&network, &scaled);
        let numbers = preprocess.unscaled().apply(&data.table, Some(&rows)).unwrap().columns;
        let labels = task.labels_of(&rows);
        Self {
            name,
            network,
            preprocess,
            classes: task.classes().to_vec(),
            numbers,
            answers,
            labels,
        }
    }
}

/// The class and the probabilities of each row by a network.
pub fn answers(network: &Network, scaled: &Columns) -> Vec<(usize, Vec<f64>)> {
    let answer = |row: usize| {
        let cells: Vec<f32> = (0..scaled.count()).map(|c| scaled.column(c)[row]).collect();
        let link = OutputLink::for_outputs(network.outputs().len());
        let p = reference::probabilities(network, link, &cells);
        (link.predicted_class(&p), p)
    };
    (0..scaled.rows()).map(answer).collect()
}

/// All cases, made once.
pub static CASES: LazyLock<Vec<Case>> =
    LazyLock::new(|| fitted().into_iter().chain(random()).collect());

/// The cases whose activations all have an integer form.
pub fn integer_cases() -> impl Iterator<Item = &'static Case> {
    let has_form = |case: &&Case| {
        case.network.neurons().iter().all(|neuron| neuron.activation.integer_form().is_some())
    };
    CASES.iter().filter(has_form)
}

/// The parts of a model file that a prediction needs.
#[derive(Deserialize)]
pub struct Fitted {
    pub network: Network,
    pub preprocess: Preprocess,
}

impl Fitted {
    pub fn read(path: &Path) -> Self {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }
}

/// The range of each feature over all rows.
pub fn ranges(numbers: &Columns) -> Vec<FeatureRange> {
    (0..numbers.count()).map(|column| FeatureRange::of(numbers.column(column))).collect()
}

pub fn data(name: &str) -> Loaded {
    load(name, &LoadOptions::default()).unwrap()
}

/// One model for each built-in data set, all variants among them, and one with every activation.
/// `models/make.py` makes the files.
fn fitted() -> Vec<Case> {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let json = |path: &std::path::PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let (set, _) = name.split_once('-').unwrap();
        if !catalogue::find(set).unwrap().is_embedded()
            && std::env::var_os("MGE_DATA_DIR").is_none()
        {
            mge_test::report_skipped(&format!("export of {name}"), "MGE_DATA_DIR is not set");
            return None;
        }
        let Fitted { network, preprocess } = Fitted::read(&path);
        Some(Case::new(name.clone(), network, preprocess, &data(set)))
    };
    files.into_iter().filter(json).filter_map(read).collect()
}

/// Networks of every shape, with direct links, biases and dead neurons. Those of the last one have
/// every activation, those of others every activation with an integer form.
fn random() -> Vec<Case> {
    let shapes = ["modular", "monolithic", "layered", "direct", "sigmoids", "empty", "floats"];
    let make = |(index, shape): (usize, &&str)| {
        let data = data(["wine", "heart", "ionosphere", "credit"][index % 4]);
        let task = data.class_target().unwrap();
        let rows: Vec<u32> = (0..data.table.rows() as u32).collect();
        let options = PreprocessOptions::default();
        let preprocess = Preprocess::fit(&data.table, task.column(), &rows, &options).unwrap();
        let inputs = preprocess.features().len();
        let outputs = OutputLink::for_classes(task.classes().len()).outputs();
        let network = network(shape, inputs, outputs, index as u64);
        Case::new(format!("random {shape}"), network, preprocess, &data)
    };
    shapes.iter().enumerate().map(make).collect()
}

fn network(shape: &str, inputs: usize, outputs: usize, seed: u64) -> Network {
    let mut stream = Stream::at(seed, Purpose::Initialisation, 8, 8);
    let mut weight = move || (stream.unit() * 2.0 - 1.0) as f32;
    let mut stream = Stream::at(seed, Purpose::Mutation, 8, 8);
    let count = if shape == "empty" { 0 } else { 24 };
    let fits = |one: &Activation| shape == "floats" || one.integer_form().is_some();
    let all: Vec<Activation> = Activation::ALL.into_iter().filter(fits).collect();
    let mut neurons: Vec<Neuron> = Vec::new();
    for index in 0..count {
        let mut sources = Vec::new();
        for _ in 0..1 + stream.index(5) {
            let earlier = shape == "layered" || shape == "direct";
            let source = if earlier && index > 0 && stream.chance(0.4) {
                Source::Neuron(stream.index(index) as u32)
            } else {
                Source::Input(stream.index(inputs) as u32)
            };
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        let links = sources.into_iter().map(|source| Link { source, weight: weight() }).collect();
        let activation =
            if shape == "sigmoids" { Activation::Sigmoid } else { all[index % all.len()] };
        let bias = stream.chance(0.7).then(&mut weight);
        neurons.push(Neuron { activation, bias, links });
    }
    let mut made = vec![Output::default(); outputs];
    for index in 0..count {
        let several = if shape == "monolithic" { 2 } else { 1 };
        for step in 0..several.min(outputs) {
            let output = (index + step) % outputs;
            let link = Link { source: Source::Neuron(index as u32), weight: weight() };
            // Nothing reads the last neuron.
            if index + 1 < count {
                made[output].links.push(link);
            }
        }
    }
    if shape == "direct" {
        for (index, output) in made.iter_mut().enumerate() {
            output.bias = Some(weight());
            output.links.push(Link { source: Source::Input(index as u32), weight: weight() });
        }
    }
    Network::new(inputs, neurons, made).unwrap()
}

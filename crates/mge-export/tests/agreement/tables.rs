//! Generated programs read the table that the model was made from, with its header, categories,
//! quoted cells, missing cells and decimal commas.

use std::path::Path;

use mge_data::{LoadOptions, Loaded, Preprocess, PreprocessOptions, TargetColumn, load};
use mge_export::{
    C, ExportOptions, Number, Python, QuantizationRows, Rust, TrainedClassifier, export,
};
use mge_net::{Activation, Link, Network, Neuron, Output, OutputLink, Source};

use crate::cases::{answers, ranges};
use crate::floats::build_crate;
use crate::tools::{cc, python, run};

const QUOTED: &str = "\u{feff}speed,\"load, of \"\"it\"\"\",unused,rate,on,state\n\
    1.5,heavy,zz,?,yes,a\n2.5, light ,zz,3,no,b\n,\"none at all\",zz,4,YES,a\n\n\
    NaN,heavy,\"z\nz\",5,no,b\n7e0,light,zz,6,yes,b\n8,\"none at all\",zz,NA,no,a\n\
    9,heavy,zz,8,true,b\n1,,zz,9,no,a\n3,\"light\",zz,2,yes,b\n4,heavy,zz,1,no,a\n";
const SEMICOLONS: &str =
    "speed;load;state\r\n1,5;x;a\r\n2,5;y;b\r\n-3,25;x;a\r\n;y;b\r\n4;x;b\r\n5,125;y;a\r\n";
const TABS: &str = "speed\tload\tstate\n1\t1.0\ta\n2\t2\tb\n3\t3\ta\n4\t1\tb\n5\t2\tb\n6\t3\ta\n";
const HEADLESS: &str = "1,x,5,a\n2,y,4,b\n3,x,6,a\n4,y,1,b\n5,x,2,b\n6,y,9,a\n";

/// A network that reads every feature, and every second one twice.
fn network(inputs: usize, outputs: usize) -> Network {
    let link = |source, weight| Link { source, weight };
    let weight = |index: usize| ((index * 7) % 11) as f32 / 5.0 - 1.0;
    let neuron = Neuron {
        activation: Activation::Tanh,
        bias: Some(0.1),
        links: (0..inputs).map(|i| link(Source::Input(i as u32), 0.3 + weight(i))).collect(),
    };
    let output = |index: usize| Output {
        bias: None,
        links: vec![
            link(Source::Neuron(0), 1.5),
            link(Source::Input((index % inputs) as u32), weight(index + 2)),
        ],
    };
    Network::new(inputs, vec![neuron], (0..outputs).map(output).collect()).unwrap()
}

fn check(text: &str, file: &str, ordinal: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, text).unwrap();
    let data: Loaded = load(path.to_str().unwrap(), &LoadOptions::default()).unwrap();
    let task = data.class_target().unwrap();
    let rows: Vec<u32> = (0..data.table.rows() as u32).collect();
    let mut options = PreprocessOptions { missing_indicator: true, ..Default::default() };
    if ordinal {
        options.categories = mge_data::Categories::Ordinal;
    }
    let preprocess = Preprocess::fit(&data.table, task.column(), &rows, &options).unwrap();
    let outputs = OutputLink::for_classes(task.classes().len()).outputs();
    let network = network(preprocess.features().len(), outputs);
    let (preprocess, network, classes) = (&preprocess, &network, task.classes());
    let classifier = TrainedClassifier { name: "table", network, preprocess, classes };
    let scaled = preprocess.apply(&data.table, None).unwrap().columns;
    let answers = answers(network, &scaled);
    let expected: Vec<&String> = answers.iter().map(|(class, _)| &classes[*class]).collect();
    let layout = data.table.layout().clone();
    let options = ExportOptions { table: layout, ..ExportOptions::default() };
    let word = |printed: &str, index: usize, delimiter: char| -> Vec<String> {
        let line = |line: &str| line.split(delimiter).nth(index).unwrap().to_owned();
        printed.lines().map(line).collect()
    };
    let inside = |name: &str| folder.path().join(name);

    export(&classifier, &C, &options, None).unwrap().write(&inside("c")).unwrap();
    cc(&inside("c"), &["-o", "table", "main.c", "table.c", "-lm"]);
    let printed = run(inside("c").join("table"), &[], folder.path(), text);
    assert_eq!(word(&printed, 1, ' ').iter().collect::<Vec<_>>(), expected, "C, {file}");

    export(&classifier, &Rust, &options, None).unwrap().write(&inside("rust")).unwrap();
    build_crate(&inside("rust"), "table");
    let printed = run(inside("rust").join("classify"), &[], folder.path(), text);
    assert_eq!(word(&printed, 1, ' ').iter().collect::<Vec<_>>(), expected, "Rust, {file}");

    export(&classifier, &Python, &options, None).unwrap().write(&inside("python")).unwrap();
    let printed = run(python(), &["python/table.py", path.to_str().unwrap()], folder.path(), "");
    assert_eq!(word(&printed, 0, ',').iter().collect::<Vec<_>>(), expected, "Python, {file}");
    let printed = run(python(), &["python/table.py"], folder.path(), text);
    assert_eq!(word(&printed, 0, ',').iter().collect::<Vec<_>>(), expected, "Python, {file}");

    let numbers = preprocess.unscaled().apply(&data.table, None).unwrap().columns;
    let ranges = ranges(&numbers);
    let labels = task.labels();
    let rows = QuantizationRows { ranges: &ranges, sample: &numbers, validation: &numbers, labels };
    let options = ExportOptions { number: Number::Int16, max_accuracy_drop: 1.0, ..options };
    export(&classifier, &C, &options, Some(&rows)).unwrap().write(&inside("int")).unwrap();
    let build = ["-DTABLE_WITH_FLOAT", "-o", "table", "main.c", "table.c"];
    cc(&inside("int"), &build);
    let printed = run(inside("int").join("table"), &[], folder.path(), text);
    assert_eq!(word(&printed, 1, ' ').iter().collect::<Vec<_>>(), expected, "int16, {file}");
    errors(&inside("c").join("table"), folder.path());
}

/// What a program says of a table that it cannot read.
fn errors(program: &Path, folder: &Path) {
    for bad in ["speed,other\n1,2\n", "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o\n1\n"] {
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("printf '{}' | {}", bad, program.display())])
            .current_dir(folder)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{bad}: {said}");
        assert!(said.starts_with("line 1"), "{bad}: {said}");
    }
}

#[test]
fn quoted_cells_and_categories_are_read() {
    check(QUOTED, "quoted.csv", false);
    check(QUOTED, "quoted.csv", true);
}

#[test]
fn other_delimiters_are_read() {
    check(SEMICOLONS, "semicolons.csv", false);
    check(TABS, "tabs.tsv", false);
    check(TABS, "tabs.tsv", true);
}

#[test]
fn tables_without_a_header_are_read() {
    check(HEADLESS, "headless.csv", false);
}

#[test]
fn the_target_need_not_be_there() {
    // The same table as `TABS`, without the column of labels, in another order.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.tsv");
    std::fs::write(&path, TABS).unwrap();
    let options = LoadOptions { target: TargetColumn::Guess, ..LoadOptions::default() };
    let data = load(path.to_str().unwrap(), &options).unwrap();
    let task = data.class_target().unwrap();
    let rows: Vec<u32> = (0..data.table.rows() as u32).collect();
    let preprocess =
        Preprocess::fit(&data.table, task.column(), &rows, &Default::default()).unwrap();
    let network = network(preprocess.features().len(), 1);
    let (preprocess, network, classes) = (&preprocess, &network, task.classes());
    let classifier = TrainedClassifier { name: "table", network, preprocess, classes };
    let options = ExportOptions { table: data.table.layout().clone(), ..ExportOptions::default() };
    export(&classifier, &C, &options, None).unwrap().write(folder.path()).unwrap();
    cc(folder.path(), &["-o", "table", "main.c", "table.c", "-lm"]);
    let whole = run(folder.path().join("table"), &[], folder.path(), TABS);
    let swapped: String = TABS
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            format!("\"{}\",{}\n", cells[1], cells[0])
        })
        .collect();
    assert_eq!(run(folder.path().join("table"), &[], folder.path(), &swapped), whole);
}

//! ONNX of standard operators: opset 13, no custom domain.
//!
//! The input `input` is float [rows, features]; the outputs are `label` [rows] (int64 if every
//! class is a whole number, else string) and `probabilities` [rows, classes]. scikit-learn's
//! converters use the same names and shapes. Neurons of one layer with the same activation are one
//! `MatMul`. A single output becomes two columns, of which the first is zero.

mod proto;

use mge_net::{Activation, OnnxForm, OnnxNode, Source};
use prost::Message;
use proto::{
    AttributeProto, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    StringStringEntryProto, TensorProto, TensorShapeProto, TensorTypeProto, TypeProto,
    ValueInfoProto,
};

use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::program::{Program, WeightedSum};

/// The version of the operator set.
const OPSET: i64 = 13;
const IR_VERSION: i64 = 7;
const FLOAT: i32 = 1;
const INT64: i32 = 7;
const STRING: i32 = 8;
const ATTRIBUTE_INT: i32 = 2;

/// The target `onnx`.
#[derive(Debug, Clone, Copy)]
pub struct Onnx;

impl Exporter for Onnx {
    fn name(&self) -> &'static str {
        "onnx"
    }

    fn summary(&self) -> &'static str {
        "an ONNX file of standard operators"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::floats(32)
    }

    fn paths(&self, name: &str) -> Vec<String> {
        vec![format!("{name}.onnx")]
    }

    fn files(&self, form: &Form<'_>) -> Vec<OutFile> {
        let path = format!("{}.onnx", form.program.name);
        vec![OutFile { path, bytes: model(form.program).encode_to_vec() }]
    }
}

struct GraphBuilder<'a> {
    program: &'a Program,
    made: GraphProto,
    /// For each neuron its column in the matrix of all values so far.
    columns: Vec<usize>,
    /// Columns of that matrix.
    width: usize,
}

fn model(program: &Program) -> ModelProto {
    let mut graph = GraphBuilder {
        program,
        made: GraphProto { name: Some(program.name.clone()), ..GraphProto::default() },
        columns: vec![usize::MAX; program.neurons.len()],
        width: program.inputs.len(),
    };
    graph.build();
    let features: Vec<&str> = program.inputs.iter().map(|input| input.name.as_str()).collect();
    let meanings: Vec<&str> =
        program.inputs.iter().map(|input| input.description.as_str()).collect();
    let entry = |key: &str, value: String| StringStringEntryProto {
        key: Some(key.to_owned()),
        value: Some(value),
    };
    // A list of strings is always JSON.
    let json = |list: &[&str]| serde_json::to_string(list).unwrap_or_default();
    let classes: Vec<&str> = program.classes.iter().map(String::as_str).collect();
    ModelProto {
        ir_version: Some(IR_VERSION),
        producer_name: Some("mge".to_owned()),
        producer_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        doc_string: Some(
            "input: raw numbers in the order of the metadata `features` (NaN where one is \
             missing); label and probabilities of the metadata `classes`"
                .to_owned(),
        ),
        graph: Some(graph.made),
        opset_import: vec![OperatorSetIdProto {
            domain: Some(String::new()),
            version: Some(OPSET),
        }],
        metadata_props: vec![
            entry("features", json(&features)),
            entry("meanings", json(&meanings)),
            entry("classes", json(&classes)),
            entry("provenance", program.provenance.join("\n")),
        ],
    }
}

impl GraphBuilder<'_> {
    fn build(&mut self) {
        let program = self.program;
        let (inputs, classes) = (program.inputs.len() as i64, program.classes.len() as i64);
        self.made.input.push(value("input", FLOAT, &[None, Some(inputs)]));
        let fills: Vec<f32> = program.inputs.iter().map(|input| input.fill).collect();
        self.floats("fills", &[1, inputs], fills);
        self.node("IsNaN", &["input"], "missing", &[]);
        self.node("Where", &["missing", "fills", "input"], "filled", &[]);
        let mut values = "filled".to_owned();
        if program.has_shifts() {
            let shifts: Vec<f32> = program.inputs.iter().map(|input| input.shift).collect();
            self.floats("shifts", &[1, inputs], shifts);
            self.node("Sub", &["filled", "shifts"], "shifted", &[]);
            values = "shifted".to_owned();
        }
        let layers = layers(program);
        for layer in 0..layers.iter().map(|layer| layer + 1).max().unwrap_or(0) {
            values = self.layer(layer, &layers, &values);
        }
        self.sums("scores", &self.output_sums(), &values, self.width, 1.0);
        self.node("Softmax", &["scores"], "probabilities", &[("axis", 1)]);
        self.node("ArgMax", &["scores"], "index", &[("axis", 1), ("keepdims", 0)]);
        let kind = self.classes();
        self.node("Gather", &["classes", "index"], "label", &[("axis", 0)]);
        self.made.output.push(value("label", kind, &[None]));
        self.made.output.push(value("probabilities", FLOAT, &[None, Some(classes)]));
    }

    /// The arguments of the softmax. The softmax of (0, s) is (1 - sig(s), sig(s)).
    fn output_sums(&self) -> Vec<WeightedSum> {
        let outputs = self.program.outputs.clone();
        if outputs.len() > 1 {
            return outputs;
        }
        [vec![WeightedSum::default()], outputs].concat()
    }

    /// Adds the neurons of a layer to the values, and returns the name of all values.
    fn layer(&mut self, layer: usize, layers: &[usize], values: &str) -> String {
        let mut parts = vec![values.to_owned()];
        // Columns of this layer are not among the values yet, and none of its neurons reads them.
        let width = self.width;
        for activation in Activation::ALL {
            let neurons: Vec<usize> = (0..layers.len())
                .filter(|&n| layers[n] == layer && self.program.neurons[n].0 == activation)
                .collect();
            if neurons.is_empty() {
                continue;
            }
            let sums: Vec<WeightedSum> =
                neurons.iter().map(|&n| self.program.neurons[n].1.clone()).collect();
            let name = format!("layer{layer}_{}", activation.name());
            let z = format!("{name}_sums");
            let onnx = activation.source_text().onnx;
            self.sums(&z, &sums, values, width, onnx.factor);
            parts.push(self.activation(onnx, z, &name));
            for neuron in neurons {
                self.columns[neuron] = self.width;
                self.width += 1;
            }
        }
        let all = format!("values{layer}");
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        self.node("Concat", &parts, &all, &[("axis", 1)])
    }

    /// Adds the nodes of an activation; the name of their result.
    fn activation(&mut self, onnx: OnnxForm, z: String, name: &str) -> String {
        let mut result = z.clone();
        for OnnxNode { operator, inputs, output } in onnx.nodes {
            let full_name = |part: &&str| match *part {
                "z" => z.clone(),
                part => format!("{name}_{part}"),
            };
            let inputs: Vec<String> = inputs.iter().map(full_name).collect();
            let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
            let output = if output.is_empty() { name.to_owned() } else { full_name(output) };
            result = self.node(operator, &inputs, &output, &[]);
        }
        result
    }

    /// `name = values * weights + biases`, all times `factor`; there are `width` values.
    fn sums(&mut self, name: &str, sums: &[WeightedSum], values: &str, width: usize, factor: f64) {
        let mut weights = vec![0f32; width * sums.len()];
        for (column, sum) in sums.iter().enumerate() {
            for term in &sum.terms {
                let row = match term.source {
                    Source::Input(index) => index as usize,
                    Source::Neuron(index) => self.columns[index as usize],
                };
                weights[row * sums.len() + column] = (term.weight * factor) as f32;
            }
        }
        let biases = sums.iter().map(|sum| (sum.bias * factor) as f32).collect();
        let columns = sums.len() as i64;
        let (w, b) = (format!("{name}_weights"), format!("{name}_biases"));
        self.floats(&w, &[width as i64, columns], weights);
        self.floats(&b, &[1, columns], biases);
        let product = self.node("MatMul", &[values, &w], &format!("{name}_products"), &[]);
        self.node("Add", &[&product, &b], name, &[]);
    }

    fn classes(&mut self) -> i32 {
        let whole: Option<Vec<i64>> = self
            .program
            .classes
            .iter()
            .map(|class| class.parse::<i64>().ok().filter(|number| number.to_string() == *class))
            .collect();
        let mut tensor = TensorProto {
            dims: vec![self.program.classes.len() as i64],
            name: Some("classes".to_owned()),
            ..TensorProto::default()
        };
        let kind = match whole {
            Some(numbers) => {
                tensor.int64_data = numbers;
                INT64
            }
            None => {
                let names = self.program.classes.iter();
                tensor.string_data = names.map(|class| class.as_bytes().to_vec()).collect();
                STRING
            }
        };
        tensor.data_type = Some(kind);
        self.made.initializer.push(tensor);
        kind
    }

    fn floats(&mut self, name: &str, dims: &[i64], values: Vec<f32>) {
        self.made.initializer.push(TensorProto {
            dims: dims.to_vec(),
            data_type: Some(FLOAT),
            float_data: values.into_iter().map(|x| x.clamp(f32::MIN, f32::MAX)).collect(),
            name: Some(name.to_owned()),
            ..TensorProto::default()
        });
    }

    fn node(
        &mut self,
        op: &str,
        inputs: &[&str],
        output: &str,
        attributes: &[(&str, i64)],
    ) -> String {
        let attribute = |&(name, number): &(&str, i64)| AttributeProto {
            name: Some(name.to_owned()),
            i: Some(number),
            r#type: Some(ATTRIBUTE_INT),
        };
        self.made.node.push(NodeProto {
            input: inputs.iter().map(|&name| name.to_owned()).collect(),
            output: vec![output.to_owned()],
            name: Some(format!("{output}_node")),
            op_type: Some(op.to_owned()),
            attribute: attributes.iter().map(attribute).collect(),
        });
        output.to_owned()
    }
}

/// The layer of each neuron, from 0.
fn layers(program: &Program) -> Vec<usize> {
    let mut layers: Vec<usize> = Vec::with_capacity(program.neurons.len());
    for (_, sum) in &program.neurons {
        let below = sum.terms.iter().filter_map(|term| match term.source {
            Source::Input(_) => None,
            Source::Neuron(index) => Some(layers[index as usize] + 1),
        });
        layers.push(below.max().unwrap_or(0));
    }
    layers
}

fn value(name: &str, kind: i32, dims: &[Option<i64>]) -> ValueInfoProto {
    let dim = |dim: &Option<i64>| DimensionProto {
        dim_value: *dim,
        dim_param: dim.is_none().then(|| "rows".to_owned()),
    };
    let shape = TensorShapeProto { dim: dims.iter().map(dim).collect() };
    let tensor = TensorTypeProto { elem_type: Some(kind), shape: Some(shape) };
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto { tensor_type: Some(tensor) }),
        doc_string: None,
    }
}

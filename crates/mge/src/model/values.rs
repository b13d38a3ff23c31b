//! What the outputs of a model for numbers stand for.

use mge_data::TargetScale;
use mge_net::{Network, Output};
use serde::{Deserialize, Serialize};

/// The target columns of a model for numbers, and their scales.
///
/// The stored network predicts scaled numbers, as the search had them. A prediction is
/// `mean + deviation * sum`, computed in 64 bits. So nothing is lost where a target is far from
/// zero, such as a year.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelValues {
    /// The target columns, one for each output.
    pub columns: Vec<String>,
    /// Mean and deviation of each over the training rows.
    pub scale: TargetScale,
}

/// The network with the scales in the weights and biases of its outputs.
pub(super) fn in_units(network: &Network, scale: &TargetScale) -> Network {
    let within = |value: f64| value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
    let outputs = network.outputs().iter().zip(scale.columns()).map(|(output, scale)| {
        let mut links = output.links.clone();
        for link in &mut links {
            link.weight = within(f64::from(link.weight) * scale.deviation);
        }
        let bias = scale.invert(f64::from(output.bias.unwrap_or(0.0)));
        Output { bias: Some(within(bias)), links }
    });
    let (neurons, outputs) = (network.neurons().to_vec(), outputs.collect());
    Network::new(network.inputs(), neurons, outputs).expect("only numbers change, and stay finite")
}

//! Input maps: the pixels that each class depends on, and whether they count for or against it.
//!
//! A pixel's effect on an output is a sum over all paths through the network. A path contributes the
//! product of its weights and of the largest slope of each neuron's activation. The effect tells in
//! which direction and how strongly a pixel can move the output. For `sin` and `gauss`, which rise
//! and fall, the sign holds on the rising side only.

use crate::network_diagram::NetworkDiagram;
use crate::text::{escape, number, shorten};
use crate::theme::Theme;
use crate::{Style, svg::FONTS};
use mge::Model;
use mge::net::{Link, Network, Source};
use std::fmt::Write;
use thiserror::Error;

/// The largest side of an image. More pixels cannot be distinguished.
const MAX_SIDE: usize = 256;
/// The most cells of all maps together.
const MAX_CELLS: usize = 100_000;

/// The position of each feature in an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixelGrid {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Row and column of each feature of the model.
    positions: Vec<(usize, usize)>,
}

/// A model without input maps.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputMapError {
    /// Its features are no pixels.
    #[error(
        "the model's features are no pixels: `{found}`; expected names such as pixel_3_14 \
         (row and column), as images get them"
    )]
    NoPixels {
        /// The first other feature.
        found: String,
    },
    /// The image, or the number of classes, is too large.
    #[error("maps of {width} x {height} pixels for {classes} classes are too large to draw")]
    TooLarge {
        /// Pixels across.
        width: usize,
        /// Pixels down.
        height: usize,
        /// Maps to draw.
        classes: usize,
    },
}

impl PixelGrid {
    /// The image that a model reads, by the names of its columns.
    ///
    /// # Errors
    /// When a feature is no pixel, or the image is too large.
    pub fn of(model: &Model) -> Result<Self, InputMapError> {
        let features = model.preprocess.features();
        let no_pixels = |name: &str| InputMapError::NoPixels { found: name.to_owned() };
        let mut positions = Vec::with_capacity(features.len());
        for feature in features {
            positions.push(pixel(&feature.name).ok_or_else(|| no_pixels(&feature.name))?);
        }
        if positions.is_empty() {
            return Err(no_pixels("none"));
        }
        // Constant pixels make no feature, but they are part of the image.
        let dropped = model.preprocess.dropped().iter().filter_map(|d| pixel(&d.column));
        let all = positions.iter().copied().chain(dropped);
        let (height, width) =
            all.fold((0, 0), |(h, w), (row, column)| (h.max(row + 1), w.max(column + 1)));
        let classes = model.network.outputs().len();
        let cells = width.saturating_mul(height).saturating_mul(classes);
        if width.max(height) > MAX_SIDE || cells > MAX_CELLS {
            return Err(InputMapError::TooLarge { width, height, classes });
        }
        Ok(Self { width, height, positions })
    }
}

/// Row and column in `pixel_ROW_COLUMN`.
fn pixel(name: &str) -> Option<(usize, usize)> {
    let (row, column) = name.strip_prefix("pixel_")?.split_once('_')?;
    // Far beyond any image, and far from overflow.
    let number = |text: &str| text.parse::<usize>().ok().filter(|&n| n < 1 << 20);
    Some((number(row)?, number(column)?))
}

/// The effect of each input on each output.
pub fn effects(network: &Network) -> Vec<Vec<f64>> {
    network.outputs().iter().map(|output| effects_on(network, &output.links)).collect()
}

fn effects_on(network: &Network, links: &[Link]) -> Vec<f64> {
    let neurons = network.neurons();
    let mut inputs = vec![0.0; network.inputs()];
    let mut hidden = vec![0.0; neurons.len()];
    let mut add = |hidden: &mut [f64], links: &[Link], times: f64| {
        for link in links {
            let effect = times * f64::from(link.weight);
            match link.source {
                Source::Input(input) => inputs[input as usize] += effect,
                Source::Neuron(neuron) => hidden[neuron as usize] += effect,
            }
        }
    };
    add(&mut hidden, links, 1.0);
    for index in (0..neurons.len()).rev() {
        if hidden[index] != 0.0 {
            let times = hidden[index] * neurons[index].activation.max_derivative();
            add(&mut hidden, &neurons[index].links, times);
        }
    }
    inputs
}

/// Draws one map for each output.
pub fn input_maps(model: &Model, grid: &PixelGrid, style: Style) -> String {
    let diagram = NetworkDiagram::of(model);
    let maps = effects(&model.network);
    let cell = (144.0 / grid.width.max(grid.height) as f64).max(2.0);
    let (wide, tall) = (grid.width as f64 * cell, grid.height as f64 * cell);
    let across = maps.len().min(5);
    let (step_x, step_y) = (wide + 22.0, tall + 40.0);
    let width = (16.0 + across as f64 * step_x).max(330.0).ceil();
    let height = (12.0 + maps.len().div_ceil(across) as f64 * step_y + 22.0).ceil();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"net maps\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\" role=\"img\" \
         aria-label=\"Pixels that each class depends on\">"
    );
    // Writing to a string cannot fail.
    if let Style::Own(theme) = style {
        let _ = write!(text, "<style>{}</style>", Theme::css(theme, "", 0));
        let _ = write!(text, "<rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>");
    }
    for (output, effects) in maps.iter().enumerate() {
        let left = 19.0 + (output % across) as f64 * step_x;
        let top = 30.0 + (output / across) as f64 * step_y;
        let largest = effects.iter().fold(0.0f64, |largest, e| largest.max(e.abs()));
        let name = shorten(diagram.class(output), (wide / 7.0) as usize + 2);
        let _ = write!(
            text,
            "<g class=\"map\"><text class=\"t\" x=\"{left:.1}\" y=\"{:.1}\" font-size=\"13\">{}</text>\
             <rect class=\"g\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\"/>",
            top - 7.0,
            escape(&name),
        );
        for (&(row, column), &effect) in grid.positions.iter().zip(effects) {
            if effect == 0.0 || largest == 0.0 {
                continue;
            }
            let (x, y) = (left + column as f64 * cell, top + row as f64 * cell);
            // A square root, so that weak pixels can be seen beside the strongest.
            let fraction = (effect.abs() / largest).sqrt();
            let _ = write!(
                text,
                "<rect class=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{cell:.1}\" height=\"{cell:.1}\" \
                 fill-opacity=\"{:.2}\"><title>row {row}, column {column}: {}</title></rect>",
                if effect < 0.0 { "cn" } else { "cp" },
                0.12 + 0.88 * fraction,
                number(effect),
            );
        }
        text.push_str("</g>");
    }
    let y = height - 10.0;
    let _ = writeln!(
        text,
        "<g class=\"legend\" font-size=\"10.5\"><rect class=\"cp\" x=\"19\" y=\"{a:.1}\" width=\"10\" height=\"10\"/>\
         <text class=\"f\" x=\"34\" y=\"{y:.1}\">counts for the class</text>\
         <rect class=\"cn\" x=\"150\" y=\"{a:.1}\" width=\"10\" height=\"10\"/>\
         <text class=\"f\" x=\"165\" y=\"{y:.1}\">counts against it</text></g></svg>",
        a = y - 9.0,
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge::net::{Activation, Neuron, Output};

    #[test]
    fn names_give_row_and_column() {
        assert_eq!(pixel("pixel_3_14"), Some((3, 14)));
        assert_eq!([pixel("pixel_3"), pixel("age"), pixel("pixel_x_1")], [None; 3]);
        assert_eq!(pixel("pixel_99999999999999999999_1"), None);
    }

    #[test]
    fn effects_are_products_along_paths() {
        let link = |source, weight| Link { source, weight };
        let neuron = |activation, links| Neuron { activation, bias: None, links };
        let neurons = vec![
            neuron(Activation::Identity, vec![link(Source::Input(0), 2.0)]),
            neuron(
                Activation::Sigmoid,
                vec![link(Source::Neuron(0), -4.0), link(Source::Input(1), 8.0)],
            ),
        ];
        let links = vec![
            link(Source::Neuron(1), 3.0),
            link(Source::Neuron(0), 1.0),
            link(Source::Input(2), 0.5),
        ];
        let network = Network::new(4, neurons, vec![Output { bias: None, links }]).unwrap();
        // 3 * 0.25 * -4 * 2 + 1 * 2, 3 * 0.25 * 8, 0.5, nothing.
        assert_eq!(effects(&network), [[-4.0, 6.0, 0.5, 0.0]]);
    }
}

//! `mge draw`: a picture of a model's network.

use crate::{model_data, print};
use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use mge_io::write_atomically;
use mge_report::{NetworkDiagram, PixelGrid, Style, Theme, adjacency, dot, input_maps, svg};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Draw a model's network as SVG, PNG or DOT
///
/// Inputs are at the left, classes at the right. A neuron has the colour of its class. A wide
/// connection has a large weight. Positive weights are blue, negative ones orange and dashed. For large
/// networks there are `--top`, which draws the strongest connections only, and `--matrix`.
#[derive(Args)]
#[command(after_help = "Examples:
  mge draw runs/wdbc-hybrid-1 -o net.svg
  mge draw model.json -o net.png --theme dark
  mge draw runs/digits-hybrid-1 --input-map -o maps.svg
  mge draw runs/digits-hybrid-1 --top 40 -o strongest.svg
  mge draw runs/digits-hybrid-1 --matrix -o weights.svg
  mge draw model.json -o - --format dot | dot -Tpdf > net.pdf")]
pub struct DrawArgs {
    /// Run folder or model file
    model: PathBuf,
    /// Picture to write. - is standard output
    #[arg(short, long, alias = "output", value_name = "FILE")]
    out: PathBuf,
    /// What to write [default: by the file's name]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Colours
    #[arg(long, value_enum, default_value_t = Colours::Light)]
    theme: Colours,
    /// Draw which pixels each class reads, for a model of images
    #[arg(long)]
    input_map: bool,
    /// Draw only so many connections, the strongest ones
    #[arg(long, value_name = "N", conflicts_with = "input_map")]
    top: Option<NonZeroUsize>,
    /// Draw the weights as a matrix: rows are neurons and classes, columns are what they read
    #[arg(long, conflicts_with = "input_map")]
    matrix: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// Lines that stay sharp, with tooltips in a browser
    Svg,
    /// Pixels
    Png,
    /// For Graphviz
    Dot,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Colours {
    /// Dark on white
    Light,
    /// Light on near-black
    Dark,
}

impl DrawArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let format = match self.format {
            Some(format) => format,
            None => by_name(&self.out)?,
        };
        let model = model_data::model(&self.model)?;
        let theme = match self.theme {
            Colours::Light => Theme::Light,
            Colours::Dark => Theme::Dark,
        };
        let mut diagram = NetworkDiagram::of(&model);
        if let Some(top) = self.top {
            diagram = diagram.with_top(top.get());
        }
        let no_graph = match (self.input_map, self.matrix) {
            (true, _) => Some("an input map"),
            (_, true) => Some("a matrix"),
            _ => None,
        };
        let picture = match (format, no_graph) {
            (Format::Dot, Some(what)) => {
                return Err(anyhow!("DOT cannot hold {what}; expected svg or png"));
            }
            (Format::Dot, None) => dot(&diagram, theme)?.into_bytes(),
            (format, _) => {
                let drawing = if self.input_map {
                    let grid = PixelGrid::of(&model)?;
                    input_maps(&model, &grid, Style::Own(theme))
                } else if self.matrix {
                    adjacency(&diagram, Style::Own(theme))?
                } else {
                    svg(&diagram, Style::Own(theme))?
                };
                if format == Format::Png { png(&drawing)? } else { drawing.into_bytes() }
            }
        };
        if self.out == Path::new("-") {
            return print::bytes(&picture);
        }
        write_atomically(&self.out, &picture)
            .map_err(anyhow::Error::from)
            .with_context(|| format!("cannot write {}", self.out.display()))
    }
}

fn by_name(file: &Path) -> anyhow::Result<Format> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        "dot" | "gv" => Ok(Format::Dot),
        _ => {
            let file = file.display();
            Err(anyhow!(
                "cannot tell what to write from the name {file}; expected .svg, .png or .dot, or --format"
            ))
        }
    }
}

#[cfg(feature = "png")]
fn png(drawing: &str) -> anyhow::Result<Vec<u8>> {
    let picture = mge_report::png(drawing)?;
    if !picture.boxes.is_empty() {
        print::note(format_args!(
            "note: the font of PNG pictures lacks {}, drawn as boxes; SVG takes the reader's fonts",
            picture.boxes
        ));
    }
    Ok(picture.bytes)
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> anyhow::Result<Vec<u8>> {
    Err(anyhow!(
        "PNG is not in this build; expected .svg or .dot, or the program of \
         `cargo install --path crates/mge-cli --features full`"
    ))
}

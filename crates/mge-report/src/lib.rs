//! Pictures of networks, learning curves, and the HTML report of a run.
//!
//! - [`svg`], [`dot`], [`terminal`] (and [`png`] with the feature of that name) draw a
//!   [`NetworkDiagram`]: a network with names for its inputs and classes.
//! - [`input_maps`] draws which pixels each class looks at, for models of images.
//! - [`report`] writes the page of one [`Run`], [`compare`] that of several.
//!
//! Everything is made from strings that users chose, so names are cleaned and escaped in one
//! place (`text`), and the pages forbid every script but their own.
//!
//! ```
//! use mge_report::{Style, NetworkDiagram, Theme, svg};
//!
//! let data = mge::data::load("wine", &Default::default())?;
//! let fitted = mge::Fit::new().seed(7).generations(1).run(&data)?;
//! let drawing = svg(&NetworkDiagram::of(&fitted.model), Style::Own(Theme::Dark))?;
//! assert!(drawing.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dot;
mod graph;
mod input_map;
mod layout;
mod page;
mod plot;
#[cfg(feature = "png")]
mod png;
mod run;
pub mod samples;
mod subject;
mod svg;
mod terminal;
mod text;
mod theme;

pub use dot::dot;
pub use graph::{MOST_EDGES, MOST_NODES, TooLarge};
pub use input_map::{InputMapError, PixelGrid, effects, input_maps};
pub use page::{PageError, compare, report};
pub use plot::{Figure, Mark, Plot, PlotError, Series};
#[cfg(feature = "png")]
pub use png::{Png, PngError, png};
pub use run::{Run, RunReadError, name_of};
pub use subject::{NetworkDiagram, NetworkDiagramError};
pub use svg::{Style, svg};
pub use terminal::terminal;
pub use text::clean;
pub use theme::{Palette, Theme};

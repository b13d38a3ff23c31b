//! Pictures of networks, learning curves, and the HTML report of a run.
//!
//! - [`svg`], [`dot`], [`terminal`] (and `png` with the feature of that name) draw a
//!   [`NetworkDiagram`]: a network with names for its inputs and classes.
//! - [`input_maps`] draws the pixels that each class depends on, for models of images.
//! - [`report`] writes the page of one run ([`ReportData`]), [`compare`] that of several.
//!
//! Names come from a user's file, so one module (`text`) cleans and escapes them, and the pages forbid
//! every script but their own.
//!
//! ```
//! use mge_report::{NetworkDiagram, Style, Theme, svg};
//!
//! let data = mge::data::load("wine", &Default::default())?;
//! let fitted = mge::Fit::new().seed(7).generations(1).run(&data)?;
//! let drawing = svg(&NetworkDiagram::of(&fitted.model), Style::Own(Theme::Dark))?;
//! assert!(drawing.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjacency;
mod dot;
mod graph;
mod input_map;
mod layout;
mod network_diagram;
mod original_formula;
mod page;
mod page_program;
#[cfg(feature = "png")]
mod png;
mod report_data;
pub mod samples;
mod svg;
mod terminal;
mod text;
mod theme;

pub use adjacency::adjacency;
pub use dot::dot;
pub use graph::TooLarge;
pub use input_map::{InputMapError, PixelGrid, input_maps};
pub use network_diagram::{NetworkDiagram, NetworkDiagramError};
pub use original_formula::OriginalFormula;
pub use page::{PageError, compare, evaluator_script, report};
pub use page_program::page_program;
#[cfg(feature = "png")]
pub use png::{Png, PngError, png};
pub use report_data::{DeviceFigure, ReportData, RunReadError, name_of};
pub use svg::{Style, svg};
pub use terminal::terminal;
pub use text::clean;
pub use theme::Theme;

//! Plots as SVG text. This crate alone uses the plot library.
//!
//! - [`Plot`] draws [`Series`] for a web page: text and axes take the page's colour, and the legend
//!   is data. Reports use it.
//! - [`line_chart`] draws [`Curve`]s as a file of its own, with a legend inside.
//! - [`critical_difference`] draws the diagram of mean ranks.
//!
//! ```
//! use mge_plot::{Plot, Series};
//!
//! let series = vec![Series::line("loss", 0, vec![(1.0, 0.9), (2.0, 0.4)])];
//! let plot = Plot { title: "Loss", x: "generation", y: "loss", from_zero: true, max: None, series };
//! let figure = plot.draw()?.expect("two points are something to draw");
//! assert!(figure.svg.starts_with("<svg"));
//! # Ok::<(), mge_plot::PlotError>(())
//! ```

mod chart;
mod plot;
mod ranks;

pub use chart::{Axes, Curve, line_chart};
pub use plot::{Figure, Plot, Series, SeriesStyle};
pub use ranks::critical_difference;

use thiserror::Error;

/// The colours of lines in plots and of modules in drawings of networks, after Okabe and Ito:
/// people with any kind of colour blindness can tell the first eight apart.
pub const PALETTE: [&str; 10] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8ac2a", "#7f6bc4",
    "#8c6d46", "#5b8c5a",
];

/// A plot that could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot draw the plot of {what}: {reason}")]
pub struct PlotError {
    /// The plot.
    pub what: String,
    /// Why.
    pub reason: String,
}

impl PlotError {
    fn new(what: &str, reason: &dyn std::fmt::Display) -> Self {
        Self { what: what.to_owned(), reason: reason.to_string() }
    }
}

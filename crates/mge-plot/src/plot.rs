//! Plots for a web page. Text and axes take the colour of the page around them, lines the colours of
//! [`PALETTE`]. The caller dashes lines beyond those.

use crate::{PALETTE, PlotError};
use plotters::prelude::*;

const SIZE: (u32, u32) = (400, 240);
/// A placeholder for the page's text colour, which replaces it at the end. No other colour is equal.
const INK: RGBColor = RGBColor(1, 2, 3);
const INK_TEXT: &str = "\"#010203\"";
/// The most points of a line: more than the plot has pixels change nothing.
const MAX_POINTS: usize = 400;

/// How the points of a series are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesStyle {
    /// A line through them.
    Line,
    /// A dashed line.
    Dashed,
    /// Dots.
    Dots,
    /// Dots on a staircase that goes across and then up.
    Steps,
}

/// Points that belong together.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The index of its colour in [`PALETTE`], which repeats.
    pub colour: usize,
    /// How it is drawn.
    pub style: SeriesStyle,
    /// Its points; points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A line.
    pub fn line(name: &str, colour: usize, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), colour, style: SeriesStyle::Line, points }
    }

    /// The same series in another style.
    pub fn styled(self, style: SeriesStyle) -> Self {
        Self { style, ..self }
    }
}

/// What to draw.
#[derive(Debug)]
pub struct Plot {
    /// The title.
    pub title: &'static str,
    /// The label of the horizontal axis.
    pub x: &'static str,
    /// The label of the vertical axis.
    pub y: &'static str,
    /// Whether the vertical axis begins at 0.
    pub from_zero: bool,
    /// The largest possible value, such as 1 for a fraction.
    pub max: Option<f64>,
    /// The series.
    pub series: Vec<Series>,
}

/// A finished plot with its legend.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The title.
    pub title: &'static str,
    /// The drawing.
    pub svg: String,
    /// The name and the colour of each series, and whether it is dashed.
    pub legend: Vec<(String, &'static str, bool)>,
}

impl Plot {
    /// Draws it; `None` if there is no point to draw.
    ///
    /// # Errors
    /// When the plotting library refuses.
    pub fn draw(mut self) -> Result<Option<Figure>, PlotError> {
        for series in &mut self.series {
            series.points.retain(|(x, y)| x.is_finite() && y.is_finite());
            if series.points.len() > MAX_POINTS {
                series.points = thinned(&series.points);
            }
        }
        self.series.retain(|series| !series.points.is_empty());
        if self.series.is_empty() {
            return Ok(None);
        }
        let mut svg = String::new();
        self.draw_into(&mut svg).map_err(|error| PlotError::new(self.title, &error))?;
        // Quotes inside text are escaped, so this replaces attributes only.
        let svg =
            svg.replace(INK_TEXT, "\"currentColor\"").replace("<svg ", "<svg class=\"plot\" ");
        let legend = self.series.into_iter();
        let legend = legend.map(|series| {
            (series.name, colour(series.colour).0, series.style == SeriesStyle::Dashed)
        });
        Ok(Some(Figure { title: self.title, svg, legend: legend.collect() }))
    }

    fn draw_into(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let all = || self.series.iter().flat_map(|series| series.points.iter().copied());
        let (left, right) = range(all().map(|point| point.0), false);
        let (low, high) = range(all().map(|point| point.1), self.from_zero);
        let high = self.max.filter(|&max| max > low).map_or(high, |max| high.min(max));
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(6)
            .margin_right(16)
            .x_label_area_size(38)
            .y_label_area_size(58)
            .build_cartesian_2d(left..right, low..high)?;
        let font = ("sans-serif", 13).into_font().color(&INK);
        let step = (high - low) / 5.0;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .max_light_lines(0)
            .bold_line_style(INK.mix(0.16))
            .axis_style(INK.mix(0.6))
            .x_labels(6)
            .y_labels(6)
            .label_style(font.clone())
            .axis_desc_style(font)
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|x| tick(*x, (right - left) / 6.0))
            .y_label_formatter(&|y| tick(*y, step))
            .draw()?;
        for series in &self.series {
            let (_, (red, green, blue)) = colour(series.colour);
            let paint = RGBColor(red, green, blue);
            let line = paint.stroke_width(2);
            let points = series.points.iter().copied();
            match series.style {
                SeriesStyle::Line => {
                    chart.draw_series(LineSeries::new(points, line))?;
                }
                SeriesStyle::Dashed => {
                    chart.draw_series(DashedLineSeries::new(points, 6, 4, line))?;
                }
                SeriesStyle::Dots => {
                    chart.draw_series(points.map(|point| Circle::new(point, 4, paint.filled())))?;
                }
                SeriesStyle::Steps => {
                    chart.draw_series(LineSeries::new(steps(&series.points), line))?;
                    chart.draw_series(points.map(|point| Circle::new(point, 3, paint.filled())))?;
                }
            }
        }
        root.present()?;
        Ok(())
    }
}

/// The corners of a staircase through the points.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners = Vec::with_capacity(2 * points.len());
    for (index, &(x, y)) in points.iter().enumerate() {
        if index > 0 {
            corners.push((x, points[index - 1].1));
        }
        corners.push((x, y));
    }
    corners
}

/// Points at even distances, the first and the last among them.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let last = points.len() - 1;
    (0..MAX_POINTS).map(|index| points[index * last / (MAX_POINTS - 1)]).collect()
}

/// The range of values with a margin, also around a single value.
fn range(values: impl Iterator<Item = f64>, from_zero: bool) -> (f64, f64) {
    let (mut low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if from_zero {
        low = low.min(0.0);
    }
    if high - low <= 1e-9 * high.abs().max(1e-9) {
        let margin = (0.1 * high.abs()).max(0.1);
        return (if from_zero && low >= 0.0 { low } else { low - margin }, high + margin);
    }
    let margin = 0.04 * (high - low);
    (if from_zero && low >= 0.0 { low } else { low - margin }, high + margin)
}

/// A number on an axis, with as many digits as the step needs.
fn tick(value: f64, step: f64) -> String {
    let value = if value.abs() < 1e-9 * step.abs() { 0.0 } else { value };
    if value.abs() >= 1e6 {
        return format!("{:.4}M", value / 1e6).replace(".0000", "");
    }
    let digits = (0..6).find(|&digits| step >= 0.999 * 10f64.powi(-digits)).unwrap_or(6) as usize;
    format!("{value:.digits$}")
}

/// A colour of the palette, as text and as numbers.
fn colour(index: usize) -> (&'static str, (u8, u8, u8)) {
    let text = PALETTE[index % PALETTE.len()];
    let part = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap_or(0);
    (text, (part(1), part(3), part(5)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<(f64, f64)>) -> Plot {
        let series = vec![Series::line("a", 0, points)];
        Plot { title: "a plot", x: "x", y: "y", from_zero: false, max: None, series }
    }

    #[test]
    fn points_of_every_kind_are_drawn() {
        let infinite = (f64::INFINITY, 1.0);
        assert!(plot(vec![]).draw().unwrap().is_none());
        assert!(plot(vec![infinite, (1.0, f64::NAN)]).draw().unwrap().is_none());
        for points in [
            vec![(1.0, 1.0)],
            vec![(1.0, 0.0), (1.0, 0.0)],
            vec![(1.0, 1e300), (2.0, -1e300)],
            vec![(0.0, 1e-300), (1e9, 2e-300)],
            (0..5000).map(|n| (f64::from(n), f64::from(n % 7))).collect(),
        ] {
            let figure = plot(points).draw().unwrap().unwrap();
            assert!(figure.svg.contains("currentColor") && !figure.svg.contains("#010203"));
            assert!(figure.svg.len() < 100_000, "{}", figure.svg.len());
        }
    }

    #[test]
    fn ticks_have_as_many_digits_as_the_step() {
        assert_eq!([tick(0.25, 0.05), tick(100.0, 20.0), tick(2e6, 1e5)], ["0.25", "100", "2M"]);
    }
}

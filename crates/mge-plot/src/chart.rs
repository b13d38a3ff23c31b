//! Curves in a chart that is a file of its own.

use crate::PlotError;
use plotters::prelude::*;

/// A named curve of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The name in the legend.
    pub name: String,
    /// The points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// The texts of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Axes {
    /// The title above the chart.
    pub title: String,
    /// The label of the x axis.
    pub x: String,
    /// The label of the y axis.
    pub y: String,
}

/// Colours that people with colour blindness can distinguish (Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(100, 100, 100),
    RGBColor(0, 0, 0),
];

/// Draws curves into one chart. An empty list gives an empty chart.
///
/// # Errors
/// When the plot library fails.
pub fn line_chart(axes: &Axes, curves: &[Curve]) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw_chart(axes, curves, &mut svg).map_err(|error| PlotError::new(&axes.title, &error))?;
    Ok(svg)
}

fn draw_chart(
    axes: &Axes,
    curves: &[Curve],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (820, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (left, right) = range(points().map(|point| point.0));
    let (low, high) = range(points().map(|point| point.1).chain([0.0]));
    let mut chart = ChartBuilder::on(&root)
        .caption(&axes.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(left..right, low..high + (high - low) * 0.05)?;
    chart.configure_mesh().light_line_style(WHITE).x_desc(&axes.x).y_desc(&axes.y).draw()?;
    for (index, curve) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        chart
            .draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2)))?
            .label(&curve.name)
            .legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2))
            });
    }
    if !curves.is_empty() {
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(200, 200, 200))
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// The range from the smallest to the largest value, never empty.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    match (low.is_finite(), low < high) {
        (false, _) => (0.0, 1.0),
        (true, false) => (low, low + 1.0),
        (true, true) => (low, high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_contain_their_labels() {
        let axes = Axes { title: "T".into(), x: "size".into(), y: "distance".into() };
        let curve = Curve { name: "mge".into(), points: vec![(2.0, 1.0), (3.0, 1.5)] };
        let svg = line_chart(&axes, &[curve]).unwrap();
        assert!(
            svg.starts_with("<svg") && ["mge", "size", "distance"].iter().all(|w| svg.contains(w))
        );
        assert!(line_chart(&axes, &[]).unwrap().starts_with("<svg"));
    }
}

//! Curves in a chart that is a file of its own.

use crate::PlotError;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A named curve of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
    /// The index of its colour; `None` for the next one.
    colour: Option<usize>,
    is_dashed: bool,
}

impl Curve {
    /// A curve through points from left to right. Its name stands at its right end.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, colour: None, is_dashed: false }
    }

    /// The same curve in the colour of this index: curves that belong together have one colour.
    pub fn coloured(self, colour: usize) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// The same curve with a dashed line.
    pub fn dashed(self) -> Self {
        Self { is_dashed: true, ..self }
    }
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

/// Pixels across and down, and the space for the names at the right.
const SIZE: (u32, u32) = (860, 480);
const LINE: i32 = 16;

fn draw_chart(
    axes: &Axes,
    curves: &[Curve],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let lines = |count: usize| count as i32 * LINE + 100;
    let size = (SIZE.0, SIZE.1.max(lines(curves.len()) as u32));
    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (left, right) = range(points().map(|point| point.0));
    let (low, high) = range(points().map(|point| point.1).chain([0.0]));
    // Letters are about seven pixels wide.
    let longest = curves.iter().map(|curve| curve.name.chars().count()).max().unwrap_or(0);
    let names = (7 * longest as u32 + 30).min(SIZE.0 / 3);
    let mut chart = ChartBuilder::on(&root)
        .caption(&axes.title, ("sans-serif", 18))
        .margin(12)
        .margin_right(names)
        .x_label_area_size(44)
        .y_label_area_size(62)
        .build_cartesian_2d(left..right, low..high + (high - low) * 0.05)?;
    let font = ("sans-serif", 14).into_font();
    let is_whole = points().all(|point| point.0 == point.0.round()) && right - left >= 3.0;
    let number = |value: &f64| match is_whole {
        true => format!("{value:.0}"),
        false => format!("{:.3}", value).trim_end_matches('0').trim_end_matches('.').to_owned(),
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(0)
        .bold_line_style(BLACK.mix(0.12))
        .label_style(font.clone())
        .axis_desc_style(font)
        .x_label_formatter(&number)
        .x_labels(if is_whole { ((right - left) as usize + 1).min(10) } else { 10 })
        .x_desc(&axes.x)
        .y_desc(&axes.y)
        .draw()?;
    let mut ends = Vec::new();
    for (index, curve) in curves.iter().enumerate() {
        let colour = COLOURS[curve.colour.unwrap_or(index) % COLOURS.len()];
        let line = colour.stroke_width(2);
        let points = curve.points.iter().copied();
        if curve.is_dashed {
            chart.draw_series(DashedLineSeries::new(points, 7, 4, line))?;
        } else {
            chart.draw_series(LineSeries::new(points, line))?;
        }
        if let Some(&end) = curve.points.last() {
            ends.push((chart.backend_coord(&end), &curve.name, colour));
        }
    }
    let heights: Vec<i32> = ends.iter().map(|end| end.0.1).collect();
    let right_edge = chart.backend_coord(&(right, low)).0;
    for (((x, y), name, colour), height) in ends.into_iter().zip(apart(&heights, LINE)) {
        let start = x.max(right_edge - 2) + 4;
        root.draw(&PathElement::new(vec![(x + 1, y), (start + 8, height)], colour.mix(0.5)))?;
        let style = ("sans-serif", 13).into_font().color(&colour);
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        root.draw(&Text::new(name.clone(), (start + 11, height), style))?;
    }
    root.present()?;
    Ok(())
}

/// Heights that are at least `gap` apart, in the order of the given ones and near to them.
fn apart(heights: &[i32], gap: i32) -> Vec<i32> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by_key(|&index| heights[index]);
    // Neighbours that are too close form a pool around their mean.
    let mut pools: Vec<(i32, i32)> = Vec::new();
    for (rank, &index) in order.iter().enumerate() {
        let mut pool = (heights[index] - gap * rank as i32, 1);
        while let Some(&(sum, count)) = pools.last() {
            if sum * pool.1 <= pool.0 * count {
                break;
            }
            pool = (pool.0 + sum, pool.1 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let levels = pools
        .into_iter()
        .flat_map(|(sum, count)| std::iter::repeat_n(sum.div_euclid(count), count as usize));
    let mut placed = vec![0; heights.len()];
    for ((rank, &index), level) in order.iter().enumerate().zip(levels) {
        placed[index] = level + gap * rank as i32;
    }
    placed
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
        let curve = Curve::new("mge", vec![(2.0, 1.0), (3.0, 1.5)]).coloured(3).dashed();
        let svg = line_chart(&axes, &[curve]).unwrap();
        assert!(
            svg.starts_with("<svg") && ["mge", "size", "distance"].iter().all(|w| svg.contains(w))
        );
        assert!(line_chart(&axes, &[]).unwrap().starts_with("<svg"));
    }

    #[test]
    fn names_are_moved_apart_and_keep_their_order() {
        assert_eq!(apart(&[100, 10, 300], 16), [100, 10, 300]);
        let placed = apart(&[50, 52, 51, 200], 16);
        assert!(placed[0] + 16 <= placed[2] && placed[2] + 16 <= placed[1], "{placed:?}");
        assert_eq!(placed[3], 200);
        assert_eq!(apart(&[], 16), []);
    }
}

//! Figures as SVG: curves, and the critical-difference diagram (Demsar 2006).

use crate::ExperimentError;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

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
pub fn chart(axes: &Axes, curves: &[Curve]) -> Result<String, ExperimentError> {
    let mut svg = String::new();
    draw_chart(axes, curves, &mut svg).map_err(|error| ExperimentError::Drawing {
        what: axes.title.clone(),
        reason: error.to_string(),
    })?;
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

/// Draws the critical-difference diagram. Methods are placed on a line by mean rank, the best at
/// the left. Bars join groups that do not differ. `test` is printed below the title.
pub fn critical_difference(
    title: &str,
    test: &str,
    names: &[String],
    mean_ranks: &[f64],
    difference: f64,
) -> Result<String, ExperimentError> {
    let mut svg = String::new();
    draw_diagram([title, test], names, mean_ranks, difference, &mut svg).map_err(|error| {
        ExperimentError::Drawing { what: title.to_owned(), reason: error.to_string() }
    })?;
    Ok(svg)
}

/// The largest groups of consecutive ranks that lie within the difference, as first and last index.
fn groups(ranks: &[f64], difference: f64) -> Vec<(usize, usize)> {
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for first in 0..ranks.len() {
        let last =
            (first..ranks.len()).take_while(|&i| ranks[i] - ranks[first] <= difference).last();
        if let Some(last) = last.filter(|&last| last > first)
            && groups.last().is_none_or(|group| group.1 < last)
        {
            groups.push((first, last));
        }
    }
    groups
}

fn draw_diagram(
    head: [&str; 2],
    names: &[String],
    mean_ranks: &[f64],
    difference: f64,
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut order: Vec<usize> = (0..names.len().min(mean_ranks.len())).collect();
    order.sort_by(|&a, &b| mean_ranks[a].total_cmp(&mean_ranks[b]));
    let ranks: Vec<f64> = order.iter().map(|&index| mean_ranks[index]).collect();
    let groups = groups(&ranks, difference);
    let (width, left) = (720_i32, 150_i32);
    let last_rank = names.len().max(2) as f64;
    let x_of =
        |rank: f64| left + ((rank - 1.0) / (last_rank - 1.0) * f64::from(width - 2 * left)) as i32;
    let (bar, axis) = (68, 104);
    let first_label = axis + 20 + 8 * groups.len() as i32;
    let height = first_label + 22 * names.len() as i32 + 16;
    let root = SVGBackend::with_string(svg, (width as u32, height as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    let line = BLACK.stroke_width(1);
    let sized =
        |size, h| ("sans-serif", size).into_font().color(&BLACK).pos(Pos::new(h, VPos::Center));
    let style = |h| sized(14, h);
    for (line, (y, size)) in head.into_iter().zip([(16, 14), (36, 12)]) {
        root.draw(&Text::new(line.to_owned(), (12, y), sized(size, HPos::Left)))?;
    }
    root.draw(&PathElement::new(vec![(x_of(1.0), axis), (x_of(last_rank), axis)], line))?;
    for rank in 1..=names.len() {
        let x = x_of(rank as f64);
        root.draw(&PathElement::new(vec![(x, axis - 5), (x, axis)], line))?;
        root.draw(&Text::new(rank.to_string(), (x, axis - 14), style(HPos::Center)))?;
    }
    let ends = vec![(x_of(1.0), bar), (x_of(1.0 + difference).min(width - 8), bar)];
    root.draw(&PathElement::new(ends, BLACK.stroke_width(2)))?;
    let label = format!("critical difference {difference:.2}");
    root.draw(&Text::new(label, (x_of(1.0), bar - 10), style(HPos::Left)))?;
    for (index, &(first, last)) in groups.iter().enumerate() {
        let y = axis + 10 + 8 * index as i32;
        let ends = vec![(x_of(ranks[first]) - 4, y), (x_of(ranks[last]) + 4, y)];
        root.draw(&PathElement::new(ends, BLACK.stroke_width(4)))?;
    }
    for (row, &index) in order.iter().enumerate() {
        let (x, y) = (x_of(mean_ranks[index]), first_label + 22 * row as i32);
        let is_left = row < order.len().div_ceil(2);
        let end = if is_left { left - 10 } else { width - left + 10 };
        root.draw(&PathElement::new(vec![(x, axis), (x, y), (end, y)], line))?;
        let text = format!("{} {:.2}", names[index], mean_ranks[index]);
        let (text_x, anchor) = if is_left { (end - 4, HPos::Right) } else { (end + 4, HPos::Left) };
        root.draw(&Text::new(text, (text_x, y), style(anchor)))?;
    }
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_maximal() {
        assert_eq!(groups(&[1.0, 1.5, 2.0, 3.5], 1.0), [(0, 2)]);
        assert_eq!(groups(&[1.0, 1.8, 2.6, 3.4], 1.0), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(groups(&[1.0, 3.0], 0.5), []);
    }

    #[test]
    fn figures_contain_their_labels() {
        let axes = Axes { title: "T".into(), x: "size".into(), y: "distance".into() };
        let curve = Curve { name: "mge".into(), points: vec![(2.0, 1.0), (3.0, 1.5)] };
        let svg = chart(&axes, &[curve]).unwrap();
        assert!(
            svg.starts_with("<svg") && ["mge", "size", "distance"].iter().all(|w| svg.contains(w))
        );
        assert!(chart(&axes, &[]).unwrap().starts_with("<svg"));
        let names = ["a", "b"].map(String::from);
        let svg = critical_difference("D", "a test", &names, &[1.2, 1.8], 0.9).unwrap();
        assert!(["a 1.20", "a test", "critical difference 0.90"].iter().all(|w| svg.contains(w)));
    }
}

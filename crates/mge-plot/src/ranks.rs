//! The critical-difference diagram of mean ranks (Demsar 2006).

use crate::PlotError;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Draws the critical-difference diagram. Methods are placed on a line by mean rank, the best at the
/// left. Bars join groups that do not differ. `test` is printed below the title.
///
/// # Errors
/// When the plot library fails.
pub fn critical_difference(
    title: &str,
    test: &str,
    names: &[String],
    mean_ranks: &[f64],
    difference: f64,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    draw_diagram([title, test], names, mean_ranks, difference, &mut svg)
        .map_err(|error| PlotError::new(title, &error))?;
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

/// Whether the label of a method stands at the left, and in which row. The better half stands at the
/// left, the best method on top; at the right the worst one is on top. So the line to a label passes
/// under all lines that are nearer to that side, and no two lines cross.
fn label_row(position: usize, count: usize) -> (bool, usize) {
    let is_left = position < count.div_ceil(2);
    (is_left, if is_left { position } else { count - 1 - position })
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
    // Letters are about eight pixels wide; a rank takes five letters.
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as i32;
    let left = (8 * (longest + 6) + 14).max(150);
    let width = 420 + 2 * left;
    let last_rank = names.len().max(2) as f64;
    let x_of =
        |rank: f64| left + ((rank - 1.0) / (last_rank - 1.0) * f64::from(width - 2 * left)) as i32;
    let (bar, axis) = (68, 104);
    let first_label = axis + 20 + 8 * groups.len() as i32;
    let height = first_label + 22 * names.len().div_ceil(2) as i32 + 10;
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
    for (position, &index) in order.iter().enumerate() {
        let (is_left, row) = label_row(position, order.len());
        let (x, y) = (x_of(mean_ranks[index]), first_label + 22 * row as i32);
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

    /// A line that goes down from the axis to its row, and then to its side.
    fn crosses(a: (f64, bool, usize), b: (f64, bool, usize)) -> bool {
        // Whether the horizontal part of one passes the vertical part of another.
        let passes = |(x, is_left, row): (f64, bool, usize),
                      (other, _, other_row): (f64, bool, usize)| {
            let is_on_the_way = if is_left { other < x } else { other > x };
            is_on_the_way && row < other_row
        };
        passes(a, b) || passes(b, a)
    }

    #[test]
    fn no_two_lines_cross() {
        for count in 1..12 {
            let lines: Vec<(f64, bool, usize)> = (0..count)
                .map(|position| {
                    let (is_left, row) = label_row(position, count);
                    (position as f64, is_left, row)
                })
                .collect();
            for (index, &one) in lines.iter().enumerate() {
                for &other in &lines[..index] {
                    assert!(!crosses(one, other), "{count} methods: {one:?} and {other:?}");
                }
            }
        }
    }

    #[test]
    fn diagrams_contain_their_labels() {
        let names = ["a", "b"].map(String::from);
        let svg = critical_difference("D", "a test", &names, &[1.2, 1.8], 0.9).unwrap();
        assert!(["a 1.20", "a test", "critical difference 0.90"].iter().all(|w| svg.contains(w)));
    }
}

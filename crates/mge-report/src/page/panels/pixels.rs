//! The pixels that each class depends on, for models of images.

use crate::input_map::{PixelGrid, input_maps};
use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use crate::svg::Style;
use askama::Template;

#[derive(Template)]
#[template(path = "panels/pixels.html")]
struct Pixels {
    maps: String,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let Ok(grid) = PixelGrid::of(&run.model) else { return Ok(None) };
    let maps = input_maps(&run.model, &grid, Style::OfPage);
    Panel::of("pixels", "Pixels that each class depends on", &Pixels { maps })
}

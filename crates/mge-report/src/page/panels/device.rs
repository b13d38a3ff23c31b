//! What the network needs on a device, and how to get its code.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::{DeviceFigure, ReportData};
use askama::Template;
use mge::net::table_bytes;

#[derive(Template)]
#[template(path = "panels/device.html")]
struct Device<'a> {
    bytes: usize,
    operations: usize,
    figures: &'a [DeviceFigure],
    is_measured: bool,
    address: String,
    /// Exports are of classes.
    can_export: bool,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let panel = Device {
        bytes: table_bytes(&run.model.network),
        operations: run.model.size.operations,
        figures: &run.devices,
        is_measured: run.devices.iter().any(|figure| figure.is_measured),
        address: run.address(),
        can_export: run.model.values.is_none(),
    };
    Panel::of("device", "On a device", &panel)
}

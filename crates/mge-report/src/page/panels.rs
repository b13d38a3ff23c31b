//! The panels of a report, one file each.

pub mod confusion;
pub mod curves;
pub mod data;
pub mod device;
pub mod folds;
pub mod formula;
pub mod front;
pub mod importance;
pub mod network;
pub mod pixels;
pub mod predicted;
pub mod probabilities;
pub mod reproduce;
pub mod settings;
pub mod test_rows;
pub mod test_values;
pub mod what_if;

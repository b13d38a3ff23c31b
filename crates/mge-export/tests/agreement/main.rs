//! Exported code, compiled and run, gives the answers of the model.
//!
//! One model for each built-in data set (flame and mnist where `MGE_DATA_DIR` has them) and random
//! networks of every shape and activation. `cargo xtask tools` installs what these tests run.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod any_integer;
mod cases;
mod devices;
mod firmware;
mod floats;
mod hostile;
mod integers;
mod micropython;
mod mnist;
mod registry;
mod tables;
mod tools;

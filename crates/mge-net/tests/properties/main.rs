//! Properties that hold for every network, checked on random ones.
//!
//! Networks and rows are built by hand here, so a failure to build one is a failed test.

#![allow(clippy::unwrap_used)]

mod batch;
mod files;
mod formula;
mod gradient;
mod networks;
mod sparse_network;

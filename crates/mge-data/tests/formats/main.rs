//! The same table in every format gives the same data set, bit for bit.

#![allow(clippy::unwrap_used)]

mod archives;
mod same;
mod write;

//! The same table in every format gives the same data set, bit for bit.

mod same;
mod write;

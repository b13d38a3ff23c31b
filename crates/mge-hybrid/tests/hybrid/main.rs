//! What every search must keep: budgets and limits, the order of the front, equal bytes for any
//! number of threads, and a run that is killed and resumed ends as one that never stopped.

#![allow(clippy::unwrap_used)]

mod costs;
mod limits;
mod reproducible;
mod starts;
mod tables;
mod values;

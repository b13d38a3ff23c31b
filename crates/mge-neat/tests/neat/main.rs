//! Tests of NEAT from outside: the paper's first task, genes made by hand, invariants, threads,
//! checkpoints, one-versus-all.

#![allow(clippy::unwrap_used)]

mod invariants;
mod map;
mod ova;
mod resume;
mod tasks;
mod vary;
mod xor;

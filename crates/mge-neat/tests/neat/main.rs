//! NEAT by its behaviour: the paper's first task, genes by hand, what always holds, any number of
//! threads, checkpoints, one-versus-all.

#![allow(clippy::unwrap_used)]

mod genes;
mod mapping;
mod ova;
mod properties;
mod resume;
mod task;
mod xor;

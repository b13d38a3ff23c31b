//! What the tests of the methods share.

use mge_grammar::{Grammar, Shape, Template};
use mge_random::{Purpose, Stream};

pub fn bind(text: &str, features: usize, outputs: usize) -> Grammar {
    Template::parse("test", text).unwrap().bind(Shape { features, outputs }).unwrap()
}

pub fn stream(index: u64) -> Stream {
    Stream::at(5, Purpose::Mutation, 0, index)
}

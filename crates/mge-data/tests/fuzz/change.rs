//! Random changes of a valid file, and how many of them are tried.

use proptest::prelude::*;

/// One change of a file.
#[derive(Debug, Clone)]
pub enum Change {
    Set(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Repeat(usize, usize),
}

pub fn change() -> impl Strategy<Value = Change> {
    // Bytes that mean something to one format or another.
    let telling = prop::sample::select(&b"\n\r\t ,;|\"'{}?%@:#\\\0\xff\x7f\x80-+.e019PK"[..]);
    let byte = prop_oneof![telling, any::<u8>()];
    let index = any::<usize>();
    prop_oneof![
        4 => (index, byte.clone()).prop_map(|(at, byte)| Change::Set(at, byte)),
        2 => (index, prop::collection::vec(byte, 1..8)).prop_map(|(at, new)| Change::Insert(at, new)),
        1 => (index, 1usize..64).prop_map(|(at, count)| Change::Remove(at, count)),
        1 => (index, 1usize..64).prop_map(|(at, count)| Change::Repeat(at, count)),
    ]
}

impl Change {
    /// Changes the bytes; an empty file stays empty.
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        match self {
            Change::Set(at, byte) => bytes[at % length] = *byte,
            Change::Insert(at, new) => {
                let at = at % length;
                bytes.splice(at..at, new.iter().copied());
            }
            Change::Remove(at, count) => {
                let at = at % length;
                bytes.drain(at..(at + count).min(length));
            }
            Change::Repeat(at, count) => {
                let at = at % length;
                let again = bytes[at..(at + count).min(length)].to_vec();
                bytes.splice(at..at, again);
            }
        }
    }
}

/// A short round by default; `MGE_FUZZ_CASES=1000000` for a long one.
pub fn config() -> ProptestConfig {
    let cases = std::env::var("MGE_FUZZ_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig::with_cases(cases.unwrap_or(2000))
}

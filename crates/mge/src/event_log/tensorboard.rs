//! Event files of TensorBoard: records of a length, a checksum, and a message of protocol buffers.
//!
//! The format is that of TensorFlow's `TFRecord` and `event.proto`. Only what is needed is written:
//! the version of the file, and one number for each tag and step.

use crate::event_record::EventRecord;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Entries of a generation that are shown, each with its tag.
const SCALARS: [(&str, &str); 5] = [
    ("best_loss", "search/loss"),
    ("train_accuracy", "search/train_accuracy"),
    ("evaluations", "search/evaluations"),
    ("operations", "network/operations"),
    ("neurons", "network/neurons"),
];

/// An event file.
pub(super) struct TensorBoard {
    file: File,
}

impl TensorBoard {
    /// Makes a new file in a folder.
    pub fn create(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let name = format!("events.out.tfevents.{}.mge.{}", now() as u64, std::process::id());
        let mut board = Self { file: File::create(folder.join(name))? };
        let mut event = Message::default();
        event.double(1, now());
        event.bytes(3, b"brain.Event:2");
        board.write(&event.0)?;
        Ok(board)
    }

    /// Adds the numbers of a generation. Other events have none.
    pub fn add(&mut self, record: &EventRecord) -> io::Result<()> {
        if record.event != "generation" {
            return Ok(());
        }
        let mut summary = Message::default();
        for (name, tag) in SCALARS {
            let Some(number) = record.number(name) else { continue };
            let mut value = Message::default();
            value.bytes(1, tag.as_bytes());
            value.float(2, number as f32);
            summary.bytes(1, &value.0);
        }
        let step = record.number("generation").unwrap_or_default();
        let mut event = Message::default();
        event.double(1, now());
        event.integer(2, step as u64);
        event.bytes(5, &summary.0);
        self.write(&event.0)
    }

    fn write(&mut self, content: &[u8]) -> io::Result<()> {
        let length = (content.len() as u64).to_le_bytes();
        let mut record = length.to_vec();
        record.extend(masked_checksum(&length).to_le_bytes());
        record.extend(content);
        record.extend(masked_checksum(content).to_le_bytes());
        self.file.write_all(&record)
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// A message of protocol buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn key(&mut self, field: u64, wire_type: u64) {
        self.varint(field << 3 | wire_type);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn integer(&mut self, field: u64, value: u64) {
        self.key(field, 0);
        self.varint(value);
    }

    fn double(&mut self, field: u64, value: f64) {
        self.key(field, 1);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.key(field, 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
    }
}

/// CRC-32C, rotated and shifted as `TFRecord` does, so that checksums of checksums are not weak.
fn masked_checksum(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// CRC-32C (Castagnoli), bit by bit: records are short.
fn crc32c(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let with_byte = |crc: u32, &byte: &u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 }
        })
    };
    !bytes.iter().fold(!0, with_byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    #[test]
    fn checksums_are_those_of_the_standard() {
        // RFC 3720, appendix B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn numbers_are_encoded_as_protocol_buffers() {
        let mut message = Message::default();
        message.integer(2, 300);
        message.bytes(1, b"a");
        message.float(2, 1.0);
        assert_eq!(message.0, [0x10, 0xac, 0x02, 0x0a, 0x01, b'a', 0x15, 0, 0, 0x80, 0x3f]);
    }

    #[test]
    fn a_file_is_made_of_whole_records() {
        let folder = tempfile::tempdir().unwrap();
        let mut board = TensorBoard::create(folder.path()).unwrap();
        let mut entries = Map::new();
        entries.insert("generation".into(), json!(3));
        entries.insert("best_loss".into(), json!(0.25));
        board.add(&EventRecord { event: "generation", entries }).unwrap();
        let entry = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        let (mut rest, mut contents) = (&bytes[..], Vec::new());
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            assert_eq!(rest[8..12], masked_checksum(&rest[..8]).to_le_bytes());
            let content = &rest[12..12 + length];
            assert_eq!(rest[12 + length..16 + length], masked_checksum(content).to_le_bytes());
            contents.push(content.to_vec());
            rest = &rest[16 + length..];
        }
        assert_eq!(contents.len(), 2);
        assert!(contents[0].ends_with(b"brain.Event:2"));
        let has = |part: &[u8]| contents[1].windows(part.len()).any(|window| window == part);
        assert!(has(b"search/loss") && has(&0.25f32.to_le_bytes()) && !has(b"network/neurons"));
    }
}

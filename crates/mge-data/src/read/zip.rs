//! The part of the ZIP format that NPZ archives use: stored and deflated members, ZIP64.
//!
//! The reader is our own, on top of `flate2`: the `zip` crate adds eight crates to the build.
//! Every size is checked against the bytes that are there before memory is taken for it.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// A file inside an archive.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ZipMember {
    /// Its name.
    pub name: String,
    is_compressed: bool,
    start: usize,
    compressed_size: usize,
    size: u64,
    sum: u32,
}

/// Why an archive cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ZipError {
    /// No end record: truncated, or not an archive.
    NoEnd,
    /// A record that points out of the file, or is none.
    BadRecord,
    /// Packed in another way than deflate, or encrypted.
    Method,
    /// The member does not unpack to what the directory declares.
    BadData,
}

impl ZipError {
    /// What was found, for a message.
    pub fn found(self) -> &'static str {
        match self {
            ZipError::NoEnd => "an archive without a directory (truncated?)",
            ZipError::BadRecord => "a damaged directory",
            ZipError::Method => "an encrypted member, or one packed in an unusual way",
            ZipError::BadData => "a member that does not decompress",
        }
    }
}

const END: &[u8] = b"PK\x05\x06";
const END64: &[u8] = b"PK\x06\x06";
const END64_LOCATOR: &[u8] = b"PK\x06\x07";
const ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

/// Reads little-endian numbers at offsets; `None` outside of the bytes.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn number(&self, at: usize, bytes: usize) -> Option<u64> {
        let field = self.0.get(at..at.checked_add(bytes)?)?;
        Some(field.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)))
    }

    fn size(&self, at: usize, bytes: usize) -> Option<usize> {
        self.number(at, bytes)?.try_into().ok()
    }

    fn begins(&self, at: usize, mark: &[u8]) -> Option<()> {
        (self.0.get(at..at.checked_add(mark.len())?)? == mark).then_some(())
    }
}

/// The members of an archive, in the directory's order.
pub(super) fn members(archive: &[u8]) -> Result<Vec<ZipMember>, ZipError> {
    // The end record is last, before a comment of at most 64 KiB.
    let tail = archive.len().saturating_sub(65_557);
    let end = memchr::memmem::rfind(&archive[tail..], END).ok_or(ZipError::NoEnd)? + tail;
    directory(&Fields(archive), end).ok_or(ZipError::BadRecord)?
}

fn directory(fields: &Fields<'_>, end: usize) -> Option<Result<Vec<ZipMember>, ZipError>> {
    let mut count = fields.size(end + 10, 2)?;
    let mut at = fields.size(end + 16, 4)?;
    if count == 0xffff || at == 0xffff_ffff {
        let locator = end.checked_sub(20)?;
        fields.begins(locator, END64_LOCATOR)?;
        let end64 = fields.size(locator + 8, 8)?;
        fields.begins(end64, END64)?;
        count = fields.size(end64.checked_add(32)?, 8)?;
        at = fields.size(end64.checked_add(48)?, 8)?;
    }
    let mut members = Vec::new();
    for _ in 0..count {
        fields.begins(at, ENTRY)?;
        let (flags, method) = (fields.number(at + 8, 2)?, fields.number(at + 10, 2)?);
        if flags & 1 != 0 || !matches!(method, 0 | 8) {
            return Some(Err(ZipError::Method));
        }
        let (name, extra) = (fields.size(at + 28, 2)?, fields.size(at + 30, 2)?);
        let comment = fields.size(at + 32, 2)?;
        let mut wide = Wide::new(fields, at + 46 + name, extra)?;
        // In this order, as the format wants it.
        let size = wide.take(fields.number(at + 24, 4)?)?;
        let compressed_size = wide.take(fields.number(at + 20, 4)?)?;
        let local: usize = wide.take(fields.number(at + 42, 4)?)?.try_into().ok()?;
        fields.begins(local, LOCAL)?;
        let skipped = fields.size(local + 26, 2)? + fields.size(local + 28, 2)?;
        let start = local + 30 + skipped;
        let compressed_size: usize = compressed_size.try_into().ok()?;
        fields.0.get(start..start.checked_add(compressed_size)?)?;
        let name_bytes = fields.0.get(at + 46..at + 46 + name)?;
        members.push(ZipMember {
            name: String::from_utf8_lossy(name_bytes).into_owned(),
            is_compressed: method == 8,
            start,
            compressed_size,
            size,
            sum: fields.number(at + 16, 4)? as u32,
        });
        at += 46 + name + extra + comment;
    }
    Some(Ok(members))
}

/// The 64-bit sizes of an entry, which stand in its extra field where the plain ones are full.
struct Wide<'a> {
    fields: &'a Fields<'a>,
    at: usize,
    end: usize,
}

impl<'a> Wide<'a> {
    fn new(fields: &'a Fields<'a>, start: usize, length: usize) -> Option<Self> {
        let end = start.checked_add(length)?;
        let mut at = start;
        while at + 4 <= end {
            let size = fields.size(at + 2, 2)?;
            if fields.number(at, 2)? == 1 {
                return Some(Self { fields, at: at + 4, end: (at + 4 + size).min(end) });
            }
            at += 4 + size;
        }
        Some(Self { fields, at: end, end })
    }

    fn take(&mut self, plain: u64) -> Option<u64> {
        if plain != 0xffff_ffff {
            return Some(plain);
        }
        if self.at + 8 > self.end {
            return None;
        }
        self.at += 8;
        self.fields.number(self.at - 8, 8)
    }
}

impl ZipMember {
    /// The decompressed bytes of the member, checked against its size and checksum.
    pub fn decompress(&self, archive: &[u8]) -> Result<Vec<u8>, ZipError> {
        let data = &archive[self.start..self.start + self.compressed_size];
        let mut bytes = Vec::new();
        if self.is_compressed {
            let mut decoder = DeflateDecoder::new(data).take(self.size.saturating_add(1));
            decoder.read_to_end(&mut bytes).map_err(|_| ZipError::BadData)?;
        } else {
            bytes.extend_from_slice(data);
        }
        let mut sum = flate2::Crc::new();
        sum.update(&bytes);
        if bytes.len() as u64 != self.size || sum.sum() != self.sum {
            return Err(ZipError::BadData);
        }
        Ok(bytes)
    }
}

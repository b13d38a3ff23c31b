//! The bytes of a file, of standard input or of the program itself, unpacked.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::DataError;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Bytes to read, and what to call them in a message.
pub(crate) struct Input {
    /// The file as the user named it.
    pub file: String,
    bytes: Box<dyn BufRead>,
    packed: bool,
}

impl Input {
    /// A file.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let file = path.display().to_string();
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => DataError::NoSuchFile { file: file.clone() },
            _ => DataError::Io { file: file.clone(), source },
        };
        if path.metadata().map_err(failed)?.is_dir() {
            return Err(DataError::IsFolder { file });
        }
        let bytes = File::open(path).map_err(failed)?;
        Self::new(file, BufReader::with_capacity(1 << 16, bytes))
    }

    /// Standard input.
    pub fn standard() -> Result<Self, DataError> {
        Self::new("standard input".to_owned(), BufReader::new(io::stdin()))
    }

    /// Bytes in memory.
    pub fn memory(file: &str, bytes: &'static [u8]) -> Result<Self, DataError> {
        Self::new(file.to_owned(), Cursor::new(bytes))
    }

    /// Any bytes; gzip is unpacked on the way.
    pub fn new(file: String, mut bytes: impl BufRead + 'static) -> Result<Self, DataError> {
        let packed = match bytes.fill_buf() {
            Ok(head) => head.starts_with(&GZIP),
            Err(source) => return Err(DataError::Io { file, source }),
        };
        let bytes: Box<dyn BufRead> = if packed {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(bytes)))
        } else {
            Box::new(bytes)
        };
        Ok(Self { file, bytes, packed })
    }

    /// The first bytes (up to one buffer), without taking them.
    pub fn head(&mut self) -> Result<Vec<u8>, DataError> {
        match self.bytes.fill_buf() {
            Ok(head) => Ok(head[..head.len().min(4096)].to_vec()),
            Err(source) => Err(self.failed(source)),
        }
    }

    /// The file's name without `.gz`, in lower case.
    pub fn plain_name(&self) -> String {
        let name = self.file.to_lowercase();
        name.strip_suffix(".gz").unwrap_or(&name).to_owned()
    }

    /// Appends the next line with its line end; 0 bytes mean the end.
    pub fn line(&mut self, line: &mut Vec<u8>) -> Result<usize, DataError> {
        self.bytes.read_until(b'\n', line).map_err(|source| self.failed(source))
    }

    /// Everything that is left, but at most `limit` bytes.
    pub fn rest(&mut self, limit: u64) -> Result<Vec<u8>, DataError> {
        let mut bytes = Vec::new();
        let taken = (&mut self.bytes).take(limit).read_to_end(&mut bytes);
        taken.map_err(|source| self.failed(source))?;
        Ok(bytes)
    }

    fn failed(&self, source: io::Error) -> DataError {
        let file = self.file.clone();
        if self.packed { DataError::Gzip { file, source } } else { DataError::Io { file, source } }
    }
}

//! The bytes of a file, of standard input or of the program itself, unpacked.
//!
//! The first bytes are held back so that a format can be recognised before it is read, also from
//! a pipe that gives them in drops. What is read is counted before unpacking, which is what a
//! progress bar can compare with the size of the file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::error::DataError;
use crate::progress::Progress;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// How many bytes are looked at before the format is decided.
const HEAD: u64 = 1 << 16;

/// Bytes to read, and what to call them in a message.
pub(crate) struct Input {
    /// The file as the user named it.
    pub file: String,
    /// Where the file is; `None` for standard input and bytes in memory.
    pub path: Option<PathBuf>,
    head: Vec<u8>,
    bytes: Box<dyn BufRead>,
    packed: bool,
    /// What ends a line: a carriage return where there is nothing else, as in very old files.
    line_end: u8,
}

impl Input {
    /// A file.
    pub fn open(path: &Path, progress: &Progress) -> Result<Self, DataError> {
        let file = path.display().to_string();
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => DataError::NoSuchFile { file: file.clone() },
            _ => DataError::Io { file: file.clone(), source },
        };
        let metadata = path.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(DataError::IsFolder { file });
        }
        let bytes = File::open(path).map_err(failed)?;
        let bytes = Counted::new(bytes, Some(metadata.len()), progress.clone());
        let input = Self::new(file, BufReader::with_capacity(1 << 16, bytes))?;
        Ok(Self { path: Some(path.to_owned()), ..input })
    }

    /// Standard input.
    pub fn standard(progress: &Progress) -> Result<Self, DataError> {
        let bytes = Counted::new(io::stdin(), None, progress.clone());
        Self::new("standard input".to_owned(), BufReader::with_capacity(1 << 16, bytes))
    }

    /// Bytes in memory.
    pub fn memory(file: &str, bytes: &'static [u8]) -> Result<Self, DataError> {
        Self::new(file.to_owned(), Cursor::new(bytes))
    }

    /// Any bytes; gzip is unpacked on the way.
    pub fn new(file: String, bytes: impl BufRead + 'static) -> Result<Self, DataError> {
        let (head, bytes) = (Vec::new(), Box::new(bytes));
        let mut input = Self { file, path: None, head, bytes, packed: false, line_end: b'\n' };
        input.hold_back(2)?;
        if input.head.starts_with(&GZIP) {
            let unpacked = MultiGzDecoder::new(input.bytes);
            input.bytes = Box::new(BufReader::with_capacity(1 << 16, unpacked));
            input.packed = true;
        }
        input.hold_back(HEAD)?;
        if !input.head.contains(&b'\n') && input.head.contains(&b'\r') {
            input.line_end = b'\r';
            // Formats are recognised by lines, too.
            let ends = input.head.iter_mut().filter(|byte| **byte == b'\r');
            ends.for_each(|byte| *byte = b'\n');
        }
        Ok(input)
    }

    /// Reads the first bytes and puts them back.
    fn hold_back(&mut self, count: u64) -> Result<(), DataError> {
        self.head = self.rest(count)?;
        let bytes = std::mem::replace(&mut self.bytes, Box::new(io::empty()));
        self.bytes = Box::new(Cursor::new(self.head.clone()).chain(bytes));
        Ok(())
    }

    /// The first bytes, up to 64 KiB; a line ends with a line feed.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The file's name without `.gz`, in lower case.
    pub fn plain_name(&self) -> String {
        let name = self.file.to_lowercase();
        name.strip_suffix(".gz").unwrap_or(&name).to_owned()
    }

    /// Appends the next line with its line end; 0 bytes mean the end.
    pub fn line(&mut self, line: &mut Vec<u8>) -> Result<usize, DataError> {
        self.bytes.read_until(self.line_end, line).map_err(|source| self.failed(source))
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

/// Tells how far reading is.
struct Counted<R> {
    inner: R,
    read: u64,
    total: Option<u64>,
    progress: Progress,
}

impl<R> Counted<R> {
    fn new(inner: R, total: Option<u64>, progress: Progress) -> Self {
        Self { inner, read: 0, total, progress }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read += count as u64;
        self.progress.tell(self.read, self.total);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a slow pipe may.
    struct Drops(Cursor<Vec<u8>>);

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut buffer[..1])
        }
    }

    #[test]
    fn the_head_is_whole_even_from_a_pipe_that_drips() {
        let bytes = b"@relation x\n@data\n".to_vec();
        let drops = BufReader::with_capacity(4, Drops(Cursor::new(bytes.clone())));
        let mut input = Input::new("-".into(), drops).unwrap();
        assert_eq!(input.head(), bytes);
        assert_eq!(input.rest(u64::MAX).unwrap(), bytes, "nothing is lost");
    }
}

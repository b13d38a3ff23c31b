//! The decompressed bytes of a file, of standard input or of the program itself.
//!
//! The first bytes are buffered, so that a format can be recognised before it is read, even from a
//! slow pipe. Progress counts compressed bytes, which compare with the size of the file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::error::DataError;
use crate::progress::ReadProgress;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The number of bytes that decide the format.
const HEAD: u64 = 1 << 16;

/// Bytes to read, with a name for messages.
pub(crate) struct Input {
    /// The file as the user named it.
    pub file: String,
    /// Where the file is; `None` for standard input and bytes in memory.
    pub path: Option<PathBuf>,
    head: Vec<u8>,
    bytes: Box<dyn BufRead>,
    is_compressed: bool,
    /// The end of a line: a carriage return if the file has no line feed, as in very old files.
    line_end: u8,
}

impl Input {
    /// A file.
    pub fn open(path: &Path, progress: &ReadProgress) -> Result<Self, DataError> {
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
        let bytes = CountingReader::new(bytes, Some(metadata.len()), progress.clone());
        let input = Self::new(file, BufReader::with_capacity(1 << 16, bytes))?;
        Ok(Self { path: Some(path.to_owned()), ..input })
    }

    /// Standard input.
    pub fn standard(progress: &ReadProgress) -> Result<Self, DataError> {
        let bytes = CountingReader::new(io::stdin(), None, progress.clone());
        Self::new("standard input".to_owned(), BufReader::with_capacity(1 << 16, bytes))
    }

    /// Bytes in memory.
    pub fn memory(file: &str, bytes: &'static [u8]) -> Result<Self, DataError> {
        Self::new(file.to_owned(), Cursor::new(bytes))
    }

    /// Any bytes; gzip is decompressed.
    pub fn new(file: String, bytes: impl BufRead + 'static) -> Result<Self, DataError> {
        let (head, bytes) = (Vec::new(), Box::new(bytes));
        let mut input =
            Self { file, path: None, head, bytes, is_compressed: false, line_end: b'\n' };
        input.buffer_head(2)?;
        if input.head.starts_with(&GZIP) {
            let unpacked = MultiGzDecoder::new(input.bytes);
            input.bytes = Box::new(BufReader::with_capacity(1 << 16, unpacked));
            input.is_compressed = true;
        }
        input.buffer_head(HEAD)?;
        if !input.head.contains(&b'\n') && input.head.contains(&b'\r') {
            input.line_end = b'\r';
            // Formats are recognised by lines too.
            let ends = input.head.iter_mut().filter(|byte| **byte == b'\r');
            ends.for_each(|byte| *byte = b'\n');
        }
        Ok(input)
    }

    /// Reads the first bytes and puts them back.
    fn buffer_head(&mut self, count: u64) -> Result<(), DataError> {
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
        if self.is_compressed {
            DataError::Gzip { file, source }
        } else {
            DataError::Io { file, source }
        }
    }
}

/// Reports the progress of a reader.
struct CountingReader<R> {
    inner: R,
    read: u64,
    total: Option<u64>,
    progress: ReadProgress,
}

impl<R> CountingReader<R> {
    fn new(inner: R, total: Option<u64>, progress: ReadProgress) -> Self {
        Self { inner, read: 0, total, progress }
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read += count as u64;
        self.progress.report(self.read, self.total);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time, as a slow pipe may.
    struct SlowPipe(Cursor<Vec<u8>>);

    impl Read for SlowPipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(&mut buffer[..1])
        }
    }

    #[test]
    fn the_head_is_complete_from_a_slow_pipe() {
        let bytes = b"@relation x\n@data\n".to_vec();
        let pipe = BufReader::with_capacity(4, SlowPipe(Cursor::new(bytes.clone())));
        let mut input = Input::new("-".into(), pipe).unwrap();
        assert_eq!(input.head(), bytes);
        assert_eq!(input.rest(u64::MAX).unwrap(), bytes, "nothing is lost");
    }
}

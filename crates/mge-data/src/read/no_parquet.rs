//! Stands in for the Parquet reader where the program was built without it: recognises the
//! format and says what is missing.

use super::{Draft, Input, Reader};
use crate::error::{DataError, FormatError};
use crate::options::LoadOptions;

pub(crate) struct Parquet;

impl Reader for Parquet {
    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(b"PAR1")
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".parquet", ".pq"]
    }

    fn read(&self, input: Input, _options: &LoadOptions) -> Result<Draft, DataError> {
        Err(FormatError::BadHeader {
            file: input.file,
            format: "table",
            found: "a Parquet file, which this build cannot read".to_owned(),
            expected: "another format, or a build with the feature `parquet`".to_owned(),
        }
        .into())
    }
}

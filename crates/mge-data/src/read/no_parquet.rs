//! Replaces the Parquet reader in builds without it: recognises the format and names the build
//! that reads it.

use super::{Input, ParsedTable, Reader};
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

    fn read(&self, input: Input, _options: &LoadOptions) -> Result<ParsedTable, DataError> {
        Err(FormatError::BadHeader {
            file: input.file,
            format: "table",
            found: "a Parquet file, which this build cannot read".to_owned(),
            expected:
                "a build with Parquet (cargo install --path crates/mge-cli --features full), or \
                another format such as CSV"
                    .to_owned(),
        }
        .into())
    }
}

//! Tables in, feature columns out.
//!
//! Data walks through this crate once, forwards: [`load`] turns a built-in name or a file into a
//! typed [`Table`]; [`Task`] reads the classes from its target column; [`Split`] says which rows
//! train and which test; [`Preprocess`] is fitted on the training rows alone and turns any table
//! with the same columns into [`Columns`], the scaled, column-major matrix that networks read.
//!
//! ```
//! use mge_data::{LoadOptions, Preprocess, PreprocessOptions, Split, load};
//!
//! let wdbc = load("wdbc", &LoadOptions::default())?;
//! let task = wdbc.task()?;
//! let split = Split::by_fraction(wdbc.table.rows(), 0.7, 42)?;
//! let options = PreprocessOptions::default();
//! let preprocess = Preprocess::fit(&wdbc.table, task.target(), &split.train, &options)?;
//! let train = preprocess.apply(&wdbc.table, Some(&split.train))?.columns;
//! assert_eq!((train.rows(), train.count()), (398, 30));
//! assert_eq!(task.classes(), ["B", "M"]);
//! # Ok::<(), mge_data::DataError>(())
//! ```
//!
//! What was assumed on the way is in [`Loaded::notes`]; nothing is guessed in silence. Errors
//! name the file, the line, the column, what was found and what was expected.

pub mod catalogue;
mod cell;
mod describe;
mod error;
mod fault;
mod feature_range;
mod fingerprint;
mod form;
mod known;
mod listed;
mod load;
mod nearest;
mod note;
mod options;
pub mod order;
mod preprocess;
mod progress;
mod read;
mod split;
mod table;
mod task;
mod text;
mod unseen;
mod write;

pub use mge_columns::{Columns, ColumnsError};

pub use describe::{BARS, ColumnDescription, Count, Description, Range};
pub use error::{CatalogueError, DataError, FormatError, SplitError};
pub use fault::{BadCell, RaggedRow};
pub use feature_range::FeatureRange;
pub use fingerprint::Fingerprint;
pub use form::FileForm;
pub use listed::{Listed, SHOWN};
pub use load::{Loaded, load, load_bytes};
pub use nearest::nearest;
pub use note::Note;
pub use options::{LoadOptions, Target};
pub use preprocess::{
    Categories, DropReason, Dropped, Encoding, Feature, LIMIT, Preprocess, PreprocessError,
    PreprocessOptions, Preprocessed, RawColumn, Scale,
};
pub use progress::Progress;
pub use split::Split;
pub use table::{Column, Kind, Lines, Table, Values};
pub use task::{Task, labels};
pub use text::Text;
pub use unseen::Unseen;
pub use write::quoted;

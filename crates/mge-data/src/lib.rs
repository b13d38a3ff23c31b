//! Tables in, feature columns out.
//!
//! The steps, in order:
//!
//! 1. [`load`] turns a built-in name or a file into a typed [`Table`].
//! 2. [`detect_task`] tells whether the target names classes or is a number. [`ClassTarget`] reads
//!    the classes and labels, [`ValueTarget`] the numbers of one or several target columns.
//! 3. [`Split`] chooses the rows for training and for testing.
//! 4. [`Preprocess`] is fitted on the training rows alone. It turns any table with the same columns
//!    into [`Columns`], the scaled, column-major matrix that networks read.
//!
//! ```
//! use mge_data::{LoadOptions, Preprocess, PreprocessOptions, Split, load};
//!
//! let wdbc = load("wdbc", &LoadOptions::default())?;
//! let target = wdbc.class_target()?;
//! let split = Split::by_fraction(wdbc.table.rows(), 0.7, 42)?;
//! let options = PreprocessOptions::default();
//! let preprocess = Preprocess::fit(&wdbc.table, target.column(), &split.train, &options)?;
//! let train = preprocess.apply(&wdbc.table, Some(&split.train))?.columns;
//! assert_eq!((train.rows(), train.count()), (398, 30));
//! assert_eq!(target.classes(), ["B", "M"]);
//! # Ok::<(), mge_data::DataError>(())
//! ```
//!
//! [`Loaded::notes`] lists every assumption that a reader made. Errors name the file, the line, the
//! column, what was found and what was expected.

mod bad_cell;
pub mod catalogue;
mod category_lookup;
mod cell_text;
mod dependence;
mod describe;
mod detect_task;
mod error;
mod feature_range;
mod file_layout;
mod fingerprint;
mod load;
mod measurement;
mod nearest;
mod note;
mod options;
mod order;
mod preprocess;
mod progress;
mod read;
mod repeated_rows;
mod split;
mod table;
mod target;
mod target_columns;
mod target_scale;
mod text_column;
mod time;
mod truncated_list;
mod unseen_categories;
mod value_target;
mod weights;
mod write;

pub use mge_columns::{Columns, ColumnsError};

pub use bad_cell::{BadCell, RaggedRow};
pub use dependence::{RowDependence, group_ids, time_ranks};
pub use describe::{ColumnDescription, Description, NumericSummary, TargetSummary, ValueCount};
pub use detect_task::{DetectedTask, TargetKind, TaskReason, detect_task};
pub use error::{CatalogueError, DataError, FormatError, SplitError, TargetError};
pub use feature_range::FeatureRange;
pub use file_layout::FileLayout;
pub use fingerprint::Fingerprint;
pub use load::{Loaded, load, load_bytes};
pub use measurement::{Measurement, looks_like_measurement};
pub use note::Note;
pub use options::{LoadOptions, TargetColumn};
pub use preprocess::{
    Categories, DropReason, Dropped, Encoding, Feature, Preprocess, PreprocessError,
    PreprocessOptions, Preprocessed, RawColumn, Scale,
};
pub use progress::ReadProgress;
pub use read::{Cells, load_columns};
pub use repeated_rows::RowHashes;
pub use split::Split;
pub use table::{Column, ColumnKind, Table, Values};
pub use target::{ClassTarget, class_labels};
pub use target_scale::{ColumnScale, TargetScale, TargetScaleError};
pub use text_column::Text;
pub use truncated_list::TruncatedList;
pub use unseen_categories::UnseenCategories;
pub use value_target::{ValueTarget, value_targets};
pub use weights::{repeat_rows, row_weights};
pub use write::quoted;

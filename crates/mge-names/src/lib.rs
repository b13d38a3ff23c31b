//! Named choices: what a setting, a flag or a file may name, such as a loss or a variant.
//!
//! - [`named_enum!`] declares an enum whose variants have names. It writes `ALL`, `name()`,
//!   `names()`, `from_name()`, [`Display`](std::fmt::Display), [`FromStr`](std::str::FromStr) and serde by name.
//! - [`UnknownName`] is the one error for a text that is none of the names. It lists them and
//!   suggests the most similar one.
//! - [`nearest`] finds the most similar name, for errors of other kinds. [`suggestion`] does so for
//!   serde's errors about unknown fields.
//!
//! A macro of ours instead of `strum`: the errors of `strum` know neither what was wanted nor which
//! names there are, so each enum would need its own error type again.
//!
//! ```
//! mge_names::named_enum! {
//!     /// How a wheel turns.
//!     #[derive(Default)]
//!     pub enum Direction: "direction" {
//!         /// With the clock.
//!         #[default]
//!         Clockwise = "clockwise",
//!         /// Against the clock. Old files say `left`.
//!         Counterclockwise = "counterclockwise" | "left",
//!     }
//! }
//!
//! assert_eq!(Direction::ALL.map(Direction::name), ["clockwise", "counterclockwise"]);
//! assert_eq!("Left".parse(), Ok(Direction::Counterclockwise));
//! let error = "clokwise".parse::<Direction>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "unknown direction `clokwise`; expected clockwise or counterclockwise; \
//!      did you mean `clockwise`?"
//! );
//! ```

mod named_enum;
mod nearest;
mod suggestion;
mod unknown;

pub use nearest::nearest;
pub use suggestion::suggestion;
pub use unknown::UnknownName;

/// What the code of [`named_enum!`] needs from its caller's crate. Not for direct use.
#[doc(hidden)]
pub mod private {
    pub use crate::named_enum::{deserialize_variant, find};
    pub use crate::unknown::list;
    pub use serde;
}

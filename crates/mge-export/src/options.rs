//! Words of an export: the numbers and the layout of its code, and the device it runs on.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A word that names no target, number, layout or device.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown {what} `{found}`; expected {expected}")]
pub struct UnknownWord {
    /// What it should have been.
    pub what: &'static str,
    /// What was given.
    pub found: String,
    /// The words there are.
    pub expected: String,
}

macro_rules! words {
    ($(#[$meta:meta])* $type:ident, $what:literal: $($(#[$doc:meta])* $variant:ident = $word:literal,)+) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$doc])* $variant,)+
        }

        impl $type {
            /// All of them.
            pub const ALL: &[$type] = &[$($type::$variant,)+];

            /// The word on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $word,)+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|one| one.name() == text).ok_or_else(|| {
                    let words: Vec<&str> = Self::ALL.iter().map(|one| one.name()).collect();
                    let expected = words.join(", ");
                    UnknownWord { what: $what, found: text.to_owned(), expected }
                })
            }
        }
    };
}

words! {
    /// A device that a program can be measured on.
    Device, "device":
    /// Microchip ATmega328P (Arduino Uno): 8 bits, no floats, 32 KiB of flash, 2 KiB of RAM.
    Atmega328p = "atmega328p",
    /// ARM Cortex-M0: 32 bits, no floats.
    CortexM0 = "cortex-m0",
    /// ARM Cortex-M4 with its float unit.
    CortexM4 = "cortex-m4",
    /// The machine that mge itself runs on.
    Host = "host",
}

words! {
    /// What the code computes with.
    Number, "number":
    /// Single-precision floats.
    F32 = "f32",
    /// 8-bit weights and values, sums of 16 or 32 bits.
    Int8 = "int8",
    /// 16-bit weights and values, sums of 32 bits.
    Int16 = "int16",
}

words! {
    /// How the network is written down.
    Layout, "layout":
    /// Tables and a loop: small.
    Table = "table",
    /// One statement for each neuron: fast.
    Code = "code",
}

//! The macro that declares named enums, and the functions it calls.

use crate::UnknownName;
use serde::de::{Deserializer, EnumAccess, Error, Unexpected, VariantAccess, Visitor};
use std::fmt;

/// Declares a `Copy` enum whose variants have names.
///
/// ```text
/// named_enum! {
///     /// Documentation and further derives.
///     pub enum Type: "what an error calls it" {
///         /// Documentation.
///         Variant = "name" | "an old name",
///     }
/// }
/// ```
///
/// It derives `Debug`, `Clone`, `Copy`, `PartialEq`, `Eq`, `Hash`, `PartialOrd` and `Ord`, and
/// generates
///
/// - `ALL`, all variants in order, and `name()`;
/// - `names()`, a list for messages, and `from_name()`, which takes exact names only and never
///   allocates;
/// - `Display` by name, and `FromStr`, which ignores case and takes old names too;
/// - `Serialize` and `Deserialize`: by name in text formats, by the index of the variant in binary
///   ones, as serde's own derives do. Old names can be read.
///
/// Both ways of parsing report an [`UnknownName`].
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $type:ident: $what:literal {
            $($(#[$variant_meta:meta])* $variant:ident = $name:literal $(| $alias:literal)*),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $type {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $type {
            const NAMES: &'static [&'static str] = &[$($name),+];
            const OLD_NAMES: &'static [&'static [&'static str]] = &[$(&[$($alias),*]),+];

            /// All of them, in order.
            pub const ALL: [Self; Self::NAMES.len()] = [$(Self::$variant),+];

            /// The name in settings, flags and files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The names as a list for messages: `one, two or three`.
            #[allow(dead_code, reason = "not every enum has a use for it")]
            pub fn names() -> String {
                $crate::private::list(Self::NAMES)
            }

            /// The one with exactly this name.
            #[allow(dead_code, reason = "not every enum has a use for it")]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                $crate::private::find($what, Self::NAMES, Self::OLD_NAMES, text)
                    .map(|index| Self::ALL[index])
            }
        }

        impl $crate::private::serde::Serialize for $type {
            fn serialize<S: $crate::private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_unit_variant(
                    ::std::stringify!($type),
                    *self as u32,
                    self.name(),
                )
            }
        }

        impl<'de> $crate::private::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::private::deserialize_variant(
                    deserializer,
                    ::std::stringify!($type),
                    $what,
                    Self::NAMES,
                    Self::OLD_NAMES,
                )
                .map(|index| Self::ALL[index])
            }
        }
    };
}

/// The index of the name or old name that a text is, whatever its case.
pub fn find(
    what: &'static str,
    names: &'static [&'static str],
    old_names: &'static [&'static [&'static str]],
    text: &str,
) -> Result<usize, UnknownName> {
    let is_it = |name: &&str| name.eq_ignore_ascii_case(text);
    let found = names
        .iter()
        .position(is_it)
        .or_else(|| old_names.iter().position(|names| names.iter().any(&is_it)));
    found.ok_or_else(|| UnknownName::new(what, text, names.iter().copied()))
}

/// Deserializes the index of a variant: from a name, or from an index in binary formats.
pub fn deserialize_variant<'de, D: Deserializer<'de>>(
    deserializer: D,
    type_name: &'static str,
    what: &'static str,
    names: &'static [&'static str],
    old_names: &'static [&'static [&'static str]],
) -> Result<usize, D::Error> {
    let index = IndexVisitor { what, names, old_names };
    deserializer.deserialize_enum(type_name, names, EnumVisitor(index))
}

/// Visits the enum: which variant, without content.
struct EnumVisitor(IndexVisitor);

impl<'de> Visitor<'de> for EnumVisitor {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<usize, A::Error> {
        let (index, content) = access.variant_seed(self.0)?;
        content.unit_variant()?;
        Ok(index)
    }
}

/// Visits the variant: its name or its index.
#[derive(Clone, Copy)]
struct IndexVisitor {
    what: &'static str,
    names: &'static [&'static str],
    old_names: &'static [&'static [&'static str]],
}

impl<'de> serde::de::DeserializeSeed<'de> for IndexVisitor {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for IndexVisitor {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name of a {}", self.what)
    }

    fn visit_u64<E: Error>(self, index: u64) -> Result<usize, E> {
        let within = usize::try_from(index).ok().filter(|&index| index < self.names.len());
        within.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(index), &self))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        find(self.what, self.names, self.old_names, name).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::UnknownName;

    named_enum! {
        /// Sizes.
        #[derive(Default)]
        enum Size: "size" {
            Small = "small",
            /// The default.
            #[default]
            Large = "large" | "big" | "huge",
        }
    }

    #[test]
    fn names_are_written_and_read_in_any_case() {
        assert_eq!(Size::ALL, [Size::Small, Size::default()]);
        assert_eq!(format!("{:>6}|{}", Size::Small, Size::Large), " small|large");
        assert_eq!("LARGE".parse(), Ok(Size::Large));
        assert_eq!("huge".parse(), Ok(Size::Large));
        assert_eq!((Size::from_name("small"), Size::from_name("Small")), (Some(Size::Small), None));
    }

    #[test]
    fn an_unknown_name_gets_a_suggestion() {
        let error: UnknownName = "smal".parse::<Size>().unwrap_err();
        assert_eq!((error.what, error.nearest.as_deref()), ("size", Some("small")));
        let error = serde_json::from_str::<Size>("\"smal\"").unwrap_err().to_string();
        assert!(
            error.starts_with("unknown size `smal`; expected small or large; did you"),
            "{error}"
        );
        let error = serde_json::from_value::<Size>(7.into()).unwrap_err().to_string();
        assert!(error.starts_with("invalid type: integer `7`"), "{error}");
    }

    #[test]
    fn text_formats_have_names_and_binary_formats_indices() {
        assert_eq!(serde_json::to_string(&Size::Large).unwrap(), "\"large\"");
        assert_eq!(serde_json::from_str::<Size>("\"big\"").unwrap(), Size::Large);
        let bytes = postcard::to_stdvec(&Size::Large).unwrap();
        assert_eq!(bytes, [1]);
        assert_eq!(postcard::from_bytes::<Size>(&bytes), Ok(Size::Large));
        assert!(postcard::from_bytes::<Size>(&[2]).is_err());
    }
}

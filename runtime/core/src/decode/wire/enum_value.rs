//! Values of enumerations.

use std::borrow::Cow;

use crate::decode::enums::ParseEnumError;
use crate::decode::failure::Failure;
use crate::decode::reader::Reader;

/// Reads a string, which is an enum value, without copying it. `open_enum` and `closed_enum` call it.
///
/// # Errors
///
/// For anything but a string, and for a string that is no value.
#[doc(hidden)]
#[inline(never)]
pub fn enum_value<T>(
    reader: &mut Reader<'_>,
    read: fn(&str) -> Result<T, ParseEnumError>,
) -> Result<T, Failure> {
    let spelling = spelling(reader)?;
    match read(&spelling.text) {
        Ok(value) => Ok(value),
        Err(error) => Err(unknown(spelling.at, &error)),
    }
}

/// A string that may be an enum value.
struct Spelling<'b> {
    text: Cow<'b, str>,
    /// The index of its first byte.
    at: usize,
}

fn spelling<'b>(reader: &mut Reader<'b>) -> Result<Spelling<'b>, Failure> {
    if reader.peek() != Some(b'"') {
        return Err(reader.mismatch("a string"));
    }
    let at = reader.at;
    let text = reader.string()?;
    Ok(Spelling { text, at })
}

#[cold]
fn unknown(at: usize, error: &ParseEnumError) -> Failure {
    Failure::text(at, error.to_string())
}

/// Returns the index of the only enum value that a string spells in another casing. `open_enum` calls it with all spellings of each value;
/// without `in_any_case`, there is none.
#[doc(hidden)]
pub fn in_other_case(in_any_case: bool, value: &str, spellings: &[&[&str]]) -> Option<usize> {
    let is_spelled = |all: &[&str]| all.iter().any(|one| one.eq_ignore_ascii_case(value));
    let mut all = spellings.iter().enumerate();
    let (first, _) = all.find(|(_, all)| in_any_case && is_spelled(all))?;
    let is_only = !all.any(|(_, all)| is_spelled(all));
    is_only.then_some(first)
}

/// Implements the traits of an open enumeration of strings, from its variants and their wire values: `Unrecognized` keeps any other value.
/// After the name, `in_any_case` recognizes a value in another casing, for what only a service sends: it is written as the document spells it.
#[doc(hidden)]
#[macro_export]
macro_rules! __open_enum {
    ($name:ident in_any_case $($variants:tt)*) => {
        $crate::__open_enum!(@ true, $name $($variants)*);
    };
    ($name:ident $(, $($variants:tt)*)?) => {
        $crate::__open_enum!(@ false, $name $(, $($variants)*)?);
    };
    (@ $in_any_case:literal, $name:ident $(, $variant:ident = $value:literal $(| $other:literal)*)* $(,)?) => {
        impl $name {
            /// Every enum value that the document lists.
            pub const KNOWN: &'static [&'static str] = &[$($value),*];

            /// The variants of these values.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the enum value on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $value,)*
                    Self::Unrecognized(value) => value,
                }
            }
        }

        /// The variant of the empty string, which is used if a response lacks the value.
        impl ::std::default::Default for $name {
            fn default() -> Self {
                Self::from("")
            }
        }

        impl ::std::convert::From<&str> for $name {
            fn from(value: &str) -> Self {
                match value {
                    $($value $(| $other)* => Self::$variant,)*
                    _ => {
                        let spellings: &[&[&str]] = &[$(&[$value $(, $other)*]),*];
                        let known = $crate::wire::in_other_case($in_any_case, value, spellings);
                        match known.and_then(|index| Self::ALL.get(index)) {
                            ::std::option::Option::Some(known) => known.clone(),
                            ::std::option::Option::None => {
                                Self::Unrecognized(::std::string::String::from(value))
                            }
                        }
                    }
                }
            }
        }

        /// Reads any string: a value that the document does not list is kept.
        impl ::std::str::FromStr for $name {
            type Err = ::std::convert::Infallible;

            fn from_str(value: &str) -> ::std::result::Result<Self, ::std::convert::Infallible> {
                ::std::result::Result::Ok(Self::from(value))
            }
        }

        $crate::__any_enum!($name, |value| ::std::result::Result::Ok(Self::from(value)), [$($(($other, $value))*)*]);
    };
}

/// Implements the traits of a closed enumeration of strings, from its variants and their wire values.
#[doc(hidden)]
#[macro_export]
macro_rules! __closed_enum {
    ($name:ident $(, $variant:ident = $value:literal $(| $other:literal)*)* $(,)?) => {
        impl $name {
            /// Every enum value, in the order of the document.
            pub const KNOWN: &'static [&'static str] = &[$($value),*];

            /// Every variant, in the same order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the enum value on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $value,)*
                }
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::error::ParseEnumError;

            fn from_str(value: &str) -> ::std::result::Result<Self, $crate::error::ParseEnumError> {
                match value {
                    $($value $(| $other)* => ::std::result::Result::Ok(Self::$variant),)*
                    _ => ::std::result::Result::Err($crate::error::ParseEnumError::new(value, Self::KNOWN)),
                }
            }
        }

        $crate::__any_enum!($name, str::parse, [$($(($other, $value))*)*]);
    };
}

/// Implements what open and closed enumerations have in common.
#[doc(hidden)]
#[macro_export]
macro_rules! __any_enum {
    ($name:ident, $read:expr, [$($alias:tt)*]) => {
        impl $crate::document::Shaped for $name {
            const SHAPE: &'static $crate::document::Shape = &$crate::document::Shape::Enum {
                known: Self::KNOWN,
                aliases: &[$($alias),*],
            };
        }

        impl $crate::wire::Read for $name {
            #[inline]
            fn read(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> ::std::result::Result<Self, $crate::wire::Failure> {
                $crate::wire::enum_value(reader, $read)
            }
        }

        $crate::__deserialize!($name);

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::std::cmp::PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl ::std::cmp::PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

#[doc(inline)]
pub use crate::{__closed_enum as closed_enum, __open_enum as open_enum};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::Allowance;
    use crate::decode::reader::{Mode, State};

    #[test]
    fn a_casing_is_recognized_if_it_spells_one_value() {
        let spellings: &[&[&str]] = &[&["Neutral", "none"], &["good"], &["GOOD"]];
        for (value, index) in [
            ("NEUTRAL", Some(0)),
            ("None", Some(0)),
            ("Good", None),
            ("bad", None),
            ("", None),
        ] {
            assert_eq!(in_other_case(true, value, spellings), index, "{value}");
            assert_eq!(in_other_case(false, value, spellings), None, "{value}");
        }
    }

    #[test]
    fn an_enum_value_must_be_a_string() {
        let read = |json| {
            let state = State::new(Mode::Open, Allowance::UNBOUNDED);
            enum_value(&mut Reader::new(json, state), |value| match value {
                "a" => Ok(1),
                _ => Err(ParseEnumError::new(value, &["a", "b"])),
            })
        };
        // An escaped string cannot be borrowed.
        assert_eq!(read(r#""\u0061""#).unwrap(), 1);
        assert!(read("1").is_err());
        let refusal = read(r#""c""#).unwrap_err().to_string();
        assert_eq!(refusal, "invalid value `c`: expected one of `a`, `b`");
    }
}

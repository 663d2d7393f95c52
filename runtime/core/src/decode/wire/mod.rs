//! `deserialize_with` functions of generated code, for services that deviate from their document.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use generated_client::error::ParseEnumError;
//! use generated_client::values::Nullable;
//! use generated_client::wire::{self, Alternative, Elements, Form, Map, Nulls, Object, OneOf};
//! use serde::{Deserialize, Deserializer};
//! use serde_json::Value;
//!
//! #[derive(Default, Deserialize)]
//! #[serde(default)]
//! struct Members {
//!     #[serde(deserialize_with = "wire::null_as_default")]
//!     title: String,
//!     // Without the elements that are null; null is the empty list.
//!     #[serde(deserialize_with = "wire::list")]
//!     tags: Vec<String>,
//!     #[serde(deserialize_with = "wire::map")]
//!     counts: BTreeMap<String, u64>,
//!     #[serde(deserialize_with = "wire::some_list")]
//!     notes: Option<Vec<String>>,
//!     #[serde(deserialize_with = "wire::some_map")]
//!     labels: Option<BTreeMap<String, String>>,
//!     // Written back as it was read: absent and null differ.
//!     #[serde(deserialize_with = "wire::nullable")]
//!     alias: Nullable<String>,
//!     #[serde(deserialize_with = "wire::nullable_list")]
//!     ratings: Nullable<Vec<u8>>,
//!     #[serde(deserialize_with = "wire::nullable_map")]
//!     sizes: Nullable<BTreeMap<String, u64>>,
//!     // Elements that are null are kept where callers may send them.
//!     #[serde(deserialize_with = "wire::with_nulls")]
//!     levels: Vec<Option<u8>>,
//!     #[serde(deserialize_with = "wire::some_with_nulls")]
//!     files: Option<BTreeMap<String, Option<String>>>,
//!     #[serde(deserialize_with = "wire::nullable_with_nulls")]
//!     days: Nullable<Vec<Option<String>>>,
//!     // The content of a response, which its envelope requires.
//!     #[serde(deserialize_with = "wire::content")]
//!     data: Value,
//!     #[serde(deserialize_with = "wire::content_list")]
//!     records: Vec<Value>,
//!     #[serde(deserialize_with = "wire::content_map")]
//!     by_name: BTreeMap<String, Value>,
//!     #[serde(deserialize_with = "wire::content_with_nulls")]
//!     by_day: BTreeMap<String, Option<u8>>,
//!     // The list that contains the records of a page.
//!     #[serde(deserialize_with = "wire::needed_list")]
//!     shelves: Vec<Value>,
//!     // Optional values, set aside if they do not decode.
//!     #[serde(deserialize_with = "wire::optional")]
//!     page: Option<u64>,
//!     #[serde(deserialize_with = "wire::fitting")]
//!     status: String,
//! }
//!
//! /// An object, and no array in its place; with at least one of two members.
//! struct Thing(Members);
//!
//! impl<'de> Deserialize<'de> for Thing {
//!     fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
//!         let members = wire::object(deserializer, |object: Object<D>| Members::deserialize(object))?;
//!         match members.title.is_empty() && members.tags.is_empty() {
//!             true => Err(wire::none_of(&["title", "tags"])),
//!             false => Ok(Self(members)),
//!         }
//!     }
//! }
//!
//! let thing: Thing = serde_json::from_str(r#"{"title": null, "tags": ["a", null]}"#)?;
//! assert_eq!(thing.0.tags, ["a"]);
//! assert!(serde_json::from_str::<Thing>("{}").is_err());
//!
//! /// A list with a type for each position.
//! fn pair<T: for<'de> Elements<'de>>(text: &str) -> serde_json::Result<T> {
//!     wire::tuple(&mut serde_json::Deserializer::from_str(text))
//! }
//! assert_eq!(pair::<(u8, String)>(r#"[1, "a"]"#)?, (1, "a".to_owned()));
//!
//! /// An open enumeration keeps each value, and knows its spellings.
//! #[derive(Clone, Debug, PartialEq)]
//! pub enum Tone {
//!     Bright,
//!     Unrecognized(String),
//! }
//! wire::open_enum!(Tone, Bright = "Bright" | "bright");
//!
//! assert_eq!(serde_json::from_str::<Tone>(r#""bright""#)?, Tone::Bright);
//! assert_eq!(serde_json::to_string(&Tone::Bright)?, r#""Bright""#);
//! assert_eq!("grey".parse(), Ok(Tone::Unrecognized("grey".to_owned())));
//! assert_eq!((Tone::KNOWN, Tone::ALL), (["Bright"].as_slice(), [Tone::Bright].as_slice()));
//!
//! /// A missing value is read as the empty string.
//! #[derive(Clone, Debug, PartialEq)]
//! pub enum Kind {
//!     Some,
//!     Empty,
//!     Unrecognized(String),
//! }
//! wire::open_enum!(Kind, Some = "some", Empty = "");
//!
//! assert_eq!((Kind::default(), Tone::default()), (Kind::Empty, Tone::Unrecognized(String::new())));
//!
//! /// A closed enumeration has only the listed values.
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! pub enum Size {
//!     Small,
//!     Large,
//! }
//! wire::closed_enum!(Size, Small = "S" | "small", Large = "L");
//!
//! assert_eq!(("small".parse(), format!("{:>3}", Size::Small)), (Ok(Size::Small), "  S".to_owned()));
//! assert_eq!("M".parse::<Size>(), Err(ParseEnumError::new("M", Size::KNOWN)));
//! assert!(Size::Large == "L" && serde_json::from_str::<Size>("1").is_err());
//!
//! /// A struct is read from an object by a serde remote.
//! #[derive(Debug, PartialEq)]
//! pub struct Point {
//!     x: u8,
//! }
//! #[derive(Deserialize)]
//! #[serde(remote = "Point")]
//! struct PointTwin {
//!     x: u8,
//! }
//! wire::read_as!(Point, remote PointTwin);
//!
//! assert_eq!(serde_json::from_str::<Point>(r#"{"x": 1}"#)?, Point { x: 1 });
//! assert!(serde_json::from_str::<Point>("[1]").is_err());
//!
//! /// A union: a string, a list of strings, or counts by name.
//! #[derive(Debug, PartialEq)]
//! enum Either {
//!     Text(String),
//!     Texts(Vec<String>),
//!     Counts(BTreeMap<String, u64>),
//!     Unrecognized(Value),
//! }
//!
//! let json = serde_json::Deserializer::from_str;
//! fn counts<M: Map>(text: &str) -> Option<M> {
//!     wire::alternative_map(text)
//! }
//!
//! fn with_nulls<C: Nulls>(text: &str) -> Option<C> {
//!     wire::alternative_with_nulls(text)
//! }
//! assert_eq!(with_nulls::<Vec<Option<u8>>>("[1, null]"), Some(vec![Some(1), None]));
//! let either = OneOf {
//!     tag: None,
//!     otherwise: wire::Otherwise::Likeliest,
//!     alternatives: &[
//!         Alternative { form: Form::Text, read: |text| wire::alternative(text).map(Either::Text) },
//!         Alternative { form: Form::List, read: |text| wire::alternative_list(text).map(Either::Texts) },
//!         Alternative { form: Form::Map, read: |text| counts(text).map(Either::Counts) },
//!     ],
//!     unrecognized: Either::Unrecognized,
//! };
//! assert_eq!(wire::one_of(&mut json(r#"["a"]"#), &either)?, Either::Texts(vec!["a".to_owned()]));
//! assert_eq!(wire::one_of(&mut json("7"), &either)?, Either::Unrecognized(7.into()));
//! # Ok::<(), serde_json::Error>(())
//! ```

pub(crate) mod collections;
mod constant;
mod enum_value;
mod fit;
mod fitting;
mod nulls;
mod object;
mod one_of;
pub(crate) mod raw;
mod tuple;

use serde::{Deserialize, Deserializer};

pub use collections::{
    content, content_list, content_map, list, map, needed_list, nullable_list, nullable_map,
    some_list, some_map,
};
pub use constant::{Constant, Known, Literal, tagged};
pub use enum_value::{closed_enum, enum_value, in_other_case, known_enum_value, open_enum};
pub use fitting::{fitting, nullable, optional};
pub use nulls::{
    Nulls, alternative_with_nulls, content_with_nulls, nullable_with_nulls, some_with_nulls,
    with_nulls,
};
pub use object::{Object, none_of, object, read_as};
pub use one_of::{
    Alternative, Form, Map, OneOf, Otherwise, alternative, alternative_list, alternative_map,
    one_of,
};
pub use tuple::{Elements, tuple};

/// Reads `null` as the type's default value, for services that send it for an empty array or string.
///
/// # Errors
///
/// Those of `T`, for anything but `null`.
pub fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Receipt {
        #[serde(default, deserialize_with = "null_as_default")]
        notes: Vec<u8>,
    }

    #[test]
    fn null_is_the_default_and_a_wrong_type_still_fails() {
        for (notes, expected) in [("null", vec![]), ("[]", vec![]), ("[1]", vec![1])] {
            let receipt: Receipt =
                serde_json::from_str(&format!(r#"{{"notes": {notes}}}"#)).unwrap();
            assert_eq!(receipt.notes, expected, "{notes}");
        }
        assert!(serde_json::from_str::<Receipt>(r#"{"notes": 1}"#).is_err());
    }
}

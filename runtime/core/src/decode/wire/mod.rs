//! What generated code reads bodies with, also from services that deviate from their document.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use generated_client::error::ParseEnumError;
//! use generated_client::values::Nullable;
//! use generated_client::wire;
//! use serde_json::Value;
//!
//! /// A struct with a function for each field, which reads the value of its member.
//! #[derive(Debug, Default)]
//! struct Thing {
//!     id: u64,
//!     title: String,
//!     // Without the elements that are null; null is the empty list.
//!     tags: Vec<String>,
//!     counts: BTreeMap<String, u64>,
//!     notes: Option<Vec<String>>,
//!     // Written back as it was read: absent and null differ.
//!     alias: Nullable<String>,
//!     // Elements that are null are kept where callers may send them.
//!     levels: Vec<Option<u8>>,
//!     // An optional value, set aside if it does not match.
//!     page: Option<u64>,
//!     status: String,
//!     // All other members.
//!     more: BTreeMap<String, Value>,
//! }
//! wire::object!(Thing {
//!     id: required "id" | "uuid",
//!     title: null_as_default "title",
//!     tags: list "tags",
//!     counts: map "counts",
//!     notes: some_list "notes",
//!     alias: nullable "alias",
//!     levels: with_nulls "levels",
//!     page: optional "page",
//!     status: fitting "status",
//! } needs [id, title] others more);
//!
//! let text = r#"{"uuid": 7, "title": null, "tags": ["a", null], "levels": [null], "size": 1}"#;
//! let thing: Thing = serde_json::from_str(text)?;
//! assert_eq!((thing.id, thing.tags.len(), thing.levels.len()), (7, 1, 1));
//! assert!(thing.more.contains_key("size") && thing.alias.is_absent());
//! assert!(serde_json::from_str::<Thing>("{}").is_err());
//!
//! /// A list with a type for each position.
//! struct Pair(u8, String);
//! wire::tuple_struct!(Pair(number, name));
//! assert_eq!(serde_json::from_str::<Pair>(r#"[1, "a"]"#)?.1, "a");
//!
//! /// A type around one value.
//! struct Name(String);
//! wire::newtype!(Name, required);
//! assert_eq!(serde_json::from_str::<Name>(r#""a""#)?.0, "a");
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
//! /// A union: a string, a list of strings, or counts by name.
//! #[derive(Debug, PartialEq)]
//! enum Either {
//!     Text(String),
//!     Texts(Vec<String>),
//!     Counts(BTreeMap<String, u64>),
//!     Unrecognized(Value),
//! }
//! wire::union!(Either else Likeliest {
//!     Text: plain required = Form::Text,
//!     Texts: plain content_list = Form::List,
//!     Counts: plain content_map = Form::Map,
//! });
//!
//! assert_eq!(serde_json::from_str::<Either>(r#"["a"]"#)?, Either::Texts(vec!["a".to_owned()]));
//! assert_eq!(serde_json::from_str::<Either>("7")?, Either::Unrecognized(7.into()));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod constant;
mod enum_value;
mod fit;
mod members;
mod one_of;
pub(crate) mod raw;
mod tuple;

pub use super::bridge::{deserialize, deserializes};
pub use super::failure::Failure;
pub use super::object::{Member, Omit, Others, object, read_object};
pub use super::read::Read;
pub use super::reader::Reader;
pub use constant::{Constant, Known, Literal, constant, tagged};
pub use enum_value::{closed_enum, enum_value, in_other_case, open_enum};
pub use members::{
    Nulls, absent, content, content_list, content_map, content_with_nulls, defaulted, fitting,
    lenient, list, map, needed_list, newtype, null_as_default, nullable, nullable_list,
    nullable_map, nullable_with_nulls, optional, required, some_list, some_map, some_with_nulls,
    with_nulls,
};
pub use one_of::{Alternative, Form, OneOf, Otherwise, boxed, one_of, plain, union};
pub use tuple::{Elements, Positions, tuple, tuple_struct};

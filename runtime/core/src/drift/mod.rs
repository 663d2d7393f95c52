//! Differences between a response and its document, and between two responses. They are computed on demand; decoding does not need them.
//!
//! ```
//! use generated_client::Response;
//! use generated_client::drift::{Change, Drift, DriftKind};
//! # use generated_client::Method;
//! # use generated_client::document::{Documented, Operation, Shaped};
//! # static GET_THING: Operation = Operation { id: "getThing", method: Method::GET, path: "/v1/thing", extension: None, response: Thing::SHAPE };
//! # struct Thing { name: String }
//! # generated_client::wire::object!(Thing { name: null_as_default "name", });
//! # impl Documented for Thing {
//! #     fn operation() -> &'static Operation { &GET_THING }
//! # }
//!
//! # fn main() -> Result<(), generated_client::Error> {
//! let response: Response<Thing> = Response::from_bytes(r#"{"color": "red"}"#)?;
//! let drift: Vec<Drift> = response.drift();
//! assert!(drift.iter().any(|one| one.kind == DriftKind::Missing && one.pointer == "/name"));
//! assert!(drift.iter().any(|one| one.to_string() == "/color: an undocumented property"));
//!
//! let changes: Vec<Change> = response.changes_since(br#"{"color": "blue"}"#);
//! assert_eq!(changes[0].to_string(), r#"/color: "blue" → "red""#);
//! # Ok(())
//! # }
//! ```

mod changes;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;

pub use changes::Change;
pub(crate) use changes::changes;
pub(crate) use walk::drift;

use crate::secret::quotation::escape;

/// One difference between a response and the document.
///
/// It shows no values of the response, except undocumented enum values. Names are shown, even those of maps, where names are data (such as
/// the names of people).
///
/// [`Display`](fmt::Display) writes one line: ``/data/0/kind: `novella`, an undocumented enum value (12 times)``. The alternate form,
/// `{:#}`, adds the operation, and the type of an undocumented property: everything needed to correct the document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// The kind of difference.
    pub kind: DriftKind,
    /// JSON Pointer (RFC 6901) to the value; to the first, if several differ alike. If it is longer than 200 characters, its middle is cut.
    /// Control characters are escaped.
    pub pointer: String,
    /// The id of the operation in the document.
    pub operation: &'static str,
    /// The JSON type of the value in terms of JSON Schema; of the first, if several differ alike. `null` too if there is no value.
    pub json_type: &'static str,
    /// The number of values that differ alike: in the same field of all elements of an array, or of all members of a map.
    pub count: usize,
}

/// The kind of a difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DriftKind {
    /// A field that the document does not have.
    UnknownProperty,
    /// An enum value that the document does not list, or not in this casing. An empty string does not count.
    UnknownEnumValue(
        /// The enum value; a long one is cut.
        String,
    ),
    /// A property or enum value with another name or spelling, which was read correctly.
    Alias {
        /// The name or spelling in the response.
        sent: &'static str,
        /// The name or spelling in the document.
        documented: &'static str,
    },
    /// A required field is absent.
    Missing,
    /// A required field is null, and the document does not allow that.
    Null,
    /// A value of a JSON type that the document does not allow here.
    WrongType {
        /// Its type in terms of JSON Schema; a number without a fraction is an `integer`. `null` for an element of a list or a member of a
        /// map, which is left out of the decoded value.
        sent: &'static str,
        /// The types that the document allows.
        documented: Vec<&'static str>,
    },
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "{} ", self.operation)?;
        }
        match self.pointer.as_str() {
            "" => f.write_str("the body")?,
            pointer => f.write_str(&escape(pointer.chars()))?,
        }
        f.write_str(": ")?;
        match &self.kind {
            DriftKind::UnknownProperty if f.alternate() => {
                write!(f, "an undocumented property of type {}", self.json_type)?;
            }
            DriftKind::UnknownProperty => f.write_str("an undocumented property")?,
            DriftKind::Missing => f.write_str("missing, a required property")?,
            DriftKind::Null => f.write_str("null, a required property")?,
            DriftKind::UnknownEnumValue(value) => {
                let value = escape(value.chars());
                write!(f, "`{value}`, an undocumented enum value")?;
            }
            DriftKind::Alias { sent, documented } => {
                write!(f, "`{sent}`, documented as `{documented}`")?;
            }
            DriftKind::WrongType { sent, documented } => {
                let documented = documented.join(" or ");
                write!(f, "of type {sent}, documented as {documented}")?;
            }
        }
        match self.count {
            1 => Ok(()),
            count => write!(f, " ({count} times)"),
        }
    }
}

//! Where a response differs from what the document says of it. It runs on demand only; decoding does not need it.
//!
//! ```
//! use generated_client::Response;
//! use generated_client::drift::{Drift, DriftKind};
//! # use generated_client::Method;
//! # use generated_client::document::{Documented, Operation, Shape};
//! # static THING: Shape = Shape::Object { fields: &[("name", &Shape::Text)], required: &["name"], aliases: &[], others: None };
//! # static GET_THING: Operation = Operation { id: "getThing", method: Method::GET, path: "/v1/thing", extension: None, response: &THING };
//! # #[derive(serde::Deserialize)]
//! # struct Thing { #[serde(default)] name: String }
//! # impl Documented for Thing {
//! #     fn operation() -> &'static Operation { &GET_THING }
//! # }
//!
//! # fn main() -> Result<(), generated_client::Error> {
//! let response: Response<Thing> = Response::from_bytes(r#"{"color": "red"}"#)?;
//! let drift: Vec<Drift> = response.drift();
//! assert!(drift.iter().any(|one| one.kind == DriftKind::Missing && one.pointer == "/name"));
//! assert!(drift.iter().any(|one| one.to_string() == "/color: an undocumented property"));
//! # Ok(())
//! # }
//! ```

#[cfg(test)]
mod tests;
mod walk;

use std::fmt::{self, Write};

pub(crate) use walk::drift;

use crate::secret::quotation::is_deceptive;

/// One way in which a response differs from the document.
///
/// It shows no value of the response, with one exception: an enum value that the document does not list. Names are shown, and in an object
/// whose names are data, such as a map by name of a person, so is that data.
///
/// [`Display`](fmt::Display) writes it in one line: ``/data/0/kind: `novella`, an undocumented enum value (12 times)``. The alternate form,
/// `{:#}`, begins with the operation, and says the type of an undocumented property: what it takes to correct the document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// What differs.
    pub kind: DriftKind,
    /// JSON Pointer (RFC 6901) to the value; to the first, where several differ alike. Of one of more than 200 characters, the beginning
    /// and the end; control characters are escaped.
    pub pointer: String,
    /// The id of the operation in the document.
    pub operation: &'static str,
    /// The JSON type of the value, as JSON Schema calls it; of the first, where several differ alike. `null` where there is no value.
    pub json_type: &'static str,
    /// How many values differ alike: in the same field of all elements of an array, or of all members of a map.
    pub count: usize,
}

/// What differs from the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DriftKind {
    /// A field that the document does not have.
    UnknownProperty,
    /// An enum value that the document does not list. An empty text does not count.
    UnknownEnumValue(
        /// The enum value; of a long one, the beginning.
        String,
    ),
    /// A property or an enum value under another name or in another spelling, which was understood all the same.
    Alias {
        /// As it arrived.
        sent: &'static str,
        /// As the document has it.
        documented: &'static str,
    },
    /// A field that the document requires is absent or null. The decoded value has the default of its type there.
    Missing,
    /// A value of a JSON type that the document does not allow here.
    WrongType {
        /// Its type, as JSON Schema calls it; a number without a fraction is an `integer`.
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
            pointer => one_line(f, pointer)?,
        }
        f.write_str(": ")?;
        match &self.kind {
            DriftKind::UnknownProperty if f.alternate() => {
                write!(f, "an undocumented property of type {}", self.json_type)?;
            }
            DriftKind::UnknownProperty => f.write_str("an undocumented property")?,
            DriftKind::Missing => f.write_str("missing, a required property")?,
            DriftKind::UnknownEnumValue(value) => {
                f.write_char('`')?;
                one_line(f, value)?;
                f.write_str("`, an undocumented enum value")?;
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

/// What a service sends may hold line breaks, and sequences that a terminal obeys.
fn one_line(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.chars().try_for_each(|c| match is_deceptive(c) {
        true => write!(f, "{}", c.escape_default()),
        false => f.write_char(c),
    })
}

//! Documented shapes of responses: tables of generated code, used by [`Response::drift`](crate::Response::drift).

use std::fmt;

/// The documented shape of a value. Declare each as a `static`, so that shapes can refer to each other, even in circles.
///
/// JSON `null` matches in the fields of an object, except in a required one. An element or a member whose name is data may be `null` if
/// [`Null`](Self::Null) is one of its shapes.
#[non_exhaustive]
pub enum Shape {
    /// Any value with any content.
    Any,
    /// A string.
    Text,
    /// A string that is one of these enum values.
    Enum {
        /// The enum values in the spelling of the document.
        known: &'static [&'static str],
        /// Other spellings, each with its enum value.
        aliases: &'static [(&'static str, &'static str)],
    },
    /// A number.
    Number,
    /// A number without a fraction.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// `null`, as an element of an array or as a member whose name is data.
    Null,
    /// An array of values of this shape.
    List(&'static Shape),
    /// An object.
    Object {
        /// The names of its fields, with their shapes.
        fields: &'static [(&'static str, &'static Shape)],
        /// The fields that are always present and never null.
        required: &'static [&'static str],
        /// Other names of fields, each with the name in `fields`.
        aliases: &'static [(&'static str, &'static str)],
        /// The shape of members whose names are data; `None` if the document names all members.
        others: Option<&'static Shape>,
    },
    /// One such value, an array of them, or an undocumented form: every type is allowed.
    Loose(&'static Shape),
    /// Any of these: a property that one of them knows is known.
    OneOf(&'static [&'static Shape]),
}

impl Shape {
    /// Returns the JSON type of such values in terms of JSON Schema; `None` if there is not exactly one.
    pub(crate) fn json_type(&self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Enum { .. } => Some("string"),
            Self::Number => Some("number"),
            Self::Integer => Some("integer"),
            Self::Boolean => Some("boolean"),
            Self::Null => Some("null"),
            Self::List(_) => Some("array"),
            Self::Object { .. } => Some("object"),
            Self::Any | Self::Loose(_) | Self::OneOf(_) => None,
        }
    }
}

/// Leaves out the shapes that it refers to, which may include itself.
impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "Any",
            Self::Loose(_) => "Loose",
            Self::OneOf(_) => "OneOf",
            one => one.json_type().unwrap_or_default(),
        })
    }
}

/// Compares identity and not content, because a comparison of circular tables might not end.
impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Shape {}

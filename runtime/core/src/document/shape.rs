//! What a document says of a response: tables that generated code declares, and [`Response::drift`](crate::Response::drift) compares with.

use std::fmt;

/// What a document says of a value. Declare each as a `static`, so that they can refer to each other, in circles too.
///
/// JSON `null` is fine everywhere, except in a required field of an object.
#[non_exhaustive]
pub enum Shape {
    /// Nothing: any value will do, with anything in it.
    Any,
    /// A text.
    Text,
    /// A text that is one of these enum values.
    Enum {
        /// The enum values, as the document writes them.
        known: &'static [&'static str],
        /// Other spellings, each with the enum value that it stands for.
        aliases: &'static [(&'static str, &'static str)],
    },
    /// A number.
    Number,
    /// A number without a fraction.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// An array of such values.
    List(&'static Shape),
    /// An object.
    Object {
        /// The names of its fields, with what they hold.
        fields: &'static [(&'static str, &'static Shape)],
        /// The fields that are always there and never null.
        required: &'static [&'static str],
        /// Other names of fields, each with the name in `fields`.
        aliases: &'static [(&'static str, &'static str)],
        /// What members hold whose names are data; `None` where all names are in the document.
        others: Option<&'static Shape>,
    },
    /// One such value, an array of them, or something else that the document does not know: no type is wrong here.
    Loose(&'static Shape),
    /// Any of these: what one of them knows is known.
    OneOf(&'static [&'static Shape]),
}

impl Shape {
    /// The JSON type of such values, as JSON Schema calls it; `None` where there is not exactly one.
    pub(crate) fn json_type(&self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Enum { .. } => Some("string"),
            Self::Number => Some("number"),
            Self::Integer => Some("integer"),
            Self::Boolean => Some("boolean"),
            Self::List(_) => Some("array"),
            Self::Object { .. } => Some("object"),
            Self::Any | Self::Loose(_) | Self::OneOf(_) => None,
        }
    }
}

/// Without what it refers to, which may be the shape itself.
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

/// The same table, and not one that says the same: a comparison might not end.
impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Shape {}

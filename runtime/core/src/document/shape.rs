//! Documented shapes of values: each type has one, with which a response is compared.

use serde::Serialize;

/// Returns the shape of a type. A function, so that shapes can refer to each other in circles.
pub type ShapeOf = fn() -> &'static Shape;

/// The documented shape of a value. [`of`](Self::of) returns that of a generated type.
///
/// JSON `null` matches in the fields of an object, except in a required one. An element or a member whose name is data may be `null` if
/// [`Null`](Self::Null) is one of its shapes.
#[derive(Debug)]
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
    /// This value.
    Constant(Literal<'static>),
    /// A number.
    Number,
    /// A number without a fraction.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// `null`, as an element of an array or as a member whose name is data.
    Null,
    /// An array of values of this shape.
    List(ShapeOf),
    /// An object.
    Object {
        /// Its properties, in the order of the document.
        properties: &'static [Property],
        /// The shape of members whose names are data; `None` if the document names all members.
        others: Option<ShapeOf>,
    },
    /// One such value, an array of them, or an undocumented form: every type is allowed.
    Loose(ShapeOf),
    /// Any of these: a property that one of them knows is known.
    OneOf(&'static [ShapeOf]),
}

/// A value that a document fixes, for generated code.
///
/// ```
/// use generated_client::wire::Literal;
///
/// let values = [Literal::Text("web"), Literal::Integer(3), Literal::Boolean(true)];
/// assert_eq!(serde_json::to_string(&values)?, r#"["web",3,true]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Literal<'l> {
    /// A string.
    Text(&'l str),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Boolean(bool),
}

/// A documented property of an object.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// Other names of it. The property's own name wins; another one counts where that is absent or null.
    pub aliases: &'static [&'static str],
    /// True if it is always present and never null.
    pub is_required: bool,
    /// The shape of its values.
    pub shape: ShapeOf,
}

/// A type whose values have a documented shape. Generated types implement it from the table that they are read by.
#[doc(hidden)]
pub trait Shaped {
    /// The shape of its values, except `null`.
    const SHAPE: &'static Shape;
    /// The shape of its values as elements of an array, or as members whose names are data: also `null`, if the type has it.
    const ELEMENT: &'static Shape = Self::SHAPE;
}

impl Shape {
    /// Returns the shape of a type.
    #[must_use]
    pub const fn of<T: Shaped>() -> &'static Self {
        T::SHAPE
    }

    /// Returns the shape of a type as an element of an array, or as a member whose name is data.
    #[must_use]
    pub const fn of_element<T: Shaped>() -> &'static Self {
        T::ELEMENT
    }

    /// Returns the shape of a type around one value, for generated code.
    #[doc(hidden)]
    pub const fn of_newtype<T: Shaped, N>(_newtype: fn(T) -> N) -> &'static Self {
        T::SHAPE
    }

    /// Returns the shape of the content of a variant, for generated code.
    #[doc(hidden)]
    pub const fn of_content<T: Shaped, U>(_variant: fn(T) -> U) -> ShapeOf {
        Self::of::<T>
    }

    /// Returns the shape of a field, for generated code.
    #[doc(hidden)]
    pub const fn of_field<O, T: Shaped>(_field: fn(&O) -> &T) -> ShapeOf {
        Self::of::<T>
    }

    /// Returns the properties of an object; nothing for other shapes.
    pub(crate) fn properties(&self) -> &'static [Property] {
        match self {
            Self::Object { properties, .. } => properties,
            _ => &[],
        }
    }

    /// Returns whether an object has members whose names are data.
    pub(crate) fn has_others(&self) -> bool {
        matches!(
            self,
            Self::Object {
                others: Some(_),
                ..
            }
        )
    }

    /// Returns the JSON type of such values in terms of JSON Schema; `None` if there is not exactly one.
    #[cfg(feature = "drift")]
    pub(crate) fn json_type(&self) -> Option<&'static str> {
        match self {
            Self::Text | Self::Enum { .. } | Self::Constant(Literal::Text(_)) => Some("string"),
            Self::Number => Some("number"),
            Self::Integer | Self::Constant(Literal::Integer(_)) => Some("integer"),
            Self::Boolean | Self::Constant(Literal::Boolean(_)) => Some("boolean"),
            Self::Null => Some("null"),
            Self::List(_) => Some("array"),
            Self::Object { .. } => Some("object"),
            Self::Any | Self::Loose(_) | Self::OneOf(_) => None,
        }
    }
}

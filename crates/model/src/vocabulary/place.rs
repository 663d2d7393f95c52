//! The schema of the values at one place, in the words of OpenAPI and JSON Schema.

use openapi_document::pointer;
use serde_json::Value;

use super::aliases::Aliases;
use super::bounds::Constraints;
use super::labels::Label;
use super::runtime_types::RuntimeType;
use crate::names;

/// A schema at a place: the shape of its values, and its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The shape of the values.
    pub shape: Shape,
    /// True if null is a value too.
    pub nullable: bool,
    /// `format`.
    pub format: Option<String>,
    /// The type of another crate for strings of the format, by configuration.
    pub native: Option<&'static RuntimeType>,
    /// The bounds, as they are written.
    pub bounds: Constraints,
    /// `description`.
    pub description: Option<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `default`.
    pub default: Option<Value>,
    /// `example`.
    pub example: Option<Value>,
    /// `readOnly`.
    pub read_only: bool,
    /// `writeOnly`.
    pub write_only: bool,
    /// `x-rust-name`.
    pub rust_name: Option<String>,
    /// `x-rust-type`: the type of the runtime that an override chooses.
    pub rust_type: Option<String>,
    /// `x-rust-optional`: the field of a required response property is an `Option` nevertheless.
    pub is_optional: bool,
    /// `x-rust-optional: false`: callers give the property of a request although it has a default.
    pub is_given: bool,
    /// `x-aliases`.
    pub aliases: Option<Aliases>,
    /// The names that the document gives the values of an enumeration; empty without any.
    pub labels: Vec<Label>,
    /// The only value of a request property: a string, a whole number or a boolean. It is written without an argument.
    pub constant: Option<Value>,
}

/// The shape of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Any JSON.
    #[default]
    Any,
    /// A string, a number or a boolean.
    Scalar {
        /// The scalar.
        kind: Scalar,
        /// `enum` of numbers: others are valid, too.
        listed: Vec<Value>,
    },
    /// An enumeration of strings.
    Texts {
        /// The listed values.
        values: Vec<String>,
        /// True if any other string is a value too.
        is_open: bool,
    },
    /// An array.
    List(Box<Place>),
    /// An array of a fixed length, in which each element has a schema.
    Tuple(Vec<Place>),
    /// An object whose members have no names in the document.
    Map(Others),
    /// An object with properties.
    Object(Object),
    /// One of several.
    Union {
        /// The alternatives.
        alternatives: Vec<Place>,
        /// The property that distinguishes them, if there is one.
        tag: Option<Tag>,
    },
    /// The schema of this Rust name.
    Reference(String),
}

/// The property that distinguishes the alternatives of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name on the wire.
    pub property: String,
    /// Its values for each alternative, in their order; empty for what is no object.
    pub values: Vec<Vec<String>>,
    /// True if the document lists all values, so that any other belongs to an undocumented alternative.
    pub is_certain: bool,
    /// The alternative of an object whose tag is unknown or missing.
    pub default: Option<usize>,
}

/// A type of JSON without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A string.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
}

/// The members of an object that are no properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// The document does not mention them.
    #[default]
    Unmentioned,
    /// Values of a schema.
    Of(Box<Place>),
}

/// An object with properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// The properties, in the order of the document.
    pub properties: Vec<Property>,
    /// `required`, with names that are no properties.
    pub required: Vec<String>,
    /// Names that `required` would have, if a service sent them, too: of `writeOnly` properties in types of both directions.
    pub given: Vec<String>,
    /// The names of `required` that are only assumed to be there, with `x-assumed`.
    pub assumed: Vec<String>,
    /// All other members.
    pub others: Others,
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name on the wire.
    pub name: String,
    /// Its location in the document, which is elsewhere if another schema contributes it.
    pub pointer: String,
    /// Its schema.
    pub place: Place,
}

impl Object {
    /// Returns the properties that are always there and never null, in the order of the document.
    pub fn always_there(&self) -> impl Iterator<Item = &str> {
        let certain = self.properties.iter().filter(|property| {
            let place = &property.place;
            !place.nullable
                && !matches!(place.shape, Shape::Any | Shape::Union { .. })
                && self.required.contains(&property.name)
        });
        certain.map(|property| property.name.as_str())
    }
}

impl Others {
    fn part(&self) -> Option<(String, &Place)> {
        match self {
            Self::Of(place) => Some(("additionalProperties".to_owned(), place)),
            Self::Unmentioned => None,
        }
    }
}

impl Property {
    /// The name of the field that it becomes.
    pub fn field_name(&self) -> String {
        names::snake(self.place.rust_name.as_deref().unwrap_or(&self.name))
    }
}

impl Shape {
    /// Returns a scalar without listed values.
    pub fn scalar(kind: Scalar) -> Self {
        Self::Scalar {
            kind,
            listed: Vec::new(),
        }
    }
}

impl Place {
    /// Returns a place with a shape and no annotations.
    pub fn of(shape: Shape) -> Self {
        Self {
            shape,
            ..Self::default()
        }
    }

    /// Returns the Rust name of the schema here.
    pub fn reference(&self) -> Option<&str> {
        match &self.shape {
            Shape::Reference(name) => Some(name),
            _ => None,
        }
    }

    /// The kind of a scalar, of which an enumeration of strings is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match &self.shape {
            Shape::Scalar { kind, .. } => Some(*kind),
            Shape::Texts { .. } => Some(Scalar::Text),
            _ => None,
        }
    }

    /// Returns whether values are strings.
    pub fn is_string(&self) -> bool {
        self.scalar() == Some(Scalar::Text)
    }

    /// Returns whether values are strings that are not listed.
    pub fn is_any_string(&self) -> bool {
        matches!(
            self.shape,
            Shape::Scalar {
                kind: Scalar::Text,
                ..
            }
        )
    }

    /// The only value that is listed: a string, a whole number or a boolean.
    pub fn only_value(&self) -> Option<Value> {
        match &self.shape {
            Shape::Texts { values, .. } => match values.as_slice() {
                [value] => Some(value.as_str().into()),
                _ => None,
            },
            Shape::Scalar { kind, listed } => match (kind, listed.as_slice()) {
                (Scalar::Integer, [value]) => value.as_i64().map(Value::from),
                (Scalar::Boolean, [value]) => value.as_bool().map(Value::from),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether values are bytes.
    pub fn is_file(&self) -> bool {
        self.format.as_deref() == Some("binary")
    }

    /// Returns the format of a string that has a type of the runtime. An enumeration has none, and neither has a place with an overridden type.
    pub fn text_format(&self) -> Option<&'static RuntimeType> {
        let is_plain = self.is_any_string() && self.rust_type.is_none();
        let format = self.format.as_deref().filter(|_| is_plain)?;
        self.native.or_else(|| RuntimeType::of_format(format))
    }

    /// The elements of an array of any length.
    pub fn items(&self) -> Option<&Place> {
        match &self.shape {
            Shape::List(items) => Some(items),
            _ => None,
        }
    }

    /// The properties of an object.
    pub fn properties(&self) -> &[Property] {
        match &self.shape {
            Shape::Object(object) => &object.properties,
            _ => &[],
        }
    }

    /// Calls `visit` for this place and all within it, with the location of each below `pointer`.
    pub fn walk<'p>(&'p self, pointer: &str, visit: &mut dyn FnMut(&str, &'p Place)) {
        visit(pointer, self);
        for (at, part) in self.parts() {
            part.walk(&format!("{pointer}/{at}"), visit);
        }
    }

    /// Returns the places that this one consists of, and where each is.
    pub(crate) fn parts(&self) -> Vec<(String, &Place)> {
        match &self.shape {
            Shape::List(items) => vec![("items".to_owned(), items)],
            Shape::Map(others) => others.part().into_iter().collect(),
            Shape::Tuple(elements) => {
                let elements = elements.iter().enumerate();
                elements
                    .map(|(index, place)| (format!("prefixItems/{index}"), place))
                    .collect()
            }
            Shape::Union { alternatives, .. } => {
                let alternatives = alternatives.iter().enumerate();
                alternatives
                    .map(|(index, place)| (format!("oneOf/{index}"), place))
                    .collect()
            }
            Shape::Object(object) => {
                let properties = object.properties.iter();
                properties
                    .map(|one| (pointer::join("properties", &one.name), &one.place))
                    .chain(object.others.part())
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The Rust names of all schemas that this one refers to.
    pub fn references(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.walk("", &mut |_, place| names.extend(place.reference()));
        names
    }
}

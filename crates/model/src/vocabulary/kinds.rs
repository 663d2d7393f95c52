//! Places of the normal form as arguments: a plain value, a list of them, or a named type.

use super::body::{Body, BodyKind};
use super::integer::Integer;
use super::model::Model;
use super::operation::ParameterType;
use super::place::{Others, Place, Scalar, Shape};
use super::schema::{Schema, Usage};

impl Model {
    /// Returns the argument type of a place.
    pub fn kind(&self, place: &Place) -> ParameterType {
        kind(place, &|name| self.schema(name).map(|schema| &schema.place))
    }

    /// The object whose properties are the parts of a multipart body.
    pub fn parts(&self, body: &Body) -> Option<&Schema> {
        let schema = self.referenced(&body.schema)?;
        (body.kind == BodyKind::Multipart && self.is_of_parts(body, schema)).then_some(schema)
    }

    /// Returns whether the properties of an object are given part by part. A file has to be one, also where further parts have no name.
    fn is_of_parts(&self, body: &Body, schema: &Schema) -> bool {
        is_plain_object(schema)
            || has_own_properties(schema)
                && schema.properties().iter().any(|property| {
                    let (name, place) = (&property.name, &property.place);
                    self.is_file(body, name, place) || self.is_file_list(body, name, place)
                })
    }

    /// The places of the parts of a multipart body, without files and what has no name in Rust; `None` for a body that has a type.
    pub fn given_by_part<'m>(&'m self, body: &'m Body) -> Option<Vec<&'m Place>> {
        let schema = self.parts(body)?;
        let given = schema.properties().iter().filter(|property| {
            let (name, place) = (&property.name, &property.place);
            let has_type = matches!(
                self.kind(place),
                ParameterType::Named(_) | ParameterType::Typed(_) | ParameterType::List { .. }
            );
            property.place.constant.is_none()
                && has_type
                && !self.is_file(body, name, place)
                && !self.is_file_list(body, name, place)
        });
        // The argument is a list itself, whatever the document calls it.
        let given = given.map(|property| match self.kind(&property.place) {
            ParameterType::List { .. } => self.resolved(&property.place),
            _ => &property.place,
        });
        Some(given.collect())
    }

    /// Returns whether a part is a file: bytes by its schema or its media type, or an object of a media type that the caller has to write.
    pub fn is_file(&self, body: &Body, part: &str, place: &Place) -> bool {
        let place = self.resolved(place);
        let mut encodings = body.encodings.iter();
        let is_unwritten = match (&place.shape, encodings.find(|one| one.property == part)) {
            (Shape::Any, None) => body.untyped_is_bytes,
            (_, None) => false,
            (Shape::Any, Some(encoding)) => encoding.is_bytes,
            (Shape::Object(_) | Shape::Map(_), Some(encoding)) => {
                encoding.is_bytes || encoding.is_xml()
            }
            (_, Some(encoding)) => {
                encoding.is_bytes && place.is_any_string() && place.format.is_none()
            }
        };
        is_unwritten || place.is_string() && place.is_file()
    }

    /// Returns whether a part is a list of files, or a choice between one file and a list of them: both are parts of one name.
    pub fn is_file_list(&self, body: &Body, part: &str, place: &Place) -> bool {
        let is_list = |place: &Place| {
            let items = self.resolved(place).items();
            items.is_some_and(|items| self.is_file(body, part, items))
        };
        match &self.resolved(place).shape {
            Shape::Union { alternatives, .. } => alternatives
                .iter()
                .all(|one| self.is_file(body, part, one) || is_list(one)),
            _ => is_list(place),
        }
    }
}

/// Returns whether an object has only its properties, so that each can be a part.
fn is_plain_object(schema: &Schema) -> bool {
    let object = schema.object();
    has_own_properties(schema) && object.is_some_and(|object| object.others == Others::Unmentioned)
}

/// Returns whether an object has properties, and all that are required.
fn has_own_properties(schema: &Schema) -> bool {
    let Some(object) = schema.object() else {
        return false;
    };
    let mut properties = object.properties.iter();
    let mut required = object.required.iter();
    properties.any(|property| property.place.constant.is_none())
        && required.all(|name| schema.property(name).is_some())
}

/// Returns the argument type of a place, with the values of named schemas.
pub fn kind<'s>(place: &Place, named: &dyn Fn(&str) -> Option<&'s Place>) -> ParameterType {
    let name = place.reference();
    let resolved = name.and_then(named).unwrap_or(place);
    let plain = plain_kind(resolved, name, named);
    plain.unwrap_or_else(|| ParameterType::Typed(Box::new(place.clone())))
}

/// Returns the type of a plain value or of a list of them. `name` is that of the schema.
fn plain_kind<'s>(
    resolved: &Place,
    name: Option<&str>,
    named: &dyn Fn(&str) -> Option<&'s Place>,
) -> Option<ParameterType> {
    Some(match (&resolved.shape, resolved.scalar(), name) {
        (_, Some(Scalar::Text), Some(name)) => ParameterType::Named(name.to_owned()),
        (_, Some(Scalar::Text), None) => match resolved.text_format() {
            Some(format) => ParameterType::Formatted(format),
            None => ParameterType::Text,
        },
        (_, Some(Scalar::Integer), _) => ParameterType::Integer(Integer::of(
            resolved,
            Usage {
                request: true,
                response: false,
            },
        )),
        (_, Some(Scalar::Number), _) => ParameterType::Number,
        (_, Some(Scalar::Boolean), _) => ParameterType::Boolean,
        (Shape::List(items), ..) => match kind(items, named) {
            // A secret value cannot be joined like other strings.
            ParameterType::Formatted(runtime) if runtime.is_secret() => return None,
            ParameterType::Typed(_) | ParameterType::List { .. } | ParameterType::File => {
                return None;
            }
            item => ParameterType::List {
                item: Box::new(item),
                separator: None,
            },
        },
        _ => return None,
    })
}

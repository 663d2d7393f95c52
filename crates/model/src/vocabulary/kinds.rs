//! Places of the normal form as arguments: a plain value, a list of them, or a named type.

use super::body::{Body, BodyKind};
use super::integer::Integer;
use super::model::Model;
use super::operation::ParameterType;
use super::place::{Object, Others, Place, Scalar, Shape};
use super::schema::{Schema, Usage};

impl Model {
    /// Returns the argument type of a place.
    pub fn kind(&self, place: &Place) -> ParameterType {
        kind(place, &|name| self.schema(name).map(|schema| &schema.place))
    }

    /// Returns the object whose properties are separate arguments; `None` for a body that is one argument.
    pub fn spread(&self, body: &Body) -> Option<&Schema> {
        let schema = self.referenced(&body.schema)?;
        let is_spread = match body.kind {
            // A value that was read is changed and sent back as a whole.
            BodyKind::Json => !schema.usage.response && self.is_flat(schema),
            BodyKind::Form => {
                is_plain_object(schema) && (!self.is_named(schema) || self.is_flat(schema))
            }
            BodyKind::Multipart => self.is_of_parts(body, schema),
            BodyKind::Text | BodyKind::Bytes | BodyKind::Any => false,
        };
        // Required members must not force callers to send an optional body.
        (is_spread && (body.required || schema.required().is_empty())).then_some(schema)
    }

    /// Returns the struct for the properties of a body that are separate arguments, if it has two or more required strings.
    pub fn given_in(&self, body: &Body) -> Option<&Schema> {
        let is_struct = body.kind != BodyKind::Multipart;
        self.spread(body)
            .filter(|schema| is_struct && self.is_named(schema))
    }

    /// The object whose properties are the parts of a multipart body that is one argument.
    pub fn parts(&self, body: &Body) -> Option<&Schema> {
        let schema = self.referenced(&body.schema)?;
        (body.kind == BodyKind::Multipart && self.is_of_parts(body, schema)).then_some(schema)
    }

    /// Returns whether the properties of an object are given part by part. A file has to be one, also where further parts have no name.
    fn is_of_parts(&self, body: &Body, schema: &Schema) -> bool {
        is_plain_object(schema)
            || has_own_properties(schema)
                && schema.properties().iter().any(|property| {
                    let place = &property.place;
                    let items = self.resolved(place).items().unwrap_or(place);
                    self.is_file(body, &property.name, place)
                        || self.is_file(body, &property.name, items)
                })
    }

    /// The places of the properties of a form or a multipart body that are given one by one, without files and what has no name in Rust; `None`
    /// for a body that has a type.
    pub fn given_by_part<'m>(&'m self, body: &'m Body) -> Option<Vec<&'m Place>> {
        let schema = match body.kind {
            BodyKind::Multipart => self.parts(body)?,
            BodyKind::Form if self.given_in(body).is_none() => self.spread(body)?,
            _ => return None,
        };
        let is_file = |name: &str, place: &Place| {
            body.kind == BodyKind::Multipart && self.is_file(body, name, place)
        };
        let given = schema.properties().iter().filter(|property| {
            let (name, place) = (&property.name, &property.place);
            let items = self.resolved(place).items();
            let has_type = matches!(
                self.kind(place),
                ParameterType::Named(_) | ParameterType::Typed(_) | ParameterType::List { .. }
            );
            property.place.constant.is_none()
                && has_type
                && !is_file(name, place)
                && !items.is_some_and(|items| is_file(name, items))
        });
        // The argument is a list itself, whatever the document calls it.
        let given = given.map(|property| match self.kind(&property.place) {
            ParameterType::List { .. } => self.resolved(&property.place),
            _ => &property.place,
        });
        Some(given.collect())
    }

    /// Returns whether a part is a file: bytes by its schema, or a string or anything whose encoding names a media type of bytes.
    pub fn is_file(&self, body: &Body, part: &str, place: &Place) -> bool {
        let place = self.resolved(place);
        let encoding = body.encodings.iter().find(|one| one.property == part);
        let is_open = match place.shape {
            Shape::Any => true,
            _ => place.is_any_string() && place.format.is_none(),
        };
        place.is_string() && place.is_file() || is_open && encoding.is_some_and(|one| one.is_bytes)
    }

    /// Returns whether a request needs two or more strings, which could be swapped as arguments.
    fn is_named(&self, schema: &Schema) -> bool {
        let required = schema.properties().iter();
        let texts = required.filter(|property| {
            schema.requires(&property.name)
                && property.place.constant.is_none()
                && match self.kind(&property.place) {
                    ParameterType::Text | ParameterType::Formatted(_) => true,
                    ParameterType::Named(_) => {
                        !matches!(self.resolved(&property.place).shape, Shape::Texts { .. })
                    }
                    _ => false,
                }
        });
        texts.count() > 1
    }

    /// Returns whether a schema is an object of plain values, so that a body of it can be given value by value. Named values are as plain
    /// as inline ones.
    fn is_flat(&self, schema: &Schema) -> bool {
        is_plain_object(schema)
            && schema.properties().iter().all(|property| {
                let resolved = self.resolved(&property.place);
                // An optional one has a method that clears it.
                let may_be_null = !schema.requires(&property.name);
                [&property.place, resolved]
                    .iter()
                    .all(|place| is_plain(place) && (may_be_null || !place.nullable))
                    && resolved.scalar().is_some()
            })
    }
}

/// Returns whether a separate argument can carry all that a schema says.
fn is_plain(place: &Place) -> bool {
    place.rust_type.is_none()
}

/// Returns whether an object has only its properties, so that each can be given separately.
fn is_plain_object(schema: &Schema) -> bool {
    let has_others = |object: &Object| matches!(object.others, Others::Of(_));
    has_own_properties(schema) && !schema.object().is_some_and(has_others)
}

/// Returns whether an object has properties, and all that are required.
fn has_own_properties(schema: &Schema) -> bool {
    let Some(object) = schema.object() else {
        return false;
    };
    let is_listed = |name: &String| schema.property(name).is_some();
    let mut properties = object.properties.iter();
    properties.any(|property| property.place.constant.is_none())
        && object.required.iter().all(is_listed)
}

/// Returns the argument type of a place, with the values of named schemas.
pub fn kind<'s>(place: &Place, named: &dyn Fn(&str) -> Option<&'s Place>) -> ParameterType {
    let name = place.reference();
    let resolved = name.and_then(named).unwrap_or(place);
    let typed = || ParameterType::Typed(Box::new(place.clone()));
    match (&resolved.shape, resolved.scalar(), name) {
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
            ParameterType::Formatted(runtime) if runtime.is_secret() => typed(),
            ParameterType::Typed(_) | ParameterType::List { .. } | ParameterType::File => typed(),
            item => ParameterType::List {
                item: Box::new(item),
                separator: None,
            },
        },
        _ => typed(),
    }
}

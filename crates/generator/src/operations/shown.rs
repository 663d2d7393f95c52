//! Operations that show one thing that an API has: a page about the crate has an example of each.

use std::collections::HashSet;

use openapi_model::{BodyKind, Content, Model, Operation, Output, PathMember, States};

use super::examples::{self, given};
use super::members::sent_struct;
use super::value::{self, Argument, Kind};
use crate::types::error_types;

/// The examples. Calls are Rust source, such as `books("one")`, with the modules of the crate imported.
pub(crate) struct Shown {
    /// An upload of a file.
    pub(crate) upload: Option<String>,
    /// A change that sends null.
    pub(crate) cleared: Option<String>,
    pub(crate) stream: Option<Stream>,
    pub(crate) union: Option<Union>,
    pub(crate) error: Option<DocumentedError>,
}

pub(crate) struct Stream {
    pub(crate) call: String,
    /// True if the document describes its items.
    pub(crate) is_typed: bool,
}

/// A response that is one of several schemas.
pub(crate) struct Union {
    pub(crate) call: String,
    pub(crate) type_name: String,
    pub(crate) variants: Vec<String>,
}

/// A call whose errors have a type.
pub(crate) struct DocumentedError {
    pub(crate) call: String,
    pub(crate) type_name: String,
}

pub(crate) fn shown(model: &Model) -> Shown {
    Shown {
        upload: first(model, upload),
        cleared: first(model, patched).or_else(|| first(model, cleared)),
        stream: first(model, typed_stream).or_else(|| first(model, stream)),
        union: first(model, union),
        error: first(model, error),
    }
}

/// The first operation that is not deprecated and has the example.
fn first<T>(model: &Model, example: fn(&Model, &Operation) -> Option<T>) -> Option<T> {
    let mut operations = model.operations.iter().filter(|one| !one.is_deprecated);
    operations.find_map(|operation| example(model, operation))
}

fn call(model: &Model, operation: &Operation) -> Option<String> {
    let given = given(model, "", &value::arguments(model, operation))?;
    Some(format!("{}({})", operation.call(), given.join(", ")))
}

fn upload(model: &Model, operation: &Operation) -> Option<String> {
    let [body] = operation.bodies.as_slice() else {
        return None;
    };
    let parts = value::parts(model, body).unwrap_or_default();
    let is_file = body.kind == BodyKind::Bytes || value::required(&parts).any(Argument::is_file);
    let call = call(model, operation).filter(|_| is_file)?;
    if body.required {
        return Some(call);
    }
    let arguments = value::arguments(model, operation);
    let (name, body) = arguments.iter().find_map(|argument| match &argument.kind {
        Kind::Body(body) => Some((&argument.name, body)),
        _ => None,
    })?;
    let body = examples::body(model, "", body)?;
    Some(format!("{call}.{name}({body})"))
}

fn patched(model: &Model, operation: &Operation) -> Option<String> {
    cleared(model, operation).filter(|_| operation.method == "PATCH")
}

fn cleared(model: &Model, operation: &Operation) -> Option<String> {
    let [body] = operation.bodies.as_slice() else {
        return None;
    };
    let schema = sent_struct(model, body)?;
    let properties = schema.properties().iter();
    let fields = properties.map(|one| model.field(&PathMember::to(&schema.name, &one.name)));
    let fields: Vec<String> = fields.collect();
    let mut properties = schema.properties().iter().zip(&fields);
    let method = properties.find_map(|(property, field)| {
        let is_either = States::of(model, schema, &property.name) == Some(States::OrEither);
        let method = format!("clear_{field}");
        let is_free = !fields.contains(&method);
        (is_either && is_free && !property.place.deprecated).then_some(method)
    })?;
    let arguments = value::arguments(model, operation);
    let mut given = given(model, "", &arguments)?;
    let mut required = value::required(&arguments);
    let at = required.position(|argument| matches!(argument.kind, Kind::Body(_)))?;
    given.get_mut(at)?.push_str(&format!(".{method}()"));
    Some(format!("{}({})", operation.call(), given.join(", ")))
}

fn typed_stream(model: &Model, operation: &Operation) -> Option<Stream> {
    stream(model, operation).filter(|stream| stream.is_typed)
}

fn stream(model: &Model, operation: &Operation) -> Option<Stream> {
    operation.streamed.as_ref()?;
    Some(Stream {
        call: call(model, operation)?,
        is_typed: operation.stream_items.is_some(),
    })
}

fn union(model: &Model, operation: &Operation) -> Option<Union> {
    let Output::One(Content::Json(place)) = &operation.output else {
        return None;
    };
    let schema = model.referenced(place).filter(|_| !place.nullable)?;
    let variants = schema.alternatives()?.iter().map(|one| {
        let named = model.referenced(one).filter(|one| one.is_component())?;
        // The catch-all of each union has that name.
        (named.name != "Unrecognized").then(|| named.name.clone())
    });
    let variants: Vec<String> = variants.collect::<Option<_>>()?;
    let mut distinct = HashSet::new();
    let are_distinct = variants.iter().all(|one| distinct.insert(one));
    Some(Union {
        call: call(model, operation).filter(|_| are_distinct)?,
        type_name: schema.name.clone(),
        variants,
    })
}

fn error(model: &Model, operation: &Operation) -> Option<DocumentedError> {
    let type_name = error_types(operation).next()?.to_owned();
    let call = call(model, operation)?;
    Some(DocumentedError { call, type_name })
}

//! Operations that show one thing that an API has: a page about the crate has an example of each.

use openapi_model::{BodyKind, Content, Model, Operation, Output, PathMember, States};

use super::examples::{self, given};
use super::members::sent_struct;
use super::value::{self, Argument, Kind};

/// The calls of the examples, each with what the example does with it. The call is Rust source, such as `books("one")`.
pub(crate) struct Shown {
    /// An upload of a file.
    pub(crate) upload: Option<String>,
    /// A change that sends null.
    pub(crate) cleared: Option<String>,
    /// A stream, and whether its items have a type.
    pub(crate) stream: Option<(String, bool)>,
    /// A response that is one of several schemas: the type, and two of its variants.
    pub(crate) union: Option<(String, String, [String; 2])>,
    /// A call whose errors have a type, and its builder.
    pub(crate) error: Option<(String, String)>,
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
    let arguments = value::arguments(model, operation);
    let given = given(model, &crate_name(model), &arguments)?;
    Some(format!("{}({})", operation.call(), given.join(", ")))
}

fn crate_name(model: &Model) -> String {
    model.package.name.replace('-', "_")
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
    let body = examples::body(model, &crate_name(model), body)?;
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
    let mut properties = schema.properties().iter();
    let property = properties.find(|property| {
        !property.place.deprecated
            && States::of(model, schema, &property.name) == Some(States::OrEither)
    })?;
    let field = model.field(&PathMember::to(&schema.name, &property.name));
    let arguments = value::arguments(model, operation);
    let mut given = given(model, &crate_name(model), &arguments)?;
    let mut required = value::required(&arguments);
    let at = required.position(|argument| matches!(argument.kind, Kind::Body(_)))?;
    given
        .get_mut(at)?
        .push_str(&format!(".clear_{}()", field.trim_matches('_')));
    Some(format!("{}({})", operation.call(), given.join(", ")))
}

fn typed_stream(model: &Model, operation: &Operation) -> Option<(String, bool)> {
    stream(model, operation).filter(|(_, is_typed)| *is_typed)
}

fn stream(model: &Model, operation: &Operation) -> Option<(String, bool)> {
    operation.streamed.as_ref()?;
    let is_typed = operation.stream_items.is_some();
    Some((call(model, operation)?, is_typed))
}

fn union(model: &Model, operation: &Operation) -> Option<(String, String, [String; 2])> {
    let Output::One(Content::Json(place)) = &operation.output else {
        return None;
    };
    let schema = model.referenced(place).filter(|_| !place.nullable)?;
    let alternatives = schema.alternatives()?.iter();
    let mut variants = alternatives
        .filter_map(|one| model.referenced(one))
        .filter(|one| one.is_component())
        .map(|one| one.name.clone());
    let variants = [variants.next()?, variants.next()?];
    Some((call(model, operation)?, schema.name.clone(), variants))
}

fn error(model: &Model, operation: &Operation) -> Option<(String, String)> {
    operation.errors.as_ref()?;
    Some((call(model, operation)?, operation.type_name.clone()))
}

//! Examples of calls, with literals for what an operation requires.

use openapi_model::{Body, BodyKind, Model, Operation, ParameterType, Schema, names, sent_default};
use serde_json::Value;

use super::body_type::OwnBody;
use super::value::{self, Argument, Kind};
use super::{checks, members};

/// An example of a call, compiled with the documentation tests of the generated crate.
pub(super) fn example(
    model: &Model,
    crate_name: &str,
    operation: &Operation,
    arguments: &[Argument<'_>],
) -> Vec<String> {
    let Some(mut given) = given(model, &format!("{crate_name}::"), arguments) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let mut required = value::required(arguments);
    let body = required.position(|argument| matches!(argument.kind, Kind::Body(_)));
    if let Some(body) = body.and_then(|at| given.get_mut(at)) {
        lines.push(format!("let body = {body};"));
        *body = "body".to_owned();
    }
    lines.extend([
        format!(
            "let response = client.{}({}).send().await?;",
            operation.call(),
            given.join(", ")
        ),
        "println!(\"{:?}\", response.body);".to_owned(),
    ]);
    in_function(crate_name, lines)
}

/// Returns the lines of an example that is compiled as the body of a function with a client.
fn in_function(crate_name: &str, lines: Vec<String>) -> Vec<String> {
    let function = format!(
        "# async fn example(client: {crate_name}::Client) -> Result<(), {crate_name}::Error> {{"
    );
    let mut example = vec!["```no_run".to_owned(), function];
    example.extend(lines);
    example.extend(["# Ok(()) }".to_owned(), "```".to_owned()]);
    example
}

/// The required arguments as Rust source. `prefix`: how paths begin, such as `books_client::`.
pub(super) fn given(
    model: &Model,
    prefix: &str,
    arguments: &[Argument<'_>],
) -> Option<Vec<String>> {
    value::required(arguments)
        .map(|argument| match &argument.kind {
            Kind::Body(body) => self::body(model, prefix, body),
            _ => literal(model, prefix, argument),
        })
        .collect()
}

/// A body as Rust source; `None` where a required member has no literal.
pub(super) fn body(model: &Model, prefix: &str, body: &OwnBody<'_>) -> Option<String> {
    if body.first.kind == BodyKind::Bytes && !body.is_one_of_several {
        return Some(format!("{prefix}request::Payload::from_file(\"file.bin\")"));
    }
    if let Some(parts) = value::parts(model, body.first) {
        let own = body.own.as_ref().filter(|_| !body.is_one_of_several)?;
        let parts = value::required(&parts).map(|part| match part.kind.value()? {
            ParameterType::Typed(place) => {
                let schema = model.referenced(place)?;
                schema.object()?;
                made(model, prefix, body.first, schema, DEEPEST)
            }
            _ => literal(model, prefix, part),
        });
        let parts: Option<Vec<String>> = parts.collect();
        return Some(format!(
            "{prefix}operations::{own}::new({})",
            parts?.join(", ")
        ));
    }
    let schema = members::sent_struct(model, body.first)?;
    made(model, prefix, body.first, schema, DEEPEST)
}

/// How many structs an example has within each other.
const DEEPEST: usize = 3;

/// A longer value, in bytes, is no example.
const LONGEST: usize = 400;

/// A struct as Rust source, with what it has to have; `None` if that is too much.
fn made(model: &Model, prefix: &str, body: &Body, schema: &Schema, depth: usize) -> Option<String> {
    let members = value::properties(model, body, schema);
    let properties = schema.properties().iter();
    let required = properties.filter(|property| {
        let name = &property.name;
        schema.is_only_sent(name)
            || schema.insists_on(name) && sent_default(model, schema, name).is_none()
    });
    let values = required.map(|property| {
        let member = members.iter().find(|member| member.wire == property.name)?;
        let named = model.referenced(&property.place);
        let literal = match (member.kind.value()?, named) {
            (ParameterType::Typed(_), Some(named)) if named.object().is_some() => {
                return made(model, prefix, body, named, depth.checked_sub(1)?);
            }
            _ => literal(model, prefix, member)?,
        };
        Some(match named {
            Some(named) if !checks::is_text(member) && !member.is_file() => {
                let newtype = names::ident(&named.name);
                format!("{prefix}types::{newtype}({literal})")
            }
            _ => literal,
        })
    });
    let values = values.collect::<Option<Vec<String>>>()?.join(", ");
    let ty = names::ident(&schema.name);
    (values.len() <= LONGEST).then(|| format!("{prefix}types::{ty}::new({values})"))
}

/// A required argument as Rust source; `None` for a type that has no literal.
fn literal(model: &Model, prefix: &str, argument: &Argument<'_>) -> Option<String> {
    let example = argument.example.as_ref().and_then(Value::as_str);
    match argument.kind.value()? {
        ParameterType::Text => Some(format!("{:?}", example.unwrap_or("text"))),
        // A value of another crate.
        ParameterType::Formatted(runtime) if runtime.is_native() => None,
        ParameterType::Formatted(runtime) => {
            Some(format!("{:?}", example.unwrap_or(runtime.example)))
        }
        ParameterType::Named(name) => {
            let schema = model.schema(name)?;
            match schema.texts() {
                // An enumeration that only callers send is closed: its values are not made from strings.
                enum_values if !enum_values.is_empty() && !schema.usage.response => {
                    let mut enum_values = enum_values.iter();
                    let enum_value = enum_values.find(|one| Some(one.as_str()) == example)?;
                    let variant = names::pascal(enum_value);
                    Some(format!("{prefix}types::{name}::{variant}"))
                }
                _ => example.map(|example| format!("{example:?}")),
            }
        }
        ParameterType::Integer(_) => Some("1".to_owned()),
        ParameterType::Number => Some("1.0".to_owned()),
        ParameterType::Boolean => Some("true".to_owned()),
        ParameterType::File => Some(format!("{prefix}request::Part::from_file(\"file.bin\")")),
        ParameterType::List { .. } | ParameterType::Typed(_) => None,
    }
}

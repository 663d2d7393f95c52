//! Examples of calls, with literals for what an operation requires.

use openapi_model::names;
use openapi_model::{Model, Operation, ParameterType};
use serde_json::Value;

use super::input::{Input, Required};
use super::value::Argument;

/// An example of a call, compiled with the documentation tests of the generated crate.
pub(super) fn example(
    model: &Model,
    crate_name: &str,
    operation: &Operation,
    required: &Required<'_, '_>,
) -> Vec<String> {
    let Some(mut given) = by_position(model, crate_name, required) else {
        return Vec::new();
    };
    let mut lines = vec![
        "```no_run".to_owned(),
        format!(
            "# async fn example(client: {crate_name}::Client) -> Result<(), {crate_name}::Error> {{"
        ),
    ];
    if let Some(input) = &required.input {
        let Some(body) = body(model, crate_name, input) else {
            return Vec::new();
        };
        lines.push(format!("let {} = {body};", input.name));
        given.push(input.name.to_string());
    }
    lines.extend([
        format!(
            "let response = client.{}({}).send().await?;",
            operation.call(),
            given.join(", ")
        ),
        "println!(\"{:?}\", response.body);".to_owned(),
        "# Ok(()) }".to_owned(),
        "```".to_owned(),
    ]);
    lines
}

/// An example of reading all records of an operation that pages, unless it does so only with another argument.
pub(super) fn items_example(
    model: &Model,
    operation: &Operation,
    arguments: &[Argument<'_>],
) -> Vec<String> {
    let needs_more = operation
        .pagination
        .as_ref()
        .is_some_and(|pagination| pagination.requires.is_some());
    let crate_name = model.package.name.replace('-', "_");
    let required = Required::of(model, operation, arguments);
    match given(model, &crate_name, &required).filter(|_| !needs_more) {
        None => Vec::new(),
        Some(given) => vec![
            String::new(),
            "```no_run".to_owned(),
            format!(
                "# async fn example(client: {crate_name}::Client) -> Result<(), {crate_name}::Error> {{"
            ),
            format!(
                "let mut items = client.{}({}).items().take(100);",
                operation.call(),
                given.join(", ")
            ),
            "while let Some(item) = items.next().await {".to_owned(),
            "    println!(\"{:?}\", item?);".to_owned(),
            "}".to_owned(),
            "# Ok(()) }".to_owned(),
            "```".to_owned(),
        ],
    }
}

/// The required arguments as Rust source.
pub(super) fn given(
    model: &Model,
    crate_name: &str,
    required: &Required<'_, '_>,
) -> Option<Vec<String>> {
    let mut given = by_position(model, crate_name, required)?;
    if let Some(input) = &required.input {
        given.push(body(model, crate_name, input)?);
    }
    Some(given)
}

fn by_position(
    model: &Model,
    crate_name: &str,
    required: &Required<'_, '_>,
) -> Option<Vec<String>> {
    let arguments = required.positional.iter();
    arguments
        .map(|argument| literal(model, crate_name, argument))
        .collect()
}

/// The struct of a body as Rust source.
fn body(model: &Model, crate_name: &str, input: &Input<'_, '_>) -> Option<String> {
    let values = input.required.iter().map(|argument| {
        let literal = literal(model, crate_name, argument)?;
        Some(match argument.newtype(model, input.schema) {
            Some(newtype) => format!("{crate_name}::types::{newtype}({literal})"),
            None => literal,
        })
    });
    let values: Option<Vec<String>> = values.collect();
    let ty = names::ident(&input.schema.name);
    Some(format!(
        "{crate_name}::types::{ty}::new({})",
        values?.join(", ")
    ))
}

/// A required argument as Rust source; `None` for a type that has no literal.
fn literal(model: &Model, crate_name: &str, argument: &Argument<'_>) -> Option<String> {
    let example = argument.example.as_ref();
    let quoted = |fallback: &str| {
        let text = example.and_then(Value::as_str).unwrap_or(fallback);
        format!("{text:?}")
    };
    match argument.kind.value()? {
        ParameterType::Text => Some(quoted("text")),
        // A value of another crate.
        ParameterType::Formatted(runtime) if runtime.is_native() => None,
        ParameterType::Formatted(runtime) => Some(quoted(runtime.example)),
        ParameterType::Named(name) => {
            let schema = model.schema(name)?;
            match schema.texts() {
                // An enumeration that only callers send is closed: its values are not made from strings.
                enum_values if !enum_values.is_empty() && !schema.usage.response => {
                    let mut enum_values = enum_values.iter();
                    let example = example?.as_str()?;
                    let enum_value = enum_values.find(|one| *one == example)?;
                    let variant = names::pascal(enum_value);
                    Some(format!("{crate_name}::types::{name}::{variant}"))
                }
                _ => example.and_then(Value::as_str).map(|_| quoted("")),
            }
        }
        ParameterType::Integer(_) => Some("1".to_owned()),
        ParameterType::Number => Some("1.0".to_owned()),
        ParameterType::Boolean => Some("true".to_owned()),
        ParameterType::List { .. } | ParameterType::Typed(_) | ParameterType::File => None,
    }
}

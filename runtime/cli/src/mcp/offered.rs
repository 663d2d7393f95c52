//! The tools that operations are, with their schemas and hints.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::given::is_offered;
use crate::argument::{Argument, Kind};
use crate::table::{Command, Does, Program};

/// Returns the operations that can be tools: those that need no file and no secret. `chosen` are the names of some; empty for all.
///
/// # Errors
///
/// The name that no operation has.
pub(super) fn operations(
    program: &'static Program,
    chosen: &[String],
) -> Result<(Vec<&'static Command>, Vec<String>), String> {
    let all = || program.commands.iter().copied().flatten();
    if let Some(unknown) = chosen
        .iter()
        .find(|name| all().all(|one| one.name != **name))
    {
        return Err(format!(
            "there is no operation `{unknown}`; `--help` lists them"
        ));
    }
    let wanted =
        all().filter(|one| chosen.is_empty() || chosen.iter().any(|name| name == one.name));
    let (mut offered, mut left_out) = (Vec::new(), Vec::new());
    for command in wanted {
        let mut arguments = command.arguments.iter();
        match arguments.find(|one| one.is_required && !is_offered(one)) {
            None => offered.push(command),
            Some(argument) => left_out.push(format!(
                "{}: its argument `{}` is a file or a secret",
                command.name, argument.name
            )),
        }
    }
    Ok((offered, left_out))
}

/// Returns the tool of an operation.
pub(super) fn tool(command: &'static Command, is_metered: bool) -> Tool {
    let mut description = command.about.to_owned();
    let pages = match command.does {
        Does::Pages => "Returns one page; `next-page` requests the next one.",
        Does::Once | Does::Waits => "",
    };
    for more in [pages, command.note]
        .into_iter()
        .filter(|more| !more.is_empty())
    {
        description.push_str("\n\n");
        description.push_str(more);
    }
    let is_safe = matches!(
        command.method,
        "GET" | "HEAD" | "OPTIONS" | "QUERY" | "TRACE"
    );
    let is_idempotent = is_safe || matches!(command.method, "PUT" | "DELETE");
    let annotations = ToolAnnotations::default()
        .read_only(is_safe)
        .destructive(!is_safe)
        // A second call may cost a second time.
        .idempotent(is_idempotent && !is_metered)
        .open_world(true);
    let mut tool = Tool::new(command.name, description, schema(command));
    tool.annotations = Some(annotations);
    tool
}

fn schema(command: &Command) -> Arc<Map<String, Value>> {
    let offered = command.arguments.iter().filter(|one| is_offered(one));
    let properties: Map<String, Value> = offered
        .clone()
        .map(|one| (one.name.to_owned(), property(one)))
        .collect();
    let required = offered.filter(|one| one.is_required);
    let required: Vec<&str> = required.map(|one| one.name).collect();
    object(properties, &required)
}

/// Returns a schema of an object without other members.
pub(super) fn object(properties: Map<String, Value>, required: &[&str]) -> Arc<Map<String, Value>> {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), false.into());
    Arc::new(schema)
}

fn property(argument: &Argument) -> Value {
    let mut element = Map::new();
    let kind = match argument.kind {
        Kind::Text | Kind::File | Kind::Secret => Some("string"),
        Kind::Number => Some("number"),
        Kind::Boolean => Some("boolean"),
        Kind::Json => None,
    };
    if let Some(kind) = kind {
        element.insert("type".to_owned(), kind.into());
    }
    if !argument.values.is_empty() {
        element.insert("enum".to_owned(), json!(argument.values));
    }
    let mut property = if argument.is_list {
        Map::from_iter([
            ("type".to_owned(), "array".into()),
            ("items".to_owned(), element.into()),
        ])
    } else {
        element
    };
    property.insert("description".to_owned(), argument.help.into());
    property.into()
}

//! The tools that are no operations. None costs anything.

use std::sync::Arc;

use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::answer::{argument, failure, refusal, success};
use super::kept::Kept;
#[cfg(feature = "metered")]
use super::money;
use super::offered::object;
use super::session::Session;
use super::slice::{cursor, part};
use crate::table::Does;

const READ: &str = "read-result";
const NEXT: &str = "next-page";

/// Returns the schema of a string.
pub(super) fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// Returns a tool that calls nothing.
pub(super) fn free(
    session: &Session,
    name: &'static str,
    description: String,
    properties: Value,
    required: &[&str],
) -> Tool {
    let properties = match properties {
        Value::Object(properties) => properties,
        _ => Map::new(),
    };
    let mut tool = Tool::new(
        session.own_name(name),
        description,
        object(properties, required),
    );
    let annotations = ToolAnnotations::default()
        .read_only(true)
        .destructive(false);
    tool.annotations = Some(annotations.idempotent(true).open_world(false));
    tool
}

/// Lists them.
pub(super) fn tools(session: &Session) -> Vec<Tool> {
    let read = format!(
        "Reads a result again, or the rest of it after an earlier part. Free: nothing is called. Results that cost something are kept{}",
        if session.is_metered() {
            "; free ones for a while."
        } else {
            " for a while, as all are."
        }
    );
    let read_cursor =
        "The `next_cursor` of a part, or the `id` of a result to read it from its beginning";
    let mut all = vec![free(
        session,
        READ,
        read,
        json!({ "cursor": text(read_cursor) }),
        &["cursor"],
    )];
    if session.offered.iter().any(|one| one.does == Does::Pages) {
        let description = "Requests the next page of a result that has `has_next_page`, with the same arguments. It costs what that page cost, or more.";
        let id = text("The `id` of the result");
        let mut next = free(
            session,
            NEXT,
            description.to_owned(),
            json!({ "id": id }),
            &["id"],
        );
        let annotations = ToolAnnotations::default()
            .read_only(true)
            .destructive(false);
        next.annotations = Some(
            annotations
                .idempotent(!session.is_metered())
                .open_world(true),
        );
        all.push(next);
    }
    #[cfg(feature = "metered")]
    if session.is_metered() {
        all.extend(money::tools(session));
    }
    all
}

/// Calls the one with this name; `None` if it does not exist.
pub(super) async fn call(
    session: &Arc<Session>,
    name: &str,
    given: &Map<String, Value>,
) -> Option<CallToolResult> {
    let tools = tools(session);
    let tool = tools.iter().find(|tool| tool.name == name)?;
    let known = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
    if let Some(unknown) = given.keys().find(|name| !is_known(name)) {
        let unknown: String = unknown.chars().take(100).collect();
        return Some(argument(format_args!(
            "`{unknown}` is not an argument of this tool"
        )));
    }
    #[cfg(feature = "metered")]
    if let Some(result) = money::call(session, name, given).await {
        return Some(result);
    }
    let called = if name == session.own_name(READ) {
        read(session, given).map(success)
    } else {
        next(session, given).await
    };
    Some(called.unwrap_or_else(|refused| *refused))
}

pub(super) fn string<'g>(
    given: &'g Map<String, Value>,
    name: &str,
) -> Result<&'g str, Box<CallToolResult>> {
    match given.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(refusal(format_args!("`{name}` is not a string"))),
        None => Err(refusal(format_args!("`{name}` is missing"))),
    }
}

/// Returns a result, by its id.
fn kept(session: &Session, id: &str) -> Result<Arc<Kept>, Box<CallToolResult>> {
    match session.kept(id) {
        Ok(Some(kept)) => Ok(kept),
        Ok(None) => Err(refusal("there is no result with this id any more")),
        Err(error) => Err(Box::new(failure(&error.to_string()))),
    }
}

fn read(session: &Session, given: &Map<String, Value>) -> Result<String, Box<CallToolResult>> {
    let text = string(given, "cursor")?;
    let (id, start) =
        cursor(text).ok_or_else(|| refusal("`cursor` is not a cursor of this server"))?;
    let (kept, left) = (kept(session, id)?, session.left());
    let part = part(&kept, id, start, left.as_deref(), session.most);
    part.ok_or_else(|| refusal("`cursor` is behind the end of its result"))
}

async fn next(
    session: &Arc<Session>,
    given: &Map<String, Value>,
) -> Result<CallToolResult, Box<CallToolResult>> {
    let kept = kept(session, string(given, "id")?)?;
    let (Some(command), Some(position)) = (session.operation(&kept.tool), &kept.next) else {
        return Err(refusal("there is no page behind this result"));
    };
    let (arguments, position) = (kept.arguments.clone(), position.clone());
    Ok(session.call(command, arguments, Some(position)).await)
}

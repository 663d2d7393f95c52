//! The tools that are no operations. None costs anything.

use std::sync::Arc;

use generated_client::money::Usage;
use rmcp::model::{CallToolResult, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::answer::{argument, failure, refusal, success};
use super::history::history as latest;
use super::offered::object;
use super::session::Session;
use super::slice::{cursor, part};
use crate::said::credits;
use crate::table::Does;
use crate::visible::visible;

const QUOTE: &str = "quote";
const BUDGET: &str = "budget";
const HISTORY: &str = "history";
const READ: &str = "read-result";
const NEXT: &str = "next-page";

/// Lists them.
pub(super) fn tools(session: &Session) -> Vec<Tool> {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let free = |name: &'static str, description: String, properties: Value, required: &[&str]| {
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
    };
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
        READ,
        read,
        json!({ "cursor": text(read_cursor) }),
        &["cursor"],
    )];
    if session.offered.iter().any(|one| one.does == Does::Pages) {
        let description = "Requests the next page of a result that has `has_next_page`, with the same arguments. It costs what that page cost, or more.";
        let id = text("The `id` of the result");
        let mut next = free(NEXT, description.to_owned(), json!({ "id": id }), &["id"]);
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
    if session.is_metered() {
        let tool = text("The name of the tool");
        let arguments = json!({ "type": "object", "description": "Its arguments" });
        let properties = json!({ "tool": tool, "arguments": arguments });
        let description = "Returns the maximum cost of a call, and the remaining budget. Free: nothing is called.";
        all.push(free(QUOTE, description.to_owned(), properties, &["tool"]));
        let description =
            "Returns the credits spent, at risk (of calls with unknown results) and left. Free.";
        all.push(free(BUDGET, description.to_owned(), json!({}), &[]));
        let before = json!({ "type": "string", "description": "Only calls before this id" });
        let description = "Lists the calls that cost something, the latest first, also those of earlier servers with the same journal. Free.";
        all.push(free(
            HISTORY,
            description.to_owned(),
            json!({ "before": before }),
            &[],
        ));
    }
    all
}

/// Calls the one with this name; `None` if it does not exist.
pub(super) async fn call(
    session: &Arc<Session>,
    name: &str,
    given: &Map<String, Value>,
) -> Option<CallToolResult> {
    let own = [QUOTE, BUDGET, HISTORY, READ, NEXT];
    let own = own.into_iter().find(|own| session.own_name(own) == name)?;
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
    Some(match own {
        QUOTE => quote(session, given),
        BUDGET => budget(session).await,
        HISTORY => history(session, given),
        READ => read(session, given),
        _ => next(session, given).await,
    })
}

fn string<'g>(given: &'g Map<String, Value>, name: &str) -> Result<&'g str, Box<CallToolResult>> {
    match given.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(refusal(format_args!("`{name}` is not a string"))),
        None => Err(refusal(format_args!("`{name}` is missing"))),
    }
}

fn quote(session: &Session, given: &Map<String, Value>) -> CallToolResult {
    let tool = match string(given, "tool") {
        Ok(tool) => tool,
        Err(refused) => return *refused,
    };
    let Some(command) = session.operation(tool) else {
        return argument("`tool` is not the name of an operation");
    };
    let none = Map::new();
    let arguments = match given.get("arguments") {
        None | Some(Value::Null) => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return argument("`arguments` is not an object"),
    };
    let at_most = match session.at_most(command, arguments) {
        Ok(at_most) => at_most,
        Err(refused) => return *refused,
    };
    let cost = match at_most {
        Some(most) => credits(most),
        None => {
            "unknown: a budget refuses the call, unless the person who runs this server states the highest price with `--assume-price`"
                .to_owned()
        }
    };
    success(json!({ "at_most": cost, "left": session.left() }).to_string())
}

async fn budget(session: &Session) -> CallToolResult {
    let usage = session.client.budget().usage();
    let mut members = sums(&usage);
    members.insert("left".to_owned(), session.left().into());
    members.insert("calls".to_owned(), usage.calls.into());
    #[cfg(feature = "redis")]
    if let Some(account) = session.client.account() {
        let account = match account.usage().await {
            Ok(all) => sums(&all.usage).into(),
            Err(_) => json!("its store failed"),
        };
        members.insert("account".to_owned(), account);
    }
    success(Value::from(members).to_string())
}

fn sums(usage: &Usage) -> Map<String, Value> {
    Map::from_iter([
        ("limit".to_owned(), json!(usage.limit.map(credits))),
        ("spent".to_owned(), json!(credits(usage.spent))),
        ("reserved".to_owned(), json!(credits(usage.reserved))),
        ("at_risk".to_owned(), json!(credits(usage.at_risk))),
    ])
}

fn history(session: &Session, given: &Map<String, Value>) -> CallToolResult {
    let before = match given.get("before") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if id.parse::<u64>().is_ok() => id.parse().ok(),
        Some(_) => return argument("`before` is not the id of a call"),
    };
    match latest(session, before) {
        Ok(text) => success(visible(&text).into_owned()),
        Err(error) => failure(&error.to_string()),
    }
}

fn read(session: &Session, given: &Map<String, Value>) -> CallToolResult {
    let text = match string(given, "cursor") {
        Ok(text) => text,
        Err(refused) => return *refused,
    };
    let Some((id, start)) = cursor(text) else {
        return argument("`cursor` is not a cursor of this server");
    };
    let kept = match session.kept(id) {
        Ok(Some(kept)) => kept,
        Ok(None) => return argument("there is no result with this id any more"),
        Err(error) => return failure(&error.to_string()),
    };
    let left = session.left();
    match part(&kept, id, start, left.as_deref(), session.most) {
        Some(text) => success(text),
        None => argument("`cursor` is behind the end of its result"),
    }
}

async fn next(session: &Arc<Session>, given: &Map<String, Value>) -> CallToolResult {
    let id = match string(given, "id") {
        Ok(id) => id,
        Err(refused) => return *refused,
    };
    let kept = match session.kept(id) {
        Ok(Some(kept)) => kept,
        Ok(None) => return argument("there is no result with this id any more"),
        Err(error) => return failure(&error.to_string()),
    };
    let (Some(command), Some(position)) = (session.operation(&kept.tool), &kept.next) else {
        return argument("there is no page behind this result");
    };
    let (arguments, position) = (kept.arguments.clone(), position.clone());
    session.call(command, arguments, Some(position)).await
}

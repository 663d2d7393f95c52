//! The tools about money. None costs anything.

use std::sync::Arc;

use generated_client::money::Usage;
use rmcp::model::{CallToolResult, Tool};
use serde_json::{Map, Value, json};

use super::answer::{failure, refusal, success};
use super::history::history as latest;
use super::own::{free, string, text};
use super::paid::at_most;
use super::session::Session;
use crate::money::credits;
use crate::visible::visible;

const QUOTE: &str = "quote";
const BUDGET: &str = "budget";
const HISTORY: &str = "history";

/// Lists them.
pub(super) fn tools(session: &Session) -> Vec<Tool> {
    let mut all = Vec::new();
    let tool = text("The name of the tool");
    let arguments = json!({ "type": "object", "description": "Its arguments" });
    let properties = json!({ "tool": tool, "arguments": arguments });
    let description =
        "Returns the maximum cost of a call, and the remaining budget. Free: nothing is called.";
    all.push(free(
        session,
        QUOTE,
        description.to_owned(),
        properties,
        &["tool"],
    ));
    let description =
        "Returns the credits spent, at risk (of calls with unknown results) and left. Free.";
    all.push(free(
        session,
        BUDGET,
        description.to_owned(),
        json!({}),
        &[],
    ));
    let before = json!({ "type": "string", "description": "Only calls before this id" });
    let description = "Lists the calls that cost something, the latest first, also those of earlier servers with the same journal. Free.";
    all.push(free(
        session,
        HISTORY,
        description.to_owned(),
        json!({ "before": before }),
        &[],
    ));
    all
}

/// Calls the one with this name; `None` if it does not exist.
pub(super) async fn call(
    session: &Arc<Session>,
    name: &str,
    given: &Map<String, Value>,
) -> Option<CallToolResult> {
    let own = [QUOTE, BUDGET, HISTORY];
    let own = own.into_iter().find(|own| session.own_name(own) == name)?;
    let called = match own {
        QUOTE => quote(session, given),
        BUDGET => Ok(budget(session).await),
        _ => history(session, given),
    };
    Some(called.map_or_else(|refused| *refused, success))
}

fn quote(session: &Session, given: &Map<String, Value>) -> Result<String, Box<CallToolResult>> {
    let Some(command) = session.operation(string(given, "tool")?) else {
        return Err(refusal("`tool` is not the name of an operation"));
    };
    let none = Map::new();
    let arguments = match given.get("arguments") {
        None | Some(Value::Null) => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(refusal("`arguments` is not an object")),
    };
    let cost = match at_most(session, command, arguments)? {
        Some(most) => credits(most),
        None => {
            "unknown: a budget refuses the call, unless the person who runs this server states the highest price with `--assume-price`"
                .to_owned()
        }
    };
    Ok(json!({ "at_most": cost, "left": session.left() }).to_string())
}

async fn budget(session: &Session) -> String {
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
    Value::from(members).to_string()
}

fn sums(usage: &Usage) -> Map<String, Value> {
    Map::from_iter([
        ("limit".to_owned(), json!(usage.limit.map(credits))),
        ("spent".to_owned(), json!(credits(usage.spent))),
        ("reserved".to_owned(), json!(credits(usage.reserved))),
        ("at_risk".to_owned(), json!(credits(usage.at_risk))),
    ])
}

fn history(session: &Session, given: &Map<String, Value>) -> Result<String, Box<CallToolResult>> {
    let before = match given.get("before") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if id.parse::<u64>().is_ok() => id.parse().ok(),
        Some(_) => return Err(refusal("`before` is not the id of a call")),
    };
    match latest(session, before) {
        Ok(text) => Ok(visible(&text).into_owned()),
        Err(error) => Err(Box::new(failure(&error.to_string()))),
    }
}

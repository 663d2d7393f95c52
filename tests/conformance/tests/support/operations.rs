//! All operations of the client, read from its source by the build script, and calls of them by name.

use std::fmt::Debug;

use company_intel::{Client, Error, Response};
use serde::Serialize;
use serde_json::Value;

use super::calls::respond_with;
use super::server::json_response;

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
pub(crate) use every_operation;

/// Result of a call, whatever its type.
#[derive(Debug)]
pub(crate) struct Returned {
    /// The body, serialized again.
    pub(crate) value: Value,
    /// The body with its field names in Rust, as `Debug` shows it.
    pub(crate) shown: String,
    /// The lines of drift.
    pub(crate) drift: Vec<String>,
    /// The raw response body.
    pub(crate) raw: Vec<u8>,
    /// The reported charge, in millionths of a credit.
    pub(crate) micros: Option<u64>,
}

fn returned<T: Serialize + Debug>(response: Response<T>) -> Returned {
    Returned {
        value: serde_json::to_value(&response.body).unwrap(),
        shown: joined(&format!("{:#?}", response.body)),
        drift: response.drift().iter().map(ToString::to_string).collect(),
        raw: response.raw.to_vec(),
        micros: response.reported_charge().map(|cost| cost.micros()),
    }
}

/// Joins `Some(`, one line and `)` into one line, repeatedly.
fn joined(shown: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in shown.lines() {
        let line = line.to_owned();
        let closes = matches!(line.trim(), ")" | "),");
        if let (true, [.., opening, content]) = (closes, lines.as_slice())
            && opening.ends_with('(')
        {
            let content = content.trim().trim_end_matches(',');
            let joined = format!("{opening}{content}{}", line.trim());
            lines.truncate(lines.len() - 2);
            lines.push(joined);
        } else {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// Returns the names of all operations in Rust.
pub(crate) fn names() -> Vec<&'static str> {
    macro_rules! names {
        ($($name:ident: $client:ident => $call:expr,)*) => { vec![$(stringify!($name)),*] };
    }
    every_operation!(names)
}

/// Calls an operation of a service that responds with this body.
pub(crate) async fn call(operation: &str, body: &str) -> Result<Returned, Error> {
    macro_rules! call {
        ($($name:ident: $client:ident => $call:expr,)*) => {
            match operation {
                $(stringify!($name) => {
                    let call = |$client: Client| $call.send();
                    respond_with(json_response(body), call).await.map(returned)
                })*
                other => panic!("the client has no operation `{other}`"),
            }
        };
    }
    every_operation!(call)
}

/// Returns whether an operation of the document has this name in Rust, like `news` for `operationId: news`.
pub(crate) fn is_named(operation: &Value, name: &str) -> bool {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let ids = ["x-rust-name", "x-operation-id", "operationId"];
    let id = ids.iter().find_map(|key| operation[*key].as_str());
    id.is_some_and(|id| plain(id) == plain(name))
}

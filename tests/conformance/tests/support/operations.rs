//! All operations of the client, which the build script reads from its source, and calls of them by name.

use company_intel::prelude::*;
use std::fmt::Debug;

use company_intel::{Client, Error, Response};
use serde::Serialize;
use serde_json::Value;

use super::calls::respond_with;
use super::server::json_response;

include!(concat!(env!("OUT_DIR"), "/operations.rs"));
pub(crate) use every_operation;

/// What a call returned, whatever its type.
#[derive(Debug)]
pub(crate) struct Returned {
    /// The body as it is written again.
    pub(crate) value: Value,
    /// The body with the names that it has in Rust.
    pub(crate) shown: String,
    /// The lines of drift.
    pub(crate) drift: Vec<String>,
    /// The bytes that came.
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

/// Puts `Some(`, one line and `)` on one line, again and again.
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

/// The names of all operations, as in Rust.
pub(crate) fn names() -> Vec<&'static str> {
    macro_rules! names {
        ($($name:ident: $client:ident => $call:expr,)*) => { vec![$(stringify!($name)),*] };
    }
    every_operation!(names)
}

/// Calls an operation while the service responds with this body.
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

/// The operation of the document with the name in Rust, `news` of `operationId: news`.
pub(crate) fn is_named(operation: &Value, name: &str) -> bool {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let id = operation["x-rust-name"].as_str();
    let id = id.or(operation["operationId"].as_str());
    id.is_some_and(|id| plain(id) == plain(name))
}

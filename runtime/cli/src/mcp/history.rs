//! The calls and costs of this server, and of earlier ones with the same journal.

use std::cmp::Reverse;

use generated_client::journal::JournalError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::paid::number;
use super::session::Session;

/// How many calls a page of the history has, and how many characters of the arguments of each.
const CALLS: usize = 20;
const ARGUMENTS: usize = 200;

/// The part of a result that the history reads.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    cost: Option<String>,
}

/// Returns the latest calls before one, or the latest of all.
pub(super) fn history(session: &Session, before: Option<u64>) -> Result<String, JournalError> {
    let kept = session.journal.responses().into_iter();
    let unsure = session.journal.unsure().into_iter();
    let mut all: Vec<(String, bool)> = kept
        .map(|input| (input, true))
        .chain(unsure.map(|input| (input, false)))
        .collect();
    all.retain(|(input, _)| before.is_none_or(|before| number(input) < before));
    all.sort_by_key(|(input, _)| Reverse(number(input)));
    let mut calls: Vec<Value> = Vec::new();
    for (input, is_kept) in all.iter().take(CALLS) {
        let mut parts = input.splitn(3, ' ').skip(1);
        let tool = parts.next().unwrap_or_default();
        let arguments: String = parts
            .next()
            .unwrap_or_default()
            .chars()
            .take(ARGUMENTS)
            .collect();
        let (state, cost) = if *is_kept {
            let body = session.journal.response(input)?.unwrap_or_default();
            let head: Head = serde_json::from_slice(&body).unwrap_or_default();
            ("kept", head.cost)
        } else {
            (
                "in flight, or may have been billed and its result is lost",
                None,
            )
        };
        calls.push(json!({
            "id": number(input).to_string(),
            "tool": tool,
            "arguments": arguments,
            "cost": cost,
            "state": state,
        }));
    }
    let next = all.get(CALLS).and(all.get(CALLS.saturating_sub(1)));
    let next = next.map(|(input, _)| number(input));
    Ok(json!({ "calls": calls, "before": next }).to_string())
}

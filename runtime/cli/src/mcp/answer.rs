//! Results of tools, and the messages of failures.

use generated_client::Error;
use metered_client::money::Asked;
use metered_client::prelude::*;
use metered_client::{Credits, Outcome};
use rmcp::model::{CallToolResult, ContentBlock};

use super::session::Session;
use crate::ended::said;
use crate::visible::visible;

/// How many characters of an error an agent reads.
const MOST: usize = 1500;

/// Returns a result of a tool.
pub(super) fn success(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// Returns an error of a tool, for the agent.
pub(super) fn failure(text: &str) -> CallToolResult {
    let lines: Vec<_> = text.lines().map(visible).collect();
    let short: String = lines.join("\n").chars().take(MOST).collect();
    CallToolResult::error(vec![ContentBlock::text(short)])
}

/// Returns an error of the arguments.
pub(super) fn argument(problem: impl std::fmt::Display) -> CallToolResult {
    failure(&format!("argument error: {problem}. Nothing was sent."))
}

/// Returns the same error, boxed.
pub(super) fn refusal(problem: impl std::fmt::Display) -> Box<CallToolResult> {
    Box::new(argument(problem))
}

impl Session {
    /// Returns an error of a call: its billing status, the remaining budget, and the cause. `has_key`: the service remembers its idempotency key.
    pub(super) fn failed(&self, error: &Error, has_key: bool) -> CallToolResult {
        let mut text = self.outcome(error);
        if has_key {
            text.push_str(
                " A call with the same arguments is the same work, and is paid for once.",
            );
        }
        if let Some(left) = self.left() {
            text.push_str(&format!(" The budget has {left} left."));
        }
        if error.budget().is_none() {
            text.push_str(&format!("\n{}", said(error)));
        }
        failure(&text)
    }

    fn outcome(&self, error: &Error) -> String {
        if let Some(refused) = error.budget() {
            let whose = match refused.account {
                Some(_) => " of the account",
                None => "",
            };
            let needs = match refused.asked {
                Asked::Price(credits) => format!("which needs {credits} credits"),
                Asked::Estimate(credits) => {
                    format!("whose price is unknown and estimated at {credits} credits")
                }
                _ => "whose price is unknown".to_owned(),
            };
            return format!("The budget{whose} has refused the call, {needs}: nothing was sent.");
        }
        match error.outcome() {
            Outcome::NotSent => "Nothing was sent.".to_owned(),
            Outcome::Rejected => {
                "The service has refused the call, and has not billed it.".to_owned()
            }
            Outcome::Charged(credits) => format!("The call failed, and cost {credits} credits."),
            Outcome::Unknown(Some(Credits::ZERO)) => "The call failed. It is free.".to_owned(),
            _ if !self.is_metered() => "The call failed.".to_owned(),
            Outcome::Unknown(Some(credits)) => {
                format!("The call failed, and may have been billed: {credits} credits are at risk.")
            }
            _ => "The call failed, and may have been billed.".to_owned(),
        }
    }
}

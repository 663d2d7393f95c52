//! Results of tools, and the messages of failures.

use generated_client::Error;
use rmcp::model::{CallToolResult, ContentBlock};

use super::session::Session;
use crate::said::{excerpt, facts, is_bounded, ways_out};
use crate::visible::visible_lines;

/// How many characters of an error an agent reads.
const MOST: usize = 1500;

/// Returns a result of a tool.
pub(super) fn success(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// Returns an error of a tool, for the agent.
pub(super) fn failure(text: &str) -> CallToolResult {
    let short: String = visible_lines(text).chars().take(MOST).collect();
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
    /// Returns an error of a call: its cause and billing status, the remaining budget, and the options that help. `has_key`: the service
    /// remembers its idempotency key.
    pub(super) fn failed(&self, error: &Error, has_key: bool) -> CallToolResult {
        let mut text = facts(error, self.is_metered());
        if has_key {
            text.push_str(
                " A call with the same arguments is the same work, and is paid for once.",
            );
        }
        let left = self.left();
        // The message of a used-up budget has it.
        if let Some(left) = left.as_ref().filter(|_| error.budget().is_none()) {
            text.push_str(&format!(" The budget has {left} left."));
        }
        let settle = "--journal FILE --settle ID=CREDITS";
        let mut ways = ways_out(error, self.has_file.then_some(settle));
        if error.budget().is_some() {
            let stays = if self.has_file {
                "; what is in `--journal` stays paid"
            } else {
                ""
            };
            ways.push(format!(
                "A greater `--budget` or account allows more calls{stays}."
            ));
        }
        if is_bounded(&self.client) && !ways.is_empty() {
            // An agent cannot set an option.
            let ways = ways.join(" ");
            text.push_str(&format!("\nFor the person who runs this server: {ways}"));
        }
        failure(&(text + &excerpt(error)))
    }
}

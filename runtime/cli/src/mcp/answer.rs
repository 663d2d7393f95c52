//! Results of tools, and the messages of failures.

use generated_client::Error;
use rmcp::model::{CallToolResult, ContentBlock};

#[cfg(feature = "metered")]
use super::paid;
use super::session::Session;
use crate::said::{excerpt, facts};
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
    /// Returns an error of a call: its cause, and what is left to do. `has_key`: the service remembers its idempotency key.
    pub(super) fn failed(&self, error: &Error, has_key: bool) -> CallToolResult {
        let facts = facts(error, self.is_metered());
        #[cfg(feature = "metered")]
        let facts = facts + &paid::advice(self, error, has_key);
        #[cfg(not(feature = "metered"))]
        let _ = has_key;
        failure(&(facts + &excerpt(error)))
    }
}

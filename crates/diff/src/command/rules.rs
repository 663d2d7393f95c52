//! The table of rules, for people and for programs.

use std::fmt::Write;

use anyhow::{Context, Result};

use crate::RULES;

/// Returns the rules with their verdicts, one per line, or as JSON.
///
/// # Errors
///
/// None that can happen: a rule has nothing that JSON cannot hold.
pub fn rules(is_json: bool) -> Result<String> {
    if is_json {
        let text = serde_json::to_string_pretty(RULES).context("writing the rules as JSON")?;
        return Ok(text + "\n");
    }
    let longest = RULES.iter().map(|rule| rule.id).map(str::len).max();
    let longest = longest.unwrap_or_default();
    let mut out = format!("{:<longest$}  {:<8}  {:<8}\n", "rule", "sent", "received");
    for rule in RULES {
        let (id, request, response) = (rule.id, rule.request, rule.response);
        let reason = rule.reason;
        writeln!(out, "{id:<longest$}  {request:<8}  {response:<8}  {reason}")?;
    }
    Ok(out)
}

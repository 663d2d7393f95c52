//! Evaluates JSONPath queries, and explains those that select nothing.

use std::collections::HashSet;
use std::fmt;

use openapi_document::finding::{Finding, near};
use openapi_document::source::Source;
use serde_json::Value;
use serde_json_path::JsonPath;

use super::model::Action;
use super::parse::{parse, scan};

/// The nodes that a query selects, as JSON Pointers, in its order; each once, however often the query names it.
pub fn nodes(query: &JsonPath, document: &Value) -> Vec<String> {
    let selected = query.query_located(document);
    let mut seen = HashSet::new();
    let mut nodes = Vec::new();
    for place in selected.locations() {
        let pointer = place.to_json_pointer();
        if seen.insert(pointer.clone()) {
            nodes.push(pointer);
        }
    }
    nodes
}

/// Returns a finding for an action whose target selects nothing, which the specification allows; `source` is the file of the action.
pub fn dead_target(document: &Value, action: &Action, source: &Source) -> Option<Finding> {
    let is_dead = action.query.query(document).is_empty();
    is_dead.then(|| selects_nothing(document, action, source))
}

/// The finding for a target without a node, with the name that was probably meant.
pub(super) fn selects_nothing(document: &Value, action: &Action, source: &Source) -> Finding {
    let finding = source.finding(
        "overlay-target",
        format!("{}/target", action.pointer),
        format!("`{}` selects nothing in the document", action.target),
        "correct the target; if the document no longer has this place anywhere, delete the file",
    );
    match stray_step(document, &action.target) {
        Some(stray) => finding.note(stray.to_string()),
        None => finding,
    }
}

/// Returns the query without its last step; `None` if it has no steps.
pub fn parent(query: &str) -> Option<&str> {
    let end = *scan(query).starts.last()?;
    query.get(..end)
}

/// The first step at which a query leaves the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrayStep {
    /// The part of the query that still selects something.
    pub held: String,
    /// The step after it.
    pub step: String,
    /// The name in that step.
    pub name: String,
    /// The name that is there and was probably meant.
    pub near: Option<String>,
}

impl fmt::Display for StrayStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is there, `{}` below it is not",
            self.held, self.step
        )?;
        match &self.near {
            Some(near) => write!(f, ": did you mean `{near}`?"),
            None => Ok(()),
        }
    }
}

/// Finds where a query leaves the document; `None` when it does not, or cannot be read.
pub fn stray_step(document: &Value, query: &str) -> Option<StrayStep> {
    let starts = scan(query).starts;
    let ends = starts.iter().skip(1).copied().chain([query.len()]);
    for (start, end) in starts.iter().zip(ends) {
        if !parse(query.get(..end)?.trim_end())
            .ok()?
            .query(document)
            .is_empty()
        {
            continue;
        }
        let (held, step) = (query.get(..*start)?, query.get(*start..end)?);
        let name = step.trim_matches(|c| ".[]'\"".contains(c));
        let above = parse(held.trim_end()).ok()?.query(document);
        let objects = above.iter().filter_map(|value| value.as_object());
        let names = objects.flat_map(|object| object.keys().map(String::as_str));
        return Some(StrayStep {
            held: held.to_owned(),
            step: step.to_owned(),
            name: name.to_owned(),
            near: near(name, names).map(str::to_owned),
        });
    }
    None
}

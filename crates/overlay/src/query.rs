//! Evaluates JSONPath queries, and explains those that select nothing.

use std::fmt;

use openapi_document::finding::{Finding, near};
use openapi_document::source::Source;
use serde_json::Value;

use super::growth::{TooLarge, check_pointers};
use super::model::Action;
use super::parse::{JsonPath, parse};
use super::places::{Place, places};

/// The nodes that a query selects, as JSON Pointers, in its order; each once, however often the query names it.
///
/// # Errors
///
/// The pointers are too large together: they are not written.
pub fn nodes(query: &JsonPath, document: &Value) -> Result<Vec<String>, TooLarge> {
    let places = places(query, document);
    check_pointers(places.iter().map(|place| place.length))?;
    Ok(places.iter().map(|place| place.pointer()).collect())
}

/// The nodes that the target of an action selects; `source` is the file of the action.
///
/// # Errors
///
/// The finding for pointers that are too large together.
pub fn targets(
    action: &Action,
    document: &Value,
    source: &Source,
) -> Result<Vec<String>, Box<Finding>> {
    let found = nodes(&action.query, document);
    found.map_err(|error| error.finding(source, format!("{}/target", action.pointer)))
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
        "the document no longer has this place: find its new location, then correct the target or delete the file",
    );
    match stray_step(document, &action.target) {
        Some(stray) => finding.note(stray.to_string()),
        None => finding,
    }
}

/// Returns the query without its last step; `None` if it has no steps.
pub fn parent(query: &str) -> Option<&str> {
    let end = *steps(query).last()?;
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
    let mut held = vec![Place::root(document)];
    for step in parse(query).ok()?.steps {
        let selected = step.select(held.clone(), document);
        if !selected.is_empty() {
            held = selected;
            continue;
        }
        let text = query.get(step.range.clone())?;
        let name = text.trim_matches(|c| ".[]'\"".contains(c));
        let names = held
            .iter()
            .filter_map(|place| place.value.as_object())
            .flat_map(|object| object.keys().map(String::as_str));
        return Some(StrayStep {
            held: query.get(..step.range.start)?.to_owned(),
            step: text.to_owned(),
            name: name.to_owned(),
            near: near(name, names).map(str::to_owned),
        });
    }
    None
}

/// Where the steps of a query start, in bytes: at each `.` or `[` outside of brackets and quotes.
pub fn steps(query: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut depth = 0usize;
    let mut quote = None;
    let mut escaped = false;
    let mut before = None;
    for (index, c) in query.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[') => {
                // `..[` is one step.
                if depth == 0 && before != Some('.') {
                    starts.push(index);
                }
                depth += 1;
            }
            (None, ']') => depth = depth.saturating_sub(1),
            (None, '.') if depth == 0 && before != Some('.') => starts.push(index),
            _ => {}
        }
        before = Some(c);
    }
    starts
}

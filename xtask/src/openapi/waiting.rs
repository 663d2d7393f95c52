//! Operations that tell how far something is, from `x-waiter`, and the operations that start it, from links.

use serde_json::Value;

use super::extensions::{self, Step};
use super::model::Model;
use super::operation::Operation;
use super::resolve::resolve;
use crate::finding::Finding;
use crate::pointer;
use crate::source::Source;

/// An operation that tells how far something is.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Its id.
    pub operation: String,
    /// JSON Pointers into the body: it is done once a value is at one of them.
    pub done: Vec<String>,
    /// It has failed once a value is at one of these.
    pub failed: Vec<String>,
    /// The operations whose answer has its only required parameter.
    pub submissions: Vec<Submission>,
}

/// An operation that starts what can be waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Its id.
    pub operation: String,
    /// The schema of its answer.
    pub answer: String,
    /// The member of the answer that the other operation takes.
    pub property: String,
}

/// The operations with `x-waiter`, in the order of the document.
pub(super) fn read(model: &Model, source: &Source, findings: &mut Vec<Finding>) -> Vec<Waits> {
    let mut waits = Vec::new();
    for operation in &model.operations {
        let Some(waiter) = &operation.waiter else {
            continue;
        };
        let mut places = |key: &str, path: &str| {
            let found = pointers(model, operation, path);
            if found.is_empty() {
                findings.push(source.finding(
                    "waiter",
                    format!("{}/x-waiter/{key}", operation.pointer),
                    format!("`{path}` leads to nothing in the response"),
                    "correct the override that writes `x-waiter`",
                ));
            }
            found
        };
        waits.push(Waits {
            operation: operation.id.clone(),
            done: places("done", &waiter.done),
            failed: places("failed", &waiter.failed),
            submissions: submissions(model, source, operation),
        });
    }
    waits
}

/// The places that a path of names leads to: one, and one more for each alias of the last name.
fn pointers(model: &Model, operation: &Operation, path: &str) -> Vec<String> {
    let member = || {
        let steps = extensions::steps(path)?;
        let (_, _, value) = model.member(operation.success.as_ref()?, &steps)?;
        let names: Option<Vec<String>> = steps
            .into_iter()
            .map(|step| match step {
                Step::Member(name) => Some(name),
                Step::Each => None,
            })
            .collect();
        Some((names?, value))
    };
    let Some((mut names, value)) = member() else {
        return Vec::new();
    };
    let last = names.pop().unwrap_or_default();
    let parent = names
        .iter()
        .fold(String::new(), |at, name| pointer::join(&at, name));
    let aliases = value.get("x-aliases").and_then(Value::as_array);
    std::iter::once(last.as_str())
        .chain(aliases.into_iter().flatten().filter_map(Value::as_str))
        .map(|name| pointer::join(&parent, name))
        .collect()
}

/// The operations with a link to this one that gives its only required argument from a member of their answer.
fn submissions(model: &Model, source: &Source, target: &Operation) -> Vec<Submission> {
    let mut required = target.parameters.iter().filter(|one| one.required);
    let (Some(parameter), None, None) = (required.next(), required.next(), &target.body) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for operation in &model.operations {
        let links = resolve(&source.value, &operation.success_pointer)
            .and_then(|(_, response)| response.get("links")?.as_object());
        for link in links.into_iter().flat_map(|links| links.values()) {
            let member = || {
                let to = link.get("operationId")?.as_str()?;
                let value = link.get("parameters")?.get(&parameter.name)?.as_str()?;
                let property = value.strip_prefix("$response.body#/")?;
                let steps = [Step::Member(property.to_owned())];
                let (answer, property, _) = model.member(operation.success.as_ref()?, &steps)?;
                (to == target.id).then(|| Submission {
                    operation: operation.id.clone(),
                    answer: answer.name.clone(),
                    property,
                })
            };
            found.extend(member());
        }
    }
    found.dedup();
    found
}

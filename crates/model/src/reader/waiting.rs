//! Operations that report the progress of a job, from `x-waiter`, and the operations that start it, from links.

use openapi_document::json::{members_of, text_of};
use openapi_document::source::Source;
use openapi_schemas::resolve;
use serde_json::Value;

use super::notes::Notes;
use crate::extensions::{self, Step};
use crate::{Model, Operation, Parameter, ParameterType, Submission, Waits};

/// The operations with `x-waiter`, in the order of the document.
pub(super) fn read(notes: &mut Notes<'_>, model: &Model) -> Vec<Waits> {
    let mut waits = Vec::new();
    for operation in &model.operations {
        let Some(waiter) = &operation.waiter else {
            continue;
        };
        let [done, failed] =
            [("done", &waiter.done), ("failed", &waiter.failed)].map(|(key, path)| {
                let found = pointers(model, operation, path).unwrap_or_default();
                if found.is_empty() {
                    notes.wrong(
                        "waiter",
                        &format!("{}/x-waiter/{key}", operation.pointer),
                        format!("`{path}` leads to nothing in the response"),
                        "correct the override that writes `x-waiter`",
                    );
                }
                found
            });
        waits.push(Waits {
            operation: operation.id.clone(),
            done,
            failed,
            submissions: submissions(model, notes.source, operation),
        });
    }
    waits
}

/// The places that a path of names leads to, by the names in it and by their aliases.
fn pointers(model: &Model, operation: &Operation, path: &str) -> Option<Vec<String>> {
    let steps = extensions::steps(path)?;
    let response = operation.success()?;
    let (members, _) = model.follow(response, &steps)?;
    let is_direct = !members.is_empty() && members.iter().all(|member| !member.is_list);
    model.pointers(response, &steps).filter(|_| is_direct)
}

/// Returns the operations with a link to this one that gives its only required argument, a string, from a member of their response.
fn submissions(model: &Model, source: &Source, target: &Operation) -> Vec<Submission> {
    let mut required = target.parameters.iter().filter(|one| one.required);
    let needs_body = target.bodies.iter().any(|body| body.required);
    let (Some(parameter), None, false) = (required.next(), required.next(), needs_body) else {
        return Vec::new();
    };
    let takes_text = match &parameter.kind {
        ParameterType::Text => true,
        ParameterType::Formatted(runtime) => runtime.is_uuid(),
        ParameterType::Named(name) => {
            let named = model.schema(name);
            named.is_some_and(|schema| model.is_text(&schema.place))
        }
        _ => false,
    };
    if !takes_text {
        return Vec::new();
    }
    let mut found: Vec<Submission> = Vec::new();
    for operation in &model.operations {
        let Some((_, response)) = resolve(&source.value, &operation.success_pointer) else {
            continue;
        };
        for (_, link) in members_of(response, "links") {
            if text_of(link, "operationId") == Some(&target.id) {
                found.extend(submission(model, operation, link, parameter));
            }
        }
    }
    found
}

/// Returns the member of a response that a link gives to a parameter, if it is a string.
fn submission(
    model: &Model,
    operation: &Operation,
    link: &Value,
    parameter: &Parameter,
) -> Option<Submission> {
    let mut given = members_of(link, "parameters");
    let (_, value) = given.find(|(name, _)| parameter.is_called(name))?;
    let property = value.as_str()?.strip_prefix("$response.body#/")?;
    let steps = [Step::Member(property.to_owned())];
    let (response, property, value) = model.member(operation.success()?, &steps)?;
    model.is_text(value).then(|| Submission {
        operation: operation.id.clone(),
        response: response.name.clone(),
        property,
    })
}

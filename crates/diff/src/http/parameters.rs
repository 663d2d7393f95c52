//! Parameters: matches those of two documents and compares them.

use std::collections::BTreeMap;

use openapi_document::resolver::reference;
use serde_json::Value;

use super::documents::Documents;
use super::flags::{deprecation, is_required};
use super::scope::{Item, Scope};
use super::written::written;
use crate::schemas::Form;
use crate::verdicts::{Mark, rules};
use openapi_schemas::reading::{Document, Site, types};

/// Location and name of a parameter.
type ParameterKey = (String, String);

/// Location of a parameter whose reference cannot be resolved.
const UNRESOLVED: &str = "unresolved";

pub(super) fn parameters<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    old: (&Item<'d>, &'d Value),
    new: (&Item<'d>, &'d Value),
) {
    let before = listed(&mut documents.schemas.old, old);
    let after = listed(&mut documents.schemas.new, new);
    for (key, a) in &before {
        match after.get(key) {
            b if key.0 == UNRESOLVED => {
                let b = b.map_or(new.1, |b| b.meant);
                documents.objects_of(scope, scope.request, a.meant, b);
            }
            Some(b) => {
                documents.met(a.written, b.written);
                parameter(documents, scope, a.meant, b.meant);
            }
            None => {
                // A path parameter is always sent, even if it is not declared.
                let stays = is_in_path(key) && !is_gone(key, new.0);
                let (rule, what) = if stays || is_said_elsewhere(key) {
                    (&rules::NO_EFFECT, "is no longer declared")
                } else {
                    (&rules::PARAMETER_REMOVED, "is gone")
                };
                documents.note(
                    scope.by(scope.request),
                    rule,
                    Mark::at(a.meant),
                    Mark::NONE,
                    || format!("the {} parameter `{}` {what}", key.0, name(a.meant)),
                );
            }
        }
    }
    for (key, b) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
        let b = b.meant;
        if key.0 == UNRESOLVED {
            documents.objects_of(scope, scope.request, old.1, b);
            continue;
        }
        if is_in_path(key) && !is_gone(key, old.0) {
            declared(documents, scope, b);
            continue;
        }
        let (rule, optional) = if is_said_elsewhere(key) {
            (&rules::NO_EFFECT, "ignored")
        } else if is_required(b) || key.0 == "path" {
            (&rules::PARAMETER_ADDED_REQUIRED, "required")
        } else {
            (&rules::PARAMETER_ADDED, "optional")
        };
        documents.come(scope.by(scope.request), rule, b, || {
            format!("the {optional} {} parameter `{}` is new", key.0, name(b))
        });
    }
}

/// Compares a path parameter that was sent before, undeclared, as any string.
fn declared<'d>(documents: &mut Documents<'d>, scope: Scope, parameter: &'d Value) {
    documents.come(
        scope.by(scope.request),
        &rules::NO_EFFECT,
        parameter,
        || format!("the path parameter `{}` is declared now", name(parameter)),
    );
    let any = Site {
        types: types::STRING,
        ..Site::all(Vec::new(), parameter)
    };
    let schema = Site::new(parameter.get("schema"), parameter);
    documents
        .schemas
        .root(scope.operation, any, schema, Form::Text, scope.request);
}

fn parameter<'d>(documents: &mut Documents<'d>, scope: Scope, a: &'d Value, b: &'d Value) {
    documents.met(a, b);
    let place = |value: &'d Value| value.get("in").and_then(Value::as_str).unwrap_or("query");
    if is_required(a) != is_required(b) {
        let (rule, now) = if is_required(b) {
            (&rules::PARAMETER_BECAME_REQUIRED, "required")
        } else {
            (&rules::PARAMETER_BECAME_OPTIONAL, "optional")
        };
        let marks = (Mark::at(a), Mark::at(b));
        let rule = if place(a) == "path" {
            &rules::NO_EFFECT
        } else {
            rule
        };
        documents.note(scope.by(scope.request), rule, marks.0, marks.1, || {
            format!("the parameter `{}` became {now}", name(b))
        });
    }
    deprecation(documents, scope, a, b);
    let (x, y) = (a.get("allowEmptyValue"), b.get("allowEmptyValue"));
    let on = |value: Option<&Value>| value == Some(&Value::Bool(true));
    if on(x) != on(y) {
        let rule = if on(y) {
            &rules::NULL_ADDED
        } else {
            &rules::NULL_REMOVED
        };
        documents.changed(
            scope.by(scope.request),
            rule,
            "allowEmptyValue",
            (a, x),
            (b, y),
        );
    }
    written(
        documents,
        scope,
        scope.request,
        (a, place(a)),
        (b, place(b)),
    );
    let known = [
        "name",
        "in",
        "required",
        "deprecated",
        "allowEmptyValue",
        "schema",
        "content",
        "style",
        "explode",
        "allowReserved",
    ];
    documents.leftovers(&[scope.operation], scope.request, (a, b), &known);
}

/// Returns whether the path template has a place for a parameter.
fn is_in_path(key: &ParameterKey) -> bool {
    key.0 == "path" && key.1.starts_with('{')
}

/// Returns whether a header follows from the media types or the credentials: OpenAPI ignores a parameter with its name.
fn is_said_elsewhere(key: &ParameterKey) -> bool {
    key.0 == "header" && ["accept", "content-type", "authorization"].contains(&key.1.as_str())
}

/// Returns whether the path template of the other document lacks a parameter.
fn is_gone(key: &ParameterKey, item: &Item<'_>) -> bool {
    let position = key.1.trim_matches(['{', '}']).parse::<usize>();
    position.is_ok_and(|position| position >= item.names.len())
}

fn name(parameter: &Value) -> &str {
    parameter.get("name").and_then(Value::as_str).unwrap_or("?")
}

/// A parameter in a list.
struct Listed<'d> {
    /// The element of the list.
    written: &'d Value,
    /// The parameter itself, with its reference followed.
    meant: &'d Value,
}

/// Returns the parameters of an operation and its path; a path parameter by its position in the template.
fn listed<'d>(
    side: &mut Document<'d>,
    (item, operation): (&Item<'d>, &'d Value),
) -> BTreeMap<ParameterKey, Listed<'d>> {
    let mut all = BTreeMap::new();
    for holder in [item.value, operation] {
        // Many tools accept a reference in place of the list.
        let list = holder.get("parameters").and_then(|list| side.object(list));
        for one in list.and_then(Value::as_array).into_iter().flatten() {
            let Some(parameter) = side.object(one) else {
                let text = reference(one).unwrap_or_default();
                let listed = Listed {
                    written: one,
                    meant: one,
                };
                all.insert((UNRESOLVED.to_owned(), text.to_owned()), listed);
                continue;
            };
            let place = parameter
                .get("in")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let name = name(parameter);
            let name = match place {
                "header" => name.to_lowercase(),
                // The entire query string, so the name has no effect.
                "querystring" => String::new(),
                "path" => match item.names.iter().position(|other| *other == name) {
                    Some(position) => format!("{{{position}}}"),
                    None => name.to_owned(),
                },
                _ => name.to_owned(),
            };
            let listed = Listed {
                written: one,
                meant: parameter,
            };
            all.insert((place.to_owned(), name), listed);
        }
    }
    all
}

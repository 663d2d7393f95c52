//! Parameters: matches those of two documents and compares them.

use std::collections::BTreeMap;

use openapi_document::resolver::reference;
use serde_json::Value;

use super::documents::Documents;
use super::flags::{deprecation, is_required, requirement};
use super::scope::{Item, Operation, Scope};
use super::written::{allowed, in_effect, written};
use crate::schemas::Form;
use crate::verdicts::{Both, Marks, rules};
use openapi_schemas::Style;
use openapi_schemas::reading::{Document, Site, types};

/// Location and name of a parameter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    location: String,
    /// Name of a parameter in the path: its position in the template in braces, if the template has it.
    name: String,
}

/// Location of a parameter whose reference cannot be resolved.
const UNRESOLVED: &str = "unresolved";

/// Compares the parameters of an operation.
pub(super) fn parameters<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    old: Operation<'_, 'd>,
    new: Operation<'_, 'd>,
) {
    let mut before = listed(&mut documents.schemas.old, old);
    let after = listed(&mut documents.schemas.new, new);
    rename(documents, &mut before, &after);
    for (key, a) in &before {
        let location = &key.location;
        match after.get(key) {
            b if location == UNRESOLVED => {
                let both = Both::new(a.meant, b.map_or(new.value, |b| b.meant));
                documents.objects_of(scope, both);
            }
            Some(b) => {
                documents.met(Both::new(a.written, b.written));
                let both = Both::new(a.meant, b.meant);
                parameter(documents, scope, both);
            }
            None => {
                // A path parameter is always sent, even if it is not declared.
                let (rule, what) = if key.is_ignored() || key.is_in_template(new.item) {
                    (&rules::NO_EFFECT, "is no longer declared")
                } else {
                    (&rules::PARAMETER_REMOVED, "is gone")
                };
                documents.note(scope, rule, Marks::removed(a.meant), || {
                    format!("the {location} parameter `{}` {what}", name(a.meant))
                });
            }
        }
    }
    for (key, b) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
        let (location, b) = (&key.location, b.meant);
        if location == UNRESOLVED {
            let both = Both::new(old.value, b);
            documents.objects_of(scope, both);
            continue;
        }
        if key.is_in_template(old.item) {
            declared(documents, scope, b);
            continue;
        }
        let (rule, optional) = if key.is_ignored() {
            (&rules::NO_EFFECT, "ignored")
        } else if is_required(b) || location == "path" {
            (&rules::PARAMETER_ADDED_REQUIRED, "required")
        } else {
            (&rules::PARAMETER_ADDED, "optional")
        };
        documents.note(scope, rule, Marks::added(b), || {
            format!("the {optional} {location} parameter `{}` is new", name(b))
        });
    }
}

/// Gives an old parameter the name of the new one, if both are exploded objects, whose members alone are sent.
fn rename<'d>(
    documents: &mut Documents<'d>,
    before: &mut BTreeMap<Key, Listed<'d>>,
    after: &BTreeMap<Key, Listed<'d>>,
) {
    let schemas = &mut documents.schemas;
    let gone = unnamed(&mut schemas.old, before, after);
    let come = unnamed(&mut schemas.new, after, before);
    if let ([old], [new]) = (gone.as_slice(), come.as_slice())
        && let Some(listed) = before.remove(old)
    {
        before.insert(new.clone(), listed);
    }
}

/// Returns the keys of the exploded objects in the query that the other side lacks.
fn unnamed<'d>(
    side: &mut Document<'d>,
    all: &BTreeMap<Key, Listed<'d>>,
    others: &BTreeMap<Key, Listed<'d>>,
) -> Vec<Key> {
    let mut alone: Vec<_> = all.iter().collect();
    alone.retain(|(key, one)| {
        let listed = allowed(side, one.meant);
        let style = in_effect(Style::of(one.meant, "query"), listed);
        let is_unnamed = listed == types::OBJECT && style.name == "form" && style.is_exploded;
        key.location == "query" && !others.contains_key(*key) && is_unnamed
    });
    alone.into_iter().map(|(key, _)| key.clone()).collect()
}

/// Compares a path parameter that was sent before, undeclared, as any string.
fn declared<'d>(documents: &mut Documents<'d>, scope: Scope, parameter: &'d Value) {
    documents.note(scope, &rules::NO_EFFECT, Marks::added(parameter), || {
        format!("the path parameter `{}` is declared now", name(parameter))
    });
    let any = Site {
        types: types::STRING,
        ..Site::all(Vec::new(), parameter)
    };
    let schema = Site::new(parameter.get("schema"), parameter);
    let schemas = &mut documents.schemas;
    let is_always_sent = true;
    let form = Form::Text { is_always_sent };
    schemas.root(scope.operation, any, schema, form, scope.ways);
}

fn parameter<'d>(documents: &mut Documents<'d>, scope: Scope, both: Both<'d>) {
    documents.met(both);
    let (old_location, new_location) = (location(both.old), location(both.new));
    let rules = if old_location == "path" {
        [&rules::NO_EFFECT, &rules::NO_EFFECT]
    } else {
        [
            &rules::PARAMETER_BECAME_REQUIRED,
            &rules::PARAMETER_BECAME_OPTIONAL,
        ]
    };
    let what = format!("the parameter `{}`", name(both.new));
    requirement(documents, scope, both, rules, &what);
    deprecation(documents, scope, both);
    let empty = both.keyword("allowEmptyValue");
    if let Some(rule) = empty.switched([&rules::NULL_ADDED, &rules::NULL_REMOVED]) {
        documents.changed(scope, rule, empty);
    }
    written(documents, scope, both, old_location, new_location);
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
    documents.leftovers(scope, both, &known);
}

impl Key {
    /// Returns whether the template of a path has the parameter.
    fn is_in_template(&self, item: &Item<'_>) -> bool {
        let position = self.name.trim_matches(['{', '}']).parse::<usize>().ok();
        let is_by_position = self.location == "path" && self.name.starts_with('{');
        is_by_position && position.is_none_or(|position| position < item.names.len())
    }

    /// Returns whether no call has the parameter: a header that follows from the media types or the credentials, or a name that the
    /// template of the path lacks.
    fn is_ignored(&self) -> bool {
        let headers = ["accept", "content-type", "authorization"];
        match self.location.as_str() {
            "header" => headers.contains(&self.name.as_str()),
            "path" => !self.name.starts_with('{'),
            _ => false,
        }
    }
}

fn location(parameter: &Value) -> &str {
    let location = parameter.get("in").and_then(Value::as_str);
    location.unwrap_or("query")
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
fn listed<'d>(side: &mut Document<'d>, operation: Operation<'_, 'd>) -> BTreeMap<Key, Listed<'d>> {
    let mut all = BTreeMap::new();
    for holder in [operation.item.value, operation.value] {
        // Many tools accept a reference in place of the list.
        let list = holder.get("parameters").and_then(|list| side.object(list));
        for written in list.and_then(Value::as_array).into_iter().flatten() {
            let found = side.object(written);
            let key = match found {
                Some(parameter) => key(parameter, operation.item),
                None => Key {
                    location: UNRESOLVED.to_owned(),
                    name: reference(written).unwrap_or_default().to_owned(),
                },
            };
            let meant = found.unwrap_or(written);
            all.insert(key, Listed { written, meant });
        }
    }
    all
}

/// Returns the key of a parameter.
fn key(parameter: &Value, item: &Item<'_>) -> Key {
    let location = parameter.get("in").and_then(Value::as_str);
    let location = location.unwrap_or_default();
    let name = name(parameter);
    let name = match location {
        "header" => name.to_lowercase(),
        // The entire query string, so the name has no effect.
        "querystring" => String::new(),
        "path" => match item.names.iter().position(|other| *other == name) {
            Some(position) => format!("{{{position}}}"),
            None => name.to_owned(),
        },
        _ => name.to_owned(),
    };
    Key {
        location: location.to_owned(),
        name,
    }
}

//! Parameters that lost keywords in the new document: the style of lists and objects, bounds and defaults.
//! A missing keyword is no contradiction, so an override preserves it, if accepted.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::keywords::{Role::Limit, names};
use serde_json::{Map, Value};

use super::actions::actions;
use super::preserver::{Documents, Found};
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::Unsaid;
use crate::rebase::pointers::target_schema;

/// Members for the serialization style of a value.
const STYLE: [&str; 2] = ["style", "explode"];
pub(super) const HEAD: &str = "overlay: 1.1.0
info:
  title: Parameters are as an earlier document said
  version: 1.0.0
x-override:
  note: Style, bounds and default as an earlier document said.
  published: Nothing on how these parameters are written, on their bounds or on their defaults.
  observed: >-
    The document of version {old} says it. A document that says nothing of it may have lost it, and a call that is written in
    another way may be refused. Delete an action to follow the document.
  reference: {reference}
  retire-when: The document says it of these parameters.
actions:
";

/// Locations of the new document that lack keywords, by the old value and the missing keywords; and the names of the parameters.
#[derive(Default)]
struct Silent {
    places: BTreeMap<(String, Vec<&'static str>), BTreeSet<String>>,
    names: BTreeSet<String>,
}

/// Finds the parameters.
pub(super) fn find(documents: &Documents<'_>) -> Found {
    let to = &documents.to;
    let mut found = Silent::default();
    for (a, slots) in &to.slots {
        for b in slots {
            found.parameter(to, a, b);
        }
    }
    let is_preserved = documents.accept && !found.names.is_empty();
    let written = found.places.iter().flat_map(|((said, keys), places)| {
        let keys = keys.iter().map(|key| format!("      {key}: null\n"));
        let guard = format!("    x-expect:\n{}", keys.collect::<String>());
        actions(to.new, places, "", &format!("{guard}    update: {said}\n"))
    });
    Found {
        actions: is_preserved.then(|| written.collect()),
        unsaid: Unsaid {
            places: found.names.into_iter().collect(),
            ..Unsaid::default()
        },
        ..Found::default()
    }
}

impl Silent {
    fn parameter(&mut self, to: &Correspondence<'_>, a: &str, b: &str) {
        let (Some(old), Some(new)) = (to.old.pointer(a), to.new.pointer(b)) else {
            return;
        };
        if [old, new]
            .iter()
            .any(|one| one.get("in").is_none() || one.get("schema").is_none())
        {
            return;
        }
        let place = format!("{b}/schema");
        let schema = to
            .old
            .pointer(&target_schema(to.old, &format!("{a}/schema")));
        let bounds = schema
            .zip(to.new.pointer(&place))
            .and_then(|(old, new)| bounds(old, new));
        let style = said(old).filter(|_| lacks(new, &STYLE));
        let name = new.get("name").and_then(Value::as_str).unwrap_or_default();
        for (said, keys, at) in [
            (style, STYLE.to_vec(), b.to_owned()),
            (bounds, of_values(), place),
        ] {
            if let Some(said) = said {
                self.names.insert(name.to_owned());
                self.places.entry((said, keys)).or_default().insert(at);
            }
        }
    }
}

fn lacks(value: &Value, keys: &[&str]) -> bool {
    keys.iter().all(|key| value.get(key).is_none())
}

/// Returns the values of some keys, as JSON.
fn members(value: &Value, keys: &[&str]) -> String {
    let said = keys.iter().filter_map(|key| {
        let value = value.get(key)?;
        Some(((*key).to_owned(), value.clone()))
    });
    Value::Object(said.collect::<Map<_, _>>()).to_string()
}

/// Returns the keywords that restrict values, except for the type.
fn of_values() -> Vec<&'static str> {
    names(&[Limit]).chain(["default"]).collect()
}

/// Returns the lost bounds of a schema, as JSON; `None` if the new one has any.
fn bounds(old: &Value, new: &Value) -> Option<String> {
    let keys = of_values();
    let is_silent = lacks(new, &keys) && !lacks(old, &keys);
    (old.get("type")? == new.get("type")? && is_silent).then(|| members(old, &keys))
}

/// Returns the style of a parameter, as JSON; `None` if it is the default.
fn said(parameter: &Value) -> Option<String> {
    let default = match parameter.get("in")?.as_str()? {
        "query" | "cookie" => "form",
        _ => "simple",
    };
    let style = parameter.get("style").and_then(Value::as_str);
    let style = style.unwrap_or(default);
    let explode = parameter.get("explode").and_then(Value::as_bool);
    let is_default = style == default && explode.is_none_or(|one| one == (style == "form"));
    (!is_default).then(|| members(parameter, &STYLE))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::said;

    #[test]
    fn what_holds_anyway_is_not_said() {
        for (parameter, expected) in [
            (json!({"in": "query"}), None),
            (
                json!({"in": "query", "style": "form", "explode": true}),
                None,
            ),
            (json!({"in": "path", "style": "simple"}), None),
            (json!({"in": "path", "explode": false}), None),
            (
                json!({"in": "query", "explode": false}),
                Some(r#"{"explode":false}"#),
            ),
            (
                json!({"in": "query", "style": "pipeDelimited"}),
                Some(r#"{"style":"pipeDelimited"}"#),
            ),
        ] {
            assert_eq!(said(&parameter).as_deref(), expected, "{parameter}");
        }
    }
}

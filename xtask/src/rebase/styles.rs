//! How lists and objects are written in parameters. Where the old document says it and the new one is silent, the default of OpenAPI holds
//! there: silence is no statement, and an override keeps the old style, if a person accepts it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::query::queries;
use crate::overrides::Family;

/// The file of the override.
const FILE: &str = "parameter-styles.yaml";
/// What says how a value is written.
const KEYS: [&str; 2] = ["style", "explode"];

/// Parameters of the new document that do not say how they are written, by what the old one says: where they stand.
#[derive(Debug, Default)]
pub(super) struct Styles {
    places: BTreeMap<String, BTreeSet<String>>,
    /// The names of the parameters.
    pub(super) names: BTreeSet<String>,
    /// The version of the old document.
    version: String,
}

/// Finds the parameters. Both documents have their overrides applied.
pub(super) fn styles(to: &Correspondence<'_>) -> Styles {
    let version = to.old.pointer("/info/version").and_then(Value::as_str);
    let mut found = Styles {
        version: version.unwrap_or("unknown").replace('\n', " "),
        ..Styles::default()
    };
    for (a, slots) in &to.slots {
        let Some(said) = to.old.pointer(a).and_then(said) else {
            continue;
        };
        let lists = |at: &&String| {
            let parameter = to.new.pointer(at);
            parameter.is_some_and(|one| {
                one.get("in").is_some() && one.get("schema").is_some() && is_silent(one)
            })
        };
        for at in slots.iter().filter(lists) {
            let name = to.new.pointer(at).and_then(|one| one.get("name")?.as_str());
            found.names.extend(name.map(str::to_owned));
            let places = found.places.entry(said.clone()).or_default();
            places.insert(at.clone());
        }
    }
    found
}

fn is_silent(parameter: &Value) -> bool {
    KEYS.iter().all(|key| parameter.get(key).is_none())
}

/// What a parameter says of its style, as JSON; `None` where it says what holds without it.
fn said(parameter: &Value) -> Option<String> {
    let default = match parameter.get("in")?.as_str()? {
        "query" | "cookie" => "form",
        _ => "simple",
    };
    let style = parameter.get("style").and_then(Value::as_str);
    let style = style.unwrap_or(default);
    let explode = parameter.get("explode").and_then(Value::as_bool);
    let is_default = style == default && explode.is_none_or(|one| one == (style == "form"));
    let said = KEYS.iter().filter_map(|key| {
        let value = parameter.get(key)?;
        Some(((*key).to_owned(), value.clone()))
    });
    (!is_default).then(|| Value::Object(said.collect::<Map<_, _>>()).to_string())
}

impl Styles {
    /// The text of the override that keeps the styles, behind what it says already.
    pub(super) fn text(&self, new: &Value, before: Option<&str>) -> String {
        let mut text = before.map_or_else(|| self.head(), str::to_owned);
        text.truncate(text.trim_end().len());
        text.push('\n');
        for (said, places) in &self.places {
            let places: Vec<String> = places.iter().cloned().collect();
            for (target, _) in queries(new, &places) {
                let target = Value::String(target);
                text.push_str(&format!(
                    "  - target: {target}\n    x-expect:\n      style: null\n      explode: null\n    update: {said}\n"
                ));
            }
        }
        text
    }

    fn head(&self) -> String {
        let version = &self.version;
        format!(
            "overlay: 1.1.0
info:
  title: Parameters are written as an earlier document said
  version: 1.0.0
x-override:
  note: Written as an earlier document said.
  published: Nothing on how these parameters are written, and then the default of OpenAPI holds.
  observed: >-
    The document of version {version} says how. A document that says nothing of it may have lost it, and a call that is written in
    another way may be refused. Delete an action to follow the document.
  reference: \"the document of version {version}\"
  retire-when: The document says how these parameters are written.
actions:
"
        )
    }
}

/// Where the override stands.
pub(super) fn path(folder: &str) -> String {
    format!("{folder}/{}/{FILE}", Family::Assumed.folder())
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

//! The `required` lists of overrides: names without a property, which have no effect, and assumptions that would cost a record.

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::Action;
use openapi_schemas::reading::{Document, choices, described, leads_on};
use serde_json::{Map, Value};

use super::load::{Family, Override, OverrideSet};
use super::preserved::is_preserved;
use super::vocabulary::ASSUMED;

const RULE: &str = "required-without-property";

/// Checks the `required` lists of all overrides against the reconciled document.
pub fn required(reconciled: &Source, set: &OverrideSet) -> Vec<Finding> {
    let all = set.overrides.iter();
    let actions = all.flat_map(|one| one.overlay.actions.iter().map(move |action| (one, action)));
    actions
        .flat_map(|(one, action)| of(&reconciled.value, one, action))
        .collect()
}

fn of(document: &Value, one: &Override, action: &Action) -> Vec<Finding> {
    let Some(update) = action.effect.update() else {
        return Vec::new();
    };
    let mut lists = Vec::new();
    required_lists(update, "", Some(""), &mut lists);
    let mut findings = promises(one, action, update, &lists);
    if lists.is_empty() {
        return findings;
    }
    let targets = openapi_overlay::nodes(&action.query, document);
    for List {
        below,
        owner,
        names,
        ..
    } in &lists
    {
        let Some(owner) = owner else { continue };
        for at in &targets {
            let place = format!("{at}{owner}");
            let schema = document.pointer(&place);
            for (index, name) in names.iter().enumerate() {
                let Some(name) = name.as_str() else { continue };
                if schema.is_none_or(|schema| may_have(document, schema, name)) {
                    continue;
                }
                findings.push(one.source.finding(
                    RULE,
                    format!("{}/update{below}/required/{index}", action.fields),
                    format!(
                        "`{}` says that `{name}` is required, and #{place} has no such property",
                        one.id
                    ),
                    "write the name that the property has, or take it from the list",
                ));
            }
        }
    }
    findings
}

/// Returns a finding for each list that an assumption makes a promise: a response without a number of it would be refused. What an update
/// preserves was promised by an earlier document.
fn promises(one: &Override, action: &Action, update: &Value, lists: &[List<'_>]) -> Vec<Finding> {
    if one.family != Family::Assumed || is_preserved(&one.source.path) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for list in lists {
        let marks = update.pointer(&list.marks);
        let marks = marks.and_then(|schema| schema.get(ASSUMED)?.as_array());
        let is_marked = marks.is_some_and(|marks| {
            marks.iter().any(|one| one == "required")
                || list.names.iter().all(|name| marks.contains(name))
        });
        if !is_marked {
            findings.push(one.source.finding(
                "assumed-required",
                format!("{}/update{}/required", action.fields, list.below),
                format!(
                    "`{}` assumes a list of required properties, and responses without one would be refused",
                    one.id
                ),
                format!("write `{ASSUMED}: [required]` beside the list"),
            ));
        }
    }
    findings
}

/// A list of required properties in what an action writes.
struct List<'u> {
    /// The pointer of its schema.
    below: String,
    /// The pointer of the schema that may mark it as an assumption.
    marks: String,
    /// The pointer of the schema that it is of, which has the same position in the document; `None` if the position is not known.
    owner: Option<String>,
    names: &'u [Value],
}

impl<'u> List<'u> {
    fn new(below: &str, marks: &str, owner: Option<&str>, names: &'u [Value]) -> Self {
        Self {
            below: below.to_owned(),
            marks: marks.to_owned(),
            owner: owner.map(str::to_owned),
            names,
        }
    }
}

/// Collects the lists of required properties in what an action writes. `owner` is the schema of whose compositions `update` is a part.
fn required_lists<'u>(update: &'u Value, at: &str, owner: Option<&str>, found: &mut Vec<List<'u>>) {
    let Value::Object(map) = update else { return };
    for (key, value) in map {
        let below = pointer::join(at, key);
        match value {
            Value::Array(names) if key == "required" => {
                found.push(List::new(at, at, owner, names));
            }
            _ if key.starts_with("x-") || key == "example" || key == "default" => {}
            Value::Array(parts) if leads_on(key) => {
                let is_choice = choices(update).any(|list| std::ptr::eq(list, parts.as_slice()));
                for (index, part) in parts.iter().enumerate() {
                    let below = format!("{below}/{index}");
                    match only_required(part) {
                        // One of the names of a property, which is required in its owner.
                        Some(names) if is_choice => {
                            found.push(List::new(&below, at, owner, names));
                        }
                        _ => required_lists(part, &below, owner, found),
                    }
                }
            }
            Value::Array(parts) if key == "prefixItems" => {
                for (index, part) in parts.iter().enumerate() {
                    required_lists(part, &format!("{below}/{index}"), None, found);
                }
            }
            _ => {
                let owner = owner.filter(|owner| *owner == at).map(|_| below.as_str());
                required_lists(value, &below, owner, found);
            }
        }
    }
}

/// Returns the list of a schema that has nothing else.
fn only_required(schema: &Value) -> Option<&[Value]> {
    let map = schema.as_object().filter(|map| map.len() == 1)?;
    map.get("required")?.as_array().map(Vec::as_slice)
}

/// Returns whether a schema may have a property: it declares it, or declares none.
fn may_have(root: &Value, schema: &Value, name: &str) -> bool {
    has_property(root, schema, name) || properties(root, schema).next().is_none()
}

/// Returns whether a schema declares a property, also behind references and in the parts of compositions.
pub(crate) fn has_property(root: &Value, schema: &Value, name: &str) -> bool {
    properties(root, schema).any(|properties| properties.contains_key(name))
}

/// Returns the properties of a schema, of its parts and of its alternatives.
fn properties<'d>(
    root: &'d Value,
    schema: &'d Value,
) -> impl Iterator<Item = &'d Map<String, Value>> {
    let all = described(&mut Document::new(root), schema).into_iter();
    all.filter_map(|one| one.get("properties")?.as_object())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn alternatives_that_refer_back_are_looked_at_once() {
        let all: Vec<Value> = (0..40)
            .map(|index| json!({"$ref": format!("#/schemas/Part{index}")}))
            .collect();
        let mut document = json!({"schemas": {"Whole": {"oneOf": all}}});
        for index in 0..40 {
            document["schemas"][format!("Part{index}")] = json!({"allOf": [
                {"$ref": "#/schemas/Whole"},
                {"properties": {format!("of{index}"): {}}},
            ]});
        }
        let whole = &document["schemas"]["Whole"];
        assert!(has_property(&document, whole, "of39"));
        assert!(!has_property(&document, whole, "other"));
    }
}

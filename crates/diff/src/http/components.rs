//! Everything beside the operations: members of the whole document, and components that no operation uses.

use openapi_document::source::BUNDLED;
use serde_json::Value;

use super::documents::Documents;
use super::flags::same_set;
use super::schemes::schemes;
use crate::schemas::Form;
use crate::verdicts::{KINDS, Mark, Part, Rule, changed, rules, way};
use openapi_schemas::reading::{Document, Site};

/// Address of the document itself, by which others refer to it.
const SELF: &str = "$self";

/// Compares the parts of the two documents outside of operations.
pub(crate) fn surroundings<'d>(documents: &mut Documents<'d>) {
    let (old, new) = (documents.schemas.old.root, documents.schemas.new.root);
    let known = [
        "openapi",
        "info",
        "tags",
        "paths",
        "webhooks",
        "components",
        "security",
        "servers",
        SELF,
        BUNDLED,
    ];
    let first = documents.schemas.graph.deltas.len();
    documents.leftovers(&[], 0, (old, new), &known);
    // An unknown keyword of the whole document may concern every operation.
    for delta in documents
        .schemas
        .graph
        .deltas
        .iter_mut()
        .skip(first)
        .filter(|delta| delta.rule.part == Part::Unknown)
    {
        delta.ways = way::BOTH;
    }
    if old.get(SELF) != new.get(SELF) {
        let (a, b) = (old.get(SELF), new.get(SELF));
        let marks = (Mark::within(a, old), Mark::within(b, new));
        documents.aside(&rules::NO_EFFECT, marks.0, marks.1, || changed(SELF, a, b));
    }
    for keyword in ["info", "tags"] {
        annotations_of_document(documents, keyword);
    }
    // A default that every operation overrides reaches no message.
    for keyword in ["security", "servers"] {
        let (a, b) = (old.get(keyword), new.get(keyword));
        let seen = documents.schemas.graph.deltas.iter().any(|delta| {
            let inside = |mark: Mark<'d>, list: Option<&'d Value>| {
                let ours = |value: &'d Value| {
                    let all = list.and_then(Value::as_array).into_iter().flatten();
                    all.chain(list).any(|one| std::ptr::eq(one, value))
                };
                mark.value.is_some_and(ours) || mark.home.is_some_and(ours)
            };
            inside(delta.old, a) || inside(delta.new, b)
        });
        let same = match keyword {
            "security" => same_set(a, b),
            _ => a == b || documents.has_compared_servers,
        };
        if !same && !seen {
            documents.aside(
                &rules::COMPONENT_CHANGED,
                Mark::within(a, old),
                Mark::within(b, new),
                || changed(keyword, a, b),
            );
        }
    }
    schemes(documents);
    if let (Some(a), Some(b)) = (old.get("components"), new.get("components")) {
        let known = KINDS.map(|(kind, _)| kind);
        documents.leftovers(&[], 0, (a, b), &known);
    }
    unused(documents);
}

fn annotations_of_document<'d>(documents: &mut Documents<'d>, keyword: &'static str) {
    let (a, b) = (
        documents.schemas.old.root.get(keyword),
        documents.schemas.new.root.get(keyword),
    );
    let a = a.map(|value| documents.schemas.old.object(value).unwrap_or(value));
    let b = b.map(|value| documents.schemas.new.object(value).unwrap_or(value));
    match (a.and_then(Value::as_object), b.and_then(Value::as_object)) {
        (Some(x), Some(y)) => {
            let keys = x.keys().chain(y.keys().filter(|key| !x.contains_key(*key)));
            for key in keys.filter(|key| x.get(*key) != y.get(*key)) {
                let (m, n) = (x.get(key), y.get(key));
                let rule = Rule::of_member(key, &rules::DOCS_CHANGED);
                let home = |value: Option<&'d Value>, root| value.unwrap_or(root);
                let (old, new) = (
                    Mark::within(m, home(a, documents.schemas.old.root)),
                    Mark::within(n, home(b, documents.schemas.new.root)),
                );
                documents.aside(rule, old, new, || changed(key, m, n));
            }
        }
        _ if a == b => {}
        _ => {
            let (old, new) = (
                Mark::within(a, documents.schemas.old.root),
                Mark::within(b, documents.schemas.new.root),
            );
            documents.aside(&rules::DOCS_CHANGED, old, new, || changed(keyword, a, b));
        }
    }
}

/// Compares components that no operation uses, in at least one of the documents.
fn unused<'d>(documents: &mut Documents<'d>) {
    let all = |side: &mut Document<'d>, kind: &str| {
        let listed = side.root.get("components").and_then(|all| all.get(kind));
        listed
            .and_then(|listed| side.object(listed))
            .and_then(Value::as_object)
    };
    let (used_old, used_new) = (documents.schemas.old.used(), documents.schemas.new.used());
    for (kind, name_of_kind) in KINDS
        .into_iter()
        .filter(|(kind, _)| *kind != "securitySchemes")
    {
        let (before, after) = (
            all(&mut documents.schemas.old, kind),
            all(&mut documents.schemas.new, kind),
        );
        let names = before.into_iter().flat_map(|map| map.keys());
        let more = after.into_iter().flat_map(|map| map.keys());
        for name in
            names.chain(more.filter(|name| before.is_none_or(|map| !map.contains_key(*name))))
        {
            let (a, b) = (
                before.and_then(|map| map.get(name)),
                after.and_then(|map| map.get(name)),
            );
            // References to examples are never followed.
            let example = kind == "examples";
            let in_old = a.is_some_and(|a| used_old.contains(&std::ptr::from_ref(a)));
            let in_new = b.is_some_and(|b| used_new.contains(&std::ptr::from_ref(b)));
            match (a, b) {
                (Some(a), Some(b)) if kind == "schemas" && !(in_old && in_new) => {
                    let site = |schema: &'d Value| Site::new(Some(schema), schema);
                    documents.schemas.start(site(a), site(b), Form::Data);
                }
                (Some(a), Some(b)) if a != b && (example || !(in_old && in_new)) => {
                    let rule = if example {
                        &rules::DOCS_CHANGED
                    } else {
                        &rules::COMPONENT_CHANGED
                    };
                    documents.aside(rule, Mark::at(a), Mark::at(b), || {
                        format!("the {name_of_kind} `{name}` changed")
                    });
                }
                (Some(a), None) if example || !in_old => {
                    documents.aside(&rules::COMPONENT_REMOVED, Mark::at(a), Mark::NONE, || {
                        format!("the {name_of_kind} `{name}` is gone")
                    });
                }
                (None, Some(b)) if example || !in_new => {
                    documents.aside(&rules::COMPONENT_ADDED, Mark::NONE, Mark::at(b), || {
                        format!("the {name_of_kind} `{name}` is new")
                    });
                }
                _ => {}
            }
        }
    }
}

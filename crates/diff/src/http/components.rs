//! Everything beside the operations: members of the whole document, and components that no operation uses.

use std::collections::HashSet;

use openapi_document::source::BUNDLED;
use serde_json::Value;

use super::documents::Documents;
use super::flags::same_set;
use super::schemes::schemes;
use crate::schemas::Form;
use crate::verdicts::{Both, KINDS, Keyword, Mark, Marks, Rule, rules, way};
use openapi_schemas::reading::{Document, Site};

/// Address of the document itself, by which others refer to it.
const SELF: &str = "$self";

/// Compares the parts of the two documents outside of operations.
pub(crate) fn surroundings(documents: &mut Documents<'_>) {
    let roots = documents.roots();
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
    // An unknown keyword of the whole document may concern every operation.
    let dialect = roots.keyword("jsonSchemaDialect");
    let is_usual = is_usual(dialect.old) && is_usual(dialect.new);
    documents.leftovers_of(&[], way::BOTH, roots, |name| {
        known.contains(&name) || name == dialect.name && is_usual
    });
    for keyword in [roots.keyword(SELF), dialect] {
        if keyword.differs() && (keyword.name == SELF || is_usual) {
            documents.aside(&rules::NO_EFFECT, keyword, || keyword.changed());
        }
    }
    for name in ["info", "tags"] {
        annotations_of_document(documents, roots.keyword(name));
    }
    let (security, servers) = (roots.keyword("security"), roots.keyword("servers"));
    if !same_set(security) {
        unless_used(documents, security);
    }
    if servers.differs() && !documents.has_compared_servers {
        unless_used(documents, servers);
    }
    schemes(documents);
    if let Some(components) = roots.keyword("components").both() {
        documents.leftovers_of(&[], 0, components, |name| {
            KINDS.iter().any(|(kind, _)| *kind == name)
        });
    }
    unused(documents);
}

/// Returns whether a dialect of schemas is that of OpenAPI, which is the default, or the one below it.
fn is_usual(dialect: Option<&Value>) -> bool {
    dialect.is_none_or(|dialect| {
        dialect.as_str().is_some_and(|dialect| {
            dialect.starts_with("https://spec.openapis.org/oas/")
                || dialect == "https://json-schema.org/draft/2020-12/schema"
        })
    })
}

/// Records a changed default of all operations. If every operation overrides it, it reaches no message.
fn unless_used<'d>(documents: &mut Documents<'d>, keyword: Keyword<'_, 'd>) {
    let mut deltas = documents.schemas.graph.deltas.iter();
    if !deltas.any(|one| is_in(one.marks.old, keyword.old) || is_in(one.marks.new, keyword.new)) {
        documents.aside(&rules::COMPONENT_CHANGED, keyword, || keyword.changed());
    }
}

/// Returns whether a difference points at a list or one of its elements.
fn is_in(mark: Mark<'_>, list: Option<&Value>) -> bool {
    let elements = list.and_then(Value::as_array).into_iter().flatten();
    let mut marked = [mark.value, mark.home].into_iter().flatten();
    let all: Vec<&Value> = elements.chain(list).collect();
    marked.any(|value| all.iter().any(|one| std::ptr::eq(*one, value)))
}

fn annotations_of_document<'d>(documents: &mut Documents<'d>, mut keyword: Keyword<'_, 'd>) {
    let schemas = &mut documents.schemas;
    keyword.old = (keyword.old).map(|value| schemas.old.object(value).unwrap_or(value));
    keyword.new = (keyword.new).map(|value| schemas.new.object(value).unwrap_or(value));
    match keyword.both() {
        Some(both) if both.old.is_object() && both.new.is_object() => {
            for member in both.keywords().filter(|member| member.differs()) {
                let rule = Rule::of_member(member.name, &rules::DOCS_CHANGED);
                documents.aside(rule, member, || member.changed());
            }
        }
        _ if keyword.differs() => {
            documents.aside(&rules::DOCS_CHANGED, keyword, || keyword.changed());
        }
        _ => {}
    }
}

/// Returns the components of a kind.
fn components<'d>(side: &mut Document<'d>, kind: &str) -> Option<&'d Value> {
    let listed = side.root.get("components")?.get(kind)?;
    side.object(listed)
}

/// Returns whether a value is among those that operations use.
fn is_used(used: &HashSet<*const Value>, component: Option<&Value>) -> bool {
    component.is_some_and(|one| used.contains(&std::ptr::from_ref(one)))
}

/// Compares components that no operation uses, in at least one of the documents.
fn unused(documents: &mut Documents<'_>) {
    let roots = documents.roots();
    let schemas = &mut documents.schemas;
    let none = HashSet::new();
    let (used_old, used_new) = (schemas.old.used(&none), schemas.new.used(&none));
    for (kind, kind_name) in KINDS {
        if kind == "securitySchemes" {
            continue;
        }
        let all = Keyword {
            name: kind,
            home: roots,
            old: components(&mut documents.schemas.old, kind),
            new: components(&mut documents.schemas.new, kind),
        };
        for component in all.entries() {
            let name = component.name;
            // References to examples are never followed.
            let is_example = kind == "examples";
            let in_old = !is_example && is_used(&used_old, component.old);
            let in_new = !is_example && is_used(&used_new, component.new);
            match (component.old, component.new) {
                (Some(_), Some(_)) if in_old && in_new => {}
                (Some(old), Some(new)) if kind == "schemas" => {
                    let [old, new] = [old, new].map(|schema| Site::new(Some(schema), schema));
                    documents.schemas.start(old, new, Form::Data);
                }
                (Some(old), Some(new)) if old != new => {
                    let rule = if is_example {
                        &rules::DOCS_CHANGED
                    } else {
                        &rules::COMPONENT_CHANGED
                    };
                    documents.aside(rule, Both { old, new }, || {
                        format!("the {kind_name} `{name}` changed")
                    });
                }
                (Some(old), None) if !in_old => {
                    documents.aside(&rules::COMPONENT_REMOVED, Marks::removed(old), || {
                        format!("the {kind_name} `{name}` is gone")
                    });
                }
                (None, Some(new)) if !in_new => {
                    documents.aside(&rules::COMPONENT_ADDED, Marks::added(new), || {
                        format!("the {kind_name} `{name}` is new")
                    });
                }
                _ => {}
            }
        }
    }
}

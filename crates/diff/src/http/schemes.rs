//! Definitions of security schemes: matches those of the two documents and compares them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::documents::Documents;
use crate::verdicts::{Mark, Rule, changed, rules, way};

/// Returns the name of an old scheme in the new document.
pub(super) fn scheme_in_new<'d>(documents: &Documents<'d>, name: &'d str) -> &'d str {
    let schemes = |root: &'d Value| {
        root.get("components")
            .and_then(|all| all.get("securitySchemes"))
            .and_then(Value::as_object)
    };
    let (Some(before), Some(after)) = (
        schemes(documents.schemas.old.root),
        schemes(documents.schemas.new.root),
    ) else {
        return name;
    };
    let Some(own) = before.get(name).filter(|_| !after.contains_key(name)) else {
        return name;
    };
    let renamed = after
        .iter()
        .find(|(other, value)| !before.contains_key(*other) && *value == own);
    renamed.map_or(name, |(other, _)| other)
}

/// Compares the definitions of the schemes.
pub(super) fn schemes<'d>(documents: &mut Documents<'d>) {
    let all = |root: &'d Value| {
        root.get("components")
            .and_then(|all| all.get("securitySchemes"))
            .and_then(Value::as_object)
    };
    let (before, after) = (
        all(documents.schemas.old.root),
        all(documents.schemas.new.root),
    );
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for (name, a) in before.into_iter().flatten() {
        let new_name = scheme_in_new(documents, name);
        taken.insert(new_name);
        let users = documents
            .scheme_users
            .get(new_name)
            .cloned()
            .unwrap_or_default();
        let Some(b) = after.and_then(|map| map.get(new_name)) else {
            documents.aside(&rules::COMPONENT_REMOVED, Mark::at(a), Mark::NONE, || {
                format!("the security scheme `{name}` is gone")
            });
            continue;
        };
        documents.met(a, b);
        let (Some(a), Some(b)) = (
            documents.schemas.old.object(a),
            documents.schemas.new.object(b),
        ) else {
            documents.leftovers(&users, way::BOTH, (a, b), &[]);
            continue;
        };
        scheme(documents, &users, a, b);
    }
    for (name, b) in after
        .into_iter()
        .flatten()
        .filter(|(name, _)| !taken.contains(name.as_str()))
    {
        documents.aside(&rules::COMPONENT_ADDED, Mark::NONE, Mark::at(b), || {
            format!("the security scheme `{name}` is new")
        });
    }
}

/// Compares one scheme of both documents.
fn scheme<'d>(documents: &mut Documents<'d>, users: &[usize], a: &'d Value, b: &'d Value) {
    let deprecation = match b.get("deprecated") {
        Some(Value::Bool(true)) => &rules::DEPRECATED,
        _ => &rules::UNDEPRECATED,
    };
    for (keyword, rule) in [
        ("type", &rules::SECURITY_SCHEME),
        ("name", &rules::SECURITY_SCHEME),
        ("in", &rules::SECURITY_SCHEME),
        ("scheme", &rules::SECURITY_SCHEME),
        ("openIdConnectUrl", &rules::SECURITY_FLOW),
        ("oauth2MetadataUrl", &rules::SECURITY_FLOW),
        ("bearerFormat", &rules::DOCS_CHANGED),
        ("deprecated", deprecation),
    ] {
        let (x, y) = (a.get(keyword), b.get(keyword));
        let is_said =
            |value: Option<&Value>| value.is_some_and(|value| *value != Value::Bool(false));
        if x != y && (is_said(x) || is_said(y)) {
            // Names of headers and of schemes are case-insensitive.
            let is_header = a.get("in").is_some_and(|place| place == "header");
            let has_case = keyword != "scheme" && !(keyword == "name" && is_header);
            // Added metadata of the flows repeats their addresses.
            let is_hint = keyword == "oauth2MetadataUrl" && x.is_none();
            let rule = if is_hint || !has_case && same_letters(x, y) {
                &rules::NO_EFFECT
            } else {
                rule
            };
            scheme_delta(documents, users, rule, (x, a), (y, b), || {
                changed(keyword, x, y)
            });
        }
    }
    flows(documents, users, a, b);
    let known = [
        "type",
        "name",
        "in",
        "scheme",
        "openIdConnectUrl",
        "oauth2MetadataUrl",
        "bearerFormat",
        "deprecated",
        "flows",
    ];
    documents.leftovers(users, way::BOTH, (a, b), &known);
}

fn scheme_delta<'d>(
    documents: &mut Documents<'d>,
    users: &[usize],
    rule: &'static Rule,
    (x, a): (Option<&'d Value>, &'d Value),
    (y, b): (Option<&'d Value>, &'d Value),
    what: impl FnOnce() -> String,
) {
    let delta = documents.aside(rule, Mark::within(x, a), Mark::within(y, b), what);
    for user in users {
        documents.schemas.graph.reached(delta, *user, way::BOTH);
    }
}

fn flows<'d>(documents: &mut Documents<'d>, users: &[usize], a: &'d Value, b: &'d Value) {
    let (Some(a), Some(b)) = (a.get("flows"), b.get("flows")) else {
        if a.get("flows") != b.get("flows") {
            let (x, y) = (a.get("flows"), b.get("flows"));
            scheme_delta(
                documents,
                users,
                &rules::SECURITY_FLOW,
                (x, a),
                (y, b),
                || changed("flows", x, y),
            );
        }
        return;
    };
    let keys = |x: &'d Value, y: &'d Value| -> BTreeSet<&'d str> {
        [x, y]
            .into_iter()
            .filter_map(Value::as_object)
            .flat_map(|map| map.keys())
            .map(String::as_str)
            .collect()
    };
    for flow in keys(a, b) {
        let (Some(x), Some(y)) = (a.get(flow), b.get(flow)) else {
            let rule = if b.get(flow).is_some() {
                &rules::SECURITY_LOOSENED
            } else {
                &rules::SECURITY_FLOW
            };
            let (x, y) = (a.get(flow), b.get(flow));
            scheme_delta(documents, users, rule, (x, a), (y, b), || {
                changed(flow, x, y)
            });
            continue;
        };
        for key in keys(x, y) {
            let (m, n) = (x.get(key), y.get(key));
            if m == n {
                continue;
            }
            let (Some(m), Some(n), "scopes") = (m, n, key) else {
                let rule = Rule::of_member(key, &rules::SECURITY_FLOW);
                scheme_delta(documents, users, rule, (m, x), (n, y), || {
                    changed(key, m, n)
                });
                continue;
            };
            for scope in keys(m, n) {
                let (p, q) = (m.get(scope), n.get(scope));
                let rule = match (p, q) {
                    _ if p == q => continue,
                    (Some(_), Some(_)) => &rules::DOCS_CHANGED,
                    (None, _) => &rules::SECURITY_LOOSENED,
                    (Some(_), None) => &rules::SECURITY_FLOW,
                };
                scheme_delta(documents, users, rule, (p, m), (q, n), || {
                    changed(scope, p, q)
                });
            }
        }
    }
}

/// Returns whether two strings differ in case alone.
fn same_letters(a: Option<&Value>, b: Option<&Value>) -> bool {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_lowercase);
    a.is_some() && text(a) == text(b)
}

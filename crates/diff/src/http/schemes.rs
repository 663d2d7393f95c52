//! Definitions of security schemes: matches those of the two documents and compares them.

use std::collections::BTreeSet;

use openapi_document::keywords::is_words;
use serde_json::{Map, Value};

use super::documents::Documents;
use crate::verdicts::{Both, Keyword, Marks, Rule, rules, way};

/// Returns the schemes of both documents.
fn schemes_of<'d>(documents: &Documents<'d>) -> Keyword<'static, 'd> {
    let components = documents.roots().keyword("components");
    components.inner("securitySchemes")
}

/// Returns the name of an old scheme in the new document.
pub(super) fn scheme_in_new<'d>(documents: &Documents<'d>, name: &'d str) -> &'d str {
    let Some(schemes) = schemes_of(documents).both() else {
        return name;
    };
    let own = schemes.keyword(name);
    if own.old.is_none() || own.new.is_some() {
        return name;
    }
    let mut all = schemes.keywords();
    let renamed = all.find(|one| one.old.is_none() && is_same(own.old, one.new));
    renamed.map_or(name, |renamed| renamed.name)
}

/// Returns whether two schemes are the same, apart from their descriptions.
fn is_same(old: Option<&Value>, new: Option<&Value>) -> bool {
    let old = old.and_then(meaning);
    old.is_some() && old == new.and_then(meaning)
}

/// Returns the members of a scheme that requests depend on. Names of headers and of schemes are case-insensitive.
fn meaning(scheme: &Value) -> Option<Map<String, Value>> {
    let mut members = scheme.as_object()?.clone();
    members.retain(|key, _| !is_words(key) && key != "bearerFormat" && !key.starts_with("x-"));
    let is_header = members.get("in").is_some_and(|place| place == "header");
    for (key, value) in &mut members {
        let text = value
            .as_str()
            .filter(|_| key == "scheme" || key == "name" && is_header);
        if let Some(text) = text.map(str::to_lowercase) {
            *value = text.into();
        }
    }
    Some(members)
}

/// Compares the definitions of the schemes.
pub(super) fn schemes(documents: &mut Documents<'_>) {
    let schemes = schemes_of(documents);
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for one in schemes.entries() {
        let Some(old) = one.old else {
            continue;
        };
        let new_name = scheme_in_new(documents, one.name);
        taken.insert(new_name);
        let Some(new) = schemes.inner(new_name).new else {
            documents.aside(&rules::COMPONENT_REMOVED, Marks::removed(old), || {
                format!("the security scheme `{}` is gone", one.name)
            });
            continue;
        };
        let users = documents.scheme_users.get(new_name);
        let users = users.cloned().unwrap_or_default();
        let both = Both { old, new };
        documents.met(both);
        match documents.resolved(both) {
            Some(both) => scheme(documents, &users, both),
            None => documents.leftovers_of(&users, way::BOTH, both, |_| false),
        }
    }
    for one in schemes.entries() {
        if let Some(new) = one.new.filter(|_| !taken.contains(one.name)) {
            documents.aside(&rules::COMPONENT_ADDED, Marks::added(new), || {
                format!("the security scheme `{}` is new", one.name)
            });
        }
    }
}

/// Compares one scheme of both documents.
fn scheme<'d>(documents: &mut Documents<'d>, users: &[usize], both: Both<'d>) {
    let deprecated = both.keyword("deprecated");
    let deprecation = deprecated.switched([&rules::DEPRECATED, &rules::UNDEPRECATED]);
    // Names of headers and of schemes are case-insensitive.
    let is_header = both.old.get("in").is_some_and(|place| place == "header");
    let rows = [
        ("type", &rules::SECURITY_SCHEME),
        ("name", &rules::SECURITY_SCHEME),
        ("in", &rules::SECURITY_SCHEME),
        ("scheme", &rules::SECURITY_SCHEME),
        ("openIdConnectUrl", &rules::SECURITY_FLOW),
        ("oauth2MetadataUrl", &rules::SECURITY_FLOW),
        ("bearerFormat", &rules::DOCS_CHANGED),
        ("deprecated", deprecation.unwrap_or(&rules::UNDEPRECATED)),
    ];
    for (name, rule) in rows {
        let keyword = both.keyword(name);
        if !keyword.differs() || !(is_said(keyword.old) || is_said(keyword.new)) {
            continue;
        }
        let has_no_effect = match name {
            "scheme" => is_same_but_for_case(keyword),
            "name" => is_header && is_same_but_for_case(keyword),
            // Added metadata of the flows repeats their addresses.
            "oauth2MetadataUrl" => keyword.old.is_none(),
            _ => false,
        };
        let rule = if has_no_effect {
            &rules::NO_EFFECT
        } else {
            rule
        };
        changed(documents, users, rule, keyword);
    }
    flows(documents, users, both.keyword("flows"));
    documents.leftovers_of(users, way::BOTH, both, |name| {
        name == "flows" || rows.iter().any(|(known, _)| *known == name)
    });
}

/// Returns whether a keyword is there, and is not `false`.
fn is_said(value: Option<&Value>) -> bool {
    value.is_some_and(|value| *value != Value::Bool(false))
}

/// Records that two objects of a scheme differ under a keyword.
fn changed<'d>(
    documents: &mut Documents<'d>,
    users: &[usize],
    rule: &'static Rule,
    keyword: Keyword<'_, 'd>,
) {
    let delta = documents.aside(rule, keyword, || keyword.changed());
    let graph = &mut documents.schemas.graph;
    graph.reached_by_each(delta, users, way::BOTH);
}

fn flows<'d>(documents: &mut Documents<'d>, users: &[usize], keyword: Keyword<'_, 'd>) {
    let Some(flows) = keyword.both() else {
        if keyword.differs() {
            changed(documents, users, &rules::SECURITY_FLOW, keyword);
        }
        return;
    };
    for flow in by_name(flows) {
        let Some(members) = flow.both() else {
            let rule = if flow.new.is_some() {
                &rules::SECURITY_LOOSENED
            } else {
                &rules::SECURITY_FLOW
            };
            changed(documents, users, rule, flow);
            continue;
        };
        for member in by_name(members) {
            match member.both() {
                _ if !member.differs() => {}
                Some(scopes) if member.name == "scopes" => changed_scopes(documents, users, scopes),
                _ => {
                    let rule = Rule::of_member(member.name, &rules::SECURITY_FLOW);
                    changed(documents, users, rule, member);
                }
            }
        }
    }
}

fn changed_scopes<'d>(documents: &mut Documents<'d>, users: &[usize], scopes: Both<'d>) {
    for scope in by_name(scopes).into_iter().filter(|scope| scope.differs()) {
        let rule = match (scope.old, scope.new) {
            (Some(_), Some(_)) => &rules::DOCS_CHANGED,
            (None, _) => &rules::SECURITY_LOOSENED,
            (Some(_), None) => &rules::SECURITY_FLOW,
        };
        changed(documents, users, rule, scope);
    }
}

/// Returns the members of two objects, ordered by name.
fn by_name(both: Both<'_>) -> Vec<Keyword<'_, '_>> {
    let mut members: Vec<_> = both.keywords().collect();
    members.sort_by_key(|member| member.name);
    members
}

/// Returns whether two strings differ in case alone.
fn is_same_but_for_case(keyword: Keyword<'_, '_>) -> bool {
    let [old, new] = [keyword.old, keyword.new]
        .map(|value| value.and_then(Value::as_str).map(str::to_lowercase));
    keyword.old.is_some() && old == new
}

//! Headers of responses and of parts of a body, by case-insensitive name.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::json::members_of;
use serde_json::Value;

use super::documents::Documents;
use super::flags::{deprecation, is_required, requirement};
use super::scope::Scope;
use super::written::written;
use crate::verdicts::{Both, Keyword, rules};

/// Returns the headers of an object by their names in lowercase.
fn by_name(holder: &Value) -> BTreeMap<String, &Value> {
    let listed = members_of(holder, "headers");
    listed
        .map(|(name, header)| (name.to_lowercase(), header))
        .collect()
}

pub(super) fn headers<'d>(documents: &mut Documents<'d>, scope: Scope, both: Both<'d>) {
    let (mut before, mut after) = (by_name(both.old), by_name(both.new));
    // The keys of `content` replace such a header. A reference to it counts as followed.
    for (headers, side) in [
        (&mut before, &mut documents.schemas.old),
        (&mut after, &mut documents.schemas.new),
    ] {
        let _ = headers.remove("content-type").map(|one| side.object(one));
    }
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let member = Keyword {
            name,
            home: both,
            old: before.get(name).copied(),
            new: after.get(name).copied(),
        };
        let schemas = &mut documents.schemas;
        let old = member.old.and_then(|old| schemas.old.object(old));
        let new = member.new.and_then(|new| schemas.new.object(new));
        let removed = if old.is_some_and(is_required) {
            &rules::HEADER_REMOVED_REQUIRED
        } else {
            &rules::HEADER_REMOVED
        };
        let added = if new.is_some_and(is_required) {
            &rules::HEADER_ADDED_REQUIRED
        } else {
            &rules::HEADER_ADDED
        };
        let sentences = ["gone", "new"].map(|state| format!("the header `{name}` is {state}"));
        let found = documents.in_both(scope, member, [removed, added], sentences);
        if let Some(both) = found.and_then(|both| documents.objects_of(scope, both)) {
            header(documents, scope, name, both);
        }
    }
}

fn header<'d>(documents: &mut Documents<'d>, scope: Scope, name: &str, both: Both<'d>) {
    let rules = [
        &rules::HEADER_BECAME_REQUIRED,
        &rules::HEADER_BECAME_OPTIONAL,
    ];
    let what = format!("the header `{name}`");
    requirement(documents, scope, both, rules, &what);
    deprecation(documents, scope, both);
    written(documents, scope, both, "header", "header");
    let known = [
        "required",
        "deprecated",
        "schema",
        "content",
        "style",
        "explode",
        "allowReserved",
        "name",
        "in",
    ];
    documents.leftovers(scope, both, &known);
}

//! Headers of responses and of parts of a body, by case-insensitive name.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::Documents;
use super::flags::{deprecation, is_required, requirement};
use super::scope::Scope;
use super::written::written;
use crate::verdicts::{Both, rules};

/// Returns the headers of an object by their names in lowercase.
fn by_name(holder: &Value) -> BTreeMap<String, &Value> {
    let map = holder.get("headers").and_then(Value::as_object);
    let listed = map.into_iter().flatten();
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
    for (name, old) in &before {
        if let Some(new) = after.get(name) {
            if let Some(both) = documents.objects_of(scope, Both { old, new }) {
                header(documents, scope, name, both);
            }
            continue;
        }
        let is_required = documents.schemas.old.object(old).is_some_and(is_required);
        let rule = if is_required {
            &rules::HEADER_REMOVED_REQUIRED
        } else {
            &rules::HEADER_REMOVED
        };
        documents.gone(scope, rule, old, || format!("the header `{name}` is gone"));
    }
    for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        let is_required = documents.schemas.new.object(new).is_some_and(is_required);
        let rule = if is_required {
            &rules::HEADER_ADDED_REQUIRED
        } else {
            &rules::HEADER_ADDED
        };
        documents.come(scope, rule, new, || format!("the header `{name}` is new"));
    }
}

fn header<'d>(documents: &mut Documents<'d>, scope: Scope, name: &str, both: Both<'d>) {
    let rules = [
        &rules::HEADER_BECAME_REQUIRED,
        &rules::HEADER_BECAME_OPTIONAL,
    ];
    requirement(
        documents,
        scope,
        both,
        rules,
        &format!("the header `{name}`"),
    );
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

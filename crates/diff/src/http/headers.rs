//! Headers of responses and of parts of a body, by case-insensitive name.

use std::collections::BTreeMap;

use serde_json::Value;

use super::documents::Documents;
use super::flags::{deprecation, is_required};
use super::scope::Scope;
use super::written::written;
use crate::verdicts::{Mark, rules};

pub(super) fn headers<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    a: &'d Value,
    b: &'d Value,
) {
    let all = |response: &'d Value| -> BTreeMap<String, &'d Value> {
        let map = response.get("headers").and_then(Value::as_object);
        let listed = map.into_iter().flatten();
        listed
            .map(|(name, header)| (name.to_lowercase(), header))
            .collect()
    };
    let (mut before, mut after) = (all(a), all(b));
    // The keys of `content` replace such a header. A reference to it counts as followed.
    for (headers, side) in [
        (&mut before, &mut documents.schemas.old),
        (&mut after, &mut documents.schemas.new),
    ] {
        let _ = headers.remove("content-type").map(|one| side.object(one));
    }
    for (name, x) in &before {
        match after.get(name) {
            Some(y) => {
                if let Some((x, y)) = documents.objects_of(scope, ways, x, y) {
                    header(documents, scope, ways, name, x, y);
                }
            }
            None => {
                let required = documents.schemas.old.object(x).is_some_and(is_required);
                let rule = if required {
                    &rules::HEADER_REMOVED_REQUIRED
                } else {
                    &rules::HEADER_REMOVED
                };
                documents.gone(scope.by(ways), rule, x, || {
                    format!("the header `{name}` is gone")
                });
            }
        }
    }
    for (name, y) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        let required = documents.schemas.new.object(y).is_some_and(is_required);
        let rule = if required {
            &rules::HEADER_ADDED_REQUIRED
        } else {
            &rules::HEADER_ADDED
        };
        documents.come(scope.by(ways), rule, y, || {
            format!("the header `{name}` is new")
        });
    }
}

fn header<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    name: &str,
    a: &'d Value,
    b: &'d Value,
) {
    if is_required(a) != is_required(b) {
        let (rule, now) = if is_required(b) {
            (&rules::HEADER_BECAME_REQUIRED, "required")
        } else {
            (&rules::HEADER_BECAME_OPTIONAL, "optional")
        };
        documents.note(scope.by(ways), rule, Mark::at(a), Mark::at(b), || {
            format!("the header `{name}` became {now}")
        });
    }
    deprecation(documents, scope, a, b);
    written(documents, scope, ways, (a, "header"), (b, "header"));
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
    documents.leftovers(&[scope.operation], ways, (a, b), &known);
}

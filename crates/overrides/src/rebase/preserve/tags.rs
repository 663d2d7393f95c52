//! Names of handles and features, where a document only gives another name to their tag.

use std::collections::{BTreeMap, BTreeSet};

use openapi_model::{has_names_of_tags, names, tag_name, tag_of};
use openapi_schemas::operations;
use serde_json::{Value, json};

use crate::plain::Plain;
use crate::rebase::correspondence::Correspondence;
use crate::rebase::pointers::is_operation;

/// Returns tags of the new document with the names that callers know. All operations of an earlier tag have the new one, and no others had it.
pub(super) fn renamed(
    to: &Correspondence<'_>,
    package: Option<&Plain>,
) -> BTreeMap<String, String> {
    let mut described = json!({"info": to.new.get("info")});
    if let Some(package) = package {
        package.apply(&mut described, &mut Vec::new());
    }
    let package = described.pointer("/info/x-rust-package");
    if !has_names_of_tags(package, operations(to.new).count()) {
        return BTreeMap::new();
    }
    let (mut after, mut before) = (Tags::new(), Tags::new());
    for (old, all) in to.slots.iter().filter(|(old, _)| is_operation(old)) {
        let Some(was) = tag_at(to.old, old) else {
            continue;
        };
        for now in all.iter().filter_map(|new| tag_at(to.new, new)) {
            after.entry(was).or_default().insert(now);
            before.entry(now).or_default().insert(was);
        }
    }
    let (old, new) = (tags(to.old), tags(to.new));
    let mut renamed = BTreeMap::new();
    for (was, all) in after {
        let mut all = all.into_iter();
        let (Some(now), None) = (all.next(), all.next()) else {
            continue;
        };
        let is_same = was == now || !new.contains(was) && !old.contains(now);
        let is_alone = before.get(now).is_some_and(|all| all.len() == 1);
        let [known, given] = [tag_name(to.old, was), tag_name(to.new, now)];
        if is_same && is_alone && names::snake(known) != names::snake(given) {
            renamed.insert(now.to_owned(), known.to_owned());
        }
    }
    renamed
}

type Tags<'d> = BTreeMap<&'d str, BTreeSet<&'d str>>;

fn tag_at<'d>(document: &'d Value, operation: &str) -> Option<&'d str> {
    tag_of(document, document.pointer(operation)?)
}

fn tags(document: &Value) -> BTreeSet<&str> {
    let all = operations(document);
    all.filter_map(|one| tag_of(document, one.value)).collect()
}

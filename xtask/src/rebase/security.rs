//! Operations that needed credentials, and that the new document lets anybody call, too. Tools add that alternative from the settings of their
//! framework. An override keeps the credentials required, if a person accepts it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::beginning::{begun, reference, version};
use super::chain::is_operation;
use super::correspondence::Correspondence;
use super::query::queries;
use crate::pointer;

const SECURITY: &str = "security";

/// Where the new document has the alternative of no credential.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The operations, as pointers into the old document.
    pub(super) operations: BTreeSet<String>,
    /// Operations whose list names no credential now. That is a statement, and is followed.
    pub(super) free: BTreeSet<String>,
    /// Operations that share their list with one that needed no credential before.
    pub(super) shared: BTreeSet<String>,
    /// What holds `security`, by its alternatives: operations, or the document.
    holders: BTreeMap<String, BTreeSet<String>>,
    /// The version of the old document.
    version: String,
}

/// Finds the operations. Both documents have their overrides applied.
pub(super) fn open(to: &Correspondence<'_>) -> Open {
    let mut found = Open {
        version: version(to.old),
        ..Open::default()
    };
    let slots = to.slots.iter().filter(|(a, _)| is_operation(a));
    let pairs = slots.flat_map(|(a, slots)| slots.iter().map(move |b| (a, b)));
    let pairs: Vec<_> = pairs.filter(|(_, b)| is_operation(b)).collect();
    // What one operation may be called without is said for all that share the list.
    let was_open: BTreeSet<&str> = pairs
        .iter()
        .filter(|(a, _)| !alternatives(to.old, a).is_some_and(|(_, all)| is_closed(all)))
        .filter_map(|(_, b)| Some(alternatives(to.new, b)?.0))
        .collect();
    let needed = |a: &str| alternatives(to.old, a).is_some_and(|(_, all)| is_closed(all));
    for (a, b) in &pairs {
        match alternatives(to.new, b) {
            Some((_, all)) if !needed(a) || is_closed(all) => {}
            Some((_, all)) if all.iter().all(is_free) => {
                found.free.insert((*a).clone());
            }
            Some((holder, _)) if was_open.contains(holder) => {
                found.shared.insert((*a).clone());
            }
            _ => {}
        }
    }
    for (a, b) in pairs {
        if let Some((holder, all)) = alternatives(to.new, b)
            && !was_open.contains(holder)
            && all.iter().any(is_free)
            && !all.iter().all(is_free)
        {
            let said = Value::from(all.to_vec()).to_string();
            let holders = found.holders.entry(said).or_default();
            holders.insert(holder.to_owned());
            found.operations.insert(a.clone());
        }
    }
    found
}

/// What an operation may be called with, and what says it: the operation or the document.
fn alternatives<'a>(root: &'a Value, operation: &'a str) -> Option<(&'a str, &'a Vec<Value>)> {
    let mut holders = [operation, ""].into_iter();
    holders.find_map(|holder| {
        let all = root.pointer(holder)?.get(SECURITY)?;
        Some((holder, all.as_array()?))
    })
}

fn is_closed(all: &[Value]) -> bool {
    !all.is_empty() && !all.iter().any(is_free)
}

fn is_free(alternative: &Value) -> bool {
    alternative.as_object().is_some_and(Map::is_empty)
}

impl Open {
    /// The text of the override that keeps the credentials required, behind what it says already.
    pub(super) fn text(&self, new: &Value, before: Option<&str>) -> String {
        let mut text = begun(before, || self.head());
        for (said, holders) in &self.holders {
            let Ok(Value::Array(mut left)) = serde_json::from_str(said) else {
                continue;
            };
            left.retain(|one| !is_free(one));
            let left = Value::Array(left);
            let targets = |end: Option<&str>| {
                let join =
                    |at: &String| end.map_or_else(|| at.clone(), |end| pointer::join(at, end));
                let places: Vec<String> = holders.iter().map(join).collect();
                let all = queries(new, &places).into_iter();
                all.map(|(target, _)| Value::String(target))
            };
            for target in targets(Some(SECURITY)) {
                text.push_str(&format!(
                    "  - target: {target}\n    x-expect: {said}\n    remove: true\n"
                ));
            }
            for target in targets(None) {
                text.push_str(&format!(
                    "  - target: {target}\n    x-expect: {{{SECURITY}: {said}}}\n    update: {{{SECURITY}: {left}}}\n"
                ));
            }
        }
        text
    }

    fn head(&self) -> String {
        let version = &self.version;
        let reference = reference(version);
        format!(
            "overlay: 1.1.0
info:
  title: Operations need the credentials that an earlier document demanded
  version: 1.0.0
x-override:
  note: Assumed to need the credentials that an earlier document demanded.
  published: The operations can be called without a credential, too.
  observed: >-
    The document of version {version} demanded a credential. Tools add the other alternative from the settings of their framework. A call
    without a credential is more likely a mistake of the caller, and fails before it is sent. Delete an action to follow the document.
  reference: {reference}
  retire-when: The document demands the credentials, or the service is seen to respond without them.
actions:
"
        )
    }
}

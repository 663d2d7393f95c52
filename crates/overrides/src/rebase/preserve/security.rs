//! Operations that the new document opens to anyone: it allows calls without credentials, as tools add from the settings of
//! their framework, or lost the requirement. An override keeps the credentials required, if accepted.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::pointer;
use serde_json::{Map, Value};

use super::actions::{actions, added, removal, update};
use super::preserver::{Documents, Found};
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::Unsaid;
use crate::rebase::pointers::{is_operation, target_schema, without_words};

const SECURITY: &str = "security";
const SCHEMES: &str = "securitySchemes";

pub(super) const HEAD: &str = "overlay: 1.1.0
info:
  title: Operations need the credentials that an earlier document demanded
  version: 1.0.0
x-override:
  note: Assumed to need the credentials that an earlier document demanded.
  published: The operations can be called without a credential.
  observed: >-
    The document of version {old} demanded a credential. Tools say what is demanded by the settings of their framework. A call
    without a credential is more likely a mistake of the caller, and fails before it is sent. Delete an action to follow the document.
  reference: {reference}
  retire-when: The document demands the credentials, or the service is seen to respond without them.
actions:
";

/// Operations without required credentials in the new document.
#[derive(Default)]
struct Open {
    /// Operations, as pointers into the old document.
    operations: BTreeSet<String>,
    /// Operations that explicitly require no credentials now. The crate follows these.
    free: BTreeSet<String>,
    /// Operations that share their list with one that required no credentials before.
    shared: BTreeSet<String>,
    /// Operations, or the document, by their current and their required value.
    holders: BTreeMap<Demand, BTreeSet<String>>,
    /// Required security schemes that the new document lacks, by name.
    schemes: BTreeMap<String, Value>,
}

/// Two values of `security` as JSON: the one in the document, null if it has none, and the one to write.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Demand {
    said: String,
    wanted: String,
}

/// Finds the operations.
pub(super) fn find(documents: &Documents<'_>) -> Found {
    let found = open(&documents.to);
    let is_preserved = documents.accept && !found.operations.is_empty();
    let actions = is_preserved.then(|| found.actions(documents.to.new));
    let list = |all: BTreeSet<String>| all.into_iter().collect();
    Found {
        actions,
        unsaid: Unsaid {
            places: list(found.operations),
            lost: list(found.shared),
            followed: list(found.free),
            ..Unsaid::default()
        },
        ..Found::default()
    }
}

impl Open {
    /// Returns the actions that require the credentials again.
    fn actions(&self, new: &Value) -> Vec<String> {
        let mut all = Vec::new();
        for (name, scheme) in &self.schemes {
            all.extend(added(new, SCHEMES, name, scheme));
        }
        for (Demand { said, wanted }, holders) in &self.holders {
            if said != "null" {
                let lists = holders.iter().map(|at| pointer::join(at, SECURITY));
                let lists: Vec<String> = lists.collect();
                all.extend(actions(new, &lists, "", &removal(said)));
            }
            let [said, wanted] = [said, wanted].map(|one| format!("{{{SECURITY}: {one}}}"));
            all.extend(actions(new, holders, "", &update(said, wanted)));
        }
        all
    }
}

fn open(to: &Correspondence<'_>) -> Open {
    let mut found = Open::default();
    let slots = to.slots.iter().filter(|(a, _)| is_operation(a));
    let pairs = slots.flat_map(|(a, slots)| slots.iter().map(move |b| (a, b)));
    let pairs: Vec<_> = pairs.filter(|(_, b)| is_operation(b)).collect();
    // An operation that was open before keeps open all that share the list.
    let was_open: BTreeSet<&str> = pairs
        .iter()
        .filter(|(a, _)| !alternatives(to.old, a).1.is_some_and(|all| is_closed(all)))
        .map(|(_, b)| alternatives(to.new, b).0)
        .collect();
    let needed = |a: &str| alternatives(to.old, a).1.is_some_and(|all| is_closed(all));
    for (a, b) in &pairs {
        match alternatives(to.new, b) {
            (_, Some(all)) if !needed(a) || is_closed(all) => {}
            (_, Some(all)) if all.iter().all(is_free) => {
                found.free.insert((*a).clone());
            }
            (holder, Some(_)) if was_open.contains(holder) => {
                found.shared.insert((*a).clone());
            }
            _ => {}
        }
    }
    for (a, b) in pairs {
        let (holder, said) = alternatives(to.new, b);
        let is_shared = was_open.contains(holder);
        let (holder, wanted) = match (alternatives(to.old, a), said) {
            (_, Some(all)) if !is_shared && all.iter().any(is_free) && !all.iter().all(is_free) => {
                let closed = all.iter().filter(|one| !is_free(one)).cloned();
                (holder, Some(closed.collect()))
            }
            ((was, Some(before)), None) if is_closed(before) => {
                let holder = if was.is_empty() && !is_shared { "" } else { b };
                (holder, named(to, before, &mut found.schemes))
            }
            _ => continue,
        };
        if let Some(wanted) = wanted {
            let demand = Demand {
                said: said
                    .map_or(Value::Null, |all| all.clone().into())
                    .to_string(),
                wanted: Value::Array(wanted).to_string(),
            };
            let holders = found.holders.entry(demand).or_default();
            holders.insert(holder.to_owned());
            found.operations.insert(a.clone());
        }
    }
    found
}

/// Returns the accepted credentials of an operation, and their owner: the operation, or the document if the operation has none.
fn alternatives<'a>(root: &'a Value, operation: &'a str) -> (&'a str, Option<&'a Vec<Value>>) {
    let said = |holder: &str| root.pointer(holder)?.get(SECURITY)?.as_array();
    match said(operation) {
        Some(all) => (operation, Some(all)),
        None => ("", said("")),
    }
}

/// Renames schemes. Missing ones are added to `gone`.
fn named(
    to: &Correspondence<'_>,
    before: &[Value],
    gone: &mut BTreeMap<String, Value>,
) -> Option<Vec<Value>> {
    let home = pointer::join("/components", SCHEMES);
    let there = to.new.pointer(&home).and_then(Value::as_object);
    let said = |scheme: &Value| scheme.as_object().map(without_words);
    let mut one = |(name, scopes): (&String, &Value)| {
        let scheme = to
            .old
            .pointer(&target_schema(to.old, &pointer::join(&home, name)))?;
        let mut known = there.into_iter().flatten();
        // A scheme that no operation requires has no referrers, so it is identified by its content.
        let now = match there.is_some_and(|all| all.contains_key(name)) {
            true => Some(name),
            false => known.find_map(|(other, one)| (said(one) == said(scheme)).then_some(other)),
        };
        if now.is_none() {
            gone.insert(name.clone(), scheme.clone());
        }
        Some((now.unwrap_or(name).clone(), scopes.clone()))
    };
    let all = |alternative: &Value| {
        let schemes = alternative.as_object()?.iter().map(&mut one);
        schemes.collect::<Option<Map<_, _>>>().map(Value::Object)
    };
    before.iter().map(all).collect()
}

fn is_closed(all: &[Value]) -> bool {
    !all.is_empty() && !all.iter().any(is_free)
}

fn is_free(alternative: &Value) -> bool {
    alternative.as_object().is_some_and(Map::is_empty)
}

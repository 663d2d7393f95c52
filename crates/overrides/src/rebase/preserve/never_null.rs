//! Response locations that are nullable only in the new document. If most locations are, the tool that writes the document is the
//! likely cause: an override undoes it, if accepted. Fewer are a change that callers have to see.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::pointer;
use openapi_document::readable::listed;
use openapi_document::resolver::{Resolver, reference};
use openapi_overlay::lists::settle;
use openapi_schemas::reading::{Document, Site, read, resolution_path};
use serde_json::{Value, json};

use super::actions::actions;
use super::preserver::Documents;
use crate::preserved::NEVER_NULL;
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::{LISTED, Nulls, Rebase};
use crate::rebase::nulls::{Allowance, allowances, places, says_something};
use crate::rebase::pointers::{property, whole_schema};

pub(super) const HEAD: &str = "overlay: 1.1.0
info:
  title: What an earlier document never called null is never null
  version: 1.0.0
x-override:
  note: Assumed to be there and not null, as an earlier document said.
  published: >-
    The document of version {new} allows null at most places of responses at once, and leaves required properties out of `required`.
  observed: >-
    The document before it, of version {old}, allowed null at none of these places, with the corrections of other overrides. Nothing else says
    that the service changed: the tool that writes the document is the likely reason. Where null comes all the same, the crate reads the
    default of the type, and drift reports the place. Delete an action to follow the document.
  reference: {reference}
  retire-when: The document no longer allows null at these places, or the service is seen to send it.
actions:
";

/// Locations that became nullable.
#[derive(Default)]
struct NeverNull {
    /// Locations of the old document that are nullable in the new one.
    places: Vec<String>,
    /// Number of locations of the old document that were never null.
    known: usize,
    /// Keywords to remove from the new document, by path and value: the schemas that have them.
    gone: BTreeMap<(String, String), BTreeSet<String>>,
    /// Properties that are no longer required, by the lists of their names: their schemas.
    required: BTreeMap<Vec<String>, BTreeSet<String>>,
}

/// Finds the locations.
pub(super) fn find(documents: &Documents<'_>, rebase: &mut Rebase) -> Option<Vec<String>> {
    let found = never_null(&documents.to);
    rebase.nulls = Nulls {
        is_likely: found.is_likely(),
        is_kept: documents.accept && found.is_likely(),
        places: found.places.clone(),
        known: found.known,
    };
    let is_kept = rebase.nulls.is_kept;
    let all = is_kept.then(|| found.actions(documents.to.new, documents.published))?;
    Some(all.into_iter().collect())
}

/// Returns whether so many places became nullable at once that the tool that writes the document is the likely cause.
pub(in crate::rebase) fn is_of_the_tool(to: &Correspondence<'_>) -> bool {
    never_null(to).is_likely()
}

/// Describes the locations in a line of the screen, with the override for them, and the rule.
pub(in crate::rebase) fn line(nulls: &Nulls) -> Option<(&'static str, String)> {
    let first = nulls.places.first()?;
    let (count, known) = (nulls.places.len(), nulls.known);
    let places: Vec<String> = nulls.places.iter().map(|at| format!("#{at}")).collect();
    let list = listed(&places, LISTED);
    let found = format!(
        "the new document allows null in {count} of {known} places of responses that were never null, and the crate follows it"
    );
    Some(if nulls.is_kept {
        let text = format!(
            "{count} of {known} places of responses never null, although the new document allows it: overrides/assumed/{NEVER_NULL} has \
             them, and follows the document where an action is deleted, as in #{first}"
        );
        ("Kept", text)
    } else if nulls.is_likely {
        let text = format!(
            "{found}. More than half at once is rather another tool than another service: with `--accept` an override keeps \
             them as they were, as in #{first}"
        );
        ("Decide", text)
    } else {
        let text = format!(
            "{found}; `--accept` keeps such places only where they are more than half: {list}"
        );
        ("Note", text)
    })
}

fn never_null(to: &Correspondence<'_>) -> NeverNull {
    let (known, nulls) = nulls(to);
    let mut found = NeverNull {
        known: known.len(),
        ..NeverNull::default()
    };
    if nulls.is_empty() {
        return found;
    }
    let shared = Shared::new(to, &known);
    for (a, b) in &nulls {
        let all = allowances(to.new, b);
        if all.iter().any(|one| shared.has(b, &one.schema)) {
            continue;
        }
        found.places.push(a.clone());
        for Allowance { schema, end, text } in all {
            found.gone.entry((end, text)).or_default().insert(schema);
        }
    }
    found.places.dedup();
    found.required = required(to);
    found
}

/// A location of the old document, and one of the new document.
type Pair = (String, String);

/// Returns the locations of the old document that are never null, and those of them that are nullable now.
fn nulls(to: &Correspondence<'_>) -> (BTreeSet<String>, Vec<Pair>) {
    let mut known = places(to.old);
    known.retain(|at| says_something(to.old, at) && allowances(to.old, at).is_empty());
    let mut nulls = Vec::new();
    for a in &known {
        for slot in to.slots.get(a).into_iter().flatten() {
            if !allowances(to.new, slot).is_empty() {
                nulls.push((a.clone(), slot.clone()));
            }
        }
    }
    (known, nulls)
}

/// Returns the properties that only the old document requires, by the lists of their names.
fn required(to: &Correspondence<'_>) -> BTreeMap<Vec<String>, BTreeSet<String>> {
    let all = places(to.old);
    let (mut old, mut new) = (Document::new(to.old), Document::new(to.new));
    let mut lost: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut kept: BTreeSet<Pair> = BTreeSet::new();
    for (a, slots) in &to.slots {
        // The component of a property is not a property itself.
        let Some((owner, name)) = property(a) else {
            continue;
        };
        let was = all.contains(a) && requires(&mut old, owner, &name);
        for (owner, name) in slots.iter().filter_map(|slot| property(slot)) {
            // A schema merged from several ones requires a property that all of them required.
            if !was {
                kept.insert((owner.to_owned(), name));
            } else if !requires(&mut new, owner, &name) {
                lost.entry(owner.to_owned()).or_default().insert(name);
            }
        }
    }
    let mut required: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for (owner, mut names) in lost {
        names.retain(|name| !kept.contains(&(owner.clone(), name.clone())));
        if !names.is_empty() {
            let names = names.into_iter().collect();
            required.entry(names).or_default().insert(owner);
        }
    }
    required
}

/// Other uses of a shared schema: locations that were nullable before, or did not exist.
struct Shared {
    /// Schemas of never-null locations.
    own: BTreeSet<String>,
    /// Schemas of locations that were nullable before.
    nullable: BTreeSet<String>,
    /// Referrers of a component.
    holders: BTreeMap<String, Vec<String>>,
}

impl Shared {
    fn new(to: &Correspondence<'_>, known: &BTreeSet<String>) -> Self {
        let (mut own, mut nullable) = (BTreeSet::new(), BTreeSet::new());
        for (a, slots) in &to.slots {
            let nodes = slots.iter().flat_map(|slot| resolution_path(to.new, slot));
            if known.contains(a) {
                own.extend(nodes);
            } else if !allowances(to.old, a).is_empty() {
                nullable.extend(nodes);
            }
        }
        let mut holders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let resolver = Resolver::new(to.new);
        pointer::walk(to.new, "", &mut |at, value| {
            if let Some(target) = reference(value).and_then(|text| resolver.target(text)) {
                let all = holders.entry(target.pointer).or_default();
                all.push(at.to_owned());
            }
        });
        Self {
            own,
            nullable,
            holders,
        }
    }

    /// Returns whether a schema that makes a location nullable also applies to other locations.
    fn has(&self, place: &str, schema: &str) -> bool {
        if self.nullable.contains(schema) {
            return true;
        }
        let holders = self.holders.get(schema).into_iter().flatten();
        !pointer::is_within(schema, place) && !holders.into_iter().all(|at| self.own.contains(at))
    }
}

impl NeverNull {
    fn is_likely(&self) -> bool {
        self.places.len() * 2 > self.known
    }

    /// Returns the actions that undo the change, in order. A guard refers to the published document.
    fn actions(&self, new: &Value, published: &Value) -> BTreeSet<String> {
        let gone = self.gone.iter();
        let gone = gone.flat_map(|((end, text), at)| {
            let effect = format!("    x-expect: {text}\n    remove: true\n");
            actions(new, at, end, &effect)
        });
        let mut all: BTreeSet<String> = gone.collect();
        for (names, owners) in &self.required {
            let mut guards: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for owner in owners {
                let guard = guard(new, published, owner).to_string();
                guards.entry(guard).or_default().insert(owner.clone());
            }
            for (guard, owners) in guards {
                let effect = format!(
                    "    x-expect:\n      required: {guard}\n    update:\n      required: {}\n",
                    json!(names)
                );
                all.extend(actions(new, &owners, "", &effect));
            }
        }
        all
    }
}

/// Returns the required properties of a schema: as published, or from overrides if they added it.
fn guard<'d>(new: &'d Value, published: &'d Value, owner: &str) -> &'d Value {
    let there = published.pointer(&settle(new, published, owner).0);
    let schema = there.or_else(|| new.pointer(owner));
    let required = schema.and_then(|schema| schema.get("required"));
    required.unwrap_or(&Value::Null)
}

/// Returns whether a schema requires a property, in a part of it or in a schema that it is a part of.
pub(super) fn requires(document: &mut Document<'_>, owner: &str, name: &str) -> bool {
    let root = document.root;
    let parts = [whole_schema(owner), owner].into_iter();
    let parts = parts.filter_map(|at| root.pointer(at)).collect();
    let mut members = read(document, &Site::all(parts, root)).members();
    members
        .remove(name)
        .is_some_and(|member| member.required.is_some())
}

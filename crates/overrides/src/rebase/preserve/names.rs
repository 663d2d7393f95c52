//! Names known to callers, and to stored responses. If the new document renames something, an override preserves the old name: a renaming in
//! the document is no reason to break callers.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::json::{elements_of, text_of};
use openapi_document::keywords::is_words;
use openapi_document::pointer;
use openapi_document::readable::listed;
use openapi_document::resolver::Target;
use openapi_document::source::Source;
use openapi_model::names;
use openapi_model::{operation_ids, says_the_same, type_names, without_tails};
use openapi_schemas::reading::{Document, Site, read, resolution_path};
use openapi_schemas::{method_at, operations};
use serde_json::{Value, json};

use super::actions::actions;
use super::arguments;
use super::preserver::Documents;
use super::tags;
use super::wire_names::{self, ALIASES};
use crate::plain::Plain;
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::{LISTED, Rebase};
use crate::rebase::pointers::{component, is_operation, member, target_schema};

/// Extension for the Rust name of an item that is otherwise named by its location.
const OF_A_PLACE: &str = "x-rust-name";
/// Extension for the id of an operation, where neither its name nor the document has it.
const OF_AN_ID: &str = "x-operation-id";
/// Extension for the type name of an inline schema.
const OF_A_TYPE: &str = "x-rust-type-name";

const COMPONENTS: &str = "/components/schemas";
const SCHEMES: &str = "/components/securitySchemes";

/// Types of a document, by the pointers of their schemas.
type Types = BTreeMap<String, String>;

/// Locations of the new document, by extension and name.
type Names = BTreeMap<(&'static str, String), BTreeSet<String>>;

/// What the operations of a document are called.
struct Calls<'d> {
    /// The ids, by path and method: no two are the same.
    ids: BTreeMap<(&'d str, String), String>,
    /// Names without what a framework appended, by id.
    cuts: BTreeMap<String, String>,
}

impl<'d> Calls<'d> {
    fn of(document: &'d Value) -> Self {
        Self {
            ids: operation_ids(document),
            cuts: without_tails(document),
        }
    }

    /// `None` for an operation that is named by its path.
    fn named(&self, at: &str, operation: &Value) -> Option<Called> {
        let tokens: Vec<String> = pointer::tokens(at).collect();
        let given = text_of(operation, OF_A_PLACE);
        let published = text_of(operation, "operationId").and_then(|_| {
            let [_, path, steps @ ..] = tokens.as_slice() else {
                return None;
            };
            let (method, _) = method_at(steps)?;
            self.ids.get(&(path.as_str(), method)).map(String::as_str)
        });
        let cut = published.and_then(|id| self.cuts.get(id));
        Some(Called {
            method: given.or(cut.map(String::as_str)).or(published)?.to_owned(),
            id: text_of(operation, OF_AN_ID)
                .or(given)
                .or(published)?
                .to_owned(),
        })
    }
}

/// Names to preserve, and their locations.
#[derive(Default)]
struct Kept {
    at: Names,
    /// Locations that keep their names without an override.
    by_themselves: BTreeSet<String>,
}

/// Finds the names that the new document loses. Likely matches count only if they were accepted.
pub(super) fn find(documents: &Documents<'_>, rebase: &mut Rebase) -> Option<Vec<String>> {
    // The next step reports a document that cannot be read.
    let (before, types) = (types(documents.old)?, types(documents.new)?);
    let (to, new) = (&documents.to, &documents.new.value);
    let mut kept = Kept::default();
    kept.types(to, (&before, &types));
    kept.without_taken(&types, new, &components(documents.whole));
    let calls = (Calls::of(to.old), Calls::of(to.new));
    for (a, all) in to.slots.iter().filter(|(a, _)| is_operation(a)) {
        for b in all.iter().filter(|b| is_operation(b)) {
            kept.operation(to, (a, b), &calls);
        }
    }
    kept.schemes(to);
    let undescribed = kept.tags(to, rebase.set.package.as_ref());
    let mut wire = wire_names::lost(to);
    let mut arguments = arguments::lost(to);
    if !documents.accept {
        without_doubtful(to, &mut kept.at);
        without_doubtful(to, &mut wire);
        arguments.retain(|at| to.doubt(at).is_none());
    }
    let mut names: BTreeSet<String> = kept.at.keys().map(|(_, name)| name.clone()).collect();
    names.extend(wire.keys().flatten().cloned());
    names.extend(undescribed.values().cloned());
    names.extend(arguments.iter().filter_map(|at| arguments::show(at)));
    rebase.kept = names.into_iter().collect();
    kept.operations_with_a_known_name(to, &calls);
    let mut all = Vec::new();
    for ((key, name), places) in &kept.at {
        let name = Value::String(name.clone());
        let effect =
            format!("    x-expect:\n      {key}: null\n    update:\n      {key}: {name}\n");
        all.extend(actions(new, places, "", &effect));
    }
    for (names, places) in &wire {
        let (guard, update) = (json!({ALIASES: Value::Null}), json!({ALIASES: names}));
        let effect = format!("    x-expect: {guard}\n    update: {update}\n");
        all.extend(actions(new, places, "", &effect));
    }
    all.extend(actions(new, &arguments, "", arguments::EFFECT));
    for (tag, name) in undescribed {
        let update = json!({"tags": [{"name": tag, OF_A_PLACE: name}]});
        all.push(format!(
            "  - target: $\n    x-expect: {{}}\n    update: {update}\n"
        ));
    }
    (!all.is_empty()).then_some(all)
}

/// Removes the places that are only likely.
fn without_doubtful<K: Ord>(to: &Correspondence<'_>, all: &mut BTreeMap<K, BTreeSet<String>>) {
    for places in all.values_mut() {
        places.retain(|at| to.doubt(at).is_none());
    }
    all.retain(|_, places| !places.is_empty());
}

/// Describes the names in a line of the screen, the first of them.
pub(in crate::rebase) fn line(names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let shown = listed(&names, LISTED);
    let text = format!(
        "the names that callers or stored responses have: {shown}; overrides/generator/names.yaml keeps them; a name that is deleted there follows the document"
    );
    (!names.is_empty()).then_some(text)
}

/// Returns the types of a document; `None` if it cannot be read.
fn types(document: &Source) -> Option<Types> {
    let normal = openapi_schemas::normal(document).ok()?;
    Some(type_names(&normal.source))
}

impl Kept {
    fn keep(&mut self, key: &'static str, name: &str, at: &str) {
        let places = self.at.entry((key, name.to_owned())).or_default();
        places.insert(at.to_owned());
    }

    fn types(&mut self, to: &Correspondence<'_>, (before, types): (&Types, &Types)) {
        let (old, new) = (to.old, to.new);
        for (a, all) in &to.cores {
            let Some(schema) = old.pointer(a) else {
                continue;
            };
            // An inlined schema has the name that an override gave it.
            let given = text_of(schema, OF_A_TYPE);
            let key = component(a).filter(|(kind, _)| kind == "schemas");
            let own = key
                .as_ref()
                .map(|(_, key)| rust_name(schema).unwrap_or(key));
            let Some(name) = own.or(given) else {
                continue;
            };
            for b in all {
                // A schema merged from several ones keeps none of their names.
                let is_merged = to.sharers.get(b).is_some_and(|all| all.len() > 1);
                if is_merged
                    || !new
                        .pointer(b)
                        .is_some_and(|now| may_be_one(to, schema, now))
                {
                    continue;
                }
                // A type may have several locations, but is listed for one of them.
                let is_given = new.pointer(b).and_then(rust_name) == Some(name);
                match types.get(b) {
                    Some(now) if *now == names::pascal(name) => {
                        self.by_themselves.insert(b.clone());
                    }
                    Some(_) if component(b).is_some() => self.keep(OF_A_PLACE, name, b),
                    None if component(b).is_some() => {
                        self.wrapped(to, (a, b), name, (before, types));
                    }
                    // By an override, or by an earlier rebase to the same document.
                    _ if is_given => {}
                    _ => self.keep(OF_A_TYPE, name, b),
                }
            }
        }
    }

    /// Keeps the names of the types around a component, as those with the empty string among its values: each location has another one.
    fn wrapped(
        &mut self,
        to: &Correspondence<'_>,
        (a, b): (&str, &str),
        name: &str,
        (before, types): (&Types, &Types),
    ) {
        for (was, nodes) in wrappers(to, a, b) {
            let was = was.iter().find_map(|at| before.get(at));
            let was = was.map_or(name, String::as_str);
            for at in nodes {
                let Some(now) = types.get(&at) else { continue };
                self.by_themselves.insert(b.to_owned());
                let is_given = to.new.pointer(&at).and_then(rust_name) == Some(was);
                if !is_given && *now != names::pascal(was) {
                    self.keep(OF_A_TYPE, was, &at);
                }
            }
        }
    }

    /// Removes names that other schemas of the new document have without an override. A component has its name even without a type.
    fn without_taken(&mut self, types: &Types, new: &Value, components: &Types) {
        self.at.retain(|(key, name), places| {
            let name = names::pascal(name);
            if *key == OF_A_TYPE {
                // A component shares its type only with an inline schema that is the same.
                let mut owners = components
                    .iter()
                    .filter(|(at, known)| **known == name && types.contains_key(*at));
                if let Some(owner) = owners.find_map(|(at, _)| new.pointer(at)) {
                    places.retain(|at| {
                        let place = new.pointer(at);
                        place.is_some_and(|one| says_the_same(new, owner, one))
                    });
                }
            }
            let mut all = types.iter().chain(components);
            !places.is_empty()
                && all.all(|(at, known)| {
                    *known != name
                        || places.contains(at)
                        || self.by_themselves.contains(at)
                        || member(new, at, OF_A_TYPE).is_some()
                })
        });
    }

    /// Keeps the names of security schemes that only have another name. The only scheme of a document has no name in Rust.
    fn schemes(&mut self, to: &Correspondence<'_>) {
        let (Some(Value::Object(old)), Some(Value::Object(new))) =
            (to.old.pointer(SCHEMES), to.new.pointer(SCHEMES))
        else {
            return;
        };
        for (was, scheme) in old.iter().filter(|(was, _)| !new.contains_key(*was)) {
            let added = new.iter().filter(|(now, _)| !old.contains_key(*now));
            let mut same = added.filter(|(_, one)| bare_scheme(scheme) == bare_scheme(one));
            if let (Some((now, _)), None, true) = (same.next(), same.next(), old.len() > 1) {
                let name = rust_name(scheme).unwrap_or(was);
                self.keep(OF_A_PLACE, name, &pointer::join(SCHEMES, now));
            }
        }
    }

    /// Keeps the names of tags, where the new document describes them. Returns the others.
    fn tags(
        &mut self,
        to: &Correspondence<'_>,
        package: Option<&Plain>,
    ) -> BTreeMap<String, String> {
        let mut renamed = tags::renamed(to, package);
        for (index, described) in elements_of(to.new, "tags").iter().enumerate() {
            let name = text_of(described, "name").and_then(|tag| renamed.remove(tag));
            if let Some(name) = name {
                self.keep(OF_A_PLACE, &name, &format!("/tags/{index}"));
            }
        }
        renamed
    }

    /// Names an operation by its path if it is new, and the document gives it the name or the id of an earlier operation.
    fn operations_with_a_known_name(
        &mut self,
        to: &Correspondence<'_>,
        calls: &(Calls<'_>, Calls<'_>),
    ) {
        let (mut known, mut earlier) = (BTreeSet::new(), BTreeSet::new());
        for (old, all) in to.slots.iter().filter(|(old, _)| is_operation(old)) {
            let called = to.old.pointer(old);
            if let Some(Called { method, id }) = called.and_then(|one| calls.0.named(old, one)) {
                known.extend([names::snake(&method), names::snake(&id)]);
            }
            earlier.extend(all);
        }
        for Target { pointer, value } in operations(to.new) {
            let is_given = earlier.contains(&pointer) || rust_name(value).is_some();
            let Some(called) = calls.1.named(&pointer, value).filter(|_| !is_given) else {
                continue;
            };
            let names = [&called.method, &called.id].map(|name| names::snake(name));
            if names.iter().any(|name| known.contains(name)) {
                let [path, method] = [1, 2].map(|step| pointer::tokens(&pointer).nth(step));
                let place = [method, path].map(Option::unwrap_or_default).join(" ");
                self.keep(OF_A_PLACE, &names::snake(&place), &pointer);
            }
        }
    }

    /// Keeps the name and the id of an operation, and the names of its path parameters.
    fn operation(
        &mut self,
        to: &Correspondence<'_>,
        (old, new): (&str, &str),
        calls: &(Calls<'_>, Calls<'_>),
    ) {
        let (Some(before), Some(after)) = (to.old.pointer(old), to.new.pointer(new)) else {
            return;
        };
        let (was, now) = (calls.0.named(old, before), calls.1.named(new, after));
        if let Some(was) = was {
            let mut id = now.as_ref().map(|now| &now.id);
            let method = now.as_ref().map(|now| names::snake(&now.method));
            if method != Some(names::snake(&was.method)) {
                self.keep(OF_A_PLACE, &was.method, new);
                // The kept name is the id too, unless an override gives one.
                if after.get(OF_AN_ID).is_none() {
                    id = Some(&was.method);
                }
            }
            if id != Some(&was.id) {
                self.keep(OF_AN_ID, &was.id, new);
            }
        }
        let path = pointer::tokens(old).nth(1).unwrap_or_default();
        let renamed = to.names(&path);
        for at in parameters(to.new, new) {
            let Some(parameter) = to.new.pointer(&at) else {
                continue;
            };
            let name = text_of(parameter, "name");
            let was = renamed.iter().find(|(_, now)| Some(now.as_str()) == name);
            let is_named =
                text_of(parameter, "in") != Some("path") || rust_name(parameter).is_some();
            if let Some((was, _)) = was.filter(|_| !is_named) {
                self.keep(OF_A_PLACE, was, &at);
            }
        }
    }
}

/// The names of an operation in the code of callers.
struct Called {
    /// The name of its method, before it is written as Rust.
    method: String,
    /// `Operation::id`, in settings and spans.
    id: String,
}

pub(super) const HEAD: &str = "overlay: 1.1.0
info:
  title: Names that callers know
  version: 1.0.0
x-override:
  published: >-
    Other names of schemas, operations, tags, security schemes, path parameters and properties than in an earlier document, or none; or a default of
    a required property, which had none.
  observed: >-
    A name in Rust is no part of the wire. What callers have written goes on compiling, and `x-operation-id` keeps the ids of operations in
    budgets and spans. A name of a property is read beside the new one: stored responses have it. `x-rust-optional: false` keeps an
    argument of `new`, which the default would remove. Delete an action to follow the document.
  reference: \"9\"
  retire-when: Callers follow the names of the document.
actions:
";

/// Returns a security scheme without its words and its name in Rust.
fn bare_scheme(scheme: &Value) -> Value {
    let mut scheme = scheme.clone();
    if let Some(map) = scheme.as_object_mut() {
        map.retain(|key, _| !is_words(key) && key != OF_A_PLACE);
    }
    scheme
}

fn rust_name(value: &Value) -> Option<&str> {
    text_of(value, OF_A_TYPE).or_else(|| text_of(value, OF_A_PLACE))
}

/// Returns the schema components by pointer, with their names in Rust. An alias resolves to the component it refers to.
fn components(document: &Value) -> Types {
    let mut types = Types::new();
    let all = document.pointer(COMPONENTS).and_then(Value::as_object);
    for (key, schema) in all.into_iter().flatten() {
        let at = pointer::join(COMPONENTS, key);
        if pointer::is_within(&target_schema(document, &at), &at) {
            let name = text_of(schema, OF_A_PLACE).unwrap_or(key);
            types.insert(at, names::pascal(name));
        }
    }
    types
}

/// Returns whether a value may fit both schemas, judged by their JSON types.
fn may_be_one(to: &Correspondence<'_>, old: &Value, new: &Value) -> bool {
    let was = read(&mut Document::new(to.old), &Site::new(Some(old), old));
    let now = read(&mut Document::new(to.new), &Site::new(Some(new), new));
    was.allows(now.types) || now.allows(was.types)
}

/// Returns the schemas in the resolution path from a location to a component: those of the old document, and those of the new one without
/// the component.
fn wrappers(to: &Correspondence<'_>, a: &str, b: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let mut found = Vec::new();
    for (place, all) in &to.slots {
        let was = resolution_path(to.old, place);
        if was.last().is_none_or(|last| last != a) {
            continue;
        }
        for slot in all {
            let mut now = resolution_path(to.new, slot);
            if now.pop().is_some_and(|last| last == b) {
                found.push((was.clone(), now));
            }
        }
    }
    found
}

/// Returns the locations of an operation's parameters, references resolved.
fn parameters(document: &Value, operation: &str) -> Vec<String> {
    let item = operation.rsplit_once('/').map_or("", |(item, _)| item);
    let mut all = Vec::new();
    for holder in [item, operation] {
        let list = format!("{holder}/parameters");
        let count = document.pointer(&list).and_then(Value::as_array);
        for index in 0..count.map_or(0, Vec::len) {
            all.push(target_schema(document, &format!("{list}/{index}")));
        }
    }
    all
}

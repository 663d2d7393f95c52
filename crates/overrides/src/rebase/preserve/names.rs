//! Names known to callers, and to stored responses. If the new document renames something, an override preserves the old name: a renaming in
//! the document is no reason to break callers.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::keywords::is_words;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_model::names;
use openapi_model::{says_the_same, type_names, without_tails};
use openapi_schemas::reading::resolution_path;
use serde_json::{Value, json};

use super::actions::actions;
use super::arguments;
use super::preserver::Documents;
use super::wire_names::{self, ALIASES};
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::Rebase;
use crate::rebase::pointers::{component, is_operation, target_schema};

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
    kept.without_taken(&types, new);
    let cuts = (without_tails(to.old), without_tails(to.new));
    for (a, all) in to.slots.iter().filter(|(a, _)| is_operation(a)) {
        for b in all.iter().filter(|b| is_operation(b)) {
            kept.operation(to, (a, b), &cuts);
        }
    }
    kept.schemes(to);
    let mut wire = wire_names::lost(to);
    let mut arguments = arguments::lost(to);
    if !documents.accept {
        without_doubtful(to, &mut kept.at);
        without_doubtful(to, &mut wire);
        arguments.retain(|at| to.doubt(at).is_none());
    }
    let mut names: BTreeSet<String> = kept.at.keys().map(|(_, name)| name.clone()).collect();
    names.extend(wire.keys().flatten().cloned());
    names.extend(arguments.iter().filter_map(|at| arguments::show(at)));
    rebase.kept = names.into_iter().collect();
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
    (!all.is_empty()).then_some(all)
}

/// Removes the places that are only likely.
fn without_doubtful<K: Ord>(to: &Correspondence<'_>, all: &mut BTreeMap<K, BTreeSet<String>>) {
    for places in all.values_mut() {
        places.retain(|at| to.doubt(at).is_none());
    }
    all.retain(|_, places| !places.is_empty());
}

/// Describes the names in a line of the screen: the first ones, or all.
pub(in crate::rebase) fn line(names: &[String], verbose: bool) -> Option<String> {
    const NAMES: usize = 6;
    let most = if verbose { names.len() } else { NAMES };
    let shown = names.iter().take(most).map(|name| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let text = format!(
        "the names that callers or stored responses have: {shown}{more}; overrides/generator/names.yaml keeps them; a name that is deleted there follows the document"
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
            let key = component(a).filter(|(kind, _)| kind == "schemas");
            let key = key.map(|(_, key)| key);
            // An inlined schema has the name that an override gave it.
            let given = schema.get(OF_A_TYPE).and_then(Value::as_str);
            let own = key.as_deref().map(|key| rust_name(schema).unwrap_or(key));
            let Some(name) = own.or(given) else {
                continue;
            };
            // A schema merged from several ones keeps none of their names.
            let is_own = |b: &&String| to.sharers.get(*b).is_none_or(|all| all.len() == 1);
            let is_alike = |b: &&String| new.pointer(b).is_some_and(|now| may_be_one(schema, now));
            for b in all.iter().filter(is_own).filter(is_alike) {
                let now = types.get(b);
                // A type may have several locations, but is listed for one of them.
                let is_given = new.pointer(b).and_then(rust_name) == Some(name);
                match now {
                    Some(now) if *now == names::pascal(name) => {
                        self.by_themselves.insert(b.clone());
                    }
                    // An existing name of the override cannot be set again.
                    _ if given.is_some() && is_given => {}
                    Some(_) if component(b).is_some() => self.keep(OF_A_PLACE, name, b),
                    None if component(b).is_some() => {
                        // Each location has another type, as with the empty string among its values.
                        for (was, nodes) in wrappers(to, a, b) {
                            let was = was.iter().find_map(|at| before.get(at));
                            let was = was.map_or(name, String::as_str);
                            let named = |at: &String| {
                                let given = new.pointer(at).and_then(rust_name);
                                Some((at.clone(), given == Some(was), types.get(at)?))
                            };
                            for (at, is_given, now) in nodes.iter().filter_map(named) {
                                self.by_themselves.insert(b.clone());
                                if !is_given && *now != names::pascal(was) {
                                    self.keep(OF_A_TYPE, was, &at);
                                }
                            }
                        }
                    }
                    _ => self.keep(OF_A_TYPE, name, b),
                }
            }
        }
    }

    /// Removes names that other schemas of the new document have without an override. A component has its name even without a type.
    fn without_taken(&mut self, types: &Types, new: &Value) {
        let by_themselves = &self.by_themselves;
        let components = components(new);
        self.at.retain(|(key, name), places| {
            let name = names::pascal(name);
            if *key == OF_A_TYPE {
                // A component shares its type only with an inline schema that is the same.
                let mut owners = components
                    .iter()
                    .filter(|(at, known)| **known == name && types.contains_key(*at));
                if let Some(owner) = owners.find_map(|(at, _)| new.pointer(at)) {
                    let is_same = |at: &String| {
                        new.pointer(at)
                            .is_some_and(|one| says_the_same(new, owner, one))
                    };
                    places.retain(is_same);
                }
            }
            let is_given = |at: &str| {
                new.pointer(at)
                    .is_some_and(|one| one.get(OF_A_TYPE).is_some())
            };
            let mut namesakes =
                (types.iter().chain(&components)).filter(|(_, known)| **known == name);
            !places.is_empty()
                && namesakes.all(|(at, _)| {
                    places.contains(at) || by_themselves.contains(at) || is_given(at)
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
            let mut same = added.filter(|(_, one)| is_same_scheme(scheme, one));
            if let (Some((now, _)), None, true) = (same.next(), same.next(), old.len() > 1) {
                let name = rust_name(scheme).unwrap_or(was);
                self.keep(OF_A_PLACE, name, &pointer::join(SCHEMES, now));
            }
        }
    }

    /// `cuts` are the names of operations whose identifiers were generated by a framework, in both documents.
    fn operation(
        &mut self,
        to: &Correspondence<'_>,
        (old, new): (&str, &str),
        cuts: &(BTreeMap<String, String>, BTreeMap<String, String>),
    ) {
        let (Some(before), Some(after)) = (to.old.pointer(old), to.new.pointer(new)) else {
            return;
        };
        let (was, now) = (Called::of(before, &cuts.0), Called::of(after, &cuts.1));
        if let Some(was) = was {
            let mut id = now.as_ref().map(|now| &now.id);
            let is_method = |now: &Called| names::snake(&now.method) == names::snake(&was.method);
            if !now.as_ref().is_some_and(is_method) {
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
        let path = |at: &str| pointer::tokens(at).nth(1).unwrap_or_default();
        let renamed = to.names(&path(old));
        for at in parameters(to.new, new) {
            let Some(parameter) = to.new.pointer(&at) else {
                continue;
            };
            let name = parameter.get("name").and_then(Value::as_str);
            let is_of_path = parameter.get("in").is_some_and(|place| place == "path");
            let was = renamed.iter().find(|(_, now)| Some(now.as_str()) == name);
            if let (Some((was, _)), true, None) = (was, is_of_path, rust_name(parameter)) {
                self.keep(OF_A_PLACE, was, &at);
            }
        }
    }
}

/// The names of an operation in the code of callers.
struct Called {
    /// The name of its method, before it is written as Rust.
    method: String,
    /// `Operation::id`, in settings, spans and metrics.
    id: String,
}

impl Called {
    /// `None` for an operation that is named by its path. `cuts` has the names without what a framework appended.
    fn of(operation: &Value, cuts: &BTreeMap<String, String>) -> Option<Self> {
        let text = |key: &str| operation.get(key)?.as_str().map(str::to_owned);
        let given = text(OF_A_PLACE);
        let published = text("operationId");
        let cut = published.as_ref().and_then(|id| cuts.get(id)).cloned();
        let method = given.clone().or(cut).or_else(|| published.clone());
        Some(Self {
            method: method?,
            id: text(OF_AN_ID).or(given).or(published)?,
        })
    }
}

pub(super) const HEAD: &str = "overlay: 1.1.0
info:
  title: Names that callers know
  version: 1.0.0
x-override:
  published: >-
    Other names of schemas, operations, security schemes, path parameters and properties than in an earlier document, or none; or a default of
    a required property, which had none.
  observed: >-
    A name in Rust is no part of the wire. What callers have written goes on compiling, and `x-operation-id` keeps the ids of operations in
    budgets, spans and metrics. A name of a property is read beside the new one: stored responses have it. `x-rust-optional: false` keeps an
    argument of `new`, which the default would remove. Delete an action to follow the document.
  reference: \"9\"
  retire-when: Callers follow the names of the document.
actions:
";

/// Returns whether two security schemes differ at most in their words and their names in Rust.
fn is_same_scheme(old: &Value, new: &Value) -> bool {
    let bare = |scheme: &Value| {
        let mut scheme = scheme.clone();
        if let Some(map) = scheme.as_object_mut() {
            map.retain(|key, _| !is_words(key) && key != OF_A_PLACE);
        }
        scheme
    };
    bare(old) == bare(new)
}

fn rust_name(value: &Value) -> Option<&str> {
    let name = |key: &str| value.get(key).and_then(Value::as_str);
    name(OF_A_TYPE).or_else(|| name(OF_A_PLACE))
}

/// Returns the schema components by pointer, with their names in Rust. An alias resolves to the component it refers to.
fn components(document: &Value) -> Types {
    let all = document.pointer(COMPONENTS).and_then(Value::as_object);
    let own = all.into_iter().flatten().filter_map(|(key, schema)| {
        let at = pointer::join(COMPONENTS, key);
        let name = names::pascal(
            schema
                .get(OF_A_PLACE)
                .and_then(Value::as_str)
                .unwrap_or(key),
        );
        pointer::is_within(&target_schema(document, &at), &at).then_some((at, name))
    });
    own.collect()
}

/// Returns whether a value may fit both schemas, judged by their JSON types.
fn may_be_one(old: &Value, new: &Value) -> bool {
    let types = |schema: &Value| -> BTreeSet<String> {
        let one = schema
            .get("type")
            .map(|one| one.as_array().cloned().unwrap_or_else(|| vec![one.clone()]));
        let names = one.into_iter().flatten();
        names
            .filter_map(|one| one.as_str().map(str::to_owned))
            .filter(|one| one != "null")
            .collect()
    };
    let (old, new) = (types(old), types(new));
    old.is_empty() || new.is_empty() || !old.is_disjoint(&new)
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
    let lists = [item, operation].map(|holder| format!("{holder}/parameters"));
    let of = |list: String| {
        let count = document.pointer(&list).and_then(Value::as_array);
        (0..count.map_or(0, Vec::len)).map(move |index| format!("{list}/{index}"))
    };
    let all = lists.into_iter().flat_map(of);
    all.map(|at| target_schema(document, &at)).collect()
}

//! A document, with a cache of its references and of what is known of its schemas.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use openapi_document::json::members_of;
use openapi_document::resolver::{REFERRING, Resolver, reference};
use serde_json::Value;

use super::choice::Mapping;
use super::family::Family;
use super::pointers::Pointers;

/// Maximum number of schemas that are read for one question. More hold at once, or wrap one, by mistake only; the rest is left out, and
/// the document says that it is cut.
pub const LIMIT: usize = 1_000;

/// One document and the targets of its references.
pub struct Document<'d> {
    /// The whole document.
    pub root: &'d Value,
    resolver: Resolver<'d>,
    /// References that were followed, with their targets.
    targets: HashMap<&'d str, Option<&'d Value>>,
    /// References that cannot be resolved or leave the document; each once.
    pub unresolved: Vec<Unresolved<'d>>,
    /// Ends of chains of references, by the address of the referring object.
    ends: HashMap<*const Value, End<'d>>,
    /// References that form a cycle.
    circles: HashSet<&'d str>,
    /// Names of component schemas, computed when one is needed.
    names: OnceCell<HashMap<*const Value, &'d str>>,
    /// Locations of values, computed when one is needed.
    pointers: OnceCell<Pointers<'d>>,
    /// Component schemas by their parents, computed when one is needed.
    family: OnceCell<Family<'d>>,
    /// Mappings that were read, by the address of their discriminator.
    mappings: HashMap<*const Value, Rc<Mapping<'d>>>,
    /// True if a question was cut at [`LIMIT`] since a caller last looked.
    pub is_cut: bool,
    /// Hashes of schemas.
    pub(super) fingerprints: HashMap<FingerprintKey, u64>,
}

/// A reference that cannot be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unresolved<'d> {
    /// The reference as written.
    pub reference: &'d str,
    /// Object that has the reference.
    pub holder: &'d Value,
}

/// A schema whose hash is known: its address, the depth to which it was read, and whether null is allowed around it.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct FingerprintKey {
    pub(super) address: *const Value,
    pub(super) depth: u8,
    pub(super) or_null: bool,
}

/// Value at a location that allows a reference.
#[derive(Clone, Copy)]
pub enum Found<'d> {
    /// A value that is no reference.
    Value(&'d Value),
    /// A reference that cannot be resolved.
    Nothing(&'d str),
}

/// End of a chain of references.
#[derive(Clone, Copy)]
enum End<'d> {
    Found(Found<'d>),
    Circle,
}

impl<'d> Document<'d> {
    /// Creates a document, without reading it yet.
    pub fn new(root: &'d Value) -> Self {
        Self {
            root,
            resolver: Resolver::new(root),
            targets: HashMap::new(),
            unresolved: Vec::new(),
            ends: HashMap::new(),
            circles: HashSet::new(),
            names: OnceCell::new(),
            pointers: OnceCell::new(),
            family: OnceCell::new(),
            mappings: HashMap::new(),
            is_cut: false,
            fingerprints: HashMap::new(),
        }
    }

    /// Returns whether a reference was followed, successfully or not.
    pub fn has_followed(&self, reference: &str) -> bool {
        self.targets.contains_key(reference)
    }

    /// Returns the direct target of the reference.
    pub(super) fn target(&mut self, reference: &'d str, holder: &'d Value) -> Option<&'d Value> {
        if let Some(known) = self.targets.get(reference) {
            return *known;
        }
        let target = self.look_up(reference);
        if target.is_none() {
            self.unresolved.push(Unresolved { reference, holder });
        }
        self.targets.insert(reference, target);
        target
    }

    /// Follows references to an object.
    pub fn resolve(&mut self, value: &'d Value) -> Found<'d> {
        let (mut at, mut passed) = (value, Vec::new());
        let end = loop {
            let Some(text) = reference(at) else {
                break End::Found(Found::Value(at));
            };
            let address = std::ptr::from_ref(at);
            // A chain is followed once, from any entry. During that, its locations are marked as a cycle.
            if let Some(known) = self.ends.get(&address) {
                break *known;
            }
            self.ends.insert(address, End::Circle);
            passed.push(address);
            match self.target(text, at) {
                Some(target) => at = target,
                None => break End::Found(Found::Nothing(text)),
            }
        };
        self.ends.extend(passed.into_iter().map(|at| (at, end)));
        match end {
            End::Found(found) => found,
            End::Circle => {
                let circle = reference(value).unwrap_or_default();
                if self.circles.insert(circle) {
                    self.unresolved.push(Unresolved {
                        reference: circle,
                        holder: value,
                    });
                }
                Found::Nothing(circle)
            }
        }
    }

    /// Returns the object after references; `None` if it cannot be resolved.
    pub fn object(&mut self, value: &'d Value) -> Option<&'d Value> {
        match self.resolve(value) {
            Found::Value(value) => Some(value),
            Found::Nothing(_) => None,
        }
    }

    /// Returns the addresses of all values that are referenced, directly or not, from outside of the definitions, and of these values.
    pub fn used(&mut self, except: &HashSet<*const Value>) -> HashSet<*const Value> {
        let mut used = HashSet::new();
        let mut waiting: Vec<&'d Value> = Vec::new();
        for (key, value) in self.root.as_object().into_iter().flatten() {
            if key != "components" {
                waiting.push(value);
            }
        }
        while let Some(value) = waiting.pop() {
            match value {
                one if except.contains(&std::ptr::from_ref(one)) => {}
                Value::Array(items) => waiting.extend(items),
                Value::Object(map) => {
                    let referred = reference(value).and_then(|text| self.look_up(text));
                    let discriminator = map.get("discriminator").unwrap_or(&Value::Null);
                    let mapped = members_of(discriminator, "mapping");
                    let mapped = mapped.filter_map(|(_, name)| self.schema_named(name.as_str()?));
                    for target in referred.into_iter().chain(mapped) {
                        if used.insert(std::ptr::from_ref(target)) {
                            waiting.push(target);
                        }
                    }
                    let members = map.iter().filter(|(key, _)| *key != "$defs");
                    waiting.extend(members.map(|(_, value)| value));
                }
                _ => {}
            }
        }
        used
    }

    fn look_up(&self, reference: &str) -> Option<&'d Value> {
        Some(self.resolver.target(reference)?.value)
    }

    /// Returns the name of the component that a schema is.
    pub fn component_of(&self, schema: &Value) -> Option<&'d str> {
        let names = self.names.get_or_init(|| {
            let names = component_schemas(self.root)
                .map(|(name, schema)| (std::ptr::from_ref(schema), name.as_str()));
            names.collect()
        });
        names.get(&std::ptr::from_ref(schema)).copied()
    }

    /// Returns the location of a schema.
    pub fn pointer_of(&self, schema: &Value) -> String {
        let pointers = self.pointers.get_or_init(|| Pointers::read(self.root));
        pointers.pointer(schema)
    }

    /// Returns the schema of a discriminator's mapping value: a reference, or the name of a component.
    pub fn schema_named(&self, text: &str) -> Option<&'d Value> {
        let components = self.root.get("components");
        let component = components.and_then(|all| all.get("schemas")?.get(text));
        component.or_else(|| self.look_up(text))
    }

    /// Returns the component schemas that have a schema among the parts of their `allOf`, directly or not, the nearest first.
    pub fn descendants(&self, schema: &Value) -> Vec<&'d Value> {
        self.family().descendants(schema)
    }

    /// Returns the component schemas by the schemas among the parts of their `allOf`.
    pub(super) fn family(&self) -> &Family<'d> {
        self.family
            .get_or_init(|| Family::read(self.root, &self.resolver))
    }

    /// Returns what a discriminator chooses.
    pub(super) fn mapping(&mut self, discriminator: &'d Value) -> Rc<Mapping<'d>> {
        let address = std::ptr::from_ref(discriminator);
        if let Some(known) = self.mappings.get(&address) {
            return Rc::clone(known);
        }
        let mapping = Rc::new(Mapping::read(self, discriminator));
        self.mappings.insert(address, Rc::clone(&mapping));
        mapping
    }

    /// Returns the values of a discriminator's mapping that choose no schema.
    pub fn lost_tags(&mut self, discriminator: &'d Value) -> BTreeSet<&'d str> {
        self.mapping(discriminator).lost.clone()
    }
}

/// Returns the component schemas of a document, by their names.
pub fn component_schemas(root: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let components = root.get("components").unwrap_or(&Value::Null);
    members_of(components, "schemas")
}

/// Returns the keyword with which an object has this reference, and its value.
pub fn referring<'v>(holder: &'v Value, text: &str) -> Option<(&'static str, &'v Value)> {
    REFERRING.into_iter().find_map(|keyword| {
        let value = holder.get(keyword)?;
        (value.as_str() == Some(text)).then_some((keyword, value))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    /// Following a chain from each of its locations would take minutes.
    #[test]
    fn a_chain_of_references_is_followed_once() {
        const LENGTH: usize = 50_000;
        let refer = |index: usize| json!({"$ref": format!("#/components/schemas/S{index}")});
        let link = |index: usize| (format!("S{index}"), refer(index + 1));
        let chain = |last: Value| {
            let mut schemas: Map<String, Value> = (0..LENGTH).map(link).collect();
            schemas.insert(format!("S{LENGTH}"), last);
            json!({"components": {"schemas": schemas}})
        };
        for (last, is_value) in [
            (json!({"type": "string"}), true),
            (refer(LENGTH + 1), false),
            (refer(0), false),
        ] {
            let root = chain(last);
            let mut document = Document::new(&root);
            let schemas = root["components"]["schemas"].as_object().unwrap();
            for schema in schemas.values() {
                assert_eq!(document.object(schema).is_some(), is_value);
            }
        }
    }
}

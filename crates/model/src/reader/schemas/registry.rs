//! The state of the reader of schemas: names that are given, schemas that are read, schemas that wait.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use openapi_document::finding::{Finding, keep};
use openapi_document::json::text_of;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_schemas::reading::{Document, LIMIT, component_schemas};
use serde_json::Value;

use super::family::chosen_by_parents;
use super::formats::Formats;
use super::naming::{self, Naming, RESERVED};
use super::written::Written;
use crate::{Place, names};

/// A schema under its Rust name, with its location in the document.
#[derive(Clone, Debug)]
pub(in crate::reader) struct Registered {
    pub(in crate::reader) name: String,
    pub(in crate::reader) pointer: String,
    pub(in crate::reader) place: Place,
}

/// Names for a schema without a name in the document.
#[derive(Clone, Debug)]
pub(in crate::reader) struct Inline {
    /// After the type that has it, and its place there.
    pub(in crate::reader) wanted: String,
    /// `title`.
    pub(in crate::reader) title: Option<String>,
}

/// The location of the named schemas of a document.
const COMPONENTS: &str = "/components/schemas";

pub(in crate::reader) struct SchemaRegistry<'d> {
    pub(super) written: Written<'d>,
    /// Schemas that were referred to and are not read yet, with their names.
    pub(super) waiting: VecDeque<(String, &'d Value)>,
    /// Names that are read or wait.
    pub(super) known: HashSet<String>,
    /// Schemas without a name that are being written out.
    pub(super) expanding: Vec<*const Value>,
    /// The types of objects that several schemas describe, by the addresses of these.
    pub(super) wholes: HashMap<Vec<*const Value>, String>,
    /// The types of unions with a title, by what they consist of.
    pub(super) unions: HashMap<String, String>,
    pub(in crate::reader) schemas: Vec<Registered>,
    /// The schemas without a name in the document, by the names that they have until all are read.
    pub(in crate::reader) inline: HashMap<String, Inline>,
    /// The types of parents without their children, with those of all of them.
    pub(in crate::reader) parents: BTreeMap<String, String>,
    /// Indices of `schemas` by name.
    pub(super) by_name: HashMap<String, usize>,
    pub(in crate::reader) warnings: Vec<Finding>,
    /// The places whose schemas are read, and to which no reference of a schema leads.
    pub(in crate::reader) placed: BTreeSet<String>,
    /// How many schemas that were not read as a whole are warned of.
    told: usize,
    /// The types of string formats, and whether calls cost credits.
    pub(in crate::reader) formats: Formats,
}

impl<'d> SchemaRegistry<'d> {
    /// Names all components. They are read when something refers to them.
    pub(in crate::reader) fn new(source: &'d Source) -> Self {
        let mut registry = Self {
            written: Written {
                source,
                document: RefCell::new(Document::new(&source.value)),
                naming: Naming::new(&source.value),
                kinds: RefCell::default(),
                cut: RefCell::default(),
            },
            waiting: VecDeque::new(),
            known: HashSet::new(),
            expanding: Vec::new(),
            wholes: HashMap::new(),
            unions: HashMap::new(),
            by_name: HashMap::new(),
            schemas: Vec::new(),
            inline: HashMap::new(),
            parents: BTreeMap::new(),
            warnings: Vec::new(),
            placed: BTreeSet::new(),
            told: 0,
            formats: Formats::default(),
        };
        registry.name_components();
        registry
    }

    /// Names all components.
    fn name_components(&mut self) {
        let mut others = Vec::new();
        let chosen = chosen_by_parents(&self.written);
        for (key, schema) in component_schemas(&self.written.source.value) {
            let own = pointer::join(COMPONENTS, key);
            let mut resolved = self.written.resolve(schema).schema;
            let mut at = self.written.pointer(resolved);
            // A name for another component is that component. What is no component has the first name that one gives it.
            let is_named =
                pointer::is_within(&at, COMPONENTS) || self.written.naming.of(&at).is_some();
            if chosen.contains(&std::ptr::from_ref(schema)) || resolved.is_null() {
                (resolved, at) = (schema, own);
            } else if is_named && !pointer::is_within(&at, &own) {
                continue;
            }
            let wanted = rust_name(schema).unwrap_or(key);
            if let Some(reserved) = RESERVED.iter().find(|name| **name == names::pascal(wanted))
                && !self.written.form(resolved).form.is_named()
            {
                self.written.naming.reserve(reserved);
            }
            if !self.written.naming.give(&at, wanted) {
                others.push((at, wanted));
            }
        }
        // The first of two keeps its name, and no number takes the name of a third.
        for (pointer, wanted) in others {
            let name = self.written.naming.give_unique(&pointer, wanted);
            self.renamed(&pointer, wanted, &name);
        }
    }

    /// Returns the normal form of the schema at a place; any JSON without one. `hint` is the Rust name that an inline schema gets.
    pub(in crate::reader) fn place(&mut self, hint: &str, pointer: &str) -> Place {
        self.placed.insert(pointer.to_owned());
        let Some(schema) = self.written.source.value.pointer(pointer) else {
            return Place::default();
        };
        let placed = self.put(schema, hint);
        while let Some((name, schema)) = self.waiting.pop_front() {
            let formed = self.written.form_of_type(schema);
            self.warn_if_untyped(&formed.form, schema);
            self.finish(&name, formed, &self.written.pointer(schema));
        }
        self.warn_of_cut();
        placed
    }

    /// Warns of schemas that were not read as a whole.
    fn warn_of_cut(&mut self) {
        let cut: Vec<&'d Value> = self
            .written
            .cut
            .borrow()
            .iter()
            .skip(self.told)
            .copied()
            .collect();
        self.told += cut.len();
        for schema in cut {
            self.warn(
                "schema-parts",
                &self.written.pointer(schema),
                format!(
                    "this schema consists of more than {LIMIT} others; those beyond are not read"
                ),
                "simplify the schema in an override, keeping the wire format",
            );
        }
    }

    /// Returns the schema of this name, if it is read.
    pub(in crate::reader) fn schema(&self, name: &str) -> Option<&Place> {
        let schema = self.schemas.get(*self.by_name.get(name)?)?;
        Some(&schema.place)
    }

    /// Returns the place of the schema that a place refers to, or the place itself; `None` if the schema is not read.
    pub(in crate::reader) fn resolved<'p>(&'p self, place: &'p Place) -> Option<&'p Place> {
        place
            .reference()
            .map_or(Some(place), |name| self.schema(name))
    }

    /// Gives a schema without a name one that it has until all are read.
    pub(super) fn name_inline(&mut self, pointer: &str, hint: &str, title: Option<&str>) -> String {
        let wanted = match naming::of_component(pointer, &self.written.naming) {
            Some((component, own)) if !hint.starts_with(&component) => own,
            _ => names::pascal(hint),
        };
        let name = self.written.naming.give_unique(pointer, &wanted);
        let title = title.map(str::to_owned);
        self.inline.insert(name.clone(), Inline { wanted, title });
        self.known.insert(name.clone());
        name
    }

    /// Warns that a type is not called as its schema.
    pub(super) fn renamed(&mut self, pointer: &str, wanted: &str, name: &str) {
        self.warn(
            "type-name",
            pointer,
            format!(
                "the Rust type `{}` is there already; this schema becomes `{name}`",
                names::pascal(wanted)
            ),
            "rename one with `x-rust-name` in an override",
        );
    }

    pub(super) fn warn(
        &mut self,
        rule: &'static str,
        pointer: &str,
        message: impl Into<String>,
        help: &str,
    ) {
        let finding = self.written.source.finding(rule, pointer, message, help);
        keep(&mut self.warnings, finding.warning());
    }
}

pub(super) fn rust_name(schema: &Value) -> Option<&str> {
    text_of(schema, "x-rust-name")
}

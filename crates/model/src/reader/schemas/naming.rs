//! Names of types, each given once.

use std::collections::{HashMap, HashSet};

use openapi_document::pointer;
use openapi_document::source::BUNDLED;
use serde_json::Value;

use crate::names;

/// Names that emitted code uses for values, which the constructor of a tuple struct would hide.
pub(in crate::reader) const RESERVED: [&str; 4] = ["Err", "None", "Ok", "Some"];

/// The Rust names of schemas, by the pointers of the schemas.
pub(super) struct Naming<'d> {
    document: &'d Value,
    by_pointer: HashMap<String, String>,
    /// Addresses of the schemas that have one.
    named: HashSet<*const Value>,
    /// The first schema of each name; `None` where no schema can have it.
    taken: HashMap<String, Option<String>>,
}

impl<'d> Naming<'d> {
    pub(super) fn new(document: &'d Value) -> Self {
        Self {
            document,
            by_pointer: HashMap::new(),
            named: HashSet::new(),
            taken: HashMap::new(),
        }
    }

    /// Returns whether a schema has a name.
    pub(super) fn has(&self, schema: &Value) -> bool {
        self.named.contains(&std::ptr::from_ref(schema))
    }

    /// Notes the name of the schema at a pointer.
    pub(super) fn note(&mut self, pointer: &str, name: &str) {
        self.by_pointer.insert(pointer.to_owned(), name.to_owned());
        let schema = self.document.pointer(pointer);
        self.named.extend(schema.map(std::ptr::from_ref));
    }

    /// The name of the schema at a pointer, if it has one.
    pub(super) fn of(&self, pointer: &str) -> Option<&str> {
        self.by_pointer.get(pointer).map(String::as_str)
    }

    /// Gives the schema at a pointer the wanted name. `false` if another schema has it.
    pub(super) fn give(&mut self, pointer: &str, wanted: &str) -> bool {
        let name = names::pascal(wanted);
        if self.taken.contains_key(&name) {
            return false;
        }
        self.taken.insert(name.clone(), Some(pointer.to_owned()));
        self.note(pointer, &name);
        true
    }

    /// Returns the location of the first schema of a name.
    pub(super) fn at(&self, name: &str) -> Option<&str> {
        self.taken.get(name)?.as_deref()
    }

    /// Takes a name that no schema can have.
    pub(super) fn reserve(&mut self, name: &str) {
        self.taken.entry(name.to_owned()).or_default();
    }

    /// Gives the schema at a pointer the wanted name, with a number if another schema has it.
    pub(super) fn give_unique(&mut self, pointer: &str, wanted: &str) -> String {
        let wanted = names::pascal(wanted);
        let name = names::unique(&wanted, |name| !self.taken.contains_key(name));
        self.taken.insert(name.clone(), Some(pointer.to_owned()));
        self.note(pointer, &name);
        name
    }
}

/// Parts of a document with names, and what is added to the names of those that are no schemas.
const NAMED_PARTS: [(&str, &str); 5] = [
    ("schemas", ""),
    ("responses", "Response"),
    ("requestBodies", "Body"),
    ("parameters", "Parameter"),
    ("headers", "Header"),
];

/// Returns the name of the component that a pointer leads into, and that of the schema there, from the component and the path. A component
/// without a Rust name in `given` is called by its key.
pub(super) fn of_component(pointer: &str, given: &Naming<'_>) -> Option<(String, String)> {
    let (file, steps) = within_file(pointer);
    let mut tokens = steps.into_iter();
    if tokens.next()? != "components" {
        return None;
    }
    let part = tokens.next()?;
    let (_, suffix) = NAMED_PARTS.iter().find(|(name, _)| *name == part)?;
    let key = tokens.next()?;
    let named = given.of(&pointer::join(&format!("{file}/components/{part}"), &key));
    let mut component = named.map_or_else(|| names::pascal(&key), str::to_owned);
    if named.is_none() && !component.ends_with(suffix) {
        component.push_str(suffix);
    }
    let mut own = component.clone();
    let mut is_name = false;
    for token in tokens {
        let part = match token.as_str() {
            _ if is_name => names::pascal(token.split('#').next()?),
            "items" => "Item".to_owned(),
            "additionalProperties" => "Value".to_owned(),
            _ => String::new(),
        };
        is_name = !is_name && token == "properties";
        own.push_str(&part);
    }
    Some((component, own))
}

/// Returns the location of the file that a location is in, and the steps from there. The first file is at the root.
fn within_file(pointer: &str) -> (String, Vec<String>) {
    let mut steps: Vec<String> = pointer::tokens(pointer).collect();
    match steps.as_slice() {
        [bundled, path, ..] if bundled == BUNDLED => {
            let file = pointer::join(&format!("/{BUNDLED}"), path);
            (file, steps.split_off(2))
        }
        _ => (String::new(), steps),
    }
}

/// Keys of the form of a document, which say nothing of a schema.
const OF_THE_FORM: [&str; 16] = [
    "$defs",
    "additionalProperties",
    "allOf",
    "anyOf",
    "application/json",
    "components",
    "content",
    "definitions",
    "items",
    "oneOf",
    "parameters",
    "paths",
    "properties",
    "requestBody",
    "schema",
    "schemas",
];

/// Keys of a document below which the path to a schema names it.
const NAMING_PATHS: [&str; 3] = ["components", "paths", "webhooks"];

/// Returns the name that a schema deep in a document gets when a reference leads to it: from its component and the path from there. In another
/// file it is the last name of the path, and that of the file if the schema is all of it. Where the path has only words of the form, the last
/// of them is a name.
pub(super) fn hint(pointer: &str) -> String {
    let (file, steps) = within_file(pointer);
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return name_of_file(&file);
    };
    let telling: Vec<String> = steps
        .iter()
        .filter(|step| !OF_THE_FORM.contains(&step.as_str()))
        .map(|step| names::pascal(step))
        .collect();
    match telling.last() {
        None => names::pascal(last),
        Some(last) if !file.is_empty() && !NAMING_PATHS.contains(&first.as_str()) => last.clone(),
        Some(_) => telling.concat(),
    }
}

/// Returns the name of a file, without its folder, its ending, and words of the form.
fn name_of_file(file: &str) -> String {
    let path = pointer::tokens(file).last().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    // A name that begins with a dot is all ending.
    let stem = name.trim_start_matches('.').split('.').next();
    let stem = stem.unwrap_or_default();
    let words = stem.split(|c: char| !c.is_alphanumeric());
    let telling: Vec<&str> = words.filter(|word| !OF_THE_FORM.contains(word)).collect();
    if telling.is_empty() {
        names::pascal(stem)
    } else {
        names::pascal(&telling.join(" "))
    }
}

//! Which operations reach which schemas of a document, and whether they send or receive them. Found by walking through the document,
//! without the code of the diff.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_document::pointer::{from_fragment, join, percent_decoded};
use serde_json::Value;

/// The part of a call that has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Sent,
    Received,
}

/// Operations with their ways, by the pointer of the schema that they reach.
pub(super) type Reached = BTreeMap<String, BTreeSet<(String, Way)>>;

/// Component schemas by the pointer of a part of their `allOf`.
type Children = HashMap<String, Vec<String>>;

/// Returns the schemas that the operations of a document send or receive.
pub(super) fn reached(root: &Value) -> Reached {
    const METHODS: [&str; 8] = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace",
    ];
    let children = children(root);
    let mut reached = Reached::new();
    for (path, item) in root["paths"].as_object().into_iter().flatten() {
        let path_item = target(item).unwrap_or_else(|| join("/paths", path));
        for method in METHODS {
            let at = join(&path_item, method);
            if root.pointer(&at).is_none() {
                continue;
            }
            for way in [Way::Sent, Way::Received] {
                let mut walk = Walk::new(root, &children, way);
                match way {
                    Way::Sent => walk.request(&path_item, &at),
                    Way::Received => walk.map(&join(&at, "responses")),
                }
                let operation = format!("{} {path}", method.to_uppercase());
                for (schema, _) in walk.schemas {
                    let uses = reached.entry(schema).or_default();
                    uses.insert((operation.clone(), way));
                }
            }
        }
    }
    reached
}

/// Returns the pointer of a reference's target.
fn target(value: &Value) -> Option<String> {
    let target = from_fragment(value.get("$ref")?.as_str()?)?;
    Some(percent_decoded(target))
}

fn children(root: &Value) -> Children {
    let mut children = Children::new();
    let components = root.pointer("/components/schemas");
    for (name, schema) in components.and_then(Value::as_object).into_iter().flatten() {
        if is_name(schema) {
            continue;
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            let mut parent = target(part);
            while let Some(at) = parent {
                let child = join("/components/schemas", name);
                let known = children.entry(at.clone()).or_default();
                if known.contains(&child) {
                    break;
                }
                known.push(child);
                let value = root.pointer(&at).filter(|value| is_name(value));
                parent =
                    value.and_then(|value| target(value).or_else(|| target(&value["allOf"][0])));
            }
        }
    }
    children
}

/// Returns whether a schema is another one by a reference, perhaps with null and documentation.
fn is_name(schema: &Value) -> bool {
    const BESIDE: [&str; 9] = [
        "nullable",
        "title",
        "description",
        "deprecated",
        "default",
        "example",
        "examples",
        "readOnly",
        "writeOnly",
    ];
    let is_rest = |key: &String| {
        key == "allOf" || key == "$ref" || BESIDE.contains(&key.as_str()) || key.starts_with("x-")
    };
    let parts = schema["allOf"].as_array().map_or(0, Vec::len);
    (parts == 1 || schema.get("$ref").is_some())
        && schema
            .as_object()
            .is_some_and(|map| map.keys().all(is_rest))
}

/// A walk through what an operation sends or receives.
struct Walk<'d> {
    root: &'d Value,
    children: &'d Children,
    way: Way,
    /// Pointers of schemas, with that of the component that they are a part of.
    schemas: BTreeSet<(String, Option<String>)>,
    others: BTreeSet<String>,
}

impl<'d> Walk<'d> {
    fn new(root: &'d Value, children: &'d Children, way: Way) -> Self {
        Self {
            root,
            children,
            way,
            schemas: BTreeSet::new(),
            others: BTreeSet::new(),
        }
    }

    /// Walks through a body and parameters; those of a path apply unless the operation has one of the same name.
    fn request(&mut self, path_item: &str, operation: &str) {
        self.other(&join(operation, "requestBody"));
        let mut known = BTreeSet::new();
        for holder in [operation, path_item] {
            let at = join(holder, "parameters");
            let all = self.root.pointer(&at).and_then(Value::as_array);
            for (index, one) in all.into_iter().flatten().enumerate() {
                let value = target(one).and_then(|at| self.root.pointer(&at));
                let value = value.unwrap_or(one);
                if known.insert((value["name"].to_string(), value["in"].to_string())) {
                    self.other(&format!("{at}/{index}"));
                }
            }
        }
    }

    /// Walks through the members of an object that has names as keys.
    fn map(&mut self, at: &str) {
        let map = self.root.pointer(at).and_then(Value::as_object);
        for name in map.into_iter().flat_map(|map| map.keys()) {
            self.other(&join(at, name));
        }
    }

    /// Walks through a part of an operation that is not a schema.
    fn other(&mut self, at: &str) {
        let Some(value) = self.root.pointer(at) else {
            return;
        };
        if !self.others.insert(at.to_owned()) {
            return;
        }
        if let Some(target) = target(value) {
            return self.other(&target);
        }
        // Headers with these names are described elsewhere, so they have no schema.
        const ELSEWHERE: [&str; 3] = ["accept", "content-type", "authorization"];
        let name = value["name"].as_str().unwrap_or_default().to_lowercase();
        if value["in"] == "header" && ELSEWHERE.contains(&name.as_str()) {
            return;
        }
        self.schema(&join(at, "schema"), None);
        // HTTP allows no body with these status codes, and none in a response to HEAD.
        const BODILESS: [&str; 3] = ["/204", "/205", "/304"];
        if !at.contains("/head/responses/") && !BODILESS.iter().any(|status| at.ends_with(status)) {
            self.map(&join(at, "content"));
        }
        let headers = value["headers"].as_object();
        for name in headers.into_iter().flat_map(|map| map.keys()) {
            // A response without content has the media type of another part; this header is ignored.
            if name.to_lowercase() != "content-type" {
                self.other(&join(&join(at, "headers"), name));
            }
        }
    }

    /// Walks through a schema that is a part of a component, or of none.
    fn schema(&mut self, at: &str, component: Option<&str>) {
        let Some(value) = self.root.pointer(at).filter(|value| value.is_object()) else {
            return;
        };
        let is_component = at.starts_with("/components/schemas/") && at.matches('/').count() == 3;
        let own = (is_component && !is_name(value)).then_some(at);
        let component = component.or(own);
        let key = (at.to_owned(), component.map(str::to_owned));
        if !self.schemas.insert(key) {
            return;
        }
        if let Some(target) = target(value) {
            self.schema(&target, component);
            if has_no_siblings(self.root) {
                return;
            }
        }
        self.schema(&join(at, "additionalProperties"), None);
        // Elements of a value that is no list.
        if value["type"].as_str().is_none_or(|kind| kind == "array") {
            self.schema(&join(at, "items"), None);
        }
        for name in value["properties"]
            .as_object()
            .into_iter()
            .flat_map(|map| map.keys())
        {
            let at = join(&join(at, "properties"), name);
            let flag = match self.way {
                Way::Sent => "readOnly",
                Way::Received => "writeOnly",
            };
            if !self.has_flag(&at, flag) {
                self.schema(&at, None);
            }
        }
        for key in ["allOf", "oneOf", "anyOf", "prefixItems"] {
            let count = value[key].as_array().map_or(0, Vec::len);
            let component = component.filter(|_| key == "allOf");
            (0..count).for_each(|index| self.schema(&format!("{at}/{key}/{index}"), component));
        }
        if value.get("discriminator").is_some() {
            self.chosen(at, value, component.unwrap_or(at));
        }
    }

    /// Returns whether a property, or what it refers to, has a keyword that is true.
    fn has_flag(&self, at: &str, flag: &str) -> bool {
        let Some(value) = self.root.pointer(at) else {
            return false;
        };
        let parts = value["allOf"].as_array().into_iter().flatten();
        value[flag] == true
            || target(value).is_some_and(|at| self.has_flag(&at, flag))
            || parts.filter_map(target).any(|at| self.has_flag(&at, flag))
    }

    /// Walks through the schemas that a discriminator chooses. One of them is only itself, or one of its own descendants.
    fn chosen(&mut self, at: &str, value: &Value, parent: &str) {
        let is_within = self.descendants(at).iter().any(|child| child == parent);
        let mapping = value["discriminator"]["mapping"].as_object();
        for target in mapping
            .into_iter()
            .flatten()
            .filter_map(|(_, target)| target.as_str())
        {
            let target = match from_fragment(target) {
                Some(target) => percent_decoded(target),
                None => join("/components/schemas", target),
            };
            if !is_within || target == parent {
                self.schema(&target, None);
            }
        }
        if value.get("oneOf").or(value.get("anyOf")).is_none() {
            for child in self.descendants(parent) {
                self.schema(&child, None);
            }
        }
    }

    fn descendants(&self, at: &str) -> Vec<String> {
        let mut found = vec![at.to_owned()];
        let mut next = 0;
        while let Some(parent) = found.get(next) {
            let children = self.children.get(parent).into_iter().flatten();
            let new: Vec<String> = children
                .filter(|one| !found.contains(one))
                .cloned()
                .collect();
            found.extend(new);
            next += 1;
        }
        found.remove(0);
        found
    }
}

/// Returns whether keywords beside a reference mean nothing.
pub(super) fn has_no_siblings(root: &Value) -> bool {
    root["openapi"]
        .as_str()
        .is_some_and(|version| version.starts_with("3.0"))
}

//! Lookups in a document.

use serde_json::{Map, Value, json};

use crate::families;

/// An OpenAPI document, unchanged.
pub struct Document(pub Value);

/// An operation of a document.
pub struct Operation<'d> {
    /// `operationId`, or method and path without one.
    pub id: String,
    /// Method, in lower case.
    pub method: &'d str,
    /// Path template.
    pub path: &'d str,
    /// Parameters of the operation and of its path, references resolved.
    pub parameters: Vec<&'d Value>,
    /// The operation object.
    pub value: &'d Value,
}

impl Operation<'_> {
    /// Returns the query pairs that the path template contains.
    pub(crate) fn fixed(&self) -> Vec<(String, String)> {
        let query = self.path.strip_prefix(template(self.path));
        let query = query.and_then(|query| query.strip_prefix('?'));
        crate::wire::pairs(query.unwrap_or_default(), "&")
    }
}

const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

/// Headers that are never parameters, even if a document declares them, without their hyphens.
const HEADERS: [&str; 3] = ["accept", "contenttype", "authorization"];

impl Document {
    /// Reads a document. A path name without a parameter gets one: a required string.
    ///
    /// # Errors
    ///
    /// The input is not valid YAML.
    pub fn read(text: &str) -> Result<Self, serde_yaml::Error> {
        let mut document = Self(serde_yaml::from_str(text)?);
        let version = document.0.get("openapi").and_then(Value::as_str);
        // Version 3.0 ignores what is beside a reference.
        if version.is_some_and(|version| !version.starts_with("3.0")) {
            join_references(&mut document.0);
        }
        let missing: Vec<(String, String, Value)> = document
            .operations()
            .into_iter()
            .flat_map(|operation| {
                let names = template(operation.path).split('{').skip(1);
                let names = names.filter_map(|rest| rest.split('}').next());
                let is_missing = |name: &&str| {
                    let mut all = operation.parameters.iter();
                    !all.any(|one| one.get("name") == Some(&json!(name)) && one.get("in") == Some(&json!("path")))
                };
                let (path, method) = (operation.path.to_owned(), operation.method.to_owned());
                let missing: Vec<&str> = names.filter(is_missing).collect();
                missing.into_iter().map(move |name| {
                    let parameter = json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
                    (path.clone(), method.clone(), parameter)
                }).collect::<Vec<_>>()
            })
            .collect();
        for (path, method, parameter) in missing {
            let paths = document
                .0
                .get_mut("paths")
                .and_then(|paths| paths.get_mut(&path));
            let operation = paths
                .and_then(|item| item.get_mut(&method))
                .and_then(Value::as_object_mut);
            let parameters = operation
                .map(|operation| operation.entry("parameters").or_insert_with(|| json!([])));
            if let Some(all) = parameters.and_then(Value::as_array_mut) {
                all.push(parameter);
            }
        }
        families::part_children(&mut document);
        Ok(document)
    }

    /// Resolves a reference, or returns the value itself.
    pub fn meant<'d>(&'d self, mut value: &'d Value) -> &'d Value {
        // A circle of references ends here without a value.
        for _ in 0..32 {
            let reference = value.get("$ref").and_then(Value::as_str);
            let target = reference.and_then(|reference| reference.strip_prefix('#'));
            match target.and_then(|pointer| self.at(pointer)) {
                Some(target) => value = target,
                None => break,
            }
        }
        value
    }

    /// Returns the value at a JSON Pointer, which may be percent-encoded like a fragment.
    fn at(&self, pointer: &str) -> Option<&Value> {
        let found = self.0.pointer(pointer);
        found.or_else(|| self.0.pointer(&crate::wire::decoded(pointer, false)))
    }

    /// Returns the value at a JSON Pointer whose steps may be references.
    pub(crate) fn through(&self, pointer: &str) -> Option<&Value> {
        let mut tokens = pointer.split('/').skip(1);
        tokens.try_fold(&self.0, |value, token| {
            self.meant(value).pointer(&format!("/{token}"))
        })
    }

    /// Returns all operations, in the order of the document.
    pub fn operations(&self) -> Vec<Operation<'_>> {
        let paths = self.0.get("paths").and_then(Value::as_object);
        let mut all = Vec::new();
        for (path, item) in paths.into_iter().flatten() {
            let item = self.meant(item);
            // OpenAPI 3.2 has other methods in an object of their own.
            let others = item.get("additionalOperations");
            let others = others.and_then(Value::as_object).into_iter().flatten();
            let usual = item.as_object().into_iter().flatten();
            let usual = usual.filter(|(method, _)| METHODS.contains(&method.as_str()));
            for (method, value) in usual.chain(others) {
                let id = value.get("operationId").and_then(Value::as_str);
                all.push(Operation {
                    id: id.map_or_else(|| format!("{method} {path}"), str::to_owned),
                    method,
                    path,
                    parameters: self.parameters(item, value),
                    value,
                });
            }
        }
        all
    }

    /// Returns the parameters of an operation, which override those of its path.
    fn parameters<'d>(&'d self, item: &'d Value, operation: &'d Value) -> Vec<&'d Value> {
        let mut all: Vec<&Value> = Vec::new();
        for from in [operation, item] {
            let list = from.get("parameters").and_then(Value::as_array);
            for parameter in list.into_iter().flatten() {
                let parameter = self.meant(parameter);
                let is_same = |one: &&Value| {
                    ["name", "in"].map(|key| one.get(key))
                        == ["name", "in"].map(|key| parameter.get(key))
                };
                if !all.iter().any(is_same) {
                    all.push(parameter);
                }
            }
        }
        all
    }

    /// Returns the operation of a request and its path parameters. Most query pairs in the template win, then fewest parameters.
    pub fn operation(
        &self,
        method: &str,
        path: &str,
        query: &[(String, String)],
    ) -> Option<(Operation<'_>, Vec<(String, String)>)> {
        let all = self.operations().into_iter();
        let found = all.filter_map(|operation| {
            let is_method = operation.method.eq_ignore_ascii_case(method);
            let captured = is_method.then(|| captured(template(operation.path), path))??;
            let fixed = operation.fixed();
            let is_there = fixed.iter().all(|pair| query.contains(pair));
            is_there.then_some((fixed.len(), operation, captured))
        });
        let best =
            found.min_by_key(|(fixed, _, captured)| (std::cmp::Reverse(*fixed), captured.len()));
        best.map(|(_, operation, captured)| (operation, captured))
    }

    /// Returns whether a parameter is no argument of a call: a header of the protocol, or a credential of the operation.
    pub(crate) fn is_of_protocol(
        &self,
        operation: &Operation<'_>,
        place: &str,
        name: &str,
    ) -> bool {
        let needed = operation.value.get("security");
        let needed = needed.or_else(|| self.0.get("security"));
        let needed = needed.and_then(Value::as_array);
        let schemes = self.0.pointer("/components/securitySchemes");
        let schemes = schemes.and_then(Value::as_object).into_iter().flatten();
        let mut schemes = schemes.filter(|(scheme, _)| {
            needed.is_none_or(|needed| needed.iter().any(|one| one.get(scheme).is_some()))
        });
        let is_scheme = schemes.any(|(_, scheme)| {
            let scheme = self.meant(scheme);
            let is_there = scheme.get("in") == Some(&json!(place));
            let key = scheme.get("name").and_then(Value::as_str);
            is_there && key.is_some_and(|key| key.eq_ignore_ascii_case(name))
        });
        let plain = name.to_lowercase().replace(['-', '_'], "");
        let is_key = needed.is_none() && plain.ends_with("apikey");
        let is_header = HEADERS.contains(&plain.as_str()) || is_key;
        is_scheme || place == "header" && is_header
    }

    /// Returns the status code and the example of the first success of an operation.
    pub fn example(&self, operation: &Value) -> Option<(u16, Value)> {
        let responses = operation.get("responses")?.as_object()?;
        responses.iter().find_map(|(status, response)| {
            let status = status
                .parse()
                .ok()
                .filter(|status| (200..300).contains(status))?;
            let content = self
                .meant(response)
                .get("content")?
                .get("application/json")?;
            Some((status, content.get("example")?.clone()))
        })
    }

    /// Returns the schemas that a discriminator without listed alternatives chooses: each component that has the schema in its `allOf`,
    /// directly or not, with its tag.
    pub(crate) fn chosen(&self, schema: &Value) -> Vec<Value> {
        let parent = self.meant(schema);
        let listed = parent.get("oneOf").or(parent.get("anyOf"));
        let Some(discriminator) = parent.get("discriminator").filter(|_| listed.is_none()) else {
            return Vec::new();
        };
        let components = self.0.pointer("/components/schemas");
        let components = components.and_then(Value::as_object);
        let (mut family, mut chosen) = (vec![parent], Vec::new());
        while let Some(one) = family.pop() {
            for (name, child) in components.into_iter().flatten() {
                let parts = child.get("allOf").and_then(Value::as_array);
                let mut parts = parts.into_iter().flatten().map(|part| self.meant(part));
                if parts.any(|part| std::ptr::eq(part, one)) {
                    family.push(child);
                    let child = json!({"$ref": format!("#/components/schemas/{name}")});
                    chosen.push(tagged(discriminator, name, child));
                }
            }
        }
        chosen
    }

    /// Returns a parent without its children, with its tag, if the pointer is that of its discriminator. A child that is a parent, too,
    /// may have the discriminator of its own parent.
    pub(crate) fn itself(&self, at: &str) -> Option<Value> {
        let parent = at.strip_suffix("/discriminator")?;
        let name = parent.rsplit('/').next()?;
        let mut alone = self.0.pointer(parent)?.clone();
        let flat = self.flat(&alone, 8);
        // A property may have this name, too.
        let discriminator = flat
            .get("discriminator")
            .filter(|one| one.get("propertyName").is_some())?;
        alone.as_object_mut()?.remove("discriminator");
        Some(tagged(discriminator, name, alone))
    }

    /// Returns whether values of a schema are bytes.
    pub(crate) fn is_file(&self, schema: &Value) -> bool {
        let schema = self.but_null(schema);
        schema.get("format") == Some(&json!("binary"))
            || schema.get("contentEncoding") == Some(&json!("binary"))
            || schema.get("contentMediaType").is_some()
    }

    /// Resolves a reference, and returns the other alternative of a choice between null and one schema.
    pub(crate) fn but_null<'d>(&'d self, schema: &'d Value) -> &'d Value {
        let schema = self.meant(schema);
        let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf"));
        let alternatives = alternatives.and_then(Value::as_array).into_iter().flatten();
        let others: Vec<&Value> = alternatives
            .filter(|one| one.get("type") != Some(&json!("null")))
            .collect();
        match others.as_slice() {
            [one] => self.meant(one),
            _ => schema,
        }
    }

    /// Returns a schema merged with its `allOf`.
    pub fn flat(&self, schema: &Value, depth: u8) -> Value {
        let schema = self.meant(schema);
        let mut flat = schema.clone();
        let Some(Value::Array(parts)) = flat.as_object_mut().and_then(|all| all.remove("allOf"))
        else {
            return flat;
        };
        if let (Some(depth), Some(flat)) = (depth.checked_sub(1), flat.as_object_mut()) {
            for part in &parts {
                join(flat, self.flat(part, depth));
            }
        }
        flat
    }
}

/// Keywords that say more about the values of the schema that a reference beside them leads to.
const BESIDE: [&str; 5] = [
    "required",
    "properties",
    "additionalProperties",
    "items",
    "enum",
];

/// Writes references that have such keywords beside them as parts of an `allOf`.
fn join_references(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(join_references),
        Value::Object(all) => {
            all.values_mut().for_each(join_references);
            let refers = all.get("$ref").is_some_and(Value::is_string);
            if refers && BESIDE.iter().any(|key| all.contains_key(*key)) {
                let reference = json!({"$ref": all.remove("$ref")});
                let parts = all.entry("allOf").or_insert_with(|| json!([]));
                if let Some(parts) = parts.as_array_mut() {
                    parts.push(reference);
                }
            }
        }
        _ => {}
    }
}

/// Returns a schema with the tag that chooses the component of this name.
fn tagged(discriminator: &Value, name: &str, schema: Value) -> Value {
    let property = discriminator.get("propertyName").and_then(Value::as_str);
    let property = property.unwrap_or_default();
    let tag = json!({"enum": [tag(discriminator, name)]});
    json!({"allOf": [schema, {"required": [property], "properties": {property: tag}}]})
}

/// Returns the value of a discriminator that chooses a component schema.
fn tag(discriminator: &Value, name: &str) -> String {
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    let is_named = |target: &Value| {
        let target = target.as_str().unwrap_or_default();
        target.rsplit('/').next() == Some(name)
    };
    let mut all = mapping.into_iter().flatten();
    let found = all.find(|(_, target)| is_named(target));
    found.map_or(name, |(value, _)| value).to_owned()
}

/// Merges another schema of the same value.
fn join(flat: &mut Map<String, Value>, part: Value) {
    let Value::Object(part) = part else { return };
    for (key, value) in part {
        match (flat.get_mut(&key), value) {
            (None, value) => {
                flat.insert(key, value);
            }
            (Some(Value::Array(all)), Value::Array(more)) if key == "required" => all.extend(more),
            (Some(Value::Array(all)), Value::Array(more)) if key == "enum" => {
                all.retain(|one| more.contains(one));
            }
            (Some(one), more) if key == "items" => *one = json!({"allOf": [one.take(), more]}),
            (Some(Value::Object(all)), Value::Object(more)) if key == "properties" => {
                for (name, property) in more {
                    let both = match all.remove(&name) {
                        Some(one) => json!({"allOf": [one, property]}),
                        None => property,
                    };
                    all.insert(name, both);
                }
            }
            // The more specific schema wins: the one beside the reference.
            _ => {}
        }
    }
}

/// Returns the path of a template, without its query.
pub(crate) fn template(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Returns the values of the names in a template; `None` for another path.
fn captured(template: &str, path: &str) -> Option<Vec<(String, String)>> {
    let Some((literal, rest)) = template.split_once('{') else {
        let is_same = crate::wire::decoded(path, false) == crate::wire::decoded(template, false);
        return is_same.then(Vec::new);
    };
    let (name, rest) = rest.split_once('}')?;
    let path = path.strip_prefix(literal)?;
    let segment = path.find('/').unwrap_or(path.len());
    let mut ends = path.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.find_map(|end| {
        let (text, after) = path.split_at_checked(end).filter(|_| end <= segment)?;
        let mut others = captured(rest, after)?;
        others.insert(0, (name.to_owned(), text.to_owned()));
        Some(others)
    })
}

//! What is looked up in a document.

use serde_json::{Map, Value, json};

/// A document, as it is written.
pub struct Document(pub Value);

/// An operation of a document.
pub struct Operation<'d> {
    /// `operationId`, or what stands in for it.
    pub id: String,
    /// The method, in lower case.
    pub method: &'d str,
    /// The template of its path.
    pub path: &'d str,
    /// The parameters of the operation and those of its path, references followed.
    pub parameters: Vec<&'d Value>,
    /// What the document says of it.
    pub value: &'d Value,
}

impl Operation<'_> {
    /// The pairs of a query that is in the template of the path.
    pub(crate) fn fixed(&self) -> Vec<(String, String)> {
        let query = self.path.strip_prefix(template(self.path));
        let query = query.and_then(|query| query.strip_prefix('?'));
        crate::wire::pairs(query.unwrap_or_default(), "&")
    }
}

const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

impl Document {
    /// Reads a document. A name of a path that no parameter has is one: a required text.
    ///
    /// # Errors
    ///
    /// A text that is no YAML.
    pub fn read(text: &str) -> Result<Self, serde_yaml::Error> {
        let mut document = Self(serde_yaml::from_str(text)?);
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
        Ok(document)
    }

    /// What a reference leads to, or the value itself.
    pub(crate) fn meant<'d>(&'d self, mut value: &'d Value) -> &'d Value {
        // A circle of references means nothing, and ends.
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

    /// A place by its JSON Pointer, which may be percent-encoded as a fragment is.
    fn at(&self, pointer: &str) -> Option<&Value> {
        let found = self.0.pointer(pointer);
        found.or_else(|| self.0.pointer(&crate::wire::decoded(pointer, false)))
    }

    /// All operations, in the order of the document.
    pub fn operations(&self) -> Vec<Operation<'_>> {
        let paths = self.0.get("paths").and_then(Value::as_object);
        let mut all = Vec::new();
        for (path, item) in paths.into_iter().flatten() {
            let item = self.meant(item);
            for (method, value) in item.as_object().into_iter().flatten() {
                let Some(method) = METHODS.iter().find(|known| *known == method) else {
                    continue;
                };
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

    /// The parameters of an operation, which win over those of its path.
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

    /// The operation of a request, with the texts of its path: that whose query is in the template, else that with the fewest parameters.
    pub(crate) fn operation(
        &self,
        method: &str,
        path: &str,
        query: &[(String, String)],
    ) -> Option<(Operation<'_>, Vec<(String, String)>)> {
        let all = self.operations().into_iter();
        let found = all.filter_map(|operation| {
            let is_method = operation.method == method;
            let captured = is_method.then(|| captured(template(operation.path), path))??;
            let fixed = operation.fixed();
            let is_there = fixed.iter().all(|pair| query.contains(pair));
            is_there.then_some((fixed.len(), operation, captured))
        });
        let best =
            found.min_by_key(|(fixed, _, captured)| (std::cmp::Reverse(*fixed), captured.len()));
        best.map(|(_, operation, captured)| (operation, captured))
    }

    /// The status code and the example of the first success of an operation.
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

    /// Whether values of a schema are bytes.
    pub(crate) fn is_file(&self, schema: &Value) -> bool {
        let schema = self.meant(schema);
        schema.get("format") == Some(&json!("binary")) || schema.get("contentMediaType").is_some()
    }

    /// A schema with everything that its `allOf` says.
    pub(crate) fn flat(&self, schema: &Value, depth: u8) -> Value {
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

/// Adds what another schema says of the same value.
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
            // The part of the schema that is about less wins: it is the one beside the reference.
            _ => {}
        }
    }
}

/// The part of a template that is a path.
pub(crate) fn template(path: &str) -> &str {
    path.split(['?', '#']).next().unwrap_or_default()
}

/// The texts that stand for the names of a template; `None` for another path.
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

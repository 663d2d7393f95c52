//! Observed payloads are instances of the reconciled document for other tools, too: for a JSON Schema validator that does not know
//! our extensions.

use openapi_document::pointer;
use serde_json::{Map, Value, json};

use crate::support::{Inputs, reached};

const DOCUMENT: &str = "document.json";

/// Validator for the schemas of the reconciled document, converted to JSON Schema: null is a type there.
struct Validator {
    document: Value,
    compiler: boon::Compiler,
}

impl Validator {
    fn of(document: &Value) -> Self {
        let mut plain = document.clone();
        nullable(&mut plain);
        let mut compiler = boon::Compiler::new();
        compiler.add_resource(DOCUMENT, plain).unwrap();
        Self {
            document: document.clone(),
            compiler,
        }
    }

    /// Returns the reason why a value is not an instance of the schema at a location.
    fn refuses(&mut self, at: &str, value: &Value) -> Option<String> {
        let mut schemas = boon::Schemas::new();
        // The pointer is the fragment of a URI.
        let fragment = at
            .replace('%', "%25")
            .replace('{', "%7B")
            .replace('}', "%7D");
        let place = format!("{DOCUMENT}#{fragment}");
        let schema = self.compiler.compile(&place, &mut schemas).unwrap();
        let verdict = schemas.validate(value, schema);
        verdict.err().map(|error| format!("{error:#}"))
    }
}

/// Rewrites `nullable` as a type.
fn nullable(value: &mut Value) {
    match value {
        Value::Object(map) => {
            let is_nullable = map.get("nullable") == Some(&json!(true));
            if let Some(kind) = map.get("type").filter(|_| is_nullable) {
                let types = json!([kind, "null"]);
                map.insert("type".to_owned(), types);
            }
            map.values_mut().for_each(nullable);
        }
        Value::Array(items) => items.iter_mut().for_each(nullable),
        _ => {}
    }
}

/// Returns the first value of a schema in a payload. `at` is the schema of the payload, and `wanted` the other one.
fn found<'v>(document: &Value, at: &str, value: &'v Value, wanted: &str) -> Option<&'v Value> {
    if at == wanted {
        return Some(value);
    }
    let schema = document.pointer(at)?;
    if let Some(reference) = schema["$ref"].as_str() {
        return found(document, &reference[1..], value, wanted);
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for index in 0..schema[key].as_array().map_or(0, Vec::len) {
            let part = format!("{at}/{key}/{index}");
            if let Some(found) = found(document, &part, value, wanted) {
                return Some(found);
            }
        }
    }
    match value {
        Value::Array(items) => {
            let mut items = items.iter();
            items.find_map(|item| found(document, &format!("{at}/items"), item, wanted))
        }
        Value::Object(map) => map.iter().find_map(|(key, value)| {
            let property = pointer::join(&format!("{at}/properties"), key);
            found(document, &property, value, wanted)
        }),
        _ => None,
    }
}

/// Merges a record of the reference with another payload. Aliases of the other payload's members are removed from the record.
fn with(record: &Value, shown: &Value, aliases: &[Vec<String>]) -> Value {
    match (record, shown) {
        (Value::Object(record), Value::Object(shown)) => {
            let mut whole: Map<String, Value> = record.clone();
            for names in aliases
                .iter()
                .filter(|names| names.iter().any(|name| shown.contains_key(name)))
            {
                whole.retain(|key, _| !names.contains(key));
            }
            for (key, value) in shown {
                let value = match record.get(key) {
                    Some(record) => with(record, value, aliases),
                    None => value.clone(),
                };
                whole.insert(key.clone(), value);
            }
            whole.into()
        }
        (Value::Array(records), Value::Array(shown)) => {
            let first = records.first().unwrap_or(&Value::Null);
            shown.iter().map(|one| with(first, one, aliases)).collect()
        }
        (_, shown) => shown.clone(),
    }
}

/// Returns all names of each property that has several.
fn aliases_of(document: &Value) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    pointer::walk(document, "", &mut |at, value| {
        let Some(aliases) = value.get("x-aliases").and_then(Value::as_array) else {
            return;
        };
        let own = at.rsplit('/').next().unwrap().to_owned();
        let others = aliases
            .iter()
            .map(|alias| alias.as_str().unwrap().to_owned());
        all.push(others.chain([own]).collect());
    });
    all
}

/// Returns the pointer of each operation's success, with the payload of the reference.
fn payloads(inputs: &'static Inputs) -> Vec<(String, Value)> {
    let reconciled = inputs.reconciled();
    let code = client_generator::generate::code(&reconciled.source, &reconciled.report).unwrap();
    let all = code.model.operations.iter().map(|operation| {
        let at = format!(
            "{}/content/application~1json/schema",
            operation.success_pointer
        );
        (
            at,
            serde_json::from_str(&reviewed_facts::payload(&operation.rust_name)).unwrap(),
        )
    });
    all.collect()
}

#[test]
fn payloads_of_the_reference_are_instances_for_any_validator() {
    let inputs = Inputs::committed();
    let mut validator = Validator::of(inputs.reconciled().value());
    let payloads = payloads(inputs);
    assert!(payloads.len() > 5);
    let refused = payloads
        .iter()
        .filter_map(|(at, payload)| Some(format!("{at}: {}", validator.refuses(at, payload)?)));
    assert_eq!(refused.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn evidence_is_an_instance_for_any_validator_and_both_names_are_declared() {
    let inputs = Inputs::committed();
    let reconciled = inputs.reconciled();
    let mut validator = Validator::of(reconciled.value());
    let aliases = aliases_of(&validator.document);
    assert!(!aliases.is_empty());
    let payloads = payloads(inputs);
    let mut wrong = Vec::new();
    let mut check = |what: &str, at: &str, shown: &Value| {
        let document = &validator.document;
        let mut payloads = payloads.iter();
        let record = payloads.find_map(|(root, payload)| found(document, root, payload, at));
        let record = record.unwrap_or_else(|| panic!("no payload has a {at}"));
        let whole = with(record, shown, &aliases);
        wrong.extend(
            validator
                .refuses(at, &whole)
                .map(|why| format!("{what}: {why}\n{whole}")),
        );
    };
    // No payload has a schema that no operation uses.
    let used = reached(reconciled.value());
    for one in &inputs.overrides.overrides {
        for evidence in &one.evidence {
            let name = &evidence.said.schema;
            if name.starts_with('/') {
                check(&one.id, name, &evidence.said.payload);
            } else if used.contains(name) {
                let at = format!("/components/schemas/{name}");
                check(&one.id, &at, &evidence.said.payload);
            }
        }
    }
    let types = inputs.types();
    // The names that fields are read from.
    for (id, text) in reviewed_facts::all("forms") {
        let forms: Value = serde_json::from_str(&text).unwrap();
        for form in forms.as_array().unwrap() {
            let (name, sent) = (form["schema"].as_str().unwrap(), &form["sent"]);
            let sent_members = sent.as_object().unwrap();
            let at = &types[name];
            let properties = reconciled.value().pointer(&format!("{at}/properties"));
            let own = aliases_of(properties.unwrap());
            let has = own
                .iter()
                .flatten()
                .any(|name| sent_members.contains_key(name));
            if has && !sent_members.values().any(Value::is_null) {
                check(&format!("{id} {sent}"), at, sent);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Names of an earlier document are read, and the document no longer has them.
    let names = &reconciled.report.applied;
    let names = names.iter().find(|one| one.by.id == "names");
    let is_earlier = |at: &str| {
        let mut changes = names.iter().flat_map(|one| &one.changes);
        changes.any(|change| pointer::is_within(&change.pointer, at))
    };
    pointer::walk(&validator.document, "", &mut |at, value| {
        if is_earlier(at) {
            return;
        }
        let Some(aliases) = value.get("x-aliases").and_then(Value::as_array) else {
            return;
        };
        let home = at.rsplit_once('/').unwrap().0;
        for alias in aliases {
            let at = pointer::join(home, alias.as_str().unwrap());
            assert!(validator.document.pointer(&at).is_some(), "{at}");
        }
    });
}

//! Every field of every payload as null, missing, and empty, one at a time: the rest is read as if nothing had happened. What holds the
//! content of a response is the exception: without it there is no response.

use company_intel::{Client, Error, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::operations::every_operation;
use crate::support::payloads::essence;

/// Walks the payload of an operation, as the type that its call returns; gives back how many variants of it were read. The call names the
/// type and is never made.
fn walk<T, F>(payload: &str, _: impl Fn(Client) -> F) -> usize
where
    T: DeserializeOwned + Serialize,
    F: Future<Output = Result<Response<T>, Error>>,
{
    let whole: Value = serde_json::from_str(payload).unwrap();
    let mut pointers = Vec::new();
    collect(&whole, "", &mut pointers);

    let mut variants = 0;
    for pointer in &pointers {
        let value = whole.pointer(pointer).unwrap();
        for replacement in replacements(value) {
            let mut sent = whole.clone();
            replace(&mut sent, pointer, replacement);
            // Strict, outside of a client: a record that does not decode is an error here.
            let read: Result<T, _> = serde_json::from_str(&sent.to_string());
            let is_content = ["/data", "/detail"].contains(&pointer.as_str());
            if is_content && sent.pointer(pointer).is_none_or(Value::is_null) {
                assert!(read.is_err(), "{pointer} is not there: {sent}");
                continue;
            }
            let read = read.unwrap_or_else(|error| panic!("{pointer}: {error}"));
            let read = serde_json::to_value(&read).unwrap();
            assert!(
                essence(&read) == essence(&sent),
                "{pointer}: {sent} became {read}"
            );
            variants += 1;
        }
    }
    variants
}

/// What may stand in the place of a value; `None` for nothing.
fn replacements(value: &Value) -> Vec<Option<Value>> {
    let mut replacements = vec![None, Some(Value::Null)];
    match value {
        Value::String(_) => replacements.push(Some(json!(""))),
        Value::Array(_) => replacements.push(Some(json!([]))),
        _ => {}
    }
    replacements
}

fn replace(whole: &mut Value, pointer: &str, replacement: Option<Value>) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = whole.pointer_mut(parent).unwrap();
    let fields = parent.as_object_mut().unwrap();
    match replacement {
        Some(value) => fields.insert(name.to_owned(), value),
        None => fields.remove(name),
    }
    .expect("replaces something");
}

/// Pointers to all fields, at any depth. Where keys are data, and in objects of unpublished content, there are none.
fn collect(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_data = name.starts_with("provider_") || name == "not_published";
                if !is_data {
                    let pointer = format!("{pointer}/{name}");
                    collect(value, &pointer, pointers);
                    pointers.push(pointer);
                }
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                collect(value, &format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_may_be_null_missing_or_empty() {
    let mut all = 0;
    macro_rules! each {
        ($($name:ident: $client:ident => $call:expr,)*) => {$(
            let payload = reviewed_facts::payload(stringify!($name));
            let variants = walk(&payload, |$client: Client| $call.send());
            // What visits nothing passes.
            assert!(variants > 3, "{}: only {variants}", stringify!($name));
            all += variants;
        )*};
    }
    every_operation!(each);
    assert!(all > 800, "only {all}");
}

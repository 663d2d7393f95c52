//! Every field of every payload as null, missing, and empty, one at a time: the rest decodes unchanged. There are two exceptions. A response
//! needs its content. A number, a boolean, a date or an identifier is never made up: without it, the nearest optional value is set aside, or
//! the response does not decode.

use company_intel::document::Documented;
use company_intel::{Client, Error, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::operations::every_operation;
use crate::support::payloads::essence;

/// Walks the payload of an operation, decoded as the type that its call returns; returns the number of variants decoded. The call only
/// names the type and is never made.
fn walk<T, F>(payload: &str, _: impl Fn(Client) -> F) -> usize
where
    T: Documented + DeserializeOwned + Serialize,
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
            // Decoding outside of a client is strict: a record that does not decode is an error.
            let read: Result<T, _> = serde_json::from_str(&sent.to_string());
            let is_content = ["/data", "/detail"].contains(&pointer.as_str());
            if is_content && sent.pointer(pointer).is_none_or(Value::is_null) {
                assert!(read.is_err(), "{pointer} is not there: {sent}");
                continue;
            }
            let read = read.ok().map(|read| serde_json::to_value(&read).unwrap());
            if read.is_none_or(|read| essence(&read) != essence(&sent)) {
                assert!(is_never_made_up(value), "{pointer}: {sent}");
                assert_is_left_out::<T>(&sent, pointer);
            }
            variants += 1;
        }
    }
    variants
}

fn is_never_made_up(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().any(is_never_made_up),
        Value::Number(_) | Value::Bool(_) | Value::String(_) => true,
        _ => false,
    }
}

/// Checks how a client reads a body that lacks a value: it refuses the body, sets aside the part with the value in it, or keeps the
/// incomplete record unchanged.
fn assert_is_left_out<T: Documented + Serialize>(sent: &Value, pointer: &str) {
    match Response::<T>::from_bytes(sent.to_string()) {
        Err(error) => {
            assert!(matches!(error, Error::Decode(_)), "{pointer}: {error:?}");
            assert!(
                pointer.starts_with(error.path().unwrap()),
                "{pointer}: {error}"
            );
        }
        Ok(response) => {
            let mut set_aside = response.set_aside().iter();
            let is_set_aside = set_aside.any(|one| pointer.starts_with(&one.pointer));
            let read = serde_json::to_value(&response.body).unwrap();
            let is_kept = essence(&read) == essence(sent);
            assert_ne!(is_set_aside, is_kept, "{pointer}: {sent} became {read}");
        }
    }
}

/// Returns replacements for a value; `None` removes it.
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

/// Collects pointers to all fields, at any depth, except below objects whose keys are data or whose content is unpublished.
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
            // A walk that visits nothing would pass.
            assert!(variants > 3, "{}: only {variants}", stringify!($name));
            all += variants;
        )*};
    }
    every_operation!(each);
    assert!(all > 800, "only {all}");
}

//! Fields for which the reference contradicts itself or leaves a form open: the published form, the observed one, and both at once decode.
//! The forms are those of `tests/facts/forms/`, a file for each override; a form stays and goes with its override.

use serde_json::{Value, json};

use crate::support::operations::call;
use crate::support::payloads::essence;
use crate::support::placed::placed;
use crate::support::whole::whole;

/// A member that no schema has.
const UNHEARD_OF: &str = "unheard_of";

/// Compares the value decoded from a payload of a schema, in the response of an operation, with the expected one. Returns the lines of
/// drift.
pub(crate) async fn assert_read(schema: &str, sent: &Value, read: &Value) -> Vec<String> {
    let (operation, body) = placed(schema, sent);
    let (_, expected) = placed(schema, read);
    let body = whole(&operation, &body.to_string());
    let returned = call(&operation, &body).await.unwrap();
    assert_eq!(essence(&returned.value), essence(&expected), "{sent}");
    returned.drift
}

#[tokio::test]
async fn every_form_of_every_override_is_read_as_a_person_reviewed_it() {
    let mut count = 0;
    for (id, text) in reviewed_facts::all("forms") {
        let forms: Vec<Value> = serde_json::from_str(&text).unwrap();
        for form in forms {
            let schema = form["schema"].as_str().unwrap();
            let sent = &form["sent"];
            println!("{id}: {sent}");
            let drift = assert_read(schema, sent, form.get("read").unwrap_or(sent)).await;
            if let Some(property) = form.get("missing").and_then(Value::as_str) {
                let line = format!("/{property}: missing, a required property");
                assert!(drift.iter().any(|one| one.ends_with(&line)), "{drift:?}");
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

#[tokio::test]
async fn an_unknown_property_is_ignored_at_every_depth() {
    for (operation, payload) in reviewed_facts::all("payloads") {
        let mut body: Value = serde_json::from_str(&payload).unwrap();
        let plain = call(&operation, &body.to_string()).await.unwrap();
        add(&mut body, &json!({"a": [1, null, {"b": 1e3}]}));
        let read = call(&operation, &body.to_string()).await.unwrap();
        assert!(!read.drift.is_empty(), "{operation}");
        // Types that keep unknown members write them again.
        let mut value = read.value;
        remove(&mut value);
        assert_eq!(essence(&value), essence(&plain.value), "{operation}");
    }
}

fn remove(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove(UNHEARD_OF);
            object.values_mut().for_each(remove);
        }
        Value::Array(items) => items.iter_mut().for_each(remove),
        _ => {}
    }
}

/// Adds a member to every object that is not a map of numbers.
fn add(value: &mut Value, member: &Value) {
    match value {
        Value::Object(object) => {
            let is_map = object.keys().any(|key| key.starts_with("provider_"));
            object.values_mut().for_each(|value| add(value, member));
            let is_number = object.values().all(Value::is_number);
            if !is_map && !is_number {
                object.insert(UNHEARD_OF.to_owned(), member.clone());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| add(item, member)),
        _ => {}
    }
}

#[tokio::test]
async fn what_a_call_cost_never_costs_its_response() {
    // (as sent, millionths of a credit)
    for (cost, expected) in [
        ("2", Some(2_000_000)),
        ("0.00", Some(0)),
        ("2.5e0", Some(2_500_000)),
        ("null", None),
        (r#""1.5""#, Some(1_500_000)),
        (r#""a few""#, None),
        ("-0.5", None),
        ("1e999", None),
        ("99999999999999999999999", None),
        (r#"{"amount": 2}"#, None),
    ] {
        let job = whole("job_posts", r#"{"data": [{}]}"#);
        let rest = job.strip_prefix('{').unwrap();
        let body = format!(r#"{{"credits_consumed": {cost}, {rest}"#);
        let returned = call("job_posts", &body).await.unwrap();
        assert_eq!(returned.micros, expected, "{cost}");
        assert_eq!(returned.value["data"].as_array().unwrap().len(), 1);
    }
}

//! A 200 without the documented response is an error that keeps the bytes and reports the body received. Records and the members beside
//! them stay tolerant.

use std::collections::BTreeSet;

use company_intel::Error;
use serde_json::{Value, json};

use crate::support::document::{meant, response_of};
use crate::support::operations::{call, is_named, names};
use crate::support::records::{read, rejects};
use crate::support::whole::whole;

/// Returns the result of each operation for a service that responds with this body.
async fn all(body: &str) -> Vec<(&'static str, Result<Value, Error>)> {
    let mut all = Vec::new();
    for operation in names() {
        let ended = call(operation, body).await;
        all.push((operation, ended.map(|returned| returned.value)));
    }
    assert!(all.len() > 5, "{all:?}");
    all
}

/// Returns the members that a response needs, and true if they are its content: otherwise one required member is enough.
pub(crate) fn content(name: &str) -> (Vec<String>, bool) {
    let schema = response_of(name);
    let required = schema["required"].as_array().unwrap().iter();
    let required: Vec<String> = required
        .map(|name| name.as_str().unwrap().to_owned())
        .filter(|name| name != "credits_consumed")
        .collect();
    let is_content = |name: &&String| {
        let property = &schema["properties"][name.as_str()];
        let inner = meant(property);
        let is_nullable = [property, inner].iter().any(|one| one["nullable"] == true);
        !is_nullable && matches!(inner["type"].as_str(), Some("object" | "array"))
    };
    let content: Vec<String> = required.iter().filter(is_content).cloned().collect();
    // Without content, the required values that are never made up are needed, or else any required member.
    let is_certain = |name: &&String| {
        let property = meant(&schema["properties"][name.as_str()]);
        matches!(
            property["type"].as_str(),
            Some("boolean" | "number" | "integer")
        )
    };
    let certain: Vec<String> = required.iter().filter(is_certain).cloned().collect();
    match (content.is_empty(), certain.is_empty()) {
        (false, _) => (content, true),
        (true, false) => (certain, false),
        (true, true) => (required, false),
    }
}

/// Returns the members of which a response needs at least one, as an error names them.
fn needed(id: &str) -> BTreeSet<String> {
    let (members, _) = content(id);
    members.iter().map(|name| format!("`{name}`")).collect()
}

/// Checks the rule above for three operations of the reference.
#[test]
fn the_content_of_a_response_is_its_required_object_or_list() {
    let of = |members: &[&str]| members.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(needed("job_posts"), of(&["`data`"]));
    assert_eq!(needed("request_status"), of(&["`detail`"]));
    assert_eq!(needed("add_company"), of(&["`already_exists`"]));
}

#[tokio::test]
async fn an_object_that_is_no_response_is_an_error_of_every_operation() {
    for (body, has) in [
        ("{}", "is empty"),
        (r#"{"error": "quota exceeded"}"#, "has `error`"),
        (r#"{"credits_consumed": 4}"#, "has `credits_consumed`"),
        (
            r#"{"result": {"data": []}, "ok": false, "a": 1, "b": 2, "c": 3}"#,
            "has `result`, `ok`, `a` and 2 more",
        ),
    ] {
        let ended = all(body).await;
        for (id, result) in ended {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Decode(_)), "{id}: {error:?}");
            assert_eq!(error.body().unwrap(), body, "{id}");
            assert_eq!(error.path(), Some(""), "{id}");
            let said = error.to_string();
            let (_, end) = said.split_once(": expected an object with ").unwrap();
            let (members, state) = end.split_once("; it ").unwrap();
            let members: BTreeSet<_> = members.split(" or ").map(str::to_owned).collect();
            assert_eq!((members, state), (needed(id), has), "{id}: {error}");
            let said = said.split(" (").next().unwrap().to_owned();
            assert!(is_named(&json!({"operationId": said}), id), "{error}");
        }
    }
}

#[tokio::test]
async fn content_of_another_kind_is_an_error_at_its_place() {
    for operation in names() {
        let (members, is_content) = content(operation);
        let Some(member) = members.first().filter(|_| is_content) else {
            continue;
        };
        for sent in ["null", "7", r#""gone""#] {
            let body = format!(r#"{{"{member}": {sent}}}"#);
            let error = call(operation, &body).await.unwrap_err();
            assert!(matches!(error, Error::Decode(_)), "{operation}: {error:?}");
            let place = format!("/{member}");
            assert_eq!(error.path(), Some(&*place), "{operation}, {sent}: {error}");
        }
    }
    // A nullable member of another type is set aside, if the document gives it a type.
    let company = &response_of("add_company")["properties"]["company"];
    if meant(company)["type"].is_null() {
        return;
    }
    for (sent, is_drift) in [("null", false), ("7", true), (r#""gone""#, true)] {
        let body = format!(r#"{{"already_exists": true, "company": {sent}}}"#);
        let returned = call("add_company", &body).await.unwrap();
        assert_eq!(returned.value.get("company"), None, "{sent}");
        let mut drift = returned.drift.iter();
        assert_eq!(
            drift.any(|line| line.contains("/company: of type")),
            is_drift
        );
    }
}

#[tokio::test]
async fn the_content_alone_is_a_response() {
    let (mut lists, mut objects) = (0, 0);
    for operation in names() {
        let (members, is_content) = content(operation);
        if !is_content {
            continue;
        }
        let properties = &response_of(operation)["properties"];
        let is_list = |name: &String| meant(&properties[name.as_str()])["type"] == "array";
        let has_lists = members.iter().all(is_list);
        let body = |with: Value| {
            let members = members.iter().map(|name| (name.clone(), with.clone()));
            whole(operation, &Value::Object(members.collect()).to_string())
        };
        let list = call(operation, &body(json!([]))).await;
        let object = call(operation, &body(json!({}))).await;
        assert_eq!(list.is_ok(), has_lists, "{operation}");
        assert_eq!(object.is_ok(), !has_lists, "{operation}");
        lists += usize::from(has_lists);
        objects += usize::from(!has_lists);
    }
    assert!(lists > 0 && objects > 0, "{lists} {objects}");
    for body in [
        r#"{"already_exists": false}"#,
        r#"{"request_id": "r1", "already_exists": false}"#,
    ] {
        call("add_company", body).await.unwrap();
    }
    // The existence of the company is not made up.
    let error = call("add_company", r#"{"request_id": "r1"}"#)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("`already_exists`"), "{error}");
}

#[tokio::test]
async fn payloads_of_one_operation_are_no_response_of_another() {
    let (jobs, status) = ("job_posts", "request_status");
    for (operation, of) in [(jobs, status), (status, jobs)] {
        let other = call(operation, &reviewed_facts::payload(of)).await;
        assert!(other.is_err(), "{operation}");
    }
}

#[tokio::test]
async fn a_page_of_rejects_is_still_a_page() {
    let page = read("job_posts", r#"{"total": 2, "data": [1, 2]}"#, |client| {
        client.job_posts("k7f3q9").send()
    });
    let page = page.await.body;
    assert!(page.data.is_empty());
    assert_eq!(
        rejects(&page.data),
        [(0, "", json!(1.0)), (1, "", json!(2.0))]
    );
}

#[tokio::test]
async fn what_is_no_object_is_an_error_of_every_operation() {
    for body in [
        "[]",
        "[{}]",
        r#"["a", "b"]"#,
        "null",
        "7",
        r#""quota exceeded""#,
        "",
    ] {
        for (id, result) in all(body).await {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Decode(_)), "{id}: {error:?}");
            let said = error.to_string();
            let why = match body {
                "" => ": expected JSON, got an empty body",
                _ => ", expected an object at line 1",
            };
            assert!(said.contains(why), "{id}: {said}");
            assert_eq!(error.body().unwrap(), body, "{id}");
        }
    }
}

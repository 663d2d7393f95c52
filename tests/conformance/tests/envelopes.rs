//! A 200 without the documented response is an error that keeps the bytes and reports the body received. Records and the members beside
//! them stay tolerant.

use std::collections::BTreeSet;

use company_intel::drift::DriftKind;
use company_intel::{Client, Error};
use serde_json::{Value, json};

use crate::support::calls::respond_with;
use crate::support::document::{meant, property_of, response_of};
use crate::support::operations::{call, is_named, names};
use crate::support::payloads::essence;
use crate::support::server::json_response;
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
    assert_eq!(needed("news"), of(&["`data`"]));
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
    // A nullable member of another type is set aside.
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
        let body = |with: Value| {
            let members = members.iter().map(|name| (name.clone(), with.clone()));
            whole(operation, &Value::Object(members.collect()).to_string())
        };
        let list = call(operation, &body(json!([]))).await;
        let object = call(operation, &body(json!({}))).await;
        assert_ne!(list.is_ok(), object.is_ok(), "{operation}");
        lists += usize::from(list.is_ok());
        objects += usize::from(object.is_ok());
    }
    assert!(lists > 3 && objects > 3, "{lists} {objects}");
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
async fn arrays_never_pass_for_objects() {
    let body = r#"{"data": [[], {"article_type": ["c", "l"]}, {"id": 1}]}"#;
    let body = whole("news", body);
    let call = |client: Client| client.news("a.example").send();
    let page = respond_with(json_response(&body), call)
        .await
        .unwrap()
        .into_body();
    assert_eq!(page.data.len(), 1);
    let paths: Vec<_> = page
        .data
        .rejects()
        .iter()
        .map(|one| one.path.as_str())
        .collect();
    assert_eq!(paths, ["", "/article_type"]);
    for reject in page.data.rejects() {
        let said = "invalid type: array, expected an object at line 1";
        assert!(reject.message.starts_with(said), "{}", reject.message);
    }

    let body = whole(
        "headcount_trends",
        r#"{"data": {"growth_periods": [[6, 4]]}}"#,
    );
    let call = |client: Client| client.headcount_trends("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert!(response.body.data.growth_periods.is_empty());
    let left_out = &response.set_aside()[0];
    assert_eq!(left_out.pointer, "/data/growth_periods/0");
    assert_eq!(left_out.raw.get(), "[6,4]");
}

/// Decodes a malformed page; returns its decoded form, the number of rejects, and its drift.
async fn page_of_news(body: &str) -> (Value, usize, Vec<String>) {
    let body = whole("news", body);
    let call = |client: Client| client.news("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    let drift = response.drift();
    let others = drift
        .iter()
        .filter(|one| !matches!(one.kind, DriftKind::Missing | DriftKind::Null));
    let drift = others.map(ToString::to_string).collect();
    let rejects = response.body.data.rejects().len();
    (
        essence(&serde_json::to_value(&response.body).unwrap()),
        rejects,
        drift,
    )
}

#[tokio::test]
async fn what_stands_beside_the_records_is_set_aside_and_costs_none_of_them() {
    let body = r#"{"total": {}, "limit": "10", "offset": "0", "count": 1.5, "status": true, "data": [{"id": 1}], "credits_consumed": "x"}"#;
    let (page, rejects, drift) = page_of_news(body).await;
    // A numeric string is read as a number, and a boolean as a string.
    let expected = json!({"limit": 10, "status": "true", "data": [{"id": 1}]});
    assert_eq!((page, rejects), (essence(&expected), 0));
    assert_eq!(
        drift,
        [
            "/count: of type number, documented as integer",
            "/credits_consumed: of type string, documented as number",
            "/limit: of type string, documented as integer",
            "/offset: of type string, documented as integer",
            "/status: of type boolean, documented as string",
            "/total: of type object, documented as integer",
        ]
    );
}

#[tokio::test]
async fn what_stands_on_the_way_to_the_records_is_set_aside_too() {
    let body = r#"{"limit": [], "data": {"uuid": 7, "employee_reviews": {"overall_rating": {"a": "good"}, "other_ratings": {},
        "reviews": {"total": "one", "total_by_provider": {"a": 1.5}, "data": [{"id": 1}, {"id": "b"}]}}}}"#;
    let body = whole("employee_reviews", body);
    let call = |client: Client| client.employee_reviews("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    let drift = response.drift();
    let found = drift
        .iter()
        .filter(|one| !matches!(one.kind, DriftKind::Missing | DriftKind::Null));
    assert_eq!(found.count(), 7, "{drift:?}");
    let left_out = response.set_aside().iter();
    let mut left_out: Vec<_> = left_out.map(|one| one.pointer.as_str()).collect();
    left_out.sort_unstable();
    let summary = "/data/employee_reviews";
    assert_eq!(
        left_out,
        [
            format!("{summary}/other_ratings"),
            format!("{summary}/overall_rating/a"),
            format!("{summary}/reviews/data/1/id"),
            format!("{summary}/reviews/total"),
            format!("{summary}/reviews/total_by_provider/a"),
            "/limit".to_owned(),
        ]
    );
    let value = serde_json::to_value(&response.body).unwrap();
    let summary = json!({"reviews": {"data": [{"id": 1}, {}]}});
    // A number in place of a string is read as a string.
    let expected = json!({"data": {"uuid": "7", "employee_reviews": summary}});
    assert_eq!(essence(&value), essence(&expected));
    let reviews = response.into_body().data.employee_reviews;
    assert_eq!(reviews.reviews.data.len(), 2);

    // The path to the records, and the members that distinguish their lists, are required.
    for (body, path) in [
        (r#"{"data": {"product": {}}}"#, "/data/product"),
        (
            r#"{"data": {"uuid": "a", "product": [{"id": [7]}]}}"#,
            "/data/product/0/id",
        ),
        (
            r#"{"data": {"product": [{"reviews": []}]}}"#,
            "/data/product/0/reviews",
        ),
    ] {
        let call = |client: Client| client.product_reviews("a.example").send();
        let error = respond_with(json_response(body), call).await.unwrap_err();
        assert_eq!(error.path(), Some(path));
    }
}

#[tokio::test]
async fn a_number_where_a_text_is_promised_is_read_as_one_and_costs_no_record() {
    let body = r#"{"status": 7, "data": [{"id": 1, "title": 1984, "publisher": 0.5}]}"#;
    let (page, rejects, drift) = page_of_news(body).await;
    let expected = json!({"status": "7", "data": [{"id": 1, "title": "1984", "publisher": "0.5"}]});
    assert_eq!((page, rejects), (essence(&expected), 0));
    assert_eq!(
        drift,
        [
            "/data/0/publisher: of type number, documented as string",
            "/data/0/title: of type integer, documented as string",
            "/status: of type integer, documented as string",
        ]
    );
    // A string in place of a number is read only if it is numeric.
    let (page, rejects, _) =
        page_of_news(r#"{"data": [{"id": "1"}, {"id": "one"}, {"id": ""}]}"#).await;
    assert_eq!((&page["data"][0]["id"], rejects), (&json!(1.0), 0));
    assert_eq!(
        (&page["data"][1], &page["data"][2]),
        (&json!({}), &json!({}))
    );
}

#[tokio::test]
async fn whole_numbers_are_whole_however_they_are_spelled() {
    let number = property_of("NewsArticle", "integer");
    let body = format!(
        r#"{{"total": 37.0, "limit": 1e1, "offset": -0, "data": [{{"{number}": 4E0}}, {{"{number}": -0.0}}]}}"#
    );
    let (page, rejects, drift) = page_of_news(&body).await;
    let expected =
        json!({"total": 37, "limit": 10, "offset": 0, "data": [{number: 4}, {number: 0}]});
    assert_eq!((page, rejects, drift), (essence(&expected), 0, vec![]));

    let body =
        r#"{"data": {"headcount_monthly": [{"employee_count": 1e2}]}, "credits_consumed": 2.5}"#;
    let body = whole("headcount_trends", body);
    let call = |client: Client| client.headcount_trends("a.example").send();
    let headcount = respond_with(json_response(&body), call).await.unwrap();
    let headcount = serde_json::to_value(headcount.body).unwrap();
    let months = &headcount["data"]["headcount_monthly"];
    assert_eq!(essence(months), essence(&json!([{"employee_count": 100}])));
}

#[tokio::test]
async fn what_is_made_from_a_response_is_one_short_line() {
    let long = "k\\n".repeat(10_000);
    let key = format!(r#"{{"{long}": "x"}}"#);
    for body in [
        key.clone(),
        format!(r#"{{"data": "{long}"}}"#),
        format!(r#"{{"data": [{key}]}}"#),
    ] {
        let call = |client: Client| client.headcount_trends("a.example").send();
        let error = respond_with(json_response(&body), call).await.unwrap_err();
        let said = error.to_string();
        assert!(said.chars().count() < 600, "{said}");
        assert!(!said.contains(char::is_control), "{said}");
    }

    // Names of members are data here.
    let body = format!(
        r#"{{"data": {{"employee_reviews": {{"reviews": {{"data": [{{"id": "{long}"}}, "{long}"]}}}}}}, "more": {key}}}"#
    );
    let call = |client: Client| client.employee_reviews("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    let reviews = &response.body.data.employee_reviews.reviews;
    let reject = &reviews.data.rejects()[0];
    let left_out = &response.set_aside()[0];
    for message in [&reject.message, &left_out.message] {
        assert!(message.chars().count() < 450, "{message}");
    }

    let body = format!(
        r#"{{"data": {{"product": [{{"rating": {key}, "star_distribution": {{"{long}": 7}}}}]}}, "{long}": 1}}"#
    );
    let call = |client: Client| client.product_reviews("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    let mut drift = response.drift();
    drift.retain(|one| !matches!(one.kind, DriftKind::Missing | DriftKind::Null));
    assert_eq!(drift.len(), 3, "{drift:?}");
    for drift in drift {
        let line = drift.to_string();
        assert!(
            line.chars().count() < 400 && drift.pointer.chars().count() < 210,
            "{line}"
        );
        assert!(!line.contains(char::is_control) && !drift.pointer.contains(char::is_control));
    }
}

#[tokio::test]
async fn more_records_than_fit_into_memory_are_an_error_that_keeps_the_body() {
    let body = format!(
        r#"{{"data": [{}], "credits_consumed": 1}}"#,
        vec!["{}"; 1_000_000].join(",")
    );
    let call = |client: Client| client.news("a.example").send();
    let error = respond_with(json_response(&body), call).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains(": it has more elements than fit into"),
        "{error}"
    );
    assert_eq!(error.body().unwrap().len(), body.len());
    // The limit is on meaningless records only.
    let articles = format!(
        r#"{{"data": [{}]}}"#,
        vec![r#"{"id": 1, "title": "A title"}"#; 20_000].join(",")
    );
    let articles = whole("news", &articles);
    let response = respond_with(json_response(&articles), call).await.unwrap();
    assert_eq!(response.body.data.len(), 20_000);
}

#[tokio::test]
async fn payloads_of_one_operation_are_no_response_of_another() {
    let (news, status) = ("news", "request_status");
    for (operation, of) in [(news, status), (status, news)] {
        let other = call(operation, &reviewed_facts::payload(of)).await;
        assert!(other.is_err(), "{operation}");
    }
}

//! The document decides: a change of it changes the sandbox.

use reqwest::Method;

use serde_json::{Value, json};

use super::{Server, edits};
use crate::Sandbox;

/// Starts a sandbox whose document has another value in these members, or lacks them.
pub(super) async fn with(key: &str, from: Value, to: Option<Value>) -> Server {
    Server::with_document(|document| edits::set(document, key, from, to)).await
}

#[tokio::test]
async fn an_operation_without_samples_and_without_a_schema_says_so() {
    let server = Server::with_document(|document| {
        edits::rename_operation(document, "jobPosts", "openings");
        let openings = edits::operation(document, "openings");
        openings["responses"] = json!({"204": {"description": "Nothing."}});
    })
    .await;
    let reply = server.get("openings?company=example.com").await;
    assert_eq!(reply.status, 501);
    let reason = "no sample data for the operation openings";
    assert!(reply.text.contains(reason), "{}", reply.text);
    assert_eq!(server.sandbox.bill().calls, []);
}

#[tokio::test]
async fn paths_prices_and_the_key_come_from_the_document() {
    let path = Server::start().await.path("jobPosts");
    let edit = |document: &mut Value| edits::move_path(document, "jobPosts", "/v0/openings");
    let server = Server::with_document(edit).await;
    let there = format!("{path}?company=example.com");
    assert_eq!(server.get(&there).await.status, 404);
    let there = "/v0/openings?company=example.com";
    assert_eq!(server.get(there).await.status, 200);

    let server = with("default", 10.into(), Some(3.into())).await;
    let page = server.body("jobPosts?company=example.com").await;
    assert_eq!(page["limit"], 3);

    let server = with("credits", 4.into(), Some(json!(4.000001))).await;
    server.body("jobPosts?company=example.com").await;
    assert_eq!(server.sandbox.bill().total_micros, 4_000_001);

    let server = with("name", "x-api-key".into(), Some("x-other-key".into())).await;
    let path = "jobPosts?company=example.com";
    assert_eq!(server.get(path).await.status, 401);
    let request = server.bare(Method::GET, path);
    let request = request.header("x-other-key", "sandbox-key");
    assert_eq!(server.send(request).await.status, 200);
}

#[tokio::test]
async fn pages_hold_ten_records_where_the_document_has_no_default() {
    let server = with("default", 10.into(), None).await;
    let jobs = server.body("jobPosts?company=example.com").await;
    assert_eq!(jobs["limit"], 10);
    assert_eq!(jobs["data"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn documents_that_cannot_be_served_are_refused_at_the_start() {
    fn set(document: &mut Value, key: &str, from: impl Into<Value>, to: impl Into<Value>) {
        edits::set(document, key, from, Some(to.into()));
    }
    type Edit = fn(&mut Value);
    let all: [(Edit, &str); 4] = [
        (edits::break_a_reference, "leads nowhere"),
        (
            |document| set(document, "limit", "limit", "size"),
            "paging by size",
        ),
        (|document| set(document, "credits", 4, -4), "the price -4"),
        (
            |document| set(document, "in", "header", "query"),
            "not in a header",
        ),
    ];
    for (edit, reason) in all {
        let error = Server::try_document(edit).await.err();
        let error = format!("{:#}", error.unwrap_or_else(|| panic!("{reason}: taken")));
        assert!(error.contains(reason), "{error}");
    }
}

#[tokio::test]
async fn a_dropped_sandbox_stops_listening() {
    let server = Server::start().await;
    let path = "companySearch?query=example";
    assert_eq!(server.get(path).await.status, 200);
    let url = format!("{}{path}", server.sandbox.base_url());
    drop(server);
    let gone = async || {
        let attempt = reqwest::Client::new().get(&url).send().await;
        attempt.is_err_and(|error| error.is_connect())
    };
    for _ in 0..100 {
        if gone().await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("still listening");
}

#[tokio::test]
async fn calls_are_reported_to_the_observer_with_what_they_cost() {
    let (sender, lines) = std::sync::mpsc::channel();
    let builder = Sandbox::builder().api_key("k").on_call(move |call| {
        let (method, path) = (&call.method, &call.path);
        let line = format!("{method} {path} {} {}", call.status, call.credits);
        sender.send(line).unwrap();
    });
    let server = Server::of(builder.start().await.unwrap());
    server.get("headcountTrends?company=example.com").await;
    server.get("headcountTrends").await;
    server.get("/elsewhere").await;
    let path = server.path("headcountTrends");
    assert_eq!(
        lines.try_iter().collect::<Vec<_>>(),
        [
            format!("GET /api{path} 200 2.5"),
            format!("GET /api{path} 422 0"),
            "GET /api/elsewhere 404 0".to_owned(),
        ]
    );
}

#[tokio::test]
async fn a_key_that_each_operation_requires_is_the_key() {
    let server = Server::with_document(|document| {
        let all = ["get", "post"];
        let paths = document["paths"].as_object_mut().unwrap();
        let operations = paths.values_mut().flat_map(|item| {
            let item = item.as_object_mut().unwrap().iter_mut();
            item.filter(|(method, _)| all.contains(&method.as_str()))
        });
        let scheme = json!([{"EachOfThem": []}]);
        let count = operations
            .map(|(_, one)| one["security"] = scheme.clone())
            .count();
        assert!(count > 1);
        document.as_object_mut().unwrap().remove("security");
        let header = json!({"type": "apiKey", "in": "header", "name": "x-each"});
        document["components"]["securitySchemes"] = json!({"EachOfThem": header});
    })
    .await;
    for (header, is_known) in [("x-each", true), ("x-api-key", false)] {
        let request = server.bare(Method::GET, "companySearch?query=a");
        let request = request.header(header, server.sandbox.api_key());
        let status = request.send().await.unwrap().status();
        assert_eq!(status != 401, is_known, "{header}: {status}");
    }
}

//! The document decides: change it, and the sandbox changes with it.

use reqwest::Method;

use super::Server;
use crate::Sandbox;

#[tokio::test]
async fn an_operation_without_samples_and_without_a_schema_says_so() {
    let document = company_intel::OPENAPI.replace("operationId: jobPosts", "operationId: openings");
    let mut document: serde_json::Value = serde_yaml::from_str(&document).unwrap();
    let paths = document["paths"].as_object_mut().unwrap();
    let mut operations = paths.values_mut().filter_map(|item| item.get_mut("get"));
    let openings = operations.find(|one| one["operationId"] == "openings");
    openings.unwrap()["responses"] = serde_json::json!({"204": {"description": "Nothing."}});
    let builder = Sandbox::builder().document(serde_yaml::to_string(&document).unwrap());
    let server = Server::of(builder.start().await.unwrap());
    let reply = server.get("openings?company=example.com").await;
    assert_eq!(reply.status, 501);
    let reason = "no sample data for the operation openings";
    assert!(reply.text.contains(reason), "{}", reply.text);
    assert_eq!(server.sandbox.bill().calls, []);
}

#[tokio::test]
async fn paths_limits_prices_words_and_the_key_come_from_the_document() {
    let path = Server::start().await.path("jobPosts");
    let server = Server::with_document(&format!("{path}:"), "/v0/openings:").await;
    let there = format!("{path}?company=example.com");
    assert_eq!(server.get(&there).await.status, 404);
    let there = "/v0/openings?company=example.com";
    assert_eq!(server.get(there).await.status, 200);

    let server = Server::with_document("maximum: 100", "maximum: 7").await;
    let reply = server
        .get("employeeReviews?company=example.com&limit=8")
        .await;
    assert_eq!(reply.violations(), ["limit must be at most 7"]);

    let server = Server::with_document("default: 10", "default: 3").await;
    assert_eq!(
        server.body("jobPosts?company=example.com").await["limit"],
        3
    );

    let server = Server::with_document("credits: 4\n", "credits: 4.000001\n").await;
    server.body("jobPosts?company=example.com").await;
    assert_eq!(server.sandbox.bill().total_micros, 4_000_001);

    let server = Server::with_document("- l4\n", "- l9\n").await;
    let reply = server.get("industrySearch?query=food&level=l4").await;
    let listed = server.listed("IndustryLevel");
    assert!(listed.contains("l9"), "{listed}");
    assert_eq!(
        reply.violations(),
        [format!("level must be one of {listed}")]
    );

    let server = Server::with_document("name: x-api-key", "name: x-other-key").await;
    let path = "jobPosts?company=example.com";
    assert_eq!(server.get(path).await.status, 401);
    let request = server
        .bare(Method::GET, path)
        .header("x-other-key", "sandbox-key");
    assert_eq!(server.send(request).await.status, 200);
}

#[tokio::test]
async fn pages_hold_ten_records_where_the_document_has_no_default() {
    let server = Server::with_document("          default: 10\n", "").await;
    let jobs = server.body("jobPosts?company=example.com").await;
    assert_eq!(jobs["limit"], 10);
    assert_eq!(jobs["data"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn documents_that_cannot_be_served_are_refused_at_the_start() {
    let news = format!("{}:", Server::start().await.path("news"));
    let news = news.as_str();
    for (from, to, reason) in [
        (news, "/v0/{id}/:\n    get: {}\n  /v0/{name}:", "same shape"),
        (news, "/v0/a{b}:", "cannot be routed"),
        (news, "v0/news:", "does not start with a slash"),
        ("parameters/Offset'", "parameters/Off'", "leads nowhere"),
        ("products: absent", "products: seldom", "seldom"),
        ("products: absent", "product: absent", "depends on product,"),
        ("limit: limit", "limit: size", "paging by size"),
        ("credits: 4\n", "credits: -4\n", "the price -4"),
        ("in: header", "in: query", "not in a header"),
    ] {
        let document = company_intel::OPENAPI.replace(from, to);
        let error = Sandbox::builder().document(document).start().await.err();
        let error = format!("{:#}", error.unwrap_or_else(|| panic!("{to} was taken")));
        assert!(error.contains(reason), "{to}: {error}");
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

//! The document decides: change it, and the sandbox changes with it.

use reqwest::Method;

use super::Server;
use crate::Sandbox;

#[tokio::test]
async fn an_operation_without_sample_data_says_so() {
    let server = Server::with_document("operationId: jobPosts", "operationId: internships").await;
    let reply = server.get("/v1/company/jobs?company=example.com").await;
    assert_eq!(reply.status, 501);
    assert!(
        reply
            .text
            .contains("no sample data for the operation internships"),
        "{}",
        reply.text
    );
    assert_eq!(server.sandbox.bill().calls, []);
}

#[tokio::test]
async fn paths_limits_prices_words_and_the_key_come_from_the_document() {
    let server = Server::with_document("/v1/company/jobs:", "/v2/openings:").await;
    assert_eq!(
        server
            .get("/v1/company/jobs?company=example.com")
            .await
            .status,
        404
    );
    assert_eq!(
        server.get("/v2/openings?company=example.com").await.status,
        200
    );

    let server = Server::with_document("maximum: 100", "maximum: 7").await;
    let reply = server
        .get("/v1/company/employee-reviews?company=example.com&limit=8")
        .await;
    assert_eq!(reply.violations(), ["limit must be at most 7"]);

    let server = Server::with_document("default: 10", "default: 3").await;
    assert_eq!(
        server.body("/v1/company/jobs?company=example.com").await["limit"],
        3
    );

    let server = Server::with_document("credits: 4\n", "credits: 4.000001\n").await;
    server.body("/v1/company/jobs?company=example.com").await;
    assert_eq!(server.sandbox.bill().total_micros, 4_000_001);

    let server = Server::with_document("- l4\n      - all", "- l5\n      - all").await;
    let reply = server.get("/v1/industry/search?query=food&level=l4").await;
    assert_eq!(
        reply.violations(),
        ["level must be one of l1, l2, l3, l5, all"]
    );

    let server = Server::with_document("name: x-api-key", "name: x-other-key").await;
    let path = "/v1/company/jobs?company=example.com";
    assert_eq!(server.get(path).await.status, 401);
    let request = server
        .bare(Method::GET, path)
        .header("x-other-key", "sandbox-key");
    assert_eq!(server.send(request).await.status, 200);
}

#[tokio::test]
async fn pages_hold_ten_records_where_the_document_has_no_default() {
    let server = Server::with_document("          default: 10\n", "").await;
    let jobs = server.body("/v1/company/jobs?company=example.com").await;
    assert_eq!(jobs["limit"], 10);
    assert_eq!(jobs["data"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn documents_that_cannot_be_served_are_refused_at_the_start() {
    for (from, to, reason) in [
        (
            "/v1/news:",
            "/v1/company/{id}/:\n    get: {}\n  /v1/company/{name}:",
            "same shape",
        ),
        ("/v1/news:", "/v1/a{b}:", "cannot be routed"),
        ("/v1/news:", "v1/news:", "does not start with a slash"),
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
    let path = "/v1/company/search?query=example";
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
    server
        .get("/v1/company/headcount-trends?company=example.com")
        .await;
    server.get("/v1/company/headcount-trends").await;
    server.get("/elsewhere").await;
    assert_eq!(
        lines.try_iter().collect::<Vec<_>>(),
        [
            "GET /api/v1/company/headcount-trends 200 2.5",
            "GET /api/v1/company/headcount-trends 422 0",
            "GET /api/elsewhere 404 0",
        ]
    );
}

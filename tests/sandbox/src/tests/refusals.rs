//! Refused calls: their status, the broken rule, and no bill.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Method;

use super::Server;
use crate::Sandbox;

#[tokio::test]
async fn missing_and_wrong_keys_are_refused_on_free_operations_too() {
    let server = Server::start().await;
    let path = "companySearch?query=example";
    let none = server.send(server.bare(Method::GET, path)).await;
    let wrong = server.bare(Method::GET, path);
    let wrong = server.send(wrong.header("x-api-key", "sandbox-kez")).await;
    assert_eq!((none.status, wrong.status), (401, 401));
    assert!(none.text.contains("x-api-key"), "{}", none.text);
    assert!(!wrong.text.contains("sandbox-ke"), "{}", wrong.text);
    assert_eq!(server.get(path).await.status, 200);
}

#[tokio::test]
async fn a_name_that_is_not_the_sandboxs_gets_nothing() {
    let builder = Sandbox::builder().allow_host("sandbox.test");
    let server = Server::of(builder.start().await.unwrap());
    let base_url = server.sandbox.base_url();
    let origin = base_url.trim_end_matches("/api");
    let (_, address) = origin.split_once("://").unwrap();
    let (_, port) = address.split_once(':').unwrap();
    let call = server.path("companySearch?query=example");
    for path in [
        "/",
        "/_sandbox/bill",
        "/_sandbox/calls",
        "/_sandbox/explorer/",
        "/_sandbox/openapi.json",
        "/none",
        &format!("/api{call}"),
    ] {
        let under = |host: String| {
            let request = server.http.get(format!("{origin}{path}"));
            let request = request.header("host", host);
            server.send(request.header("x-api-key", server.sandbox.api_key()))
        };
        for host in ["evil.example", "localhost.evil.example", "10.0.0.7"] {
            let refused = under(format!("{host}:{port}")).await;
            assert_eq!(refused.status, 421, "{host} {path}: {}", refused.text);
            let option = format!("`--allow-host {host}`");
            assert!(refused.text.contains(&option), "{}", refused.text);
        }
        for host in ["localhost", "sandbox.test", "127.0.0.1", "[::1]"] {
            let status = under(format!("{host}:{port}")).await.status;
            assert_ne!(status, 421, "{host} {path}");
        }
    }
}

#[tokio::test]
async fn arguments_are_refused_by_the_rule_that_they_break() {
    let server = Server::start().await;
    for (path, violations) in [
        ("jobPosts", vec!["company is required"]),
        (
            "jobPosts?company=",
            vec!["company must have at least 1 characters"],
        ),
        (
            "jobPosts?company=example.com&company=example.org",
            vec!["company must be given once"],
        ),
        (
            "jobPosts?company=example.com&Limit=1",
            vec!["Limit is not known"],
        ),
        (
            "jobPosts?company=example.com&limit=ten",
            vec!["limit must be of type integer"],
        ),
        (
            "jobPosts?company=example.com&limit=1.5",
            vec!["limit must be of type integer"],
        ),
        (
            "jobPosts?company=example.com&limit=-1&offset=-1",
            vec!["offset must be at least 0", "limit must be at least 0"],
        ),
    ] {
        let reply = server.get(path).await;
        assert_eq!(reply.status, 422, "{path}: {}", reply.text);
        assert_eq!(reply.violations(), violations, "{path}");
    }
}

#[tokio::test]
async fn bodies_are_refused_by_the_rule_that_they_break() {
    let server = Server::start().await;
    for (body, violation) in [
        ("", "body must be JSON"),
        ("[]", "body must be of type object"),
        (r#"{"company_name": "A"}"#, "website is required"),
        (
            r#"{"company_name": 1, "website": "a.example"}"#,
            "company_name must be of type string",
        ),
        (
            r#"{"company_name": null, "website": "a.example"}"#,
            "company_name must not be null",
        ),
        (
            r#"{"company_name": "A", "website": "a.example", "site": ""}"#,
            "site is not known",
        ),
        (
            r#"{"company_name": "A", "website": "nowhere"}"#,
            "website must be a website",
        ),
    ] {
        let reply = server.post("addCompany", body).await;
        assert_eq!(reply.status, 422, "{body}: {}", reply.text);
        assert_eq!(reply.violations(), [violation], "{body}");
    }
    let untyped = server.bare(Method::POST, "addCompany");
    let untyped = untyped.header("x-api-key", server.sandbox.api_key());
    let reply = server.send(untyped.body("{}")).await;
    let violation = "body must be sent as application/json";
    assert_eq!(reply.violations(), [violation]);
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
    let server = Server::start().await;
    for (path, reason) in [
        (
            "jobPosts?company=nobody.example",
            "no company `nobody.example`",
        ),
        (
            "jobPosts?company=Example+Robotics",
            "no company `Example Robotics`",
        ),
        ("requestStatus/unheard-of", "no request `unheard-of`"),
        ("requestStatus/a%2Fb", "no request `a/b`"),
        ("/elsewhere", "no such path"),
        ("/v0/jobs?company=example.com", "no such path"),
    ] {
        let reply = server.get(path).await;
        assert_eq!(reply.status, 404, "{path}: {}", reply.text);
        assert!(reply.text.contains(reason), "{path}: {}", reply.text);
    }
}

#[tokio::test]
async fn other_methods_are_told_which_one_the_path_takes() {
    let server = Server::start().await;
    for (wrong, allowed) in [
        (
            server.post("jobPosts?company=example.com", "{}").await,
            "GET",
        ),
        (server.get("addCompany").await, "POST"),
    ] {
        assert_eq!(wrong.status, 405, "{allowed}");
        assert_eq!(wrong.headers["allow"], allowed);
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_like_everything_else() {
    let logged = Arc::new(Mutex::new(Vec::new()));
    let log = logged.clone();
    let builder = Sandbox::builder().on_call(move |call| log.lock().unwrap().push(call.status));
    let server = Server::of(builder.start().await.unwrap());
    let long = " ".repeat(3 << 20);
    for (reply, status) in [
        (server.post("addCompany", &long).await, 413),
        (server.get("requestStatus/%ff").await, 400),
    ] {
        assert_eq!(reply.status, status, "{}", reply.text);
        let error = &reply.json()["error"];
        let message = error["message"].as_str();
        assert!(message.is_some_and(|message| !message.is_empty()));
        assert_eq!(error["violations"], serde_json::json!([]));
    }
    assert_eq!(*logged.lock().unwrap(), [413, 400]);
    assert_eq!(server.sandbox.bill().refused, 2);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    use std::io::{Read, Write};

    let builder = Sandbox::builder().body_timeout(Duration::from_millis(200));
    let server = Server::of(builder.start().await.unwrap());
    let url = server.bare(Method::POST, "addCompany").build().unwrap();
    let url = url.url().clone();
    let begun = move || {
        let address = (url.host_str().unwrap(), url.port().unwrap());
        let mut socket = std::net::TcpStream::connect(address).unwrap();
        // A service that waits for the body fails the test.
        let patience = Some(Duration::from_secs(10));
        socket.set_read_timeout(patience).unwrap();
        let head =
            "HTTP/1.1\r\nhost: localhost\r\nx-api-key: sandbox-key\r\ncontent-length: 9\r\n\r\n{";
        write!(socket, "POST {} {head}", url.path()).unwrap();
        let mut reply = [0; 12];
        socket.read_exact(&mut reply).unwrap();
        reply
    };
    let reply = tokio::task::spawn_blocking(begun).await.unwrap();
    assert_eq!(&reply, b"HTTP/1.1 408");
    assert_eq!(server.sandbox.bill().refused, 1);
}

#[tokio::test]
async fn refused_calls_are_counted_and_not_billed() {
    let server = Server::start().await;
    server.get("jobPosts").await;
    server.get("jobPosts?company=nobody.example").await;
    server.get("/nowhere").await;
    let without_key = server.bare(Method::GET, "jobPosts?company=example.com");
    server.send(without_key).await;
    let bill = server.sandbox.bill();
    let counts = (bill.total_micros, bill.calls.len(), bill.refused);
    assert_eq!(counts, (0, 0, 4));
}

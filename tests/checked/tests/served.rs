//! The service as a program: what callers create is there until they delete it.
#![allow(clippy::unwrap_used)]

use assistant_client::WEBHOOK_SIGNATURE;
use assistant_client::http::HeaderMap;
use assistant_client::types::Agent;
use assistant_client::webhooks::{Signature, WebhookError, WebhookKey};
use checked_tests::{Behavior, Document, serve_on};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const DOCUMENT: &str = "
openapi: 3.2.0
info: {title: Boats, version: '1'}
paths:
  /boats:
    get:
      responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Boat'}},
        example: [{id: 7, name: Argo}]}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}
  /boats/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}
    delete:
      responses: {'204': {description: d}}
  /names/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}
    put:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}
  /prices:
    get:
      x-credits: [{credits: 2.5, when: {size: absent}}, {credits: 4, when: {size: present}}]
      parameters: [{name: size, in: query, schema: {type: integer}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [cost],
        properties: {cost: {type: number, x-rust-type: Credits}}}}}}}
  /watches:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [url], properties: {url: {type: string}}}}}}
      responses: {'201': {description: d}}
      callbacks:
        moved:
          '{$request.body#/url}?from=boats':
            post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}, example: {id: 7, name: Argo}}}}, responses: {}}
  /log:
    additionalOperations:
      COPY: {responses: {'204': {description: d}}}
x-webhook-signature: {header: Boat-Signature, value: 'v1={hex}', signed: '{timestamp}.{body}', timestamp: 't='}
webhooks:
  sunk:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}, example: {id: 8, name: Vasa}}}}, responses: {}}
components:
  schemas:
    Boat: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
";

/// Starts the service, and returns its port.
async fn start(behavior: Behavior) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(serve_on(
        listener,
        Document::read(DOCUMENT).unwrap(),
        behavior,
    ));
    port
}

/// Sends a request; returns the status code, the head of the response and its body.
async fn send(port: u16, request: &str, body: &Value) -> (u16, String, Value) {
    let (header, body) = match body {
        Value::Null => ("", String::new()),
        body => ("content-type: application/json\r\n", body.to_string()),
    };
    let head = format!(
        "{request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{header}content-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = serde_json::from_str(body).unwrap_or_default();
    (status, head.to_owned(), body)
}

#[tokio::test]
async fn what_is_created_is_read_changed_listed_and_deleted() {
    let port = start(Behavior::default()).await;
    let (status, head, created) = send(port, "POST /boats", &json!({"name": "Vasa"})).await;
    assert_eq!((status, &created["name"]), (201, &json!("Vasa")));
    assert!(head.contains("x-made-up: true"), "{head}");
    let path = format!("/boats/{}", created["id"]);
    let read = send(port, &format!("GET {path}"), &Value::Null).await;
    assert_eq!((read.0, &read.2), (200, &created));
    let name = json!({"name": "Wasa"});
    let changed = send(port, &format!("PATCH {path}"), &name).await.2;
    assert_eq!(changed, json!({"id": created["id"], "name": "Wasa"}));

    let (_, head, listed) = send(port, "GET /boats", &Value::Null).await;
    assert_eq!(listed, json!([{"id": 7, "name": "Argo"}, changed]));
    assert!(!head.contains("x-made-up"), "{head}");
    for path in [path.as_str(), "/boats/7"] {
        let deleted = send(port, &format!("DELETE {path}"), &Value::Null).await;
        assert_eq!(deleted.0, 204);
        let gone = send(port, &format!("GET {path}"), &Value::Null).await;
        assert_eq!(gone.0, 404);
    }
    assert_eq!(send(port, "GET /boats", &Value::Null).await.2, json!([]));

    // A name is decoded.
    send(port, "PUT /names/a%20b", &json!({"name": "a b"})).await;
    let read = send(port, "GET /names/%61%20b", &Value::Null).await;
    assert_eq!(read.2["name"], "a b");
}

#[tokio::test]
async fn a_request_that_the_document_does_not_allow_is_refused_with_the_reason() {
    let port = start(Behavior::default()).await;
    for (request, body, reason) in [
        ("GET /boats/x", Value::Null, "`id`"),
        ("POST /boats", json!({}), "name"),
        ("GET /trains", Value::Null, "no operation"),
    ] {
        let (status, _, refusal) = send(port, request, &body).await;
        let refusal = refusal["refused"].as_str().unwrap();
        assert!(status == 400 && refusal.contains(reason), "{refusal}");
    }
}

/// Returns the first request that arrives at an address of this machine.
async fn first_request(listener: TcpListener) -> String {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut request = String::new();
    loop {
        let mut some = [0; 1024];
        let read = stream.read(&mut some).await.unwrap();
        request.push_str(std::str::from_utf8(some.get(..read).unwrap()).unwrap());
        if let Some((head, body)) = request.split_once("\r\n\r\n")
            && head.contains(&format!("content-length: {}", body.len()))
        {
            break;
        }
    }
    let done = b"HTTP/1.1 204 No Content\r\n\r\n";
    stream.write_all(done).await.unwrap();
    request
}

#[tokio::test]
async fn callbacks_are_sent_to_this_machine() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let port = start(Behavior::default()).await;
    // An address elsewhere, and one that would end its line of the request, get nothing: the first request is that of the next callback.
    for other in [
        url.replace("http://", "http://localhost@"),
        format!("{url} HTTP/1.1\r\nx-more: 1"),
    ] {
        let watch = send(port, "POST /watches", &json!({"url": other})).await;
        assert_eq!(watch.0, 201);
    }
    let watch = send(port, "POST /watches", &json!({"url": url})).await;
    assert_eq!(watch.0, 201);
    let request = first_request(listener).await;
    assert!(
        request.starts_with("POST /hook?from=boats HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(request.ends_with(r#"{"id":7,"name":"Argo"}"#), "{request}");
}

/// Returns the headers and the body of the first webhook of a document.
async fn first_webhook(document: &str, secret: Option<&str>) -> (HeaderMap, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let behavior = Behavior {
        webhooks: Some(format!("http://{address}/hook")),
        secret: secret.map(str::to_owned),
        ..Behavior::default()
    };
    let document = Document::read(document).unwrap();
    let own = TcpListener::bind("127.0.0.1:0").await.unwrap();
    tokio::spawn(serve_on(own, document, behavior));
    let request = first_request(listener).await;
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let lines = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "));
    let headers = lines.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    (headers.collect(), body.to_owned())
}

#[tokio::test]
async fn webhooks_are_signed_as_the_document_says_and_a_client_reads_them() {
    const ASSISTANT: &str = include_str!("../../documents/assistant/openapi.yaml");
    let read = |(headers, body): &(HeaderMap, String), secret: &str| {
        WEBHOOK_SIGNATURE.read::<Agent>(headers, body.as_bytes(), secret)
    };
    let made_up = first_webhook(ASSISTANT, None).await;
    read(&made_up, "whsec_bWFkZSB1cCBmb3Igd2ViaG9va3M=").unwrap();
    let header = "post: {parameters: [{name: Webhook-Signature, in: header}], ";
    let listed = ASSISTANT.replace("x-webhook-signature: standard-webhooks\n", "");
    let listed = listed.replacen("agentMade: {post: {", &format!("agentMade: {{{header}"), 1);
    let listed = first_webhook(&listed, Some("whsec_AAAA")).await;
    read(&listed, "whsec_AAAA").unwrap();
    let own = first_webhook(ASSISTANT, Some("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).await;
    read(&own, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    assert_eq!(read(&own, "whsec_AAAA"), Err(WebhookError::Signature));

    const BOATS: Signature = Signature {
        header: "Boat-Signature",
        value: "v1={hex}",
        signed: "{timestamp}.{body}",
        id: None,
        timestamp: Some("t="),
        key: WebhookKey::Text,
    };
    let (headers, body) = first_webhook(DOCUMENT, Some("secret")).await;
    let boat = BOATS.read::<Value>(&headers, body.as_bytes(), "secret");
    assert_eq!(boat, Ok(json!({"id": 8, "name": "Vasa"})));
}

#[tokio::test]
async fn a_response_reports_the_price_and_any_method_is_served() {
    let port = start(Behavior::default()).await;
    for (request, cost) in [("GET /prices", 2.5), ("GET /prices?size=3", 4.0)] {
        let (_, _, body) = send(port, request, &Value::Null).await;
        assert_eq!(body["cost"], json!(cost));
    }
    assert_eq!(send(port, "COPY /log", &Value::Null).await.0, 204);
}

#[tokio::test]
async fn the_page_has_the_last_calls_without_what_may_be_a_key() {
    let port = start(Behavior::default()).await;
    for request in ["GET /prices?size=3", "GET /a&b?key=secret"] {
        send(port, request, &Value::Null).await;
    }
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).await.unwrap();
    assert!(page.contains("content-type: text/html"), "{page}");
    let first = page.find("<td>GET<td>/prices<td>200<td>4<td>4\n");
    let last = page.find("<td>GET<td>/a&amp;b<td>400<td><td>\n");
    assert!(last < first && last.is_some(), "{page}");
    assert!(!page.contains("secret") && !page.contains("size"), "{page}");
}

/// Makes calls one after another, and returns their status codes and whether their bodies are whole.
async fn with_faults(seed: u64) -> Vec<(u16, bool)> {
    let port = start(Behavior {
        latency: (0, 3),
        faults: 50,
        seed,
        ..Behavior::default()
    })
    .await;
    let mut ends = Vec::new();
    for _ in 0..40 {
        let (status, _, body) = send(port, "GET /boats", &Value::Null).await;
        ends.push((status, !body.is_null()));
    }
    ends
}

#[tokio::test]
async fn faults_are_those_of_the_seed() {
    let ends = with_faults(4).await;
    for kind in [
        (200, true),
        (200, false),
        (429, true),
        (500, true),
        (503, true),
    ] {
        assert!(ends.contains(&kind), "{kind:?} of {ends:?}");
    }
    assert_eq!(with_faults(4).await, ends);
    assert_ne!(with_faults(2).await, ends);
}

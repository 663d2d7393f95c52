//! No credential of any scheme is in anything that is shown, however a service or a transport repeats it.

use generated_client::credentials::{Credential, Token, TokenReason};
use generated_client::document::Security;
use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::testing::{Reply, Script};
use generated_client::{Bytes, Client, Error, http};

use super::support::{builder, needing};
use crate::support::api::shown_of;
use crate::support::span_recorder::Recorder;

const USER: &str = "canary-user";

/// Returns a credential of each scheme, the security of an operation that sends it, and the strings that reveal it.
#[rustfmt::skip]
fn all() -> Vec<(Credential, Security, Vec<&'static str>)> {
    let row = |credential, security: Security, texts: &'static str| (credential, security, texts.split('|').collect());
    let token = |_| async { Ok(Token::new("canary-4711")) };
    vec![
        row(Credential::text("in_header", "canary-4711"), &[&["in_header"]], "canary-4711|canary%2D4711"),
        row(Credential::text("in_query", "canary-4711+/"), &[&["in_query"]], r"canary-4711+/|canary-4711%2B%2F|/base/v1/things?a=1&api%20key=canary-4711%2B%2F|https://example.com/base/v1/things?a=1&api%20key=canary-4711%2B%2F|canary\u002d4711+\/"),
        row(Credential::text("in_cookie", "canary-4711"), &[&["in_cookie"]], "canary-4711|sid=canary-4711"),
        row(Credential::text("bearer", "canary-4711"), &[&["bearer"]], "canary-4711|Bearer canary-4711"),
        row(Credential::provider("bearer", token), &[&["bearer"]], "canary-4711|Bearer canary-4711"),
        // The last two: `canary-user:canary-4711`, and the password behind another user name.
        row(Credential::basic("basic", USER, "canary-4711"), &[&["basic"]], "canary-4711|canary-user:canary-4711|Y2FuYXJ5LXVzZXI6Y2FuYXJ5LTQ3MTE=|bWU6Y2FuYXJ5LTQ3MTE="),
        row(Credential::basic("basic", "canary-4711", ""), &[&["basic"]], "canary-4711|Y2FuYXJ5LTQ3MTE6"),
        row(Credential::text("digest", "Digest username=\"canary-4711\""), &[&["digest"]], r#"Digest username="canary-4711"|username=\"canary-4711\""#),
        row(Credential::text("token", "Token canary-4711"), &[&["token"]], "Token canary-4711|canary-4711"),
    ]
}

fn assert_silent(shown: &str) {
    for part in [
        "canary", "4711", "Y2Fu", "YW5hcnkt", "4tNDcx", "LTQ3", "NDcx",
    ] {
        assert!(!shown.contains(part), "{part} in {shown}");
    }
}

fn said(error: &Error) -> String {
    format!("{} {:?}", shown_of(error), error.headers())
}

#[tokio::test]
async fn no_response_shows_a_credential() {
    for (credential, security, texts) in all() {
        for text in texts {
            for status in [200, 401, 404] {
                let json = serde_json::to_string(&text).unwrap();
                let transport = move |_: http::Request<Bytes>| {
                    let response = http::Response::builder()
                        .status(status)
                        .header("x-seen", text);
                    let response = response.body(Bytes::from(format!("{{{json}: {json}}}")));
                    async move { Ok(response.unwrap()) }
                };
                let builder = builder()
                    .credential(credential.clone())
                    .transport(transport);
                let mut shown = format!("{builder:?} {credential:?}");
                let client: Client = builder.build().unwrap();
                shown += &format!("{client:?}");
                match client.send::<serde_json::Value>(needing(security)).await {
                    Ok(response) => {
                        shown +=
                            &format!("{response:?} {:?} {:?}", response.meta, response.drift());
                    }
                    Err(error) => shown += &said(&error),
                }
                let error = client.send::<u8>(needing(security)).await.unwrap_err();
                shown += &said(&error);
                assert_silent(&shown);
            }
        }
    }
}

/// A transport that says what it was sent, which none should.
#[tokio::test]
async fn no_error_of_a_transport_shows_a_credential() {
    for (credential, security, texts) in all() {
        for text in texts {
            for around in [
                format!("error sending request for url ({text})"),
                format!("{}{text}", "x".repeat(195)),
                format!("GET {text} failed"),
            ] {
                let transport = move |_: http::Request<Bytes>| {
                    let inner = std::io::Error::other(around.clone());
                    let error = TransportError::new(TransportErrorKind::Connect, inner);
                    async move { Err(error) }
                };
                let builder = builder().credential(credential.clone());
                let client = builder
                    .retry(generated_client::RetryPolicy::Never)
                    .transport(transport)
                    .build()
                    .unwrap();
                let error = client.send::<u8>(needing(security)).await.unwrap_err();
                assert_silent(&said(&error));
            }
        }
    }
}

#[tokio::test]
async fn no_span_and_no_script_shows_a_credential() {
    for (credential, security, _) in all() {
        let recorder = Recorder::default();
        let _guard = recorder.listen();
        let script = Script::new([Reply::new(404, "")]);
        let client = builder()
            .credential(credential)
            .transport(script.clone())
            .build()
            .unwrap();
        client.send::<u8>(needing(security)).await.unwrap_err();
        let sent = script.sent();
        assert_eq!((&*sent[0].query, sent[0].headers.len()), ("a=1", 2));
        let spans = recorder.take().spans;
        assert_eq!(spans.len(), 2);
        let fields: Vec<_> = spans.iter().map(|span| &span.fields).collect();
        assert_silent(&format!("{fields:?} {script:?}"));
    }
}

#[tokio::test(start_paused = true)]
async fn no_token_shows_that_was_replaced() {
    // Each token is refused, and the response that follows repeats the one before and the one that it got.
    let provider = |reason| async move {
        Ok(Token::new(match reason {
            TokenReason::First => "canary-1-4711",
            _ => "canary-2-4711",
        }))
    };
    let transport = |request: http::Request<Bytes>| async move {
        let is_first = request.headers()["authorization"] == "Bearer canary-1-4711";
        let response = http::Response::builder().status(if is_first { 401 } else { 403 });
        let said = "canary-1-4711 was replaced by canary-2-4711";
        Ok(response.header("x-seen", said).body(said.into()).unwrap())
    };
    let client = builder()
        .credential(Credential::provider("bearer", provider))
        .transport(transport)
        .build()
        .unwrap();
    let error = client
        .send::<u8>(needing(&[&["bearer"]]))
        .await
        .unwrap_err();
    assert_eq!(error.attempts(), 2);
    let earlier = error.earlier_attempts();
    assert_silent(&format!(
        "{} {:?} {earlier:?} {:?}",
        said(&error),
        earlier[0].headers,
        earlier
    ));
    let excerpt = error.excerpt();
    assert_eq!(excerpt.as_deref(), Some("[key] was replaced by [key]"));
}

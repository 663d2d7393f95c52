//! Where the key goes, and where it never shows.

use std::error::Error as _;

use crate::support::api::{API, KEY, LIST, Log, client, responding};
use generated_client::request::Request;
use generated_client::values::SecretText;
use generated_client::{Bytes, Client, ClientBuilder, Error, StatusCode, http};

fn assert_silent(shown: &str) {
    assert!(!shown.contains("canary"), "{shown}");
}

fn everything_shown(error: &Error) -> String {
    let mut shown = format!("{error} {error:?} {error:#?}");
    let mut source = match error.of_call() {
        Error::Transport(error) => Some(error.cause() as _),
        other => other.source(),
    };
    while let Some(error) = source {
        shown.push_str(&format!(" {error} {error:?}"));
        source = error.source();
    }
    shown
}

#[tokio::test]
async fn the_key_travels_in_a_header_marked_as_sensitive() {
    let log = Log::default();
    let client = client(responding(&log, StatusCode::OK, "null")).unwrap();
    client.send::<()>(Request::new(&LIST)).await.unwrap();
    let request = &log.take()[0];
    let header = &request.headers()["x-api-key"];
    assert_eq!(header, KEY);
    assert!(header.is_sensitive());
    assert_silent(&format!("{request:?}"));
}

#[tokio::test]
async fn a_service_that_repeats_the_key_in_a_header_does_not_put_it_into_debug_output() {
    let echo = |status: u16| {
        move |request: http::Request<Bytes>| async move {
            let key = request.headers()["x-api-key"].to_str().unwrap();
            let response = http::Response::builder().status(status);
            let response = response.header("x-seen", format!("key {key}"));
            Ok(response.body(Bytes::from_static(b"null")).unwrap())
        }
    };
    let found = client(echo(200)).unwrap();
    let sent = found.send::<()>(Request::new(&LIST));
    let meta = sent.await.unwrap().meta;
    assert_silent(&format!("{meta:?}"));
    assert_eq!(meta.headers["x-seen"], "key canary-4711");
    let missing = client(echo(404)).unwrap();
    let sent = missing.send::<()>(Request::new(&LIST));
    let error = sent.await.unwrap_err();
    assert_silent(&everything_shown(&error));
    assert_silent(&format!("{:?}", error.headers()));
}

#[test]
fn builders_and_clients_do_not_show_the_key() {
    let builder: ClientBuilder<Client> = ClientBuilder::new(&API, "https://example.com/base/")
        .api_key(SecretText::from(KEY))
        .transport(|_| async { Ok(http::Response::default()) });
    assert_silent(&format!("{builder:?} {builder:#?}"));
    let client = builder.build().unwrap();
    assert_silent(&format!("{client:?} {client:#?}"));
    assert!(format!("{client:?}").contains("https://example.com/base"));
}

#[test]
fn keys_that_cannot_be_sent_are_refused_and_not_repeated() {
    for (key, problem) in [
        ("", "the API key is empty"),
        ("canary\n", "the API key contains a space, a line break"),
        (" canary", "the API key contains a space"),
        ("canary\u{e9}", "another invalid character"),
        ("canary\0", "another invalid character"),
    ] {
        let builder = ClientBuilder::<Client>::new(&API, "https://example.com").api_key(key);
        let error = builder.build().unwrap_err();
        assert!(matches!(error, Error::Configuration(_)), "{error:?}");
        assert!(error.to_string().contains(problem), "{error}");
        assert_silent(&everything_shown(&error));
    }
    let error = ClientBuilder::<Client>::new(&API, "https://example.com")
        .build()
        .unwrap_err();
    assert_eq!(error.to_string(), "the API key is missing");
}

#[test]
fn what_stands_in_a_refused_base_url_is_not_repeated() {
    for base_url in [
        "https://user:canary@example.com",
        "canary",
        "http://canary.example.com",
    ] {
        let builder = ClientBuilder::<Client>::new(&API, base_url).api_key(KEY);
        assert_silent(&format!("{builder:?}"));
        assert_silent(&everything_shown(&builder.build().unwrap_err()));
    }
}

#[test]
fn a_user_agent_that_is_no_header_is_refused() {
    let builder = ClientBuilder::<Client>::new(&API, "https://example.com").api_key(KEY);
    let error = builder.user_agent("mine\n").build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the user agent contains a character that is invalid in a header"
    );
}

#[cfg(any(feature = "rustls", not(feature = "rustls-no-provider")))]
#[tokio::test]
async fn a_connection_that_fails_shows_neither_the_key_nor_the_query() {
    let (_kept, base_url) = crate::support::sockets::deserted();
    let client: Client = ClientBuilder::new(&API, base_url)
        .api_key(KEY)
        .build()
        .unwrap();
    let mut request = Request::new(&LIST);
    request.query("about", &"somebody");
    let error = client.send::<()>(request).await.unwrap_err();
    let shown = everything_shown(&error);
    assert_silent(&shown);
    assert!(!shown.contains("somebody"), "{shown}");
    assert!(!shown.contains("/v1/things?"), "{shown}");
}

//! Where the key goes, and where it never shows.

use crate::support::api::{API, KEY, LIST, Log, client, responding, shown_of};
use generated_client::request::Request;
use generated_client::{Client, ClientBuilder, Error, StatusCode};

fn assert_silent(shown: &str) {
    assert!(!shown.contains("canary"), "{shown}");
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
        assert_silent(&shown_of(&error));
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
        assert_silent(&shown_of(&builder.build().unwrap_err()));
    }
}

#[test]
fn a_user_agent_that_is_no_header_is_refused() {
    let builder = ClientBuilder::<Client>::new(&API, "https://example.com").api_key(KEY);
    let error = builder.user_agent("mine\n").build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the default header `user-agent` contains a character that is invalid in a header"
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
    let shown = shown_of(&error);
    assert_silent(&shown);
    assert!(!shown.contains("somebody"), "{shown}");
    assert!(!shown.contains("/v1/things?"), "{shown}");
}

//! The key, as a service may spell it when it repeats it, is in nothing that a log might take up.

use std::collections::BTreeMap;

use generated_client::document::{Operation, Shaped, Tariff};
use generated_client::request::Request;
use generated_client::wire::{object, open_enum};
use generated_client::{
    Bytes, Client, ClientBuilder, Error, Method, Records, Response, StatusCode, http,
};
use serde::Deserialize;
use serde_json::Value;

use crate::support::api::{API, Log, responding, shown_of};
use crate::support::things::{Service, page};

mod table;

use table::{SECRET, spellings};

static FIND: Operation = Operation {
    id: "findThings",
    method: Method::GET,
    path: "/v1/things",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: Page::SHAPE,
};

struct Page {
    kind: Option<Kind>,
    things: Option<Value>,
}
object!(Page {
    kind: optional "kind" or omitted,
    things: optional "things" or omitted,
});

#[derive(Clone)]
enum Kind {
    Novel,
    Unrecognized(String),
}
open_enum!(Kind, Novel = "novel");

fn assert_silent(place: &str, spelling: &str, shown: &str) {
    let plain = |text: &str| -> Vec<char> {
        let lower_case = text.to_lowercase();
        lower_case.chars().filter(|c| *c != '\\').collect()
    };
    let shown_plain: String = plain(shown).into_iter().collect();
    // The characters around the key may show.
    let start = spelling.strip_prefix("Bearer ").unwrap_or(spelling);
    let start = start
        .strip_prefix("https://example.com/?key=")
        .unwrap_or(start);
    let start = start.strip_suffix("&a=b").unwrap_or(start);
    for part in plain(start).windows(6) {
        let part: String = part.iter().collect();
        assert!(
            !shown_plain.contains(&part),
            "{place}: {part} of {spelling} in {shown}"
        );
    }
    // A string in the place of another type is not shown at all.
    let is_left_out = place.contains("header") || shown.contains("invalid type: string");
    assert!(
        shown.contains("[k") || is_left_out,
        "{place}: {spelling} {shown}"
    );
}

fn assert_message(place: &str, error: &Error) {
    let message = error.to_string();
    assert!(message.chars().count() < 700, "{place}: {message}");
    assert!(!message.contains(char::is_control), "{place}: {message:?}");
}

fn client(status: StatusCode, body: String) -> Client {
    let transport = responding(&Log::default(), status, body);
    let builder = ClientBuilder::new(&API, "https://example.com").api_key(SECRET);
    builder.transport(transport).build().unwrap()
}

async fn find<T: serde::de::DeserializeOwned + Send + 'static>(
    body: String,
) -> Result<Response<T>, Error> {
    client(StatusCode::OK, body).send(Request::new(&FIND)).await
}

#[derive(Debug, Deserialize)]
struct Found {
    #[expect(dead_code, reason = "shown by `Debug`")]
    kind: Option<String>,
    #[serde(default)]
    things: Records<BTreeMap<String, u8>>,
}

#[test]
fn many_spellings_are_tried() {
    let mut spellings = spellings();
    assert!(spellings.len() >= 31);
    spellings.sort();
    spellings.dedup();
    assert!(spellings.len() >= 29, "{}", spellings.len());
}

#[tokio::test]
async fn no_message_of_a_status_shows_the_key() {
    for spelling in spellings() {
        for body in [
            format!("no such key: {spelling}"),
            format!(r#"{{"error": "{spelling}"}}"#),
            format!("{}{spelling}", "x".repeat(172)),
            spelling.repeat(50),
        ] {
            let client = client(StatusCode::UNAUTHORIZED, body.clone());
            let error = client.send::<u8>(Request::new(&FIND)).await.unwrap_err();
            assert_eq!(*error.body().unwrap(), body);
            assert_message("status", &error);
            let excerpt = error.excerpt().unwrap();
            assert_silent(
                "status",
                &spelling,
                &format!("{} {excerpt}", shown_of(&error)),
            );
        }
    }
}

#[tokio::test]
async fn no_message_or_path_of_a_decode_error_shows_the_key() {
    for spelling in spellings() {
        let text = serde_json::to_string(&spelling).unwrap();
        let x = "x".repeat(150);
        let long = serde_json::to_string(&format!("{x}{spelling}{x}{spelling}{x}")).unwrap();
        for body in [
            format!(r#"{{"things": {text}}}"#),
            format!(r#"{{"things": {long}}}"#),
        ] {
            let error = find::<Found>(body).await.unwrap_err();
            assert_message("message", &error);
            assert_silent("message", &spelling, &shown_of(&error));
        }
        type Nested = BTreeMap<String, BTreeMap<String, u8>>;
        let error = find::<Nested>(format!(r#"{{{text}: {{{text}: []}}}}"#))
            .await
            .unwrap_err();
        assert_silent(
            "path",
            &spelling,
            &format!("{} {}", error.path().unwrap(), shown_of(&error)),
        );
    }
}

#[tokio::test]
async fn no_reject_shows_the_key() {
    for spelling in spellings() {
        let text = serde_json::to_string(&spelling).unwrap();
        let body = format!(r#"{{"things": [{{"a": 1}}, {{{text}: "b"}}, {{"c": {text}}}]}}"#);
        let response = find::<Found>(body).await.unwrap();
        let [name, value] = response.body.things.rejects() else {
            panic!("{spelling}");
        };
        assert_silent("path of a reject", &spelling, &name.path);
        assert_silent("message of a reject", &spelling, &value.message);
        assert!(value.raw.get().contains(&text), "the bytes are kept");
        assert_silent("response with rejects", &spelling, &format!("{response:?}"));
    }
}

#[tokio::test]
async fn no_record_that_items_cannot_give_shows_the_key() {
    for spelling in spellings() {
        let text = serde_json::to_string(&spelling).unwrap();
        let service = Service::of([page("0", "1", &[&text])]);
        let client = service.builder().api_key(SECRET).build().unwrap();
        let error = client.things().items().next().await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Record(_)), "{error:?}");
        assert_message("record", &error);
        assert_silent("record", &spelling, &shown_of(&error));
    }
}

#[tokio::test]
async fn no_line_of_drift_shows_the_key() {
    for spelling in spellings() {
        let text = serde_json::to_string(&spelling).unwrap();
        // Cut after 64 characters, which may be within the key.
        let long = serde_json::to_string(&format!("{}{spelling}", "x".repeat(50))).unwrap();
        for body in [
            format!(r#"{{{text}: 1}}"#),
            format!(r#"{{"kind": {text}}}"#),
            format!(r#"{{"kind": {long}}}"#),
        ] {
            let response = find::<Value>(body).await.unwrap();
            let drift = response.drift();
            assert_eq!(drift.len(), 1, "{drift:?}");
            let shown = format!("{} {:?}", drift[0], drift[0]);
            if shown.contains("xxx") {
                // Some spellings leave no placeholder.
                assert_silent("drift", &spelling, &format!("{shown}[key]"));
            } else {
                assert_silent("drift", &spelling, &shown);
            }
        }
    }
}

#[tokio::test]
async fn no_debug_output_of_a_response_shows_the_key() {
    for spelling in spellings() {
        let text = serde_json::to_string(&spelling).unwrap();
        let body = format!(r#"{{"kind": {text}, {text}: [{text}]}}"#);
        let response = find::<Value>(body.clone()).await.unwrap();
        assert_silent("value", &spelling, &format!("{response:?} {response:#?}"));
        assert_eq!(response.body["kind"], *spelling);
        assert_eq!(response.raw, body);
        let response = find::<Found>(body).await.unwrap();
        assert_silent("struct", &spelling, &format!("{response:?} {response:#?}"));
    }
}

#[tokio::test]
async fn no_header_shows_the_key_and_its_value_is_kept() {
    let mut names = 0;
    for spelling in spellings() {
        let Ok(value) = http::HeaderValue::from_bytes(spelling.as_bytes()) else {
            continue;
        };
        let name = http::HeaderName::from_bytes(spelling.as_bytes());
        names += usize::from(name.is_ok());
        for status in [200, 404] {
            let (value, name) = (value.clone(), name.as_ref().ok().cloned());
            let transport = move |_: http::Request<Bytes>| {
                let response = http::Response::builder().status(status);
                let mut response = response
                    .header("x-seen", &value)
                    .header("content-type", &value);
                if let Some(name) = &name {
                    response = response
                        .header(name, "a")
                        .header(name, "b")
                        .header("other", "c");
                }
                let response = response.body(Bytes::from_static(b"<"));
                async move { Ok(response.unwrap()) }
            };
            let builder = ClientBuilder::<Client>::new(&API, "https://example.com");
            let client = builder
                .api_key(SECRET)
                .transport(transport)
                .build()
                .unwrap();
            let error = client.send::<u8>(Request::new(&FIND)).await.unwrap_err();
            let headers = error.headers().unwrap();
            assert_silent(
                "header",
                &spelling,
                &format!("{headers:?} {error} {error:?}"),
            );
            assert_eq!(headers["x-seen"].as_bytes(), spelling.as_bytes());
            if headers.contains_key("redacted") {
                let kept: Vec<_> = headers.get_all("redacted").iter().collect();
                assert_eq!(kept, ["a", "b"]);
                assert_eq!(headers["other"], "c");
            }
        }
    }
    assert!(names > 0);
}

#[tokio::test]
async fn a_key_that_is_a_token_is_in_no_name_of_a_header() {
    for name in [
        "Canary-4711",
        "x-canary-4711-y",
        "canary%2d4711",
        "canary-471",
    ] {
        let transport = move |_: http::Request<Bytes>| async move {
            let response = http::Response::builder().header(name, "a");
            Ok(response.body(Bytes::from_static(b"null")).unwrap())
        };
        let builder = ClientBuilder::<Client>::new(&API, "https://example.com");
        let client = builder.api_key("Canary-4711").transport(transport).build();
        let sent = client
            .unwrap()
            .send::<()>(Request::new(&FIND))
            .await
            .unwrap();
        let is_spelled = name != "canary-471";
        assert_eq!(
            sent.meta.headers.contains_key("redacted"),
            is_spelled,
            "{name}"
        );
        let shown = format!("{sent:?} {:?}", sent.meta);
        assert_eq!(
            shown.to_lowercase().contains("canary"),
            !is_spelled,
            "{shown}"
        );
    }
}

#[tokio::test]
async fn no_reason_of_a_wait_shows_the_key() {
    for spelling in spellings() {
        let text = serde_json::to_string(&spelling).unwrap();
        let body = format!(r#"{{"detail": {{"reason": {text}, {text}: 1}}}}"#);
        let builder = things_client::Client::builder("https://example.com").api_key(SECRET);
        let transport = responding(&Log::default(), StatusCode::OK, body);
        let client = builder.transport(transport).build().unwrap();
        let error = client.progress("t1").wait().await.unwrap_err();
        let Error::Waiting(waiting) = &error else {
            panic!("{error:?}");
        };
        assert_message("reason", &error);
        let said = format!("{} {:?}", shown_of(&error), waiting.cause);
        assert_silent("reason", &spelling, &said);
    }
}

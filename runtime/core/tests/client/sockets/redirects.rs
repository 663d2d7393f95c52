//! Redirects between two services of this machine: what is followed, what goes along, and what is not repeated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use generated_client::credentials::{Token, TokenReason};
use generated_client::document::{Api, Auth, Carrier, Scheme};
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::{Client, ClientBuilder, Error, Method};
use serde_json::Value;

use super::service::{PLAIN, PLAIN_CREATE, PLAIN_LIST, Service, redirect, response};
use crate::support::api::{API, KEY};
use crate::support::scripted_client::call;
use crate::support::sockets::deserted;

const ARCHIVE: &[u8] = b"PK archive";

async fn storage() -> Service {
    Service::of(|_| response(200, "", ARCHIVE)).await
}

fn advice(error: &Error) -> String {
    assert!(matches!(error, Error::Status(_)), "{error:?}");
    assert_eq!(error.attempts(), 1);
    error.to_string()
}

#[tokio::test]
async fn a_download_at_another_origin_arrives_and_no_credential_goes_there() {
    for status in [301, 302, 303, 307, 308] {
        let storage = storage().await;
        let target = format!("{}/archive?signature=abc", storage.url);
        let api = Service::of(move |_| redirect(status, &target)).await;
        let builder = api.builder().default_header("x-tenant", "canary-tenant");
        let client: Client = builder.build().unwrap();
        let call = client.raw(Method::GET, "/v1/archive");
        let call = call.query("ref", "main").header("cookie", "sid=canary");
        let response = call.send_bytes().await.unwrap();
        assert_eq!(response.raw, ARCHIVE);

        let sent = api.received();
        assert_eq!(sent.len(), 1);
        assert!(sent[0].head.contains("x-api-key: canary-4711"));
        assert!(sent[0].head.contains("cookie: sid=canary"));
        let head = &storage.received()[0].head;
        assert!(
            head.starts_with("GET /archive?signature=abc HTTP/1.1\r\n"),
            "{head}"
        );
        let fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
        let mut names: Vec<_> = fields.map(|(name, _)| name.to_lowercase()).collect();
        names.sort();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"]);
        assert!(!head.contains("canary"), "{head}");
    }
}

#[tokio::test]
async fn a_stream_follows_redirects_too() {
    let storage = storage().await;
    let target = storage.url.clone();
    let api = Service::of(move |_| redirect(302, &target)).await;
    let call = api.client().raw(Method::GET, "/v1/archive");
    let mut stream = call.send_stream().await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), ARCHIVE);
}

#[tokio::test]
async fn a_key_in_the_query_stays_where_it_was_sent() {
    static IN_QUERY: Api = Api {
        auth: Auth::Schemes {
            all: &[Scheme {
                name: "key",
                variable: "KEY",
                carrier: Carrier::Query("api_key"),
            }],
            usual: &[&["key"]],
        },
        ..PLAIN
    };
    let storage = storage().await;
    let (other, reflected) = (storage.url.clone(), storage.url.clone());
    let api = Service::of(move |path| match path.split('?').next().unwrap() {
        "/moved" => redirect(302, "/here"),
        "/here" => redirect(302, &format!("{other}/archive")),
        // As a proxy does that passes the query on.
        _ => redirect(302, &format!("{reflected}{path}")),
    })
    .await;
    let client: Client = ClientBuilder::new(&IN_QUERY, &*api.url)
        .api_key(KEY)
        .build()
        .unwrap();
    let response = client.raw(Method::GET, "/moved").send_bytes().await;
    assert_eq!(response.unwrap().raw, ARCHIVE);
    let heads: Vec<_> = api.received().into_iter().map(|one| one.head).collect();
    assert!(heads[0].starts_with("GET /moved?api_key=canary-4711 "));
    assert!(heads[1].starts_with("GET /here HTTP"), "{heads:?}");

    let error = client.raw(Method::GET, "/reflected").send_bytes().await;
    let error = error.unwrap_err();
    let message = advice(&error);
    assert!(
        message.ends_with("not followed: its address would reveal a credential to another origin"),
        "{message}"
    );
    assert!(!format!("{error} {error:?}").contains("canary"));
    assert_eq!(storage.received().len(), 1);
    assert!(!storage.received()[0].head.contains("canary"));
}

#[tokio::test]
async fn a_loop_ends_at_its_first_repetition_and_a_chain_at_the_tenth_redirect() {
    let api = Service::of(|path| match path {
        "/v1/things" => redirect(302, "/a"),
        "/a" => redirect(307, "/v1/things"),
        path => redirect(302, &format!("{path}x")),
    })
    .await;
    let client = api.client();
    let message = advice(&call(&client, &PLAIN_LIST).await.unwrap_err());
    assert!(message.contains("leads back"), "{message}");
    assert_eq!(api.received().len(), 2);

    let endless = client.raw(Method::GET, "/x").send_bytes().await;
    let message = advice(&endless.unwrap_err());
    assert!(message.contains("more than 10 redirects"), "{message}");
    assert_eq!(api.received().len(), 2 + 11);
}

#[tokio::test]
async fn a_request_with_an_effect_is_not_repeated() {
    let storage = storage().await;
    let target = storage.url.clone();
    let api = Service::of(move |_| redirect(307, &target)).await;
    let client = api.client();
    let mut request = Request::new(&PLAIN_CREATE);
    request.json(&"canary");
    let error = client.send::<Value>(request).await.unwrap_err();
    assert_eq!(error.status().unwrap(), 307);
    let message = advice(&error);
    assert!(message.contains("only GET and HEAD"), "{message}");

    let call = client.raw(Method::GET, "/find").json(&"canary");
    let message = advice(&call.send_bytes().await.unwrap_err());
    assert!(message.contains("without a body"), "{message}");
    assert_eq!((api.received().len(), storage.received().len()), (2, 0));
}

#[tokio::test]
async fn a_redirect_to_plain_http_on_another_machine_is_not_followed() {
    let api = Service::of(|_| redirect(302, "http://192.0.2.1/")).await;
    let message = advice(&call(&api.client(), &PLAIN_LIST).await.unwrap_err());
    assert!(message.contains("plain http"), "{message}");
    assert!(!message.contains("192.0.2.1"), "{message}");
}

#[tokio::test]
async fn a_401_of_another_origin_refuses_no_token() {
    static BEARER: Api = Api {
        auth: Auth::Bearer,
        ..PLAIN
    };
    let storage = Service::of(|_| response(401, "", b"")).await;
    let target = storage.url.clone();
    let api = Service::of(move |_| redirect(302, &target)).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let provider = move |_: TokenReason| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok(Token::new("canary-token")) }
    };
    let builder = ClientBuilder::new(&BEARER, &*api.url);
    let client: Client = builder.token_provider(provider).build().unwrap();
    let error = call(&client, &PLAIN_LIST).await.unwrap_err();
    assert_eq!(error.status().unwrap(), 401);
    assert_eq!((asked.load(Ordering::SeqCst), api.received().len()), (1, 1));
    assert!(!storage.received()[0].head.contains("canary"));
}

#[tokio::test]
async fn nothing_is_followed_where_calls_are_paid_or_the_caller_says_so() {
    let api = Service::of(|_| redirect(302, "/elsewhere")).await;
    let paid: Client = ClientBuilder::new(&API, &*api.url)
        .api_key(KEY)
        .build()
        .unwrap();
    let message = advice(&call(&paid, &PLAIN_LIST).await.unwrap_err());
    let follows_none =
        "; the redirect was not followed: the client follows none; check the base URL";
    assert!(message.ends_with(follows_none), "{message}");
    let plain: Client = api.builder().follow_redirects(false).build().unwrap();
    let message = advice(&call(&plain, &PLAIN_LIST).await.unwrap_err());
    assert!(message.ends_with(follows_none), "{message}");
    assert_eq!(api.received().len(), 2);
    // Where redirects are followed, no message denies it.
    let nowhere = Service::of(|_| response(302, "", b"")).await;
    let message = advice(&call(&nowhere.client(), &PLAIN_LIST).await.unwrap_err());
    assert!(
        message.ends_with("; the redirect was not followed: it names no address"),
        "{message}"
    );
}

#[tokio::test]
async fn a_failure_after_a_redirect_does_not_say_that_nothing_was_sent() {
    let (_kept, nowhere) = deserted();
    let target = nowhere.clone();
    let api = Service::of(move |_| redirect(302, &target)).await;
    let builder = ClientBuilder::new(&API, &*api.url).api_key(KEY);
    let client: Client = builder.follow_redirects(true).build().unwrap();
    let error = call(&client, &PLAIN_LIST).await.unwrap_err();
    let Error::Transport(transport) = &error else {
        panic!("{error:?}");
    };
    assert_eq!(transport.kind(), TransportErrorKind::Other);
    assert!(error.may_have_been_charged());
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(&nowhere), "{shown}");
}

//! Responses that are recorded once and replayed free.

use metered_client::prelude::*;
use std::fs;
use std::path::PathBuf;

use metered_client::credentials::Credential;
use metered_client::document::{Api, Auth, Carrier, Scheme};
use metered_client::testing::{Cassette, Reply, Script, assert_spent};
use metered_client::{Client, ClientBuilder, Error, Method};
use serde_json::Value;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::credits;

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_file(&path).ok();
    path
}

fn builder() -> ClientBuilder {
    ClientBuilder::new(&API, "https://example.com").api_key(KEY)
}

async fn get(client: &Client, path: &str, limit: u8) -> Result<Value, Error> {
    let call = client.raw(Method::GET, path).query("limit", limit);
    Ok(call.send::<Value>().await?.body)
}

#[tokio::test]
async fn a_recorded_response_is_replayed_with_its_price_and_without_the_key() {
    let path = file("replayed.json");
    let script = Script::new([
        Reply::json(&serde_json::json!({"cost": 2, "n": 1})),
        Reply::new(404, "gone"),
        Reply::json(&serde_json::json!({"cost": 3, "n": 2})),
    ]);
    let cassette = Cassette::open(&path).unwrap();
    let recorder = cassette.clone();
    let client = builder().transport(script.clone());
    let client: Client = client
        .wrap(move |service| recorder.record(service))
        .build()
        .unwrap();
    assert_eq!(get(&client, "/v1/a", 1).await.unwrap()["n"], 1);
    get(&client, "/v1/b", 1).await.unwrap_err();
    // Again: the later one counts.
    assert_eq!(get(&client, "/v1/a", 1).await.unwrap()["n"], 2);
    assert!(!fs::read_to_string(&path).unwrap().contains("canary"));
    assert!(!format!("{cassette:?}").contains("canary"));

    let replayed = Cassette::open(&path).unwrap();
    let client: Client = builder().transport(replayed).build().unwrap();
    assert_eq!(get(&client, "/v1/a", 1).await.unwrap()["n"], 2);
    assert_spent(client.ledger(), credits("3"));
    let error = get(&client, "/v1/b", 1).await.unwrap_err();
    assert_eq!(error.status().map(|status| status.as_u16()), Some(404));
    assert_eq!(script.sent().len(), 3);

    let error = get(&client, "/v1/a", 2).await.unwrap_err();
    let Error::Transport(error) = error else {
        panic!("{error:?}");
    };
    let why = error.cause().to_string();
    assert_eq!(
        why,
        "no recording of GET /v1/a?limit=2; the nearest is GET /v1/a?limit=1"
    );
}

#[tokio::test]
async fn a_response_that_repeats_a_credential_is_returned_and_not_recorded() {
    static QUERY: Api = Api {
        auth: Auth::Schemes {
            all: &[Scheme {
                name: "key",
                variable: "KEY",
                carrier: Carrier::Query("key"),
            }],
            usual: &[&["key"]],
        },
        ..API
    };
    let in_query = ClientBuilder::new(&QUERY, "https://example.com");
    let in_query = in_query.credential(Credential::text("key", KEY));
    for (name, builder) in [("header.json", builder()), ("query.json", in_query)] {
        let path = file(name);
        let echo = Script::new([
            Reply::new(200, format!(r#"{{"key": "{KEY}"}}"#)),
            Reply::new(200, r#"{"key": "none"}"#),
        ]);
        let cassette = Cassette::open(&path).unwrap();
        let client = builder.transport(echo);
        let client: Client = client
            .wrap(move |service| cassette.record(service))
            .build()
            .unwrap();
        assert_eq!(get(&client, "/v1/a", 1).await.unwrap()["key"], KEY);
        assert!(!path.exists());
        get(&client, "/v1/a", 1).await.unwrap();
        let written = fs::read_to_string(&path).unwrap();
        assert!(
            written.contains("limit=1") && !written.contains("canary"),
            "{written}"
        );
    }
}

#[test]
fn a_file_that_is_no_cassette_is_an_error() {
    let path = file("broken.json");
    fs::write(&path, "{").unwrap();
    assert!(Cassette::open(&path).is_err());
}

//! Responses that are recorded once and replayed free, and others that are not sent.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use generated_client::credentials::Credential;
use generated_client::document::{Api, Auth, Carrier, Scheme};
use generated_client::money::SpendEvent;
use generated_client::request::Request;
use generated_client::testing::{Cassette, Reply, Script, assert_spent};
use generated_client::transport::NotSent;
use generated_client::{
    Budget, Bytes, Client, ClientBuilder, Credits, Error, Method, Outcome, http,
};
use serde_json::Value;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{UNKNOWN, credits};

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
async fn a_recorded_response_is_replayed_free_and_without_the_key() {
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
    let call = client.raw(Method::GET, "/v1/a").query("limit", 1);
    let response = call.send::<Value>().await.unwrap();
    assert_eq!(
        (&response.body["n"], response.outcome()),
        (&2.into(), Outcome::NotSent)
    );
    assert_spent(client.budget(), Credits::ZERO);
    assert_eq!(client.prices(), []);
    let error = get(&client, "/v1/b", 1).await.unwrap_err();
    assert_eq!(error.status().map(|status| status.as_u16()), Some(404));
    assert_eq!(script.sent().len(), 3);

    let error = get(&client, "/v1/a", 2).await.unwrap_err();
    assert_eq!((error.outcome(), error.attempts()), (Outcome::NotSent, 1));
    assert_spent(client.budget(), Credits::ZERO);
    let Error::Transport(error) = error else {
        panic!("{error:?}");
    };
    let why = error.cause().to_string();
    assert_eq!(why, "no recording of GET /v1/a?limit=2");
}

#[tokio::test]
async fn a_hit_of_a_cache_costs_nothing_and_shows_no_price() {
    let script = Script::new([Reply::json(&serde_json::json!({"cost": 4}))]);
    let cache = Arc::<Mutex<Option<http::Response<Bytes>>>>::default();
    let builder = builder().transport(script.clone()).wrap(move |inner| {
        move |request: http::Request<Bytes>| {
            let (inner, cache) = (inner.clone(), cache.clone());
            async move {
                let known = cache.lock().unwrap().clone();
                if let Some(mut known) = known {
                    known.extensions_mut().insert(NotSent);
                    return Ok(known);
                }
                let response = inner.send(request).await?;
                *cache.lock().unwrap() = Some(response.clone());
                Ok(response)
            }
        }
    });
    let log = Arc::<Mutex<Vec<SpendEvent>>>::default();
    let seen = log.clone();
    let builder = builder.on_spend(move |spend| seen.lock().unwrap().push(spend.event));
    let group = Budget::of(credits("20"));
    let builder = builder.budget_for([UNKNOWN.id], group.clone());
    let client: Client = builder.budget(credits("20")).build().unwrap();
    let send = || client.send::<Value>(Request::new(&UNKNOWN));
    let paid = send().await.unwrap();
    assert_eq!(paid.outcome(), Outcome::Charged(credits("4")));
    client.forget_prices();
    for _ in 0..3 {
        let hit = send().await.unwrap();
        assert_eq!(
            (hit.outcome(), hit.reported_charge()),
            (Outcome::NotSent, None)
        );
        assert_eq!(hit.raw, paid.raw);
    }
    // A stream of a hit is not at risk either.
    let hit = client.send_stream(Request::new(&UNKNOWN)).await.unwrap();
    assert_eq!(hit.meta.outcome(), Outcome::NotSent);
    assert_eq!(client.prices(), []);
    assert_spent(client.budget(), credits("4"));
    assert_spent(&group, credits("4"));
    assert_eq!(script.sent().len(), 1);
    let events = log.lock().unwrap().clone();
    let charged = SpendEvent::Charged(credits("4"));
    assert_eq!(events, [vec![charged], vec![SpendEvent::Free; 4]].concat());
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

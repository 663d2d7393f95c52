//! A call is settled before its body is decoded: whatever its decode does, the charge counts.

use std::sync::{Mutex, PoisonError};

use generated_client::request::Request;
use generated_client::testing::{self, Reply};
use generated_client::{Budget, Client, ClientBuilder, Credits, Outcome};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{PAID, books, credits, silent_panic};

fn responding(body: &str) -> Client {
    let builder = ClientBuilder::new(&API, "https://example.com").api_key(KEY);
    let builder = builder.transport(testing::Script::new([Reply::new(200, body.to_owned())]));
    builder.budget(credits("10")).build().unwrap()
}

const BODY: &str = r#"{"cost": 2}"#;

struct Panics;

impl<'de> Deserialize<'de> for Panics {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        silent_panic()
    }
}

#[tokio::test]
async fn a_decode_that_panics_is_charged() {
    let client = responding(BODY);
    let budget = client.budget().clone();
    let call = tokio::spawn(async move { client.send::<Panics>(Request::new(&PAID)).await });
    assert!(call.await.is_err_and(|error| error.is_panic()));
    assert_eq!(books(&budget), (credits("2"), Credits::ZERO, Credits::ZERO));
}

/// The budget of the call that decodes a `Looks`, and the credits spent while it did.
static SEEN: Mutex<Option<Budget>> = Mutex::new(None);

struct Looks(Credits);

impl<'de> Deserialize<'de> for Looks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer)?;
        let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Self(seen.as_ref().unwrap().usage().spent))
    }
}

#[tokio::test]
async fn a_call_is_settled_before_its_body_is_decoded() {
    let client = responding(BODY);
    *SEEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(client.budget().clone());
    let response = client.send::<Looks>(Request::new(&PAID)).await.unwrap();
    assert_eq!(response.body.0, credits("2"));
}

#[tokio::test]
async fn a_body_that_does_not_decode_is_charged_as_one_that_does() {
    for (body, outcome) in [
        (r#"{"cost": 2} more"#, Outcome::Unknown(Some(credits("2")))),
        (r#"{"cost": 2, "cost": 3}"#, Outcome::Charged(credits("3"))),
        (r#"{"cost": 2, "n": "x"}"#, Outcome::Charged(credits("2"))),
        (
            r#"{"c\u006fst": 2, "n": 1}"#,
            Outcome::Charged(credits("2")),
        ),
        (r#"{"n": 1}"#, Outcome::Unknown(Some(credits("2")))),
    ] {
        #[derive(Deserialize)]
        struct Numbered {
            #[serde(rename = "n")]
            _n: u8,
        }
        let client = responding(body);
        let ended = client.send::<Numbered>(Request::new(&PAID)).await;
        let seen = match ended {
            Ok(response) => response.outcome(),
            Err(error) => error.outcome(),
        };
        assert_eq!(seen, outcome, "{body}");
    }
}

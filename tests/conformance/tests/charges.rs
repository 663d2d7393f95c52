//! The charge of a call is read while its body is decoded, or found by a search through the raw body if the call returns raw JSON. Both must
//! agree on every body, whatever type it is decoded as. The search must not change the result of the decode.
//!
//! `CHARGE_ROUNDS` is the number of bodies drawn for each operation.

use std::any::type_name;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use company_intel::document::Documented;
use company_intel::error::TransportError;
use company_intel::{Bytes, Client, Error, Outcome, Response, http};
use fastrand::Rng;
use generated_client::wire::Read;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::support::calls::KEY;
use crate::support::draw::Draw;
use crate::support::operations::every_operation;

const MEMBER: &str = "credits_consumed";

/// The name of the member as a service may spell it, and other names.
const NAMES: &[&str] = &[
    r#""credits_consumed""#,
    r#""credits\u005fconsumed""#,
    r#""\u0063redits_consumed""#,
    r#""Credits_consumed""#,
    r#""credits_consumed ""#,
    r#""credits\u005Fconsume\ud800""#,
    r#""credits_consumed\n""#,
];

const VALUES: &[&str] = &[
    "4",
    "0",
    "0.00",
    "1.5",
    "2.5e0",
    "1E-3",
    "-0",
    "-1",
    "1e999",
    "1e-999",
    "0.0000001",
    "99999999999999999999",
    "4.000000000000000000000000001",
    "null",
    "true",
    "\"2\"",
    "\"two\"",
    "\"\\u0032\"",
    "\"\\ud800\"",
    "[]",
    "[2]",
    "{}",
    "{\"amount\": 2}",
    "nul",
    "01",
    "1.",
    "+1",
    "\"",
    "",
];

/// A service that responds with the last body it was given.
#[derive(Clone, Default)]
struct Service(Arc<Mutex<Bytes>>);

impl Service {
    fn client(&self) -> Client {
        let service = self.clone();
        let builder = Client::builder("https://api.example").api_key(KEY);
        let transport = move |_| {
            let body = service.0.lock().unwrap().clone();
            async { Ok::<_, TransportError>(http::Response::new(body)) }
        };
        builder.transport(transport).build().unwrap()
    }
}

/// Result of a call and its effect on the budget.
#[derive(Debug, PartialEq)]
struct Ended {
    outcome: Outcome,
    reported: Option<u64>,
    spent: String,
    value: String,
}

fn ended<T: Debug>(client: &Client, result: &Result<Response<T>, Error>) -> Ended {
    let (outcome, reported) = match result {
        Ok(response) => (response.outcome(), response.reported_charge()),
        Err(error) => (error.outcome(), error.reported_charge()),
    };
    let usage = client.budget().usage();
    Ended {
        outcome,
        reported: reported.map(|charge| charge.micros()),
        spent: format!("{} {} {}", usage.spent, usage.reserved, usage.at_risk),
        value: value(result),
    }
}

fn value<T: Debug>(result: &Result<Response<T>, Error>) -> String {
    match result {
        Ok(response) => format!("{:?} {:?}", response.body, response.set_aside()),
        Err(Error::Decode(error)) => format!("{} {}", error.path, error.message),
        Err(error) => panic!("{error:?}"),
    }
}

struct Bodies {
    rng: Rng,
    draw: Draw,
}

impl Bodies {
    fn new(seed: u64) -> Self {
        Self {
            rng: Rng::with_seed(seed),
            draw: Draw::new(seed),
        }
    }

    fn pick(&mut self, all: &'static [&'static str]) -> &'static str {
        self.rng.choice(all).unwrap()
    }

    /// Draws a body for a type, which may fit it or not.
    fn of(&mut self, kind: &str) -> Vec<u8> {
        let drawn = match self.rng.u8(0..12) {
            0 => {
                let body = self.anything().into_bytes();
                return self.spoilt(body);
            }
            _ => self.draw.of(kind),
        };
        let members = drawn.as_object().cloned().unwrap_or_default();
        let mut members: Vec<(String, String)> = members
            .into_iter()
            .filter(|(name, _)| name != MEMBER)
            .map(|(name, value)| (Value::from(name).to_string(), value.to_string()))
            .collect();
        if self.rng.u8(0..6) == 0 && !members.is_empty() {
            let (name, value) = self.rng.choice(&members).unwrap().clone();
            let value = if self.rng.bool() {
                value
            } else {
                self.anything()
            };
            members.push((name, value));
        }
        for _ in 0..[1, 1, 1, 1, 1, 1, 0, 2, 3][self.rng.usize(0..9)] {
            let value = match self.rng.u8(0..24) {
                0 => {
                    let depth = self.rng.usize(120..135);
                    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
                }
                1..12 => self.pick(&VALUES[..5]).to_owned(),
                _ => self.pick(VALUES).to_owned(),
            };
            let at = self.rng.usize(0..=members.len());
            let name = match self.rng.u8(0..3) {
                0 => self.pick(NAMES),
                _ => NAMES[0],
            };
            members.insert(at, (name.to_owned(), value));
        }
        if self.rng.u8(0..4) == 0 {
            // A nested member of the same name is not the charge.
            let at = self.rng.usize(0..=members.len());
            let value = format!(r#"{{"{MEMBER}": 7, "data": [{{"{MEMBER}": 8}}]}}"#);
            members.insert(at, (r#""inside""#.to_owned(), value));
        }
        let space = self.pick(&["", " ", "\n\t ", "\r\n"]);
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("{space}{name}{space}:{space}{value}{space}"))
            .collect();
        let body = format!("{space}{{{}}}{space}", members.join(","));
        self.spoilt(body.into_bytes())
    }

    fn anything(&mut self) -> String {
        let pick: &[&str] = &[
            "",
            "null",
            "[]",
            "7",
            "\"credits_consumed\"",
            "{}",
            "[{\"credits_consumed\": 4}]",
            "{\"data\": {}}",
        ];
        self.pick(pick).to_owned()
    }

    /// Returns the body, sometimes with a few bytes changed.
    fn spoilt(&mut self, mut body: Vec<u8>) -> Vec<u8> {
        match self.rng.u8(0..32) {
            0 => body.truncate(self.rng.usize(0..=body.len())),
            1 => body.extend_from_slice(
                self.pick(&["}", " x", ",", "\0", "{}", "\"credits_consumed\": 9"])
                    .as_bytes(),
            ),
            2 => drop(body.splice(0..0, *b"\xef\xbb\xbf")),
            3..6 if !body.is_empty() => {
                for _ in 0..self.rng.usize(1..3) {
                    let at = self.rng.usize(0..body.len());
                    body[at] = if self.rng.bool() {
                        self.rng.u8(..)
                    } else {
                        *self.rng.choice(b"{}[]\",:0\\ne. ").unwrap()
                    };
                }
            }
            6 if !body.is_empty() => drop(body.remove(self.rng.usize(0..body.len()))),
            _ => {}
        }
        body
    }
}

/// Returns the name of the type that a call returns.
fn kind<T, F: Future<Output = Result<Response<T>, Error>>>(_: F) -> &'static str {
    type_name::<T>().rsplit("::").next().unwrap()
}

/// Other types that a body may be decoded as.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "Debug reads them")]
struct Flat {
    credits_consumed: Option<Value>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(transparent)]
#[expect(dead_code, reason = "Debug reads it")]
struct Transparent(Exact);

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Exact {
    data: Option<IgnoredAny>,
    credits_consumed: Option<f64>,
    count: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "Debug reads them")]
enum Either {
    Exact(Exact),
    Any(Value),
}

/// Lacks a field for the member.
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "Debug reads it")]
struct Unaware {
    data: Option<IgnoredAny>,
}

/// Falls back to its default on any error.
#[derive(Debug, Default)]
struct Careless;

impl<'de> Deserialize<'de> for Careless {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        _ = Exact::deserialize(deserializer);
        Ok(Self)
    }
}

fn rounds() -> u64 {
    std::env::var("CHARGE_ROUNDS").map_or(120, |rounds| rounds.parse().unwrap())
}

/// Returns the first seed, which differs from run to run.
fn first_seed() -> u64 {
    match std::env::var("CHARGE_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => fastrand::u64(..),
    }
}

#[tokio::test]
async fn what_a_decode_notices_is_what_the_search_finds() {
    let (mut charged, mut unknown, mut failed) = (0, 0, 0);
    let mut seed = first_seed();
    let service = Service::default();
    macro_rules! check {
        ($($name:ident: $client:ident => $call:expr,)*) => {$({
            let kind = { let $client = service.client(); kind($call.send()) };
            for _ in 0..rounds() {
                seed = seed.wrapping_add(1);
                // Both clients have the same price history.
                let (rule, typed, other) = (service.client(), service.client(), service.client());
                let body = Bytes::from(Bodies::new(seed).of(kind));
                *service.0.lock().unwrap() = body.clone();
                let shown = || format!("{} seed {seed}: {}", stringify!($name), body.escape_ascii());
                let found = { let $client = &rule; $call.send_as::<Box<RawValue>>().await };
                let found = ended(&rule, &found);
                let read = { let $client = &typed; $call.send().await };
                let seen = ended(&typed, &read);
                same(&found, &seen, shown);
                let apart = stored(&read, &body);
                assert_eq!(seen.value, apart, "{}", shown());
                charged += usize::from(matches!(seen.outcome, Outcome::Charged(_)));
                unknown += usize::from(matches!(seen.outcome, Outcome::Unknown(_)));
                failed += usize::from(read.is_err());
                let call = { let $client = &other; $call };
                let seen = match seed % 11 {
                    0 => ended(&other, &call.send_as::<Value>().await),
                    1 => ended(&other, &call.send_as::<HashMap<String, IgnoredAny>>().await),
                    2 => ended(&other, &call.send_as::<BTreeMap<u64, IgnoredAny>>().await),
                    3 => ended(&other, &call.send_as::<Flat>().await),
                    4 => ended(&other, &call.send_as::<Transparent>().await),
                    5 => ended(&other, &call.send_as::<Option<Exact>>().await),
                    6 => ended(&other, &call.send_as::<Either>().await),
                    7 => ended(&other, &call.send_as::<Careless>().await),
                    8 => ended(&other, &call.send_as::<Unaware>().await),
                    9 => ended(&other, &call.send_as::<BTreeMap<Option<String>, IgnoredAny>>().await),
                    _ => ended(&other, &call.send_as::<Vec<Exact>>().await),
                };
                same(&found, &seen, shown);
            }
        })*};
    }
    every_operation!(check);
    let common = usize::try_from(rounds()).unwrap();
    assert!(
        charged > common && unknown > common && failed > common,
        "{charged} {unknown} {failed}"
    );
}

fn same(found: &Ended, seen: &Ended, shown: impl Fn() -> String) {
    assert_eq!(
        (found.outcome, found.reported),
        (seen.outcome, seen.reported),
        "{}",
        shown()
    );
    assert_eq!(found.spent, seen.spent, "{}", shown());
}

/// Decodes the same bytes without a call.
fn stored<T: Documented + Read + Debug>(_: &Result<Response<T>, Error>, body: &Bytes) -> String {
    value(&Response::<T>::from_bytes(body.clone()))
}

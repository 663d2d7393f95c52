//! Operations with prices, and scripts for calling them. For tests on paused time.

use std::time::Duration;

use generated_client::document::{Api, Operation, Presence, Price, Tariff};
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::testing::{self, Reply};
use generated_client::{Budget, Client, ClientBuilder, Credits, Error, Method, Response};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::support::api::{API, KEY};

/// Costs two credits, or three with `many`.
pub(crate) static PAID: Operation = Operation {
    id: "paid",
    method: Method::GET,
    path: "/paid",
    extension: Some(&Tariff {
        prices: &[
            Price {
                credits: Credits::from_micros(3_000_000),
                when: &[("many", Presence::Present)],
            },
            Price {
                credits: Credits::from_micros(2_000_000),
                when: &[("odd", Presence::Absent)],
            },
        ],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

pub(crate) static FREE: Operation = Operation {
    id: "free",
    method: Method::GET,
    path: "/free",
    extension: Some(&Tariff {
        prices: &[Price {
            credits: Credits::ZERO,
            when: &[],
        }],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

/// Free, and with an effect that a second request has again.
pub(crate) static FREE_POST: Operation = Operation {
    id: "freePost",
    method: Method::POST,
    ..FREE
};

pub(crate) static UNKNOWN: Operation = Operation {
    id: "unknown",
    method: Method::POST,
    path: "/unknown",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

/// Its price is unknown, and depends on an argument.
pub(crate) static SIZED: Operation = Operation {
    id: "sized",
    method: Method::GET,
    path: "/sized",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &["size"],
        charge: Some("cost"),
    }),
    response: &generated_client::document::Shape::Any,
};

/// One scripted ending of an attempt.
#[derive(Clone)]
pub(crate) enum Step {
    Fails(TransportErrorKind),
    Responds(u16, Option<&'static str>, &'static str),
    Hangs,
    /// The step, so many seconds later.
    After(u64, Box<Step>),
}

pub(crate) use Step::{After, Fails, Hangs, Responds};

impl From<Step> for Reply {
    fn from(step: Step) -> Self {
        match step {
            Fails(kind) => Self::fails(kind),
            Responds(status, None, body) => Self::new(status, body),
            Responds(status, Some(retry_after), body) => {
                Self::new(status, body).header("retry-after", retry_after)
            }
            // A bounded sleep, so that a failing test ends too.
            Hangs => Self::fails(TransportErrorKind::Timeout).after(Duration::from_secs(1_000_000)),
            After(seconds, step) => Self::from(*step).after(Duration::from_secs(seconds)),
        }
    }
}

/// Unwinds without a message on the way.
pub(crate) fn silent_panic() -> ! {
    std::panic::resume_unwind(Box::new("scripted"))
}

pub(crate) const DONE: Step = Responds(200, None, r#"{"cost": 2}"#);

/// The scripted transport with a client of the API of these tests.
#[derive(Clone)]
pub(crate) struct Script(testing::Script);

impl Script {
    pub(crate) fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        Self(testing::Script::new(steps.into_iter().map(Reply::from)))
    }

    pub(crate) fn builder(&self) -> ClientBuilder {
        self.builder_of(&API)
    }

    pub(crate) fn builder_of(&self, api: &'static Api) -> ClientBuilder {
        ClientBuilder::new(api, "https://example.com")
            .api_key(KEY)
            .transport(self.0.clone())
    }

    pub(crate) fn attempts(&self) -> usize {
        self.0.sent().len()
    }

    /// Returns this header of each attempt.
    pub(crate) fn headers(&self, name: &str) -> Vec<String> {
        let sent = self.0.sent();
        let values = sent.iter().filter_map(|request| request.headers.get(name));
        values
            .map(|value| value.to_str().unwrap().to_owned())
            .collect()
    }

    /// Seconds between the attempts.
    pub(crate) fn pauses(&self) -> Vec<f64> {
        let sent = self.0.sent();
        sent.windows(2)
            .map(|pair| (pair[1].at - pair[0].at).as_secs_f64())
            .collect()
    }
}

pub(crate) fn credits(text: &str) -> Credits {
    text.parse().unwrap()
}

pub(crate) async fn call(
    client: &Client,
    operation: &'static Operation,
) -> Result<Response<Value>, Error> {
    client.send(Request::new(operation)).await
}

/// Settles all calls at risk as free.
pub(crate) fn settle_all(budget: &Budget) {
    for call in budget.at_risk() {
        assert!(budget.settle(call.id, Credits::ZERO));
    }
}

/// Returns `(spent, reserved, at risk)` of a budget.
pub(crate) fn books(budget: &Budget) -> (Credits, Credits, Credits) {
    let usage = budget.usage();
    (usage.spent, usage.reserved, usage.at_risk)
}

/// Returns `(spent, reserved, at risk)` of these amounts.
pub(crate) fn booked(spent: &str, reserved: &str, at_risk: &str) -> (Credits, Credits, Credits) {
    (credits(spent), credits(reserved), credits(at_risk))
}

/// Starts a call and lets it come to where it waits.
pub(crate) async fn start(
    client: &Client,
    operation: &'static Operation,
) -> JoinHandle<Result<Response<Value>, Error>> {
    start_request(client, Request::new(operation)).await
}

pub(crate) async fn start_request(
    client: &Client,
    request: Request,
) -> JoinHandle<Result<Response<Value>, Error>> {
    let client = client.clone();
    let call = tokio::spawn(async move { client.send(request).await });
    sleep(Duration::from_millis(10)).await;
    call
}

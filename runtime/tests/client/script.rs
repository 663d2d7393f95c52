//! Operations with prices, and a transport that plays a script. For tests on paused time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metered_client::{
    Bytes, Client, ClientBuilder, Credits, Error, Ledger, Method, Operation, Presence, Price,
    Request, Response, TransportError, TransportErrorKind, http,
};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::support::{API, KEY};

/// Costs two credits, or three with `many`.
pub(crate) static PAID: Operation = Operation {
    id: "paid",
    method: Method::GET,
    path: "/paid",
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
    charge: Some("cost"),
    answer: &metered_client::Shape::Any,
};

pub(crate) static FREE: Operation = Operation {
    id: "free",
    method: Method::GET,
    path: "/free",
    prices: &[Price {
        credits: Credits::ZERO,
        when: &[],
    }],
    charge: Some("cost"),
    answer: &metered_client::Shape::Any,
};

pub(crate) static UNKNOWN: Operation = Operation {
    id: "unknown",
    method: Method::POST,
    path: "/unknown",
    prices: &[],
    charge: Some("cost"),
    answer: &metered_client::Shape::Any,
};

/// One scripted ending of an attempt.
#[derive(Clone)]
pub(crate) enum Step {
    Fails(TransportErrorKind),
    Answers(u16, Option<&'static str>, &'static str),
    Hangs,
    /// The step, so many seconds later.
    After(u64, Box<Step>),
    /// Before there is a future, or in it.
    Panics {
        at_once: bool,
    },
}

pub(crate) use Step::{After, Answers, Fails, Hangs, Panics};

impl Step {
    async fn play(mut self) -> Result<http::Response<Bytes>, TransportError> {
        while let After(seconds, step) = self {
            sleep(Duration::from_secs(seconds)).await;
            self = *step;
        }
        match self {
            Fails(kind) => Err(TransportError::new(kind, "scripted")),
            Answers(status, retry_after, body) => {
                let mut answer = http::Response::builder().status(status);
                if let Some(retry_after) = retry_after {
                    answer = answer.header("retry-after", retry_after);
                }
                Ok(answer.body(Bytes::from_static(body.as_bytes())).unwrap())
            }
            Panics { .. } => silent_panic(),
            Hangs | After(..) => {
                // For ever would be for ever in a test that fails, too.
                sleep(Duration::from_secs(1_000_000)).await;
                panic!("a call that hangs was not given up")
            }
        }
    }
}

/// Unwinds without a message on the way.
pub(crate) fn silent_panic() -> ! {
    std::panic::resume_unwind(Box::new("scripted"))
}

pub(crate) const DONE: Step = Answers(200, None, r#"{"cost": 2}"#);

/// A transport that plays its steps in order, and remembers when each was asked for.
#[derive(Clone)]
pub(crate) struct Script {
    steps: Arc<Mutex<VecDeque<Step>>>,
    asked: Arc<Mutex<Vec<Instant>>>,
}

impl Script {
    pub(crate) fn of(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: Arc::new(Mutex::new(steps.into_iter().collect())),
            asked: Arc::default(),
        }
    }

    pub(crate) fn builder(&self) -> ClientBuilder {
        let script = self.clone();
        let transport = move |_: http::Request<Bytes>| {
            script.asked.lock().unwrap().push(Instant::now());
            let step = script.steps.lock().unwrap().pop_front();
            let step = step.expect("an attempt that is not in the script");
            if matches!(step, Panics { at_once: true }) {
                silent_panic();
            }
            step.play()
        };
        ClientBuilder::new(&API, "https://example.com")
            .api_key(KEY)
            .transport(transport)
    }

    pub(crate) fn attempts(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// Seconds between the attempts.
    pub(crate) fn pauses(&self) -> Vec<f64> {
        let asked = self.asked.lock().unwrap();
        asked
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).as_secs_f64())
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

/// `(spent, reserved, at risk)` of a ledger.
pub(crate) fn books(ledger: &Ledger) -> (Credits, Credits, Credits) {
    let usage = ledger.usage();
    (usage.spent, usage.reserved, usage.at_risk)
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

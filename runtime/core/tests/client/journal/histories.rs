//! Random histories of a batch: calls that are lost, charged, detached and dropped, settlements by hand, and kills between any two bytes of the
//! journal. A model of the service knows what was billed. Time is paused, and a seed decides everything.

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::document::Operation;
use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::journal::Journal;
use generated_client::request::{CallOptions, Request};
use generated_client::{Bytes, Client, ClientBuilder, Credits, Error, Method, Response, http};
use serde_json::Value;
use things_client::types::Page;
use tokio::time::{sleep, timeout};

use super::path;
use crate::support::api::{API, KEY};
use crate::support::scripted_client::{PAID, SIZED};

const HEADER: &str = "idempotency-key";
const DAY: Option<Duration> = Some(Duration::from_secs(86_400));
const INPUTS: [&str; 7] = ["a", "b", "c", "k", "l", "u", "v"];
/// The inputs whose operation has idempotency keys.
const KEYED: [&str; 2] = ["k", "l"];
/// The inputs whose operation has no price in the document.
const UNPRICED: [&str; 2] = ["u", "v"];
/// In credits: the price, and what a few calls cost above it.
const PRICE: u64 = 2;
const DEARER: u64 = 5;
/// What a caller states, in credits: above the price, and above what the document lists.
const STATED: u64 = 4;

static ORDER: Operation = Operation {
    method: Method::POST,
    ..PAID
};

/// A call for an input, as a builder of a generated crate makes it.
struct Order {
    client: Client,
    options: CallOptions,
    input: &'static str,
}

generated_client::call!(Order, client, options);

impl Order {
    fn request(&self) -> Request {
        let mut request = if KEYED.contains(&self.input) {
            Request::new(&ORDER)
        } else if UNPRICED.contains(&self.input) {
            Request::new(&SIZED)
        } else {
            Request::new(&PAID)
        };
        if UNPRICED.contains(&self.input) {
            request.query("size", &self.input);
        }
        if KEYED.contains(&self.input) {
            request.idempotency_key(HEADER, DAY, None);
        }
        request.header("input", &self.input);
        request.options(&self.options);
        request
    }

    async fn send(self) -> Result<Response<Page>, Error> {
        self.client.send(self.request()).await
    }
}

/// A piece of work that the service has billed.
#[derive(Debug, Clone)]
struct Billed {
    input: String,
    key: Option<String>,
    credits: u64,
    /// The length of the journal when the request arrived.
    at: u64,
}

/// What the service has done.
#[derive(Clone)]
struct World {
    journal: PathBuf,
    billed: Arc<Mutex<Vec<Billed>>>,
}

impl World {
    /// Bills a request, unless its key has been billed, and returns the cost of the work.
    fn bill(&self, request: &http::Request<Bytes>, credits: u64) -> u64 {
        let header = |name: &str| {
            let value = request.headers().get(name)?;
            Some(value.to_str().unwrap().to_owned())
        };
        let (input, key) = (header("input").unwrap(), header(HEADER));
        let mut billed = self.billed.lock().unwrap();
        let same = |one: &&Billed| key.is_some() && one.key == key;
        if let Some(same) = billed.iter().find(same) {
            return same.credits;
        }
        let at = length(&self.journal);
        if credits > 0 {
            billed.push(Billed {
                input,
                key,
                credits,
                at,
            });
        }
        credits
    }

    async fn respond(
        self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, TransportError> {
        let fails = |kind| Err(TransportError::new(kind, "on purpose"));
        let responds = |status: u16, body: String| {
            let response = http::Response::builder().status(status);
            Ok(response.body(Bytes::from(body)).unwrap())
        };
        let done = |cost: u64| {
            let body = format!(r#"{{"cost": {cost}, "offset": 0, "total": 0, "things": []}}"#);
            responds(200, body)
        };
        sleep(Duration::from_millis(fastrand::u64(..50))).await;
        match fastrand::u8(..40) {
            0..=14 => done(self.bill(&request, PRICE)),
            15 => done(self.bill(&request, DEARER)),
            16 => done(self.bill(&request, 0)),
            17..=18 => responds(
                502,
                format!(r#"{{"cost": {}}}"#, self.bill(&request, PRICE)),
            ),
            19..=20 => {
                self.bill(&request, PRICE);
                responds(200, "<html>".to_owned())
            }
            21..=25 => {
                self.bill(&request, PRICE);
                fails(TransportErrorKind::Timeout)
            }
            26..=27 => fails(TransportErrorKind::Timeout),
            28 => responds(404, "{}".to_owned()),
            29..=30 => responds(429, "{}".to_owned()),
            31..=32 => fails(TransportErrorKind::Connect),
            33..=35 => {
                let cost = self.bill(&request, PRICE);
                sleep(Duration::from_secs(20)).await;
                done(cost)
            }
            36..=37 => {
                self.bill(&request, PRICE);
                sleep(Duration::from_secs(1_000_000)).await;
                fails(TransportErrorKind::Timeout)
            }
            _ => {
                sleep(Duration::from_secs(1_000_000)).await;
                fails(TransportErrorKind::Timeout)
            }
        }
    }

    fn sum(&self, of: impl Fn(&Billed) -> bool) -> u64 {
        let billed = self.billed.lock().unwrap();
        billed
            .iter()
            .filter(|one| of(one))
            .map(|one| one.credits)
            .sum()
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn micros(credits: u64) -> u64 {
    credits * 1_000_000
}

/// What the lines of a journal say of an input, or of all.
#[derive(Default)]
struct Booked {
    charged: u64,
    /// How many charges above the price are booked.
    dearer: u64,
}

fn booked(journal: &Path, of: Option<&str>) -> Booked {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let lines = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let mut inputs = vec![None];
    let mut booked = Booked::default();
    for line in lines {
        let line: Value = serde_json::from_str(line).unwrap();
        if let Some(attempt) = line.get("attempt") {
            inputs.push(attempt["input"].as_str().map(str::to_owned));
        }
        let (fact, number) = match (line.get("charged"), line.get("settled")) {
            (Some(charged), _) => (charged, charged["attempt"].as_u64()),
            (_, Some(settled)) => (settled, settled["attempts"][0].as_u64()),
            _ => continue,
        };
        let input = inputs[usize::try_from(number.unwrap()).unwrap()].as_deref();
        if of.is_none_or(|of| input == Some(of)) {
            let credits = fact["credits"].as_u64().unwrap();
            booked.charged += credits;
            booked.dearer += u64::from(credits == DEARER);
        }
    }
    booked
}

/// Calls one or two inputs at a time. Some futures are dropped.
async fn calls(journal: &Journal, client: &Client) {
    let one = async || {
        let order = Order {
            client: client.clone(),
            options: if fastrand::u8(..4) == 0 {
                CallOptions::default().assume_price(Credits::from_micros(micros(STATED)))
            } else {
                CallOptions::default()
            },
            input: INPUTS[fastrand::usize(..INPUTS.len())],
        };
        let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
        let input = order.input;
        let patience = Duration::from_secs([1, 30, 120][fastrand::usize(..3)]);
        let call = journal.call(input, order, Order::send, keep);
        if let Ok(called) = timeout(patience, call).await {
            called.unwrap();
        }
    };
    if fastrand::bool() {
        one().await
    } else {
        _ = tokio::join!(one(), one())
    }
}

/// Settles what an input has at risk, as the service says: with nothing of it in flight, that is what is not booked.
fn settle(journal: &Journal, world: &World) {
    let at_risk = journal.at_risk();
    if at_risk.is_empty() || journal.usage().reserved > Credits::ZERO {
        return;
    }
    let (input, _) = &at_risk[fastrand::usize(..at_risk.len())];
    let billed = world.sum(|one| one.input == *input);
    let charged = billed.saturating_sub(booked(&world.journal, Some(input)).charged);
    assert!(
        journal
            .settle(input, Credits::from_micros(micros(charged)))
            .unwrap()
    );
}

/// Makes a run with some calls, and returns the length of its journal when it was killed.
fn run(world: &World, limit: u64, is_again: bool) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let journal = Journal::open(&world.journal, "orders").unwrap();
    let journal = journal.again(is_again);
    runtime.block_on(async {
        let service = world.clone();
        let client: Client = ClientBuilder::new(&API, "https://example.com")
            .api_key(KEY)
            .transport(move |request| service.clone().respond(request))
            .budget(journal.budget(Credits::from_micros(micros(limit))))
            .detached(fastrand::bool())
            .build()
            .unwrap();
        for _ in 0..fastrand::usize(1..5) {
            match fastrand::u8(..5) {
                0 => settle(&journal, world),
                _ => calls(&journal, &client).await,
            }
        }
        let (live, noted) = (client.budget().usage(), journal.usage());
        assert_eq!((live.spent, live.reserved), (noted.spent, noted.reserved));
        assert!(noted.at_risk <= live.at_risk, "{noted:?} {live:?}");
        assert_eq!(live.surprises, noted.surprises);
    });
    let end = length(&world.journal);
    // What is in flight writes nothing any more.
    drop(journal);
    end
}

/// Checks what a next run would know, with the journal at this length.
fn check(world: &World, limit: u64, end: u64) -> u64 {
    let copy = world.journal.with_extension("copy");
    let bytes = fs::read(&world.journal).unwrap();
    fs::write(&copy, &bytes[..usize::try_from(end).unwrap()]).unwrap();
    let usage = Journal::open(&copy, "orders").unwrap().usage();
    let known = usage.spent.micros() + usage.at_risk.micros();
    let is_before = |one: &Billed| one.at <= end;
    let billed = world.sum(is_before);
    // A charge above its price is known once it is booked.
    let dearer = world.sum(|one| is_before(one) && one.credits == DEARER) / DEARER;
    let open = dearer.saturating_sub(booked(&copy, None).dearer);
    let excess = DEARER - PRICE;
    assert!(
        known + micros(open * excess) >= micros(billed),
        "{usage:?}, billed {billed}"
    );
    assert!(
        billed <= limit + dearer * excess,
        "billed {billed} of {limit}"
    );
    billed
}

/// Returns whether a price was seen that a lost call has at risk since.
fn history(seed: u64, path: &Path) -> bool {
    fastrand::seed(seed);
    _ = fs::remove_file(path);
    let world = World {
        journal: path.to_owned(),
        billed: Arc::default(),
    };
    let limit = fastrand::u64(4..24);
    let mut was_again = false;
    let mut is_repriced = false;
    for _ in 0..fastrand::usize(2..5) {
        let before = length(path);
        let is_again = fastrand::u8(..6) == 0;
        was_again |= is_again;
        let end = run(&world, limit, is_again);
        // A line that had broken off was cut.
        let start = before.min(end);
        for _ in 0..3 {
            check(&world, limit, fastrand::u64(start..=end));
        }
        // Killed at any time, or at its end.
        let end = if fastrand::bool() {
            end
        } else {
            fastrand::u64(start..=end)
        };
        let bytes = fs::read(path).unwrap_or_default();
        fs::write(path, &bytes[..usize::try_from(end).unwrap()]).unwrap();
        world.billed.lock().unwrap().retain(|one| one.at <= end);
        check(&world, limit, end);
        for input in INPUTS.into_iter().filter(|_| !was_again) {
            let billed = world.billed.lock().unwrap();
            let own = billed.iter().filter(|one| one.input == input).count();
            assert!(own <= 1, "{input} was billed {own} times");
        }
        is_repriced |= fs::read_to_string(path).unwrap().contains("repriced");
    }
    is_repriced
}

/// `HISTORIES` of them.
#[test]
fn no_history_loses_a_charge_pays_twice_or_exceeds_its_limit() {
    let path = path("histories");
    let histories = std::env::var("HISTORIES").map_or(100, |text| text.parse().unwrap());
    let first: u64 = std::env::var("FIRST").map_or(0, |text| text.parse().unwrap());
    let mut is_repriced = false;
    for seed in first..first + histories {
        let ended = std::panic::catch_unwind(|| history(seed, &path));
        assert!(ended.is_ok(), "seed {seed}");
        is_repriced |= ended.is_ok_and(|is_repriced| is_repriced);
    }
    assert!(is_repriced || histories < 100);
}

//! A call with an idempotency key, between two runs: it is the same work. Time is paused.

use std::convert::Infallible;
use std::path::Path;
use std::time::{Duration, SystemTime};

use generated_client::document::Operation;
use generated_client::error::TransportErrorKind::{Connect, Timeout};
use generated_client::journal::{Called, Journal, JournalError};
use generated_client::request::{CallOptions, Request, StoredKey};
use generated_client::{Client, ClientBuilder, Credits, Error, Method, Response};
use things_client::types::Page;

use super::path;
use crate::support::scripted_client::{Fails, Hangs, PAID, Responds, Script, Step, books, credits};

const HEADER: &str = "Idempotency-Key";
const DONE: Step = Responds(
    200,
    None,
    r#"{"cost": 2, "offset": 0, "total": 0, "things": []}"#,
);
const DAY: Option<Duration> = Some(Duration::from_secs(86_400));

static ORDER: Operation = Operation {
    method: Method::POST,
    ..PAID
};

/// A builder, as a generated crate has it for an operation with keys.
struct Order {
    client: Client,
    options: CallOptions,
    window: Option<Duration>,
}

generated_client::call!(Order, client, options);

impl Order {
    fn request(&self) -> Request {
        let mut request = Request::new(&ORDER);
        request.idempotency_key(HEADER, self.window, None);
        request.options(&self.options);
        request
    }

    async fn send(self) -> Result<Response<Page>, Error> {
        self.client.send(self.request()).await
    }
}

/// Opens the journal, and makes the call once.
async fn run(path: &Path, script: &Script, window: Option<Duration>) -> (Called<Page>, Journal) {
    run_with(path, script.builder(), window).await
}

async fn run_with(
    path: &Path,
    builder: ClientBuilder,
    window: Option<Duration>,
) -> (Called<Page>, Journal) {
    let journal = Journal::open(path, "orders").unwrap();
    // A run that hangs is killed.
    let called = tokio::time::timeout(Duration::from_secs(60), call(&journal, builder, window));
    let called = called.await.unwrap_or(Called::AtRisk);
    (called, journal)
}

/// Makes the call.
async fn call(journal: &Journal, builder: ClientBuilder, window: Option<Duration>) -> Called<Page> {
    let client = builder.budget(journal.budget(credits("10")));
    let order = Order {
        client: client.build().unwrap(),
        options: CallOptions::default(),
        window,
    };
    let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
    journal.call("a", order, Order::send, keep).await.unwrap()
}

fn sums(journal: &Journal) -> (Credits, Credits, Credits) {
    books(&journal.budget(Credits::ZERO))
}

#[tokio::test(start_paused = true)]
async fn a_restarted_run_makes_the_call_again_with_its_key_and_pays_once() {
    for (name, steps) in [
        (
            "keys-lost",
            vec![Fails(Timeout), Fails(Timeout), Fails(Timeout), DONE],
        ),
        ("keys-killed", vec![Hangs, DONE]),
    ] {
        let path = path(name);
        let script = Script::of(steps);
        let (_, journal) = run(&path, &script, DAY).await;
        assert_eq!(sums(&journal).2, credits("2"), "{name}");
        drop(journal);
        let (called, journal) = run(&path, &script, DAY).await;
        assert!(matches!(called, Called::Kept), "{name}: {called}");
        let (two, none) = (credits("2"), Credits::ZERO);
        assert_eq!(sums(&journal), (two, none, none), "{name}");
        let keys = script.headers(HEADER);
        assert_eq!(keys, vec![keys[0].clone(); keys.len()], "{name}");
        drop(journal);
        let (called, journal) = run(&path, &script, DAY).await;
        assert!(
            matches!(called, Called::Earlier(Some(_))),
            "{name}: {called}"
        );
        assert_eq!(journal.usage().spent, two, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_run_makes_it_again_too() {
    let path = path("keys-same-run");
    let script = Script::of([Fails(Timeout), Fails(Timeout), Fails(Timeout), DONE]);
    let (_, journal) = run(&path, &script, DAY).await;
    let called = call(&journal, script.builder(), DAY).await;
    assert!(matches!(called, Called::Kept), "{called}");
    assert_eq!(sums(&journal), (credits("2"), Credits::ZERO, Credits::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_lost_in_several_runs_has_one_price_at_risk() {
    let lost = [Fails(Timeout), Fails(Timeout), Fails(Timeout)];
    for (name, first) in [("keys-twice", &lost[..]), ("keys-killed-twice", &[Hangs])] {
        let path = path(name);
        let steps = [first, &lost, first, &[DONE]].concat();
        let script = Script::of(steps);
        let two = credits("2");
        for _ in 0..3 {
            let (called, journal) = run(&path, &script, DAY).await;
            assert!(!matches!(called, Called::Kept), "{name}: {called}");
            assert_eq!(sums(&journal).2, two, "{name}");
        }
        let (called, journal) = run(&path, &script, DAY).await;
        assert!(matches!(called, Called::Kept), "{name}: {called}");
        assert_eq!(
            sums(&journal),
            (two, Credits::ZERO, Credits::ZERO),
            "{name}"
        );
        assert_eq!(journal.usage().spent, two, "{name}");
    }
}

/// A call that a person has settled is not the same work any more: only `again` makes it, with another key.
#[tokio::test(start_paused = true)]
async fn a_lost_call_that_was_settled_is_called_again_only_on_demand() {
    for (name, charged) in [("keys-settled", "2"), ("keys-settled-free", "0")] {
        let path = path(name);
        lost_by_hand(&path, &[]);
        let journal = Journal::open(&path, "orders").unwrap();
        assert!(journal.settle("a", credits(charged)).unwrap());
        assert!(!journal.settle("a", credits(charged)).unwrap());
        drop(journal);
        let script = Script::of([DONE]);
        let (called, journal) = run(&path, &script, DAY).await;
        assert!(matches!(called, Called::AtRisk), "{name}: {called}");
        let rest = (credits(charged), Credits::ZERO, credits("2"));
        assert_eq!((script.attempts(), sums(&journal)), (0, rest), "{name}");
        drop(journal);
        let journal = Journal::open(&path, "orders").unwrap().again(true);
        let called = call(&journal, script.builder(), DAY).await;
        assert!(matches!(called, Called::Kept), "{name}: {called}");
        assert_ne!(script.headers(HEADER), ["k"], "{name}");
        let spent = credits(charged).micros() + credits("2").micros();
        assert_eq!(sums(&journal).0.micros(), spent, "{name}");
    }
}

/// Writes a journal in which a call of `a` was lost with the key `k`, and one of `x` too. Both are at risk, for 2 credits each.
fn lost_by_hand(path: &Path, more: &[&str]) {
    let mut lines = vec![
        r#"{"run":{"name":"orders","version":6,"parts":{}}}"#.to_owned(),
        attempt("a", "k", 2),
        attempt("x", "other", 2),
    ];
    lines.extend(more.iter().map(|line| (*line).to_owned()));
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

fn attempt(input: &str, key: &str, at_risk: u64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.unwrap().as_secs();
    format!(
        r#"{{"attempt":{{"input":"{input}","operation":"paid","number":1,"at":{now},"idempotency_key":"{key}","at_risk":{at_risk}}}}}"#
    )
}

/// A run that is killed after the call is charged, and before its response is kept.
#[tokio::test(start_paused = true)]
async fn a_charged_repetition_that_is_killed_is_not_forgotten() {
    let path = path("keys-found");
    lost_by_hand(&path, &[]);
    let (called, journal) = run(&path, &Script::of([DONE]), DAY).await;
    assert!(matches!(called, Called::Kept), "{called}");
    drop(journal);
    let text = std::fs::read_to_string(&path).unwrap();
    let charged = text.find("{\"charged\"").unwrap();
    let brought = text.find("{\"brought\"").unwrap();
    assert!(charged < brought);
    std::fs::write(&path, &text[..brought]).unwrap();
    let script = Script::of([DONE]);
    let (called, _) = run(&path, &script, Some(Duration::ZERO)).await;
    assert!(matches!(called, Called::AtRisk), "{called}");
    assert_eq!(script.attempts(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_repetition_that_was_not_sent_keeps_the_key() {
    let path = path("keys-not-sent");
    lost_by_hand(&path, &[]);
    let script = Script::of([Fails(Connect), Fails(Connect), Fails(Connect), DONE]);
    let (called, journal) = run(&path, &script, DAY).await;
    assert!(matches!(called, Called::Failed(_)), "{called}");
    assert_eq!(sums(&journal).2, credits("4"));
    drop(journal);
    let (called, journal) = run(&path, &script, DAY).await;
    assert!(matches!(called, Called::Kept), "{called}");
    assert_eq!(script.headers(HEADER), ["k"; 4]);
    let two = credits("2");
    assert_eq!(sums(&journal), (two, Credits::ZERO, two));
}

/// Repetitions that were killed: the first costs more by now, the second had one attempt that was replaced by the next.
#[tokio::test(start_paused = true)]
async fn a_killed_repetition_has_the_greater_price_at_risk() {
    let replaced = r#"{"replaced":{"attempts":[1]}}"#.to_owned();
    let interrupted = r#"{"interrupted":{}}"#.to_owned();
    for (name, lines, at_risk) in [
        ("keys-dearer", vec![attempt("a", "k", 5)], "7"),
        ("keys-cheaper", vec![attempt("a", "k", 1)], "4"),
        (
            "keys-replaced",
            vec![interrupted, replaced, attempt("a", "k", 2)],
            "4",
        ),
    ] {
        let path = path(name);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        lost_by_hand(&path, &lines);
        let journal = Journal::open(&path, "orders").unwrap();
        assert_eq!(sums(&journal).2, credits(at_risk), "{name}");
        drop(journal);
        let (called, journal) = run(&path, &Script::of([DONE]), DAY).await;
        assert!(matches!(called, Called::Kept), "{name}: {called}");
        let two = credits("2");
        assert_eq!(sums(&journal), (two, Credits::ZERO, two), "{name}");
    }
}

/// Each lost call of earlier runs is listed, and settled alone. A settlement in the budget is one by hand, too.
#[tokio::test(start_paused = true)]
async fn lost_calls_of_earlier_runs_are_settled_one_by_one() {
    let path = path("keys-earlier");
    lost_by_hand(&path, &[]);
    {
        let journal = Journal::open(&path, "orders").unwrap();
        let budget = journal.budget(credits("10"));
        let lost = budget.at_risk();
        let inputs: Vec<&str> = lost
            .iter()
            .filter_map(|c| c.call.input.as_deref())
            .collect();
        assert_eq!(inputs, ["a", "x"]);
        assert!(budget.settle(lost[1].id, credits("1")));
        assert_eq!(journal.usage().spent, credits("1"));
        assert_eq!(journal.at_risk(), [("a".to_owned(), credits("2"))]);
    }
    let (called, journal) = run(&path, &Script::of([DONE]), DAY).await;
    assert!(matches!(called, Called::Kept), "{called}");
    assert_eq!(sums(&journal), (credits("3"), Credits::ZERO, Credits::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_was_charged_is_repeated_only_on_demand() {
    for (name, lost) in [("keys-charged", 0), ("keys-lost-and-charged", 1)] {
        let path = path(name);
        let charged = Responds(502, None, r#"{"cost": 2}"#);
        let lost = std::iter::repeat_n(Fails(Timeout), lost);
        let script = Script::of(lost.chain([charged]).collect::<Vec<_>>());
        let (called, journal) = run(&path, &script, DAY).await;
        assert!(matches!(called, Called::Failed(_)), "{name}: {called}");
        let attempts = script.attempts();
        drop(journal);
        let (called, journal) = run(&path, &script, DAY).await;
        assert!(matches!(called, Called::AtRisk), "{name}: {called}");
        let (two, none) = (credits("2"), Credits::ZERO);
        assert_eq!(sums(&journal), (two, none, none), "{name}");
        assert_eq!(script.attempts(), attempts, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_a_new_key_is_about_the_input() {
    let path = path("keys-again");
    lost_by_hand(&path, &[]);
    let script = Script::of([Responds(422, None, "{}"), DONE]);
    for expected in ["refused", "refused for good"] {
        let journal = Journal::open(&path, "orders").unwrap().again(true);
        // Too short for the lost call.
        let window = Some(Duration::from_nanos(1));
        let called = call(&journal, script.builder(), window).await;
        let is_final = matches!(called, Called::Refused);
        assert_eq!(is_final, expected == "refused for good", "{called}");
    }
}

/// A list is long, and keys expire while it is worked off.
#[test]
fn a_call_whose_key_has_expired_does_not_begin() {
    let path = path("keys-began");
    lost_by_hand(&path, &[]);
    let journal = Journal::open(&path, "orders").unwrap();
    let budget = journal.budget(credits("10"));
    let client = Script::of([]).builder().budget(budget).build().unwrap();
    let begun = journal.begin("a", &client).unwrap();
    let expired = begun.key(Some(Some(Duration::from_nanos(1))));
    assert!(matches!(expired, Err(JournalError::AtRisk { .. })));
    assert_eq!(&*begun.key(Some(DAY)).unwrap().unwrap().key, "k");
}

/// The queue of a client is long, too.
#[tokio::test(start_paused = true)]
async fn a_used_key_is_not_sent_after_its_window() {
    let script = Script::of([Hangs, DONE]);
    let client = script.builder().max_in_flight(1).build().unwrap();
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.send::<serde_json::Value>(Request::new(&PAID)).await }
    });
    tokio::task::yield_now().await;
    let mut options = CallOptions::default();
    options.idempotency_key = Some(StoredKey {
        key: "k".into(),
        age: Duration::from_secs(86_390),
    });
    let order = Order {
        client,
        options,
        window: DAY,
    };
    let waiting = tokio::spawn(order.send());
    tokio::time::sleep(Duration::from_secs(11)).await;
    first.abort();
    _ = first.await;
    assert!(waiting.await.unwrap().is_err());
    assert_eq!(script.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_dropped_before_it_was_sent_takes_nothing_from_others() {
    let path = path("keys-waiting");
    let script = Script::of([Hangs, DONE]);
    {
        let journal = Journal::open(&path, "orders").unwrap();
        let client = script.builder().budget(journal.budget(credits("10")));
        let client = client.max_in_flight(1).build().unwrap();
        let other = tokio::spawn({
            let client = client.clone();
            async move { client.send::<serde_json::Value>(Request::new(&PAID)).await }
        });
        tokio::task::yield_now().await;
        let order = Order {
            client,
            options: CallOptions::default(),
            window: DAY,
        };
        let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
        let called = journal.call("a", order, Order::send, keep);
        let waited = tokio::time::timeout(Duration::from_secs(5), called).await;
        assert!(waited.is_err());
        other.abort();
        _ = other.await;
        assert_eq!(sums(&journal).2, credits("2"));
    }
    assert_eq!(script.attempts(), 1);
    let (called, journal) = run(&path, &script, DAY).await;
    assert!(matches!(called, Called::Kept), "{called}");
    let two = credits("2");
    assert_eq!(sums(&journal), (two, Credits::ZERO, two));
}

#[tokio::test(start_paused = true)]
async fn a_key_that_the_service_may_have_forgotten_is_not_used_again() {
    for (name, window) in [
        ("keys-unknown", None),
        ("keys-expired", Some(Duration::from_secs(1))),
    ] {
        let path = path(name);
        let script = Script::of([Hangs, DONE]);
        drop(run(&path, &script, window).await);
        let (called, journal) = run(&path, &script, window).await;
        assert!(matches!(called, Called::AtRisk), "{name}: {called}");
        assert_eq!(script.attempts(), 1, "{name}");
        assert_eq!(sums(&journal).2, credits("2"), "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_a_used_key_is_not_about_the_input() {
    let path = path("keys-refused");
    let script = Script::of([Hangs, Responds(422, None, "{}"), DONE]);
    drop(run(&path, &script, DAY).await);
    let (called, journal) = run(&path, &script, DAY).await;
    assert!(matches!(called, Called::Failed(_)), "{called}");
    drop(journal);
    let (called, _) = run(&path, &script, DAY).await;
    assert!(matches!(called, Called::Kept), "{called}");
}

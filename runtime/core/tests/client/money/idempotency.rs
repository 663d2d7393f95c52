//! Attempts with one idempotency key are one piece of work. Time is paused.

use std::time::Duration;

use generated_client::document::{Operation, Price, Tariff};
use generated_client::error::TransportErrorKind::Timeout;
use generated_client::request::{CallOptions, Request};
use generated_client::{Budget, Error, Method, Outcome};
use serde_json::Value;

use crate::support::scripted_client::{
    After, DONE, Fails, PAID, Responds, Script, Step, booked, books, call, credits, start,
};

const HEADER: &str = "Idempotency-Key";

/// Costs two credits, and a second request would be charged again.
static ORDER: Operation = Operation {
    method: Method::POST,
    extension: Some(&Tariff {
        prices: &[Price {
            credits: generated_client::Credits::from_micros(2_000_000),
            when: &[],
        }],
        priced_by: &[],
        charge: Some("cost"),
    }),
    ..PAID
};

struct Row {
    case: &'static str,
    steps: Vec<Step>,
    window: Option<Duration>,
    attempts: usize,
    outcome: Outcome,
    spent: &'static str,
    at_risk: &'static str,
}

fn row(case: &'static str, steps: &[Step]) -> Row {
    Row {
        case,
        steps: steps.to_vec(),
        window: None,
        attempts: steps.len(),
        outcome: Outcome::Charged(credits("2")),
        spent: "2",
        at_risk: "0",
    }
}

fn at_risk(case: &'static str, steps: &[Step]) -> Row {
    Row {
        outcome: Outcome::Unknown(Some(credits("2"))),
        spent: "0",
        at_risk: "2",
        ..row(case, steps)
    }
}

/// Returns the table of `Outcome`. A service that ignores the key looks like one that knows it.
fn table() -> Vec<Row> {
    let lost = Fails(Timeout);
    let error = Responds(500, None, "");
    vec![
        row("the first attempt succeeds", &[DONE]),
        row("an attempt is lost", &[lost.clone(), DONE]),
        row("two are lost", &[lost.clone(), error.clone(), DONE]),
        at_risk(
            "all are lost: one price",
            &[lost.clone(), error, lost.clone()],
        ),
        at_risk(
            "the key was used with other arguments, or is in use",
            &[lost.clone(), Responds(409, None, "")],
        ),
        at_risk(
            "a rejected repetition says nothing of the first attempt",
            &[
                lost.clone(),
                Responds(429, None, ""),
                Responds(403, None, ""),
            ],
        ),
        at_risk(
            "a free repetition says nothing of the first attempt",
            &[lost.clone(), Responds(200, None, r#"{"cost": 0}"#)],
        ),
        Row {
            window: Some(Duration::from_secs(30)),
            attempts: 2,
            ..at_risk(
                "the key expires before the service lets the call go on",
                &[lost.clone(), Responds(429, Some("40"), ""), DONE],
            )
        },
        Row {
            window: Some(Duration::ZERO),
            attempts: 1,
            ..at_risk("the key has expired", &[lost, DONE])
        },
    ]
}

/// What begins each row of `Outcome`, and a case that plays it. A service that ignores the key looks like one that knows it.
const PAGE: [(&str, &str); 6] = [
    ("charges the work once", "two are lost"),
    ("loses all attempts", "all are lost: one price"),
    (
        "refuses the key",
        "the key was used with other arguments, or is in use",
    ),
    (
        "rejects the repetition",
        "a rejected repetition says nothing of the first attempt",
    ),
    (
        "forgets the key",
        "the key expires before the service lets the call go on",
    ),
    ("ignores the key", "an attempt is lost"),
];

#[test]
fn the_table_of_outcomes_with_a_key_says_what_the_cases_do() {
    let page = include_str!("../../../src/money/outcome.rs");
    let (_, rows) = page
        .split_once("/// | the service | the budget |\n")
        .unwrap();
    let rows = rows.lines().skip(1);
    let rows: Vec<&str> = rows.map_while(|line| line.strip_prefix("/// | ")).collect();
    assert_eq!(rows.len(), PAGE.len(), "{rows:?}");
    let cases = table();
    for (row, (begin, case)) in rows.into_iter().zip(PAGE) {
        assert!(row.starts_with(begin), "`{row}` is played as `{begin}`");
        let case = cases.iter().find(|one| one.case == case).unwrap();
        let (_, budget) = row.split_once(" | ").unwrap();
        let budget = budget.replace("nothing at risk", "");
        let is_said = (budget.contains("charge"), budget.contains("at risk"));
        let is_so = (case.spent != "0", case.at_risk != "0");
        assert_eq!(is_said, is_so, "spent, at risk: {row}");
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_with_one_key_are_charged_once() {
    for row in table() {
        let script = Script::of(row.steps);
        let client = script.builder().budget(credits("10")).build().unwrap();
        let mut request = Request::new(&ORDER);
        request.idempotency_key(HEADER, row.window, None);
        let (outcome, key) = match client.send::<Value>(request).await {
            Ok(response) => (
                response.meta.outcome(),
                response.meta.idempotency_key().map(str::to_owned),
            ),
            Err(error) => (error.outcome(), error.idempotency_key().map(str::to_owned)),
        };
        let case = row.case;
        assert_eq!(outcome, row.outcome, "{case}");
        assert_eq!(script.attempts(), row.attempts, "{case}");
        let sums = (credits(row.spent), credits("0"), credits(row.at_risk));
        assert_eq!(books(client.budget()), sums, "{case}");
        let keys = script.headers(HEADER);
        assert_eq!(keys, vec![key.unwrap(); row.attempts], "{case}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_call_has_another_key_unless_the_caller_gives_one() {
    let script = Script::of([DONE, DONE, DONE, DONE]);
    let client = script.builder().build().unwrap();
    for key in [None, None, Some("mine"), Some("mine")] {
        let mut request = Request::new(&ORDER);
        request.idempotency_key(HEADER, None, key);
        client.send::<Value>(request).await.unwrap();
    }
    let keys = script.headers(HEADER);
    assert_ne!(keys[0], keys[1]);
    assert_eq!(keys[2..], ["mine", "mine"]);
    let mut request = Request::new(&ORDER);
    request.idempotency_key(HEADER, None, Some("two\nlines"));
    client.send::<Value>(request).await.unwrap_err();
    assert_eq!(script.attempts(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_lost_call_is_settled_by_the_same_call_with_its_key() {
    let script = Script::of([Fails(Timeout), Fails(Timeout), Fails(Timeout), DONE]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let request = |key: Option<&str>| {
        let mut request = Request::new(&ORDER);
        request.idempotency_key(HEADER, None, key);
        request
    };
    let error = client.send::<Value>(request(None)).await.unwrap_err();
    let key = error.idempotency_key().unwrap();
    client.send::<Value>(request(Some(key))).await.unwrap();
    assert!(
        !error.settle(credits("0")),
        "it has nothing at risk any more"
    );
    assert_eq!(books(client.budget()), booked("2", "0", "0"));
    let keys = script.headers(HEADER);
    assert_eq!(keys, vec![key; 4]);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_waits_for_the_budget_does_not_outlive_its_key() {
    let step = After(20, Box::new(Fails(Timeout)));
    let other = After(60, Box::new(DONE));
    let script = Script::of([other, step, DONE]);
    let client = script.builder().budget(credits("4")).build().unwrap();
    let running = start(&client, &PAID).await;
    let mut request = Request::new(&ORDER);
    request.idempotency_key(HEADER, Some(Duration::from_secs(30)), None);
    // The other call has what the second attempt would need until the key has expired.
    let error = client.send::<Value>(request).await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("2"))));
    running.await.unwrap().unwrap();
    assert_eq!(script.attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_budget_of_the_operation_has_one_price_too() {
    let group = Budget::of(credits("10"));
    let script = Script::of([Fails(Timeout), DONE, Fails(Timeout)]);
    let builder = script.builder().budget_for([ORDER.id], group.clone());
    let client = builder.build().unwrap();
    let mut request = Request::new(&ORDER);
    request.idempotency_key(HEADER, None, None);
    client.send::<Value>(request).await.unwrap();
    let (two, none) = (credits("2"), credits("0"));
    assert_eq!(books(&group), (two, none, none));

    // A call that one budget has settled is settled in the other.
    let error = call(&client, &ORDER).await.unwrap_err();
    for lost in client.budget().at_risk() {
        assert!(client.budget().settle(lost.id, two));
    }
    assert!(!error.settle(two));
    assert_eq!(books(&group), (credits("4"), none, none));
}

#[tokio::test(start_paused = true)]
async fn a_header_that_cannot_have_the_key_is_refused() {
    let script = Script::of([]);
    let client = script.builder().build().unwrap();
    for (header, key) in [
        ("x-api-key", None),
        ("Authorization", None),
        ("Cookie", None),
        ("User-Agent", None),
        ("Expect", None),
        (HEADER, Some("")),
        (HEADER, Some(" ")),
        (HEADER, Some("two\nlines")),
    ] {
        let mut request = Request::new(&ORDER);
        request.idempotency_key(header, None, key);
        let error = client.send::<Value>(request).await.unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{header}: {error:?}");
    }
    // A header that the caller adds would be another key.
    let mut options = CallOptions::default();
    options.extras.header(HEADER, &"mine");
    let mut request = Request::new(&ORDER);
    request.options(&options);
    request.idempotency_key(HEADER, None, None);
    let error = client.send::<Value>(request).await.unwrap_err();
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
    assert_eq!(script.attempts(), 0);
}

#[tokio::test(start_paused = true)]
async fn without_a_key_a_lost_call_is_not_repeated() {
    let script = Script::of([Fails(Timeout), DONE]);
    let client = script.builder().budget(credits("10")).build().unwrap();
    let error = call(&client, &ORDER).await.unwrap_err();
    assert_eq!(error.idempotency_key(), None);
    assert_eq!(script.attempts(), 1);
}

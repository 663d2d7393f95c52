//! The tables of `Outcome` and of `docs/budgets.md` are what calls of a scripted service do. Time is paused.

use generated_client::account::Outage;
use generated_client::credentials::{Token, TokenReason};
use generated_client::document::{Api, Auth, Operation};
use generated_client::error::TransportError;
use generated_client::error::TransportErrorKind::{Body, Connect, Other, Timeout};
use generated_client::request::Request;
use generated_client::testing::{Reply, Script};
use generated_client::transport::NotSent;
use generated_client::{ClientBuilder, Credits, Outcome, RetryPolicy, StatusCode};
use serde_json::Value;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{
    FREE, FREE_POST, Fails, PAID, Responds, Step, books, credits,
};

const OUTCOME: &str = include_str!("../../../src/money/outcome.rs");
const BUDGETS: &str = include_str!("../../../../../docs/budgets.md");

static WITH_TOKENS: Api = Api {
    auth: Auth::Bearer,
    ..API
};

/// What the client of a row has beside its price list.
#[derive(Clone, Copy, PartialEq)]
enum With {
    Nothing,
    /// The status of the response is unbilled.
    Unbilled,
    Tokens,
    Stream,
    /// A cache that has the response.
    Cache,
    /// A transport that only replays, and has nothing to replay.
    Replay,
}

use With::{Cache, Nothing, Replay, Stream, Tokens, Unbilled};

/// Returns the number of attempts, and the outcome of a call whose attempts all end in this way.
async fn play(step: &Step, with: With, operation: &'static Operation) -> (usize, Outcome) {
    let script = Script::new(vec![step.clone(); 3].into_iter().map(Reply::from));
    let token = |reason: TokenReason| async move { Ok(Token::new(format!("{reason:?}"))) };
    let builder: ClientBuilder = match with {
        Tokens => ClientBuilder::new(&WITH_TOKENS, "https://example.com").token_provider(token),
        _ => ClientBuilder::new(&API, "https://example.com").api_key(KEY),
    };
    let unbilled = match (step, with) {
        (Responds(status, ..), Unbilled) => vec![StatusCode::from_u16(*status).unwrap()],
        _ => Vec::new(),
    };
    let builder = builder.unbilled(unbilled).max_response_bytes(64);
    let mut client = builder.budget(credits("10")).transport(script.clone());
    if with == Cache || with == Replay {
        client = client.wrap(|script| {
            move |request| {
                let script = script.clone();
                async move {
                    let mut response = script
                        .send(request)
                        .await
                        .map_err(TransportError::not_sent)?;
                    response.extensions_mut().insert(NotSent);
                    Ok(response)
                }
            }
        });
    }
    let client = client.build().unwrap();
    let request = Request::new(operation);
    let outcome = match with {
        Stream => client
            .send_stream(request)
            .await
            .map(|one| one.meta.outcome()),
        _ => client.send::<Value>(request).await.map(|one| one.outcome()),
    };
    let outcome = outcome.unwrap_or_else(|error| error.outcome());
    let (charged, at_risk) = match outcome {
        Outcome::Charged(charged) => (charged, Credits::ZERO),
        Outcome::Unknown(at_risk) => (Credits::ZERO, at_risk.unwrap_or_default()),
        _ => (Credits::ZERO, Credits::ZERO),
    };
    let sums = (charged, Credits::ZERO, at_risk);
    assert_eq!(books(client.budget()), sums, "{outcome:?}");
    (script.sent().len(), outcome)
}

/// Returns the cells of a row: the money, and whether such an attempt is made again.
async fn cells(step: &Step, with: With) -> [&'static str; 2] {
    let (attempts, outcome) = play(step, with, &PAID).await;
    let (free, _) = play(step, with, &FREE).await;
    let (post, _) = play(step, with, &FREE_POST).await;
    let money = match outcome {
        Outcome::NotSent => "not sent",
        Outcome::Rejected => "rejected",
        Outcome::Charged(_) => "charged",
        _ => "unknown",
    };
    let again = match (attempts, free, post) {
        (3, 3, 3) => "yes",
        (3, 3, 1) => "if idempotent",
        (1, 3, 1) => "if idempotent and free",
        (2, 2, 2) => "once, with another token",
        (1, 1, 1) if matches!(step, Responds(200..300, _, "{}")) => "–",
        (1, 1, 1) => "no",
        other => panic!("{other:?} attempts of a paid call, a free one and a free POST"),
    };
    [money, again]
}

fn statuses(all: &[u16]) -> Vec<Step> {
    all.iter().map(|one| Responds(*one, None, "")).collect()
}

/// The rows of `Outcome`: what begins the row, the endings of its attempts, and what the client has.
fn rows() -> Vec<(&'static str, Vec<Step>, With)> {
    const BUSY: [u16; 5] = [408, 500, 502, 503, 504];
    const TWO: &str = r#"{"cost": 2}"#;
    let large = Responds(
        200,
        None,
        "[                                                                ]",
    );
    let again = vec![Responds(429, None, ""), Responds(503, Some("1"), "")];
    let report = vec![
        Responds(404, None, TWO),
        Responds(429, None, TWO),
        Responds(200, None, r#"{"cost": 2, "#),
    ];
    let no_amount = vec![
        Responds(429, None, r#"{"cost": "two"}"#),
        Responds(429, None, r#"{"cost": 2"#),
    ];
    vec![
        ("no connection", vec![Fails(Connect)], Nothing),
        (
            "a response that the transport marks",
            [&again[..], &statuses(&[404, 502]), &report[..1]].concat(),
            Cache,
        ),
        (
            "an error that it marks",
            vec![Fails(Timeout), Fails(Other), Fails(Body)],
            Replay,
        ),
        ("429, or 503 with `Retry-After`", again, Nothing),
        ("401 to a token", statuses(&[401]), Tokens),
        (
            "timeout, reset",
            vec![Fails(Timeout), Fails(Other), Fails(Body)],
            Nothing,
        ),
        ("408, 500, 502, 503, 504", statuses(&BUSY), Nothing),
        (
            "these with a status that `unbilled`",
            statuses(&BUSY),
            Unbilled,
        ),
        (
            "any other status that it names",
            statuses(&[302, 404, 409, 501]),
            Unbilled,
        ),
        ("401, 403", statuses(&[401, 403]), Nothing),
        (
            "any other status",
            statuses(&[302, 404, 409, 422, 501]),
            Nothing,
        ),
        ("a body above the bound", vec![large], Nothing),
        ("a body that reports credits", report, Nothing),
        ("a body whose report is not", no_amount, Nothing),
        (
            "2xx without a report",
            vec![Responds(200, None, "{}"), Responds(201, None, "{}")],
            Nothing,
        ),
        (
            "2xx without a report",
            vec![Responds(200, None, "{}")],
            Stream,
        ),
    ]
}

/// Removes the targets of links.
fn without_links(line: &str) -> String {
    let parts = line.split("](").enumerate();
    let kept = parts.map(|(at, part)| match at {
        0 => part,
        _ => part.split_once(')').map_or(part, |(_, rest)| rest),
    });
    kept.collect::<String>().replace('[', "")
}

/// Returns the rows below these columns, without links.
fn table(page: &str, columns: &str) -> Vec<String> {
    let (_, table) = page.split_once(columns).unwrap();
    let lines = table.lines().skip(2);
    let rows = lines.map(|line| line.trim_start_matches("/// "));
    rows.take_while(|line| line.starts_with('|'))
        .map(without_links)
        .collect()
}

#[tokio::test(start_paused = true)]
async fn each_row_of_the_table_of_outcomes_is_what_calls_do() {
    let documented = table(OUTCOME, "/// | result | money | attempted again |");
    let mut rest = documented.iter().peekable();
    let mut row = String::new();
    for (begin, steps, with) in rows() {
        let begins = |line: &str| line.starts_with(&format!("| {begin}"));
        if let Some(next) = rest.next_if(|line| begins(line)) {
            row.clone_from(next);
        }
        assert!(
            begins(&row),
            "`{begin}` has no row, or another place: {documented:#?}"
        );
        for step in &steps {
            let [money, mut again] = cells(step, with).await;
            if with == Cache && again == cells(step, Unbilled).await[1] {
                again = "as with `unbilled`, below";
            }
            let right = format!(" | {money} | {again} |");
            assert!(row.ends_with(&right), "`{row}` has to end with `{right}`");
        }
    }
    assert_eq!(rest.next(), None, "a row that nothing plays");
}

#[tokio::test(start_paused = true)]
async fn each_row_of_the_page_on_budgets_is_what_calls_do() {
    let busy = statuses(&[408, 500, 502, 503, 504]);
    let none = [
        Fails(Connect),
        Responds(429, None, ""),
        Responds(503, Some("1"), ""),
    ];
    let lost = [vec![Fails(Timeout), Fails(Other)], busy.clone()].concat();
    let other = [
        statuses(&[401, 404, 422, 501]),
        vec![Responds(200, None, "no JSON")],
    ]
    .concat();
    let mut right = Vec::new();
    #[rustfmt::skip]
    let failures = [
        ("nothing was sent; 429; 503 with `Retry-After`", none.to_vec(), "yes"),
        ("timeout, connection reset, 408, 500, 502, 503, 504", lost, "if idempotent and free"),
        ("any other status code, a body that does not decode", other, "no"),
    ];
    for (name, steps, cell) in failures {
        for step in &steps {
            assert_eq!(cells(step, Nothing).await[1], cell, "{name}");
        }
        let cell = match cell {
            "if idempotent and free" => "if idempotent, and free or `unbilled`",
            other => other,
        };
        right.push(format!("| {name} | {cell} |"));
    }
    for step in &busy {
        assert_eq!(cells(step, Unbilled).await[1], "if idempotent");
    }
    assert_eq!(
        table(BUDGETS, "| failure | attempted again |"),
        right,
        "docs/budgets.md"
    );
}

/// Returns the status codes for which a paid call ends so.
async fn codes(
    with: With,
    after: Option<&'static str>,
    is_so: impl Fn(usize, Outcome) -> bool,
) -> Vec<String> {
    let mut codes = Vec::new();
    for status in 200..600 {
        let (attempts, outcome) = play(&Responds(status, after, ""), with, &PAID).await;
        if is_so(attempts, outcome) {
            codes.push(status.to_string());
        }
    }
    codes
}

#[tokio::test(start_paused = true)]
async fn the_limits_of_the_guarantee_have_the_numbers_and_defaults_of_the_code() {
    let is_rejected = |_, outcome| outcome == Outcome::Rejected;
    let free = codes(Nothing, None, is_rejected).await;
    let mut later = codes(Nothing, Some("1"), is_rejected).await;
    later.retain(|code| !free.contains(code));
    let mut again = codes(Unbilled, None, |attempts, _| attempts > 1).await;
    again.retain(|code| !free.contains(code) && !later.contains(code));
    let last = again.pop().unwrap();
    let most = Credits::from_micros(u64::MAX).to_string();
    let largest = format!("{}.{}", &most[..2], &most[2..3]);
    assert_eq!(most.find('.'), Some(14), "10¹²");
    for sentence in [
        format!(
            "an error that is assumed unbilled is billed: {}, {} with `Retry-After`, or one in `unbilled`",
            free.join(", "),
            later.join(", ")
        ),
        format!(
            "429, 503, and {} and {last} in `unbilled`, are retried",
            again.join(", ")
        ),
        format!(
            "`RetryPolicy::Always` | every attempt may be billed, within the budget | `{:?}`, the default",
            RetryPolicy::default()
        ),
        format!("`Outage::{:?}`, the default", Outage::default()),
        format!("A reported amount above {largest} × 10¹² credits"),
    ] {
        assert!(
            BUDGETS.contains(&sentence),
            "docs/budgets.md has to say: {sentence}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_status_that_is_assumed_to_be_unbilled_is_not_booked_and_two_clients_have_two_budgets() {
    let script = Script::new(vec![Reply::new(403, ""); 4]);
    for _ in 0..2 {
        let client = ClientBuilder::<generated_client::Client>::new(&API, "https://example.com");
        let client = client
            .api_key(KEY)
            .budget(credits("2"))
            .transport(script.clone());
        let client = client.build().unwrap();
        for _ in 0..2 {
            // The service may bill each of them: four times two credits, with two budgets of two.
            client.send::<Value>(Request::new(&PAID)).await.unwrap_err();
        }
        assert_eq!(client.budget().usage().spent, Credits::ZERO);
    }
    assert_eq!(script.sent().len(), 4);
}

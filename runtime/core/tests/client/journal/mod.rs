//! A batch of calls with a journal, between two of its runs. Time is paused.

mod damaged;
mod histories;
mod keys;
mod spellings;

use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use generated_client::document::Api;
use generated_client::error::TransportErrorKind;
use generated_client::journal::{Called, Journal, JournalError, Run, Wanted};
use generated_client::prelude::*;
use generated_client::request::{CallOptions, Request};
use generated_client::testing;
use generated_client::{ClientBuilder, Credits, Outcome, Response, RetryPolicy};
use serde_json::Value;
use things_client::operations::{Progress, Things, UnpricedThings};
use things_client::types::Page;
use tokio::time::timeout;

use crate::support::api::{API, KEY};
use crate::support::scripted_client::{Responds, SIZED, Script, credits};
use crate::support::things::{Body, Fails, Reply, Service, page};

/// Returns the path of a journal that does not exist.
fn path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.journal"));
    _ = std::fs::remove_file(&path);
    path
}

/// Runs with the journal, and calls for things once.
async fn run(
    journal: &Journal,
    service: &Service,
    kept: &mut Vec<Response<Page>>,
) -> Result<Called<Page>, JournalError> {
    let client = service.builder().budget(journal.budget(credits("10")));
    let client = client.build().unwrap();
    let keep = |response: Response<Page>| -> Result<(), Infallible> {
        kept.push(response);
        Ok(())
    };
    journal.call("a", client.things(), Things::send, keep).await
}

fn replies() -> [Reply; 1] {
    [page("0", "3", &["0", "1", "2"])]
}

#[tokio::test(start_paused = true)]
async fn a_response_that_could_not_be_kept_is_kept_later_and_paid_for_once() {
    let path = path("kept-later");
    let service = Service::of(replies());
    {
        let journal = Journal::open(&path, "things").unwrap();
        let client = service.builder().budget(journal.budget(credits("10")));
        let client = client.build().unwrap();
        let keep = |_: Response<Page>| Err(io::Error::other("the disk is full"));
        let failed = journal.call("a", client.things(), Things::send, keep);
        let failed = failed.await.unwrap_err();
        assert!(matches!(failed, JournalError::Keep { .. }));
        assert!(format!("{failed:?}").ends_with(": the disk is full"));
        assert!(Journal::open(&path, "things").is_err(), "it is locked");
    }
    let mut kept = Vec::new();
    for expected in ["done", "done by an earlier run"] {
        let journal = Journal::open(&path, "things").unwrap();
        let called = run(&journal, &service, &mut kept).await.unwrap();
        assert_eq!(called.to_string(), expected);
        assert_eq!(journal.usage().spent, credits("2"));
        assert_eq!(journal.budget(Credits::ZERO).usage().spent, credits("2"));
    }
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].body.things.len(), 3);
    assert_eq!(service.asked().len(), 1);
}

/// Two tasks call for one input, whose response an earlier run could not keep.
#[tokio::test(start_paused = true)]
async fn a_response_that_is_being_kept_is_not_passed_on_a_second_time() {
    let journal = Journal::in_memory("things");
    let service = Service::of([]);
    let budget = journal.budget(credits("10"));
    let client = service.builder().budget(budget).build().unwrap();
    let body = br#"{"cost": 2, "offset": 0, "total": 0, "things": []}"#;
    let begun = journal.begin("a", client.things().unsent().0).unwrap();
    begun.paid(body).unwrap();
    drop(begun);
    let keep = |_: Response<Page>| -> Result<(), Infallible> {
        for _ in 0..2 {
            let again = |_: Response<Page>| -> Result<(), Infallible> { panic!("a second time") };
            let mut second = pin!(journal.call("a", client.things(), Things::send, again));
            let called = second
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            assert!(matches!(called, Poll::Ready(Ok(Called::AtRisk))));
        }
        Ok(())
    };
    for expected in ["done", "done by an earlier run"] {
        let called = journal.call("a", client.things(), Things::send, keep);
        assert_eq!(called.await.unwrap().to_string(), expected);
    }
}

/// A call of unknown price is lost in one run, and the next run sees the price. The third has what is at risk then.
#[tokio::test(start_paused = true)]
async fn a_lost_call_of_unknown_price_has_the_price_at_risk_that_a_later_run_sees() {
    let path = path("unpriced");
    let seen = r#"{"cost": 1, "offset": 0, "total": 1, "things": [0]}"#;
    let seen = Body(200, seen.to_owned());
    let service = Service::of([Fails(TransportErrorKind::Timeout), seen]);
    for (input, at_risk) in [("a", "2"), ("b", "1"), ("b", "1")] {
        let journal = Journal::open(&path, "things").unwrap();
        let budget = journal.budget(credits("100"));
        let client = service.builder().budget(budget.clone()).build().unwrap();
        let keep = |_: Response<Page>| Ok::<(), Infallible>(());
        let call = client.unpriced_things();
        let called = journal.call(input, call, UnpricedThings::send, keep).await;
        assert_eq!(matches!(called, Ok(Called::Failed(_))), input == "a");
        assert_eq!(budget.usage().at_risk, credits(at_risk));
        let [listed] = &budget.at_risk()[..] else {
            panic!("one call is at risk")
        };
        assert_eq!(listed.amount, Some(credits(at_risk)));
        assert_ne!(listed.call.operation, "earlier calls");
    }
}

/// The first run loses a call of a stated price. Later ones see prices: of a call with other arguments, and of the same.
#[tokio::test(start_paused = true)]
async fn a_lost_call_has_its_stated_price_at_risk_also_in_a_later_run() {
    let path = path("stated");
    let seen = || Responds(200, None, r#"{"cost": 1}"#);
    let script = Script::of([Responds(500, None, ""), seen(), seen()]);
    for size in [1, 2, 1] {
        let journal = Journal::open(&path, "sized").unwrap();
        let budget = journal.budget(credits("100"));
        let builder = script.builder().retry(RetryPolicy::Never);
        let client = builder.budget(budget.clone()).build().unwrap();
        let mut request = Request::new(&SIZED);
        request.query("size", &size);
        if journal.usage().calls == 0 {
            request.options(&CallOptions::default().assume_price(credits("7")));
        }
        _ = client.send::<Value>(request).await;
        assert_eq!(budget.usage().at_risk, credits("7"));
        assert_eq!(journal.usage().at_risk, credits("7"));
    }
    assert_eq!(script.attempts(), 3);
}

static UNLISTED: Api = Api {
    interceptor: Some(|| generated_client::meter(Some("cost"), None)),
    ..API
};

/// Nothing is known of its price: neither run has a limit.
#[tokio::test(start_paused = true)]
async fn a_lost_call_without_any_price_has_no_amount_in_the_next_run_too() {
    let path = path("any-amount");
    let script = testing::Script::new([testing::Reply::new(500, "")]);
    for run in 0..2 {
        let journal = Journal::open(&path, "sized").unwrap();
        let budget = journal.budget(None);
        if run == 0 {
            let builder =
                ClientBuilder::<generated_client::Client>::new(&UNLISTED, "https://example.com");
            let builder = builder.api_key(KEY).transport(script.clone());
            let client = builder.budget(budget.clone()).build().unwrap();
            let failed = client.send::<Value>(Request::new(&SIZED)).await;
            assert_eq!(failed.unwrap_err().outcome(), Outcome::Unknown(None));
        }
        let at_risk = budget.at_risk();
        assert_eq!(at_risk.len(), 1);
        assert_eq!(at_risk[0].amount, None);
        // More than nothing is no surprise.
        if run == 1 {
            assert!(budget.settle(at_risk[0].id, credits("3")));
            assert_eq!(budget.usage().surprises, 0);
            assert_eq!(journal.usage().surprises, 0);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_have_been_billed_is_called_again_only_on_demand() {
    let path = path("again");
    let service = Service::of(
        [Fails(TransportErrorKind::Timeout)]
            .into_iter()
            .chain(replies()),
    );
    let mut kept = Vec::new();
    let journal = Journal::open(&path, "things").unwrap();
    let called = run(&journal, &service, &mut kept).await.unwrap();
    assert!(matches!(called, Called::Failed(_)), "{called}");
    drop(journal);

    let journal = Journal::open(&path, "things").unwrap();
    let called = run(&journal, &service, &mut kept).await.unwrap();
    assert!(matches!(called, Called::AtRisk), "{called}");
    drop(journal);
    let journal = Journal::open(&path, "things").unwrap().again(true);
    let called = run(&journal, &service, &mut kept).await.unwrap();
    assert!(matches!(called, Called::Kept), "{called}");
    assert_eq!(journal.usage().at_risk, credits("2"));
    assert_eq!((kept.len(), service.asked().len()), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_future_is_dropped_is_at_risk_in_the_same_run_too() {
    let journal = Journal::in_memory("things");
    let service = Service::of([crate::support::things::Hangs]);
    let mut kept = Vec::new();
    {
        let called = run(&journal, &service, &mut kept);
        let waited = timeout(Duration::from_secs(1), called);
        assert!(waited.await.is_err());
    }
    let called = run(&journal, &service, &mut kept).await.unwrap();
    assert!(matches!(called, Called::AtRisk), "{called}");
}

#[tokio::test(start_paused = true)]
async fn a_detached_call_that_is_in_flight_is_not_made_again_on_demand() {
    let journal = Journal::in_memory("things").again(true);
    let service = Service::of([crate::support::things::Hangs]);
    let client = service.builder().budget(journal.budget(credits("10")));
    let client = client.detached(true).build().unwrap();
    let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
    let dropped = journal.call("a", client.things(), Things::send, keep);
    assert!(timeout(Duration::from_secs(1), dropped).await.is_err());
    let called = journal.call("a", client.things(), Things::send, keep);
    assert!(matches!(called.await.unwrap(), Called::AtRisk));
    assert_eq!(service.asked().len(), 1);
}

/// Killed with a detached call whose future was dropped, and another one in flight.
#[tokio::test(start_paused = true)]
async fn a_dropped_call_and_one_in_flight_are_both_at_risk() {
    let (path, killed) = (path("detached"), path("detached-killed"));
    let hangs = crate::support::things::Hangs;
    let service = Service::of([hangs.clone(), hangs]);
    let journal = Journal::open(&path, "things").unwrap();
    let client = service.builder().budget(journal.budget(credits("4")));
    let client = client.detached(true).build().unwrap();
    let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
    let second = Duration::from_secs(1);
    let dropped = journal.call("a", client.things(), Things::send, keep);
    assert!(timeout(second, dropped).await.is_err());
    let mut in_flight = pin!(journal.call("b", client.things(), Things::send, keep));
    assert!(timeout(second, &mut in_flight).await.is_err());
    std::fs::copy(&path, &killed).unwrap();

    let journal = Journal::open(&killed, "things").unwrap();
    assert_eq!(journal.usage().at_risk, credits("4"));
    let client = service.builder().budget(journal.budget(credits("4")));
    let client = client.build().unwrap();
    let third = journal.call("c", client.things(), Things::send, keep);
    assert!(matches!(third.await.unwrap(), Called::Stop(_)));
}

#[tokio::test(start_paused = true)]
async fn a_batch_ends_when_nothing_answers() {
    let dead = || std::iter::repeat_n(Fails(TransportErrorKind::Connect), 3 * 4);
    let failure = [429, 429, 404].map(|status| Body(status, "{}".to_owned()));
    for answer in [failure.to_vec(), replies().to_vec()] {
        let service = Service::of(dead().chain(answer).chain(dead()).chain(dead()));
        let journal = Journal::in_memory("things");
        let client = service.builder().budget(journal.budget(credits("10")));
        let client = client.build().unwrap();
        for number in 1..=10 {
            let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
            let input = number.to_string();
            let called = journal.call(&input, client.things(), Things::send, keep);
            let called = called.await.unwrap();
            assert_eq!(matches!(called, Called::Stop(_)), number == 10, "{called}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_input_that_is_done_is_not_at_risk_while_another_task_asks_for_it() {
    let journal = Journal::in_memory("things");
    let service = Service::of(replies());
    run(&journal, &service, &mut Vec::new()).await.unwrap();
    let client = service.builder().budget(journal.budget(credits("10")));
    let client = client.build().unwrap();
    let _asking = journal.begin("a", client.things().unsent().0).unwrap();
    let called = run(&journal, &service, &mut Vec::new()).await.unwrap();
    assert!(matches!(called, Called::Earlier(Some(_))), "{called}");
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_for_good_is_not_called_again_and_a_wrong_key_ends_the_batch() {
    for (status, called_again) in [(404, false), (401, true), (409, true), (425, true)] {
        let journal = Journal::in_memory("things");
        let service = Service::of([Body(status, "{}".to_owned())].into_iter().chain(replies()));
        let mut kept = Vec::new();
        let called = run(&journal, &service, &mut kept).await.unwrap();
        assert_eq!(matches!(called, Called::Stop(_)), status == 401, "{called}");
        let journal = journal.again(true);
        let called = run(&journal, &service, &mut kept).await.unwrap();
        assert_eq!(matches!(called, Called::Kept), called_again, "{called}");
        assert_eq!(matches!(called, Called::Refused), !called_again, "{called}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_draw_on_the_budget_of_the_journal_is_refused() {
    let journal = Journal::in_memory("things");
    let service = Service::of([]);
    let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
    let client = service.client();
    let refused = journal.call("a", client.things(), Things::send, keep).await;
    assert!(matches!(refused, Err(JournalError::NoBudget)));
    // A budget that was asked for is not the one of every client.
    _ = journal.budget(credits("10"));
    let client = service.builder().budget(credits("10")).build().unwrap();
    let refused = journal.call("a", client.things(), Things::send, keep).await;
    assert!(matches!(refused, Err(JournalError::NoBudget)));
    assert!(service.asked().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_journal_keeps_no_response_that_was_free() {
    let journal = Journal::in_memory("things");
    let service = Service::of([Body(200, "{}".to_owned())]);
    let client = service.builder().budget(journal.budget(credits("10")));
    let client = client.build().unwrap();
    let keep = |_: Response<things_client::types::Progress>| -> Result<(), Infallible> { Ok(()) };
    let called = journal.call("a", client.progress("t1"), Progress::send, keep);
    assert!(matches!(called.await.unwrap(), Called::Kept));
    assert!(journal.responses().is_empty());
    assert!(journal.is_done("a", Wanted::All));
}

#[test]
fn a_run_is_its_name_and_its_parts() {
    let path = path("identity");
    let run = || {
        Run::new("things")
            .part("address", "https://example.com")
            .part("output", "csv")
    };
    Journal::open(&path, run()).unwrap().start().unwrap();
    for (other, difference) in [
        (Run::new("others"), "its name: things, and not others"),
        (
            Run::new("things").part("output", "json"),
            "its output: csv, and not json",
        ),
        (run().part("more", 1), "its more: nothing, and not 1"),
    ] {
        let error = Journal::look(&path, other).unwrap_err().to_string();
        assert!(error.contains(difference), "{error}");
    }
    assert!(Journal::look(&path, Run::new("things")).unwrap().goes_on());
    // A first line that broke off, of a run with more parts than this one asks for.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 8]).unwrap();
    assert!(
        !Journal::look(
            &path,
            Run::new("things").part("address", "https://example.com")
        )
        .unwrap()
        .goes_on()
    );
}

//! Other interceptors beside the meter, which counts every attempt all the same. Time is paused.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use generated_client::document::Api;
use generated_client::error::TransportErrorKind;
use generated_client::interceptor::{
    AttemptEnd, CallRecord, Denial, Guard, Interceptor, NextAttempt, Record, Settled,
};
use generated_client::transport::BoxFuture;
use generated_client::{Budget, ClientBuilder, Credits, Outcome};

use crate::support::api::{API, DEAREST, KEY};
use crate::support::scripted_client::{
    DONE, Fails, Hangs, PAID, Responds, Script, UNKNOWN, books, call, credits, start,
};

const NONE: Credits = Credits::ZERO;

/// Admits this many attempts, and writes down what it is told.
#[derive(Clone)]
struct Quota {
    left: Arc<AtomicU32>,
    log: Arc<Mutex<Vec<String>>>,
}

struct Admitted(Quota);

/// The number of attempts of the call.
#[derive(Debug)]
struct Counted(u32);

fn quota(left: u32) -> Quota {
    Quota {
        left: Arc::new(AtomicU32::new(left)),
        log: Arc::default(),
    }
}

impl Quota {
    fn note(&self, line: String) {
        self.log.lock().unwrap().push(line);
    }

    fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap())
    }
}

impl Interceptor for Quota {
    fn before<'a>(
        &'a self,
        attempt: NextAttempt<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        self.note(format!("before {}", attempt.number));
        let taken = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        Box::pin(async move {
            let admitted = taken.map(|_| Box::new(Admitted(self.clone())) as _);
            admitted.map_err(|_| Denial::Refused {
                cause: "one too many".into(),
                kind: "quota",
                is_retryable: false,
            })
        })
    }
}

fn attempts(before: Option<&Record>) -> u32 {
    before.map_or(0, |record| record.get::<Counted>().unwrap().0)
}

impl Guard for Admitted {
    fn sent(&mut self, before: Option<&Record>) -> Option<Record> {
        Some(Arc::new(Counted(attempts(before) + 1)))
    }

    fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        let number = attempts(end.before) + 1;
        self.0.note(format!("end {number}"));
        Settled {
            record: Some(Arc::new(Counted(number))),
            ..Settled::default()
        }
    }
}

impl CallRecord for Counted {
    fn line(&self) -> String {
        format!("quota: {}", self.0)
    }
}

/// The meter after the other interceptor, as that of the API, or before it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meter {
    Last,
    First,
}

fn built(script: &Script, quota: &Quota, limit: &str, meter: Meter) -> generated_client::Client {
    let builder = match meter {
        Meter::Last => script.builder(),
        Meter::First => script.builder_of(&OTHER),
    };
    let builder = builder.intercept(quota.clone());
    builder.budget(credits(limit)).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_second_interceptor_leaves_the_budget_alone_in_either_order() {
    for meter in [Meter::Last, Meter::First] {
        let script = Script::of(vec![DONE; 10]);
        let quota = quota(100);
        let client = built(&script, &quota, "5", meter);
        for _ in 0..2 {
            let response = call(&client, &PAID).await.unwrap();
            assert_eq!(response.outcome(), Outcome::Charged(credits("2")));
            let record = response.meta.record().unwrap();
            assert_eq!(record.get::<Counted>().unwrap().0, 1);
        }
        quota.log();
        for _ in 0..8 {
            let error = call(&client, &PAID).await.unwrap_err();
            assert!(error.budget().is_some(), "{error:?}");
        }
        assert_eq!(books(client.budget()), (credits("4"), NONE, NONE));
        assert_eq!(script.attempts(), 2);
        // The other one is asked only if the meter does not refuse first.
        let asked = match meter {
            Meter::Last => 8,
            Meter::First => 0,
        };
        assert_eq!(quota.log(), vec!["before 1"; asked]);
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_the_other_interceptor_refuses_reserves_nothing_in_either_order() {
    for meter in [Meter::Last, Meter::First] {
        let script = Script::of(vec![DONE; 2]);
        let client = built(&script, &quota(1), "4", meter);
        call(&client, &PAID).await.unwrap();
        for _ in 0..3 {
            let error = call(&client, &PAID).await.unwrap_err();
            assert!(error.to_string().ends_with("one too many"), "{error}");
            assert_eq!(books(client.budget()), (credits("2"), NONE, NONE));
        }
        assert_eq!(script.attempts(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_interceptor_that_is_added_to_a_client_replaces_none_but_its_own_type() {
    let script = Script::of(vec![DONE; 9]);
    let client = script.builder().budget(credits("8")).build().unwrap();
    let client = client.with_interceptor(quota(9)).scoped(credits("6"));
    call(&client, &PAID).await.unwrap();
    let client = client.with_interceptor(quota(1));
    call(&client, &PAID).await.unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(error.to_string().ends_with("one too many"), "{error}");
    assert_eq!(books(client.budget()), (credits("4"), NONE, NONE));
    assert_eq!(script.attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn each_ending_counts_for_both_and_the_stricter_one_decides_on_a_retry() {
    let two = || credits("2");
    let rows = [
        (vec![DONE], 1, (two(), NONE, NONE)),
        (
            vec![Fails(TransportErrorKind::Connect), DONE],
            2,
            (two(), NONE, NONE),
        ),
        // The other one would repeat it.
        (
            vec![Fails(TransportErrorKind::Timeout), DONE],
            1,
            (NONE, NONE, two()),
        ),
        (vec![Responds(404, None, "")], 1, (NONE, NONE, two())),
    ];
    for (steps, attempts, expected) in rows {
        let script = Script::of(steps);
        let quota = quota(9);
        let client = built(&script, &quota, "9", Meter::Last);
        let record = match call(&client, &PAID).await {
            Ok(response) => response.meta.record().cloned(),
            Err(error) => {
                if expected.2 > NONE {
                    assert_eq!(error.outcome(), Outcome::Unknown(Some(two())));
                    let lines = "charge: unknown, at most 2 credits; quota: 1";
                    assert_eq!(error.record().unwrap().line(), lines);
                }
                error.record().cloned()
            }
        };
        assert_eq!(books(client.budget()), expected);
        assert_eq!(script.attempts(), attempts);
        let counted = record.unwrap().get::<Counted>().unwrap().0;
        assert_eq!(counted as usize, attempts);
        let log: Vec<String> = (1..=attempts)
            .flat_map(|number| [format!("before {number}"), format!("end {number}")])
            .collect();
        assert_eq!(quota.log(), log);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_is_at_risk_and_can_be_settled_through_its_record() {
    let script = Script::of([Hangs, Fails(TransportErrorKind::Timeout)]);
    let client = built(&script, &quota(9), "9", Meter::Last);
    let running = start(&client, &PAID).await;
    running.abort();
    running.await.unwrap_err();
    assert_eq!(books(client.budget()), (NONE, NONE, credits("2")));
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(books(client.budget()), (NONE, NONE, credits("4")));
    assert!(error.settle(credits("1")));
    assert_eq!(books(client.budget()), (credits("1"), NONE, credits("2")));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_ends_while_it_waits_for_a_permit_gives_back_what_it_reserved() {
    let script = Script::of([Hangs]);
    let builder = script.builder().intercept(quota(9)).max_in_flight(1);
    let client = builder.budget(credits("9")).build().unwrap();
    let running = start(&client, &PAID).await;
    let waiting = start(&client, &PAID).await;
    assert_eq!(books(client.budget()), (NONE, credits("4"), NONE));
    waiting.abort();
    waiting.await.unwrap_err();
    assert_eq!(books(client.budget()), (NONE, credits("2"), NONE));
    running.abort();
    running.await.unwrap_err();
    assert_eq!(books(client.budget()), (NONE, NONE, credits("2")));
}

/// Writes down what is reserved at each step.
#[derive(Clone)]
struct Observer<const N: u8> {
    budget: Budget,
    log: Arc<Mutex<Vec<String>>>,
}

impl<const N: u8> Observer<N> {
    fn note(&self, step: &str) {
        let reserved = self.budget.usage().reserved;
        let line = format!("{step} {N}: {reserved}");
        self.log.lock().unwrap().push(line);
    }
}

impl<const N: u8> Interceptor for Observer<N> {
    fn before<'a>(&'a self, _: NextAttempt<'a>) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        self.note("before");
        Box::pin(async { Ok(Box::new(self.clone()) as _) })
    }
}

impl<const N: u8> Guard for Observer<N> {
    fn sent(&mut self, _: Option<&Record>) -> Option<Record> {
        self.note("sent");
        None
    }

    fn ended(self: Box<Self>, _: AttemptEnd<'_>) -> Settled {
        self.note("ended");
        Settled::default()
    }
}

#[tokio::test(start_paused = true)]
async fn interceptors_of_the_program_begin_before_the_budget_reserves_and_end_after_it() {
    let budget = Budget::of(credits("9"));
    let log = Arc::<Mutex<Vec<String>>>::default();
    let first = Observer::<1> {
        budget: budget.clone(),
        log: Arc::clone(&log),
    };
    let second = Observer::<2> {
        budget: budget.clone(),
        log: Arc::clone(&log),
    };
    let script = Script::of([DONE]);
    let builder = script.builder().budget(budget).intercept(first);
    let client = builder.intercept(second).build().unwrap();
    let response = call(&client, &PAID).await.unwrap();
    // They have no records, and hide none.
    assert_eq!(response.outcome(), Outcome::Charged(credits("2")));
    let log = log.lock().unwrap().join(", ");
    assert_eq!(
        log,
        "before 1: 0, before 2: 0, sent 2: 2, sent 1: 2, ended 2: 0, ended 1: 0"
    );
}

/// Has its record from the first attempt on, and says nothing more.
struct Keeper;

impl Interceptor for Keeper {
    fn before<'a>(&'a self, _: NextAttempt<'a>) -> BoxFuture<'a, Result<Box<dyn Guard>, Denial>> {
        Box::pin(async { Ok(Box::new(Keeper) as _) })
    }
}

impl Guard for Keeper {
    fn ended(self: Box<Self>, end: AttemptEnd<'_>) -> Settled {
        let record = end.before.cloned();
        Settled {
            record,
            ..Settled::default()
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_interceptor_is_told_of_its_own_record_alone_and_hides_no_other() {
    for meter in [Meter::Last, Meter::First] {
        let late = || Responds(429, Some("1"), "");
        let script = Script::of([late(), late(), DONE]);
        let builder = match meter {
            Meter::Last => script.builder().budget(credits("9")),
            Meter::First => script.builder_of(&OTHER).budget(credits("9")),
        };
        let client = builder.intercept(quota(9)).intercept(Keeper);
        let response = call(&client.build().unwrap(), &PAID).await.unwrap();
        assert_eq!(response.outcome(), Outcome::Charged(credits("2")));
        let record = response.meta.record().unwrap();
        assert_eq!(record.get::<Counted>().unwrap().0, 3);
        assert_eq!(
            record.line().matches("quota").count(),
            1,
            "{}",
            record.line()
        );
    }
}

/// Without a meter of its own, but with another interceptor, an API may charge.
static OTHER: Api = Api {
    interceptor: Some(|| Arc::new(quota(9))),
    ..API
};

static PLAIN: Api = Api {
    interceptor: None,
    ..API
};

#[tokio::test(start_paused = true)]
async fn only_an_api_without_an_interceptor_is_free() {
    for (api, is_metered) in [(&OTHER, true), (&PLAIN, false), (&API, true)] {
        let script = generated_client::testing::Script::new([Responds(200, None, "{}").into()]);
        let client = || {
            let builder =
                ClientBuilder::<generated_client::Client>::new(api, "https://example.com");
            builder.api_key(KEY).transport(script.clone())
        };
        let bare = client().build().unwrap();
        assert_eq!(bare.is_metered(), is_metered);
        assert_eq!(bare.scoped(NONE).is_metered(), is_metered);
        let budget = client().budget(credits("5")).build().unwrap();
        assert_eq!(budget.is_metered(), is_metered);
        let called = call(&budget, &UNKNOWN).await;
        // No price is known without a meter.
        let is_refused = std::ptr::eq(api, &OTHER);
        assert_eq!(
            called.is_err_and(|error| error.budget().is_some()),
            is_refused
        );
        let at_risk = if std::ptr::eq(api, &API) {
            DEAREST
        } else {
            NONE
        };
        assert_eq!(books(budget.budget()), (NONE, NONE, at_risk));
    }
}

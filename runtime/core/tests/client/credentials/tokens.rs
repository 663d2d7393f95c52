//! Tokens from a provider: when it is asked, how often, and what a refused token does to a call and to its money.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::credentials::{Credential, Token, TokenReason};
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::testing::Reply;
use generated_client::{Budget, Client, ClientBuilder, RetryPolicy, http};
use tokio::time::Instant;

use super::support::SCHEMES;
use super::token_service::{Counting, Service, call};
use crate::support::scripted_client::{FREE, PAID, UNKNOWN, credits};

#[tokio::test(start_paused = true)]
async fn a_token_is_asked_for_once_and_again_shortly_before_it_expires() {
    let provider = Counting {
        life: Some(Duration::from_secs(600)),
        ..Counting::default()
    };
    let service = Service::refusing(&[], "");
    let client = service.client(provider.clone());
    let start = Instant::now();
    for seconds in [0, 100, 569, 571, 700] {
        tokio::time::sleep_until(start + Duration::from_secs(seconds)).await;
        call(&client).await.unwrap();
    }
    assert_eq!(service.tokens(), ["t1", "t1", "t1", "t2", "t2"]);
    assert_eq!(
        provider.reasons(),
        [TokenReason::First, TokenReason::Expiring]
    );
}

#[tokio::test(start_paused = true)]
async fn a_refused_token_is_replaced_once_and_the_call_goes_again() {
    let provider = Counting::default();
    let service = Service::refusing(&["t1"], "no");
    let budget = Budget::of(credits("2"));
    let client = service
        .builder()
        .credential(Credential::provider("bearer", provider.clone()))
        .budget(budget.clone())
        .build()
        .unwrap();
    let response = call(&client).await.unwrap();
    assert_eq!(service.tokens(), ["t1", "t2"]);
    assert_eq!(
        provider.reasons(),
        [TokenReason::First, TokenReason::Refused]
    );
    // The refused request is among the attempts, and the budget of one call was enough.
    assert_eq!(response.meta.attempts, 2);
    let [refused] = response.meta.earlier_attempts() else {
        panic!("{:?}", response.meta.earlier_attempts());
    };
    assert_eq!(refused.status.unwrap(), 401);
    assert_eq!(refused.body, "no");
    assert_eq!(budget.usage().spent, credits("2"));
}

#[tokio::test(start_paused = true)]
async fn a_call_after_a_refusal_begins_with_the_new_token() {
    let service = Service::refusing(&["t1"], "no");
    let client = service.client(Counting::default());
    call(&client).await.unwrap();
    call(&client.scoped(credits("2"))).await.unwrap();
    assert_eq!(service.tokens(), ["t1", "t2", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_second_refusal_ends_the_call() {
    let provider = Counting::default();
    let service = Service::refusing(&["t1", "t2", "t3"], "no");
    let error = call(&service.client(provider.clone())).await.unwrap_err();
    assert_eq!(service.tokens(), ["t1", "t2"]);
    assert_eq!(
        (error.attempts(), error.status().unwrap()),
        (2, http::StatusCode::UNAUTHORIZED)
    );
    assert!(!error.is_retryable());
    assert_eq!(error.earlier_attempts().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_may_have_been_billed_is_not_sent_again() {
    for (body, is_again) in [
        ("", true),
        (r#"{"cost": 0}"#, true),
        (r#"{"cost": 1}"#, false),
        (r#"{"cost": "many"}"#, false),
    ] {
        for operation in [&PAID, &FREE, &UNKNOWN] {
            let service = Service::refusing(&["t1"], body);
            let client = service.client(Counting::default());
            let result = client
                .send::<serde_json::Value>(Request::new(operation))
                .await;
            assert_eq!(result.is_ok(), is_again, "{body}");
            assert_eq!(service.tokens().len(), 1 + usize::from(is_again), "{body}");
            // The next call has a new token anyway.
            client
                .send::<serde_json::Value>(Request::new(operation))
                .await
                .unwrap();
            assert_eq!(service.tokens().last().unwrap(), "t2");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_policy_of_one_attempt_is_kept_and_the_error_says_what_to_do() {
    let service = Service::refusing(&["t1"], "no");
    let client = service.client(Counting::default());
    let mut request = Request::new(&PAID);
    let mut options = generated_client::request::CallOptions::default();
    options.retry = Some(RetryPolicy::Never);
    request.options(&options);
    let error = client.send::<serde_json::Value>(request).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "paid (GET /paid) responded with 401 Unauthorized; the token was refused: the next call requests another one from its provider"
    );
    assert!(error.is_retryable());
    call(&client).await.unwrap();
    assert_eq!(service.tokens(), ["t1", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_token_that_comes_again_is_not_tried_again() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let provider = move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok(Token::new("t1")) }
    };
    let service = Service::refusing(&["t1"], "no");
    let error = call(&service.client(provider)).await.unwrap_err();
    assert_eq!(service.tokens(), ["t1"]);
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    assert_eq!((error.attempts(), error.is_retryable()), (1, false));
}

#[tokio::test(start_paused = true)]
async fn tokens_that_are_all_refused_are_not_replaced_by_every_call() {
    let provider = Counting::default();
    let service = Service::replying(|_| Reply::new(401, "no"));
    let client = service.client(provider.clone());
    for _ in 0..100 {
        let error = call(&client).await.unwrap_err();
        assert_eq!(error.status(), Some(http::StatusCode::UNAUTHORIZED));
        assert!(!error.may_have_been_charged());
    }
    assert_eq!((service.tokens().len(), provider.reasons().len()), (101, 2));
    // One more for each pause: after 1, 2, 4, … seconds, and at least once a minute.
    for _ in 0..600 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        call(&client).await.unwrap_err();
    }
    assert_eq!(service.tokens().len(), 701);
    let asked = provider.reasons().len();
    assert!((14..=18).contains(&asked), "{asked} tokens");
    // All at once make no difference.
    let calls = (0..100).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { call(&client).await.unwrap_err() })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert_eq!(
        (service.tokens().len(), provider.reasons().len()),
        (801, asked)
    );
}

#[tokio::test(start_paused = true)]
async fn a_token_that_comes_again_is_not_asked_for_by_every_call() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let provider = move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok(Token::new("t1")) }
    };
    let service = Service::refusing(&["t1"], "no");
    let client = service.client(provider);
    for _ in 0..100 {
        call(&client).await.unwrap_err();
    }
    assert_eq!(
        (service.tokens().len(), asked.load(Ordering::SeqCst)),
        (100, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn a_token_that_is_taken_again_ends_the_rest_of_its_provider() {
    let provider = Counting::default();
    let service = Service::refusing(&["t1", "t2", "t4"], "no");
    let client = service.client(provider.clone());
    call(&client).await.unwrap_err();
    call(&client).await.unwrap_err();
    tokio::time::sleep(Duration::from_secs(1)).await;
    call(&client).await.unwrap();
    call(&client).await.unwrap();
    assert_eq!(service.tokens(), ["t1", "t2", "t2", "t3", "t3"]);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_does_not_interrupt_a_refresh() {
    let provider = Counting {
        takes: Duration::from_secs(10),
        ..Counting::default()
    };
    let service = Service::refusing(&[], "");
    let client = service.client(provider.clone());
    let dropped = tokio::time::timeout(Duration::from_secs(1), call(&client)).await;
    assert!(dropped.is_err());
    call(&client).await.unwrap();
    assert_eq!(service.tokens(), ["t1"]);
    assert_eq!(provider.reasons().len(), 1);
}

#[test]
fn a_refresh_that_went_with_its_runtime_is_begun_again() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().start_paused(true).build().unwrap()
    };
    let provider = Counting {
        takes: Duration::from_secs(10),
        ..Counting::default()
    };
    let service = Service::refusing(&[], "");
    let client = service.client(provider.clone());
    let first = runtime();
    first.block_on(async {
        let dropped = tokio::time::timeout(Duration::from_secs(1), call(&client)).await;
        assert!(dropped.is_err());
    });
    drop(first);
    runtime().block_on(call(&client)).unwrap();
    assert_eq!(service.tokens(), ["t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_token_that_grows_old_in_the_queue_is_replaced_before_it_is_sent() {
    let provider = Counting {
        life: Some(Duration::from_secs(100)),
        ..Counting::default()
    };
    let service =
        Service::replying(|_| Reply::new(200, r#"{"cost": 2}"#).after(Duration::from_secs(200)));
    let client = service
        .builder()
        .max_in_flight(1)
        .credential(Credential::provider("bearer", provider.clone()))
        .build()
        .unwrap();
    let (first, second) = tokio::join!(call(&client), call(&client));
    first.unwrap();
    second.unwrap();
    assert_eq!(service.tokens(), ["t1", "t2"]);
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_is_tried_again_with_the_same_token() {
    let replies = Mutex::new(vec![
        Reply::new(200, r#"{"cost": 2}"#),
        Reply::fails(TransportErrorKind::Connect),
    ]);
    let service = Service::replying(move |_| replies.lock().unwrap().pop().unwrap());
    let provider = Counting::default();
    call(&service.client(provider.clone())).await.unwrap();
    assert_eq!(service.tokens(), ["t1", "t1"]);
    assert_eq!(provider.reasons().len(), 1);
}

/// Runs on several threads, where refreshes and refusals race.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_calls_wait_for_one_refresh() {
    for round in 0..20 {
        let provider = Counting {
            takes: Duration::from_millis(u64::from(round % 3 == 0)),
            ..Counting::default()
        };
        let service = Service::replying(|_| Reply::new(200, "null"));
        let current = Arc::new(AtomicUsize::new(1));
        let valid = Arc::clone(&current);
        let credential = Credential::provider("bearer", provider.clone());
        let client: Client = ClientBuilder::new(&SCHEMES, "https://example.com")
            .credential(credential)
            .max_in_flight(64)
            .transport(move |request: http::Request<generated_client::Bytes>| {
                let expected = format!("Bearer t{}", valid.load(Ordering::SeqCst));
                let is_valid = request.headers()["authorization"] == expected;
                async move {
                    tokio::task::yield_now().await;
                    let response =
                        http::Response::builder().status(if is_valid { 200 } else { 401 });
                    Ok(response.body("null".into()).unwrap())
                }
            })
            .build()
            .unwrap();
        drop(service);
        for generation in 1..=4_usize {
            // The token of the round before is worthless from here on.
            current.store(generation, Ordering::SeqCst);
            let calls: Vec<_> = (0..100)
                .map(|_| {
                    let client = client.clone();
                    tokio::spawn(async move { client.send::<()>(Request::new(&FREE)).await })
                })
                .collect();
            for call in calls {
                call.await.unwrap().unwrap();
            }
            assert_eq!(provider.reasons().len(), generation, "round {round}");
        }
    }
}

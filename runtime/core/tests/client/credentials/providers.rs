//! Token providers that fail, panic or hang.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use generated_client::credentials::{Credential, Token, TokenReason};
use generated_client::{Budget, Credits, Error};
use tokio::time::Instant;

use crate::support::scripted_client::{credits, silent_panic};

use super::token_service::{Provided, Service, call};

#[tokio::test(start_paused = true)]
async fn a_provider_that_fails_or_panics_is_a_clear_error_and_is_asked_again_later() {
    let failing: fn() -> Provided = || Err("no\nnetwork at https://id.example/?secret=x".into());
    let panicking: fn() -> Provided = || silent_panic();
    let odd: fn() -> Provided = || Ok(Token::new("canary 1"));
    for (first, expected) in [
        (failing, "no network at [address]"),
        (panicking, "it panicked"),
        (
            odd,
            "its token contains a space, a line break or another invalid character",
        ),
    ] {
        let asked = AtomicUsize::new(0);
        let provider = move |_| {
            let is_first = asked.fetch_add(1, Ordering::SeqCst) == 0;
            async move {
                if is_first {
                    first()
                } else {
                    Ok(Token::new("t2"))
                }
            }
        };
        let service = Service::refusing(&[], "");
        let budget = Budget::of(credits("2"));
        let client = service
            .builder()
            .budget(budget.clone())
            .credential(Credential::provider("bearer", provider))
            .build()
            .unwrap();
        let error = call(&client).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "paid (GET /paid) was not sent: the token provider of `bearer` failed: {expected}"
            )
        );
        assert!(error.is_retryable() && !error.may_have_been_charged());
        assert!(!format!("{error:?}").contains("canary"));
        assert!(std::error::Error::source(&error).is_none());
        assert!(matches!(error, Error::Credential(_)), "{error:?}");
        assert_eq!(budget.usage().reserved, Credits::ZERO);
        assert!(service.tokens().is_empty());
        call(&client).await.unwrap();
        assert_eq!(service.tokens(), ["t2"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_fails_after_a_refusal_leaves_the_refused_attempt_in_the_error() {
    let provider = |reason| async move {
        match reason {
            TokenReason::First => Ok(Token::new("t1")),
            _ => Err(format!("no token after t1, {reason:?}").into()),
        }
    };
    let service = Service::refusing(&["t1"], "no");
    let error = call(&service.client(provider)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "paid (GET /paid) was not sent again: the token provider of `bearer` failed: no token after [key], Refused"
    );
    assert_eq!((error.attempts(), error.earlier_attempts().len()), (1, 1));
    assert_eq!(error.earlier_attempts()[0].body, "no");
    assert!(!error.may_have_been_charged());
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_hangs_holds_a_call_no_longer_than_its_deadline_or_a_minute() {
    let service = Service::refusing(&[], "");
    let hanging = || Credential::provider("bearer", |_| pending::<Provided>());
    let start = Instant::now();
    let client = service
        .builder()
        .deadline(Duration::from_secs(5))
        .credential(hanging())
        .build()
        .unwrap();
    let error = call(&client).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "paid (GET /paid) was not sent: its deadline passed while it waited for a token"
    );
    assert_eq!(start.elapsed().as_secs(), 5);
    let client = service.builder().credential(hanging()).build().unwrap();
    let start = Instant::now();
    let error = call(&client).await.unwrap_err();
    assert!(error.to_string().ends_with("it took longer than 60 s"));
    assert_eq!(start.elapsed().as_secs(), 60);
}

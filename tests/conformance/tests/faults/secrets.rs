//! No fault makes an error, a span or a `Debug` output show the key or the company of a request.

use company_intel::RetryPolicy;
use conformance_tests::calls::Call;

use super::calls::play_all;
use super::every_error::said;
use super::{paging, waiting};
use crate::support::trace::Trace;

/// Runs on one thread, so that the trace records all of it.
#[tokio::test]
async fn no_fault_brings_anything_to_say_the_key_or_whom_the_caller_looks_at() {
    let trace = Trace::default();
    let listening = trace.listen();
    let mut all = Vec::new();
    let ways = [
        (Call::Paid, RetryPolicy::Standard),
        (Call::Free, RetryPolicy::Never),
    ];
    let (calls, paging, waiting) =
        tokio::join!(play_all(&ways), paging::errors(), waiting::errors());
    for played in calls.into_iter().flatten() {
        let client = &played.ready.client;
        let budget = client.budget();
        let around = format!("{} {client:?} {client:#?} {budget:?}", played.shown);
        let error = played.result.as_ref().err().map(said);
        all.push((played.ready.case.file, around + &error.unwrap_or_default()));
    }
    let errors = paging.into_iter().chain(waiting);
    all.extend(errors.map(|(what, error)| (what, said(&error))));
    drop(listening);
    let spans = trace.said();
    // These words prove that the trace recorded something.
    for word in [
        "call",
        "attempt",
        "http.response.status_code=429",
        "error.type=\"timeout\"",
    ] {
        assert!(spans.contains(word), "{word}");
    }
    all.push(("spans".to_owned(), spans));
    assert!(all.len() > 120);
    for (what, said) in all {
        assert!(!said.contains("canary"), "{what}: {said}");
        assert!(!said.contains("whom-i-look-at"), "{what}: {said}");
    }
}

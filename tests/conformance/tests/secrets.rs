//! The key is in one header of a request, and nowhere else that a log might copy it from.

use std::fs;

use company_intel::Client;

use crate::faults::every_error::{every_error, said};
use crate::support::calls::{KEY, respond_with};
use crate::support::operations::every_operation;

#[tokio::test]
async fn no_error_says_the_key_or_whom_the_caller_looks_at() {
    let all = every_error().await;
    assert!(all.len() > 15);
    for (what, error) in all {
        let said = said(&error);
        assert!(!said.contains(KEY), "{what}: {said}");
        // A part of the key is as bad: nothing truncates it.
        assert!(!said.contains("canary"), "{what}: {said}");
        assert!(!said.contains("whom-i-look-at"), "{what}: {said}");
    }
}

#[tokio::test]
async fn a_request_id_that_repeats_the_key_is_not_shown() {
    for (id, expected) in [
        (KEY, None),
        ("canary%2d5f0c1e", None),
        ("r-17", Some("r-17")),
    ] {
        let missing = format!(
            "HTTP/1.1 404 Not Found\r\nx-request-id: {id}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let call = |client: Client| client.job_posts("whom-i-look-at.example").send();
        let error = respond_with(missing, call).await.unwrap_err();
        assert_eq!(error.request_id(), expected);
        let said = said(&error);
        assert!(!said.contains("canary"), "{said}");
        assert_eq!(
            said.contains("request_id: \"r-17\""),
            expected.is_some(),
            "{said}"
        );
    }
}

#[tokio::test]
async fn clients_builders_and_calls_do_not_show_the_key() {
    let builder = Client::builder("http://localhost").api_key(KEY);
    assert_hidden(&builder);
    let client = builder.build().unwrap();
    assert_hidden(&client);
    assert_hidden(&client.clone());
    macro_rules! each {
        ($($name:ident: $client:ident => $call:expr,)*) => {$(
            let $client = &client;
            assert_hidden(&$call);
        )*};
    }
    every_operation!(each);
    assert_hidden(&client.job_posts("k7f3q9").pages());
    assert_hidden(&client.job_posts("k7f3q9").items());
    assert_hidden(&client.job_posts("k7f3q9").quote());
    assert_hidden(&client.request_status("k7f3q9").wait());
    assert_hidden(&client.request_status("k7f3q9").wait().polls());
    assert_hidden(client.budget());
}

#[test]
fn no_snapshot_holds_the_key() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
    let mut seen = 0;
    for file in fs::read_dir(folder).unwrap() {
        let snapshot = fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!snapshot.contains(KEY), "{snapshot}");
        seen += 1;
    }
    assert!(seen >= 2);
}

fn assert_hidden(value: &impl std::fmt::Debug) {
    for shown in [format!("{value:?}"), format!("{value:#?}")] {
        assert!(!shown.contains(KEY), "{shown}");
    }
}

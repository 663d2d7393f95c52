//! A website in several spellings is one input.

use std::convert::Infallible;

use generated_client::journal::{Called, Journal};
use generated_client::request::{CallOptions, Request};
use generated_client::{Client, Error, Response};
use serde_json::Value;
use things_client::types::Page;

use super::path;
use crate::support::scripted_client::{PAID, Responds, Script, Step, credits};

const DONE: Step = Responds(
    200,
    None,
    r#"{"cost": 2, "offset": 0, "total": 0, "things": []}"#,
);
const SPELLINGS: [&str; 3] = ["www.Example.com", "example.com", "https://example.com/"];

/// A builder, as a generated crate has it for an operation with a website.
struct Lookup {
    client: Client,
    options: CallOptions,
    company: String,
}

generated_client::call!(Lookup, client, options);

impl Lookup {
    fn request(&self) -> Request {
        let mut request = Request::new(&PAID);
        request.query("company", &self.company);
        request.websites(&["company"]).options(&self.options);
        request
    }

    async fn send(self) -> Result<Response<Page>, Error> {
        self.client.send(self.request()).await
    }
}

/// Calls for a company, which has this name in the batch.
async fn call(journal: &Journal, script: &Script, input: &str, company: &str) -> Called<Page> {
    let client = script.builder().budget(journal.budget(credits("50")));
    let lookup = Lookup {
        client: client.build().unwrap(),
        options: CallOptions::default(),
        company: company.to_owned(),
    };
    let keep = |_: Response<Page>| -> Result<(), Infallible> { Ok(()) };
    let called = journal.call(input, lookup, Lookup::send, keep);
    called.await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_company_is_paid_for_once_in_whatever_spelling() {
    let path = path("spellings");
    let script = Script::of([DONE, DONE, DONE]);
    for (run, input) in SPELLINGS.into_iter().enumerate() {
        let journal = Journal::open(&path, "companies").unwrap();
        let called = call(&journal, &script, input, input).await;
        assert_eq!(matches!(called, Called::Kept), run == 0, "{called}");
        if let Called::Earlier(response) = called {
            // The response that was paid for.
            assert_eq!(response.unwrap().body.total, Some(0));
        }
        assert_eq!(journal.usage().spent, credits("2"));
    }
    // These are names that no parameter has: nothing says that they are websites.
    let journal = Journal::open(&path, "companies").unwrap();
    for name in ["Row.1", "row.1"] {
        let called = call(&journal, &script, name, "example.com").await;
        assert!(matches!(called, Called::Kept), "{called}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_paid_response_that_is_not_of_todays_type_is_said_and_stays() {
    let path = path("spellings-type");
    let script = Script::of([DONE]);
    let journal = Journal::open(&path, "companies").unwrap();
    let called = call(&journal, &script, "example.com", "example.com").await;
    assert!(matches!(called, Called::Kept), "{called}");
    drop(journal);
    let text = std::fs::read_to_string(&path).unwrap();
    let other = text.replace(r#"\"things\": []"#, r#"\"things\": 17"#);
    assert_ne!(text, other);
    std::fs::write(&path, other).unwrap();
    for _ in 0..2 {
        let journal = Journal::open(&path, "companies").unwrap().again(true);
        let called = call(&journal, &script, "example.com", "example.com").await;
        let Called::Failed(error) = called else {
            panic!("{called}")
        };
        let body: Value = serde_json::from_slice(error.body().unwrap()).unwrap();
        assert_eq!(body["things"], 17);
    }
    assert_eq!(script.attempts(), 1);
}

//! The errors of all cases of calls, and those of clients and calls that send nothing, for the suites on errors, on secrets and on messages.

use std::error::Error as _;

use company_intel::{Client, Error};

use super::calls;
use crate::support::addresses::Deserted;
use crate::support::calls::{KEY, client, respond_with};
use crate::support::server::response;

/// Returns all errors, each with its cause. The service repeats the key wherever it can.
pub(crate) async fn every_error() -> Vec<(String, Error)> {
    let deserted = Deserted::reserved();
    let nowhere = client(deserted.url());

    let mut all = calls::errors().await;
    let mut add = |what: &str, error| all.push((what.to_owned(), error));
    let detail = r#"{"detail": "no such request"}"#;
    let missing = response("404 Not Found", "application/json", detail);
    let status = |client: Client| client.request_status("whom-i-look-at").send();
    add("404", respond_with(missing, status).await.unwrap_err());
    add(
        "no company",
        nowhere.job_posts("").send().await.unwrap_err(),
    );
    let call = nowhere.request_status("");
    add("no request id", call.send().await.unwrap_err());
    add(
        "plain http",
        Client::builder("http://api.example")
            .api_key(KEY)
            .build()
            .unwrap_err(),
    );
    add(
        "base URL with a password",
        Client::builder(format!("https://me:{KEY}@api.example"))
            .api_key(KEY)
            .build()
            .unwrap_err(),
    );
    add(
        "key as the base URL",
        Client::builder(KEY).api_key(KEY).build().unwrap_err(),
    );
    add(
        "no key",
        Client::builder("https://api.example").build().unwrap_err(),
    );
    let spaced = Client::builder("https://api.example").api_key(format!("{KEY} "));
    add("key with a space", spaced.build().unwrap_err());
    all
}

/// Returns all messages of an error and of its sources, as `Display` and as `Debug`.
pub(crate) fn said(error: &Error) -> String {
    let mut said = format!("{error}\n{error:?}\n{error:#?}\n");
    let mut source = match error.of_call() {
        Error::Transport(error) => Some(error.cause() as _),
        other => other.source(),
    };
    while let Some(error) = source {
        said += &format!("{error}\n{error:?}\n{error:#?}\n");
        source = error.source();
    }
    said
}

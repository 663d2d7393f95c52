//! One error of each kind, for the suites on errors, on secrets and on messages.

use std::error::Error as _;

use company_intel::{Client, Error};

use super::addresses::Deserted;
use super::calls::{KEY, client, respond_with};
use super::document::is_key_optional;
use super::server::{json_response, response};

pub(crate) const HTML: &str = "<html>\n  <body><h1>502 Bad Gateway</h1></body>\n</html>";

/// Returns one error of each kind, with its cause. The service repeats the key wherever it can.
pub(crate) async fn every_error() -> Vec<(&'static str, Error)> {
    let jobs = |client: Client| client.job_posts("whom-i-look-at.example").send();
    let refused = |body: &str| response("401 Unauthorized", "application/json", body);
    let echo = format!(r#"{{"detail": "invalid key {KEY}"}}"#);
    let redirect = "HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let wrong = format!(r#"{{"data": "{KEY}"}}"#);
    let other = format!(r#"{{"error": "quota of {KEY} exceeded", "{KEY}": null}}"#);
    let builder = |url: &str| Client::builder(url).api_key(KEY);
    let deserted = Deserted::reserved();
    let nowhere = client(deserted.url());

    let mut all = Vec::new();
    let mut add = |what, error| all.push((what, error));
    add("401", respond_with(refused(&echo), jobs).await.unwrap_err());
    let gateway = response("502 Bad Gateway", "text/html", HTML);
    add("502, HTML", respond_with(gateway, jobs).await.unwrap_err());
    let empty = response("503 Service Unavailable", "text/plain", "");
    add("503, empty", respond_with(empty, jobs).await.unwrap_err());
    add("302", respond_with(redirect, jobs).await.unwrap_err());
    let status = |client: Client| client.request_status("whom-i-look-at").send();
    let missing = response(
        "404 Not Found",
        "application/json",
        r#"{"detail": "no such request"}"#,
    );
    add("404", respond_with(missing, status).await.unwrap_err());
    add(
        "200, no JSON",
        respond_with(json_response(HTML), jobs).await.unwrap_err(),
    );
    add(
        "200, wrong type",
        respond_with(json_response(&wrong), jobs).await.unwrap_err(),
    );
    add(
        "200, something else",
        respond_with(json_response(&other), jobs).await.unwrap_err(),
    );
    add(
        "200, empty",
        respond_with(json_response(""), jobs).await.unwrap_err(),
    );
    add(
        "200, cut short",
        respond_with(cut_short(), jobs).await.unwrap_err(),
    );
    add("no response", respond_with("", jobs).await.unwrap_err());
    add(
        "no connection",
        nowhere.job_posts("a.example").send().await.unwrap_err(),
    );
    add(
        "no company",
        nowhere.job_posts("").send().await.unwrap_err(),
    );
    let call = nowhere.request_status("");
    add("no request id", call.send().await.unwrap_err());
    add(
        "plain http",
        builder("http://api.example").build().unwrap_err(),
    );
    add(
        "base URL with a password",
        builder(&format!("https://me:{KEY}@api.example"))
            .build()
            .unwrap_err(),
    );
    add(
        "key as the base URL",
        Client::builder(KEY).api_key(KEY).build().unwrap_err(),
    );
    match Client::builder("https://api.example").build() {
        Ok(client) => assert!(is_key_optional(), "{client:?}"),
        Err(error) => add("no key", error),
    }
    let spaced = Client::builder("https://api.example").api_key(format!("{KEY} "));
    add("key with a space", spaced.build().unwrap_err());
    all
}

/// Returns half of the announced body.
pub(crate) fn cut_short() -> &'static str {
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 40\r\nconnection: close\r\n\r\n{\"total\": 1, \"data\""
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

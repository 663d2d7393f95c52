//! Sentences about a failed call, for people and for agents: what happened, what it cost, and which options help.

use generated_client::Error;
use generated_client::error::{PagingCause, PagingError, WaitingCause};

use crate::money;

/// Describes a failed call, with the service's own words.
pub(crate) fn said(error: &Error, is_metered: bool) -> String {
    facts(error, is_metered) + &excerpt(error)
}

/// Describes a failed call in one line. `is_metered`: calls of the API cost credits.
pub(crate) fn facts(error: &Error, is_metered: bool) -> String {
    let mut text = format!("{}.", message(error).trim_end_matches('.'));
    let attempts = error.attempts();
    if attempts > 1 {
        text.push_str(&format!(" It was attempted {attempts} times."));
    }
    if let Some(cost) = cost(error, is_metered) {
        text.push_str(&format!(" {cost}"));
    }
    if let Some(id) = error.request_id() {
        text.push_str(&format!(" Request id: {id}."));
    }
    text
}

/// Returns what the service says of a failure, as a line of its own; empty if it says nothing.
pub(crate) fn excerpt(error: &Error) -> String {
    match error.excerpt() {
        Some(excerpt) => format!("\n  the service says: {excerpt}"),
        None => String::new(),
    }
}

/// Returns the message of an error, without the items of Rust that callers of the crate would use.
fn message(error: &Error) -> String {
    if let (Error::Refused(refused), Some(why)) = (error, money::refusal(error)) {
        let again = match error.attempts() {
            0 => "",
            _ => " again",
        };
        return format!("{} was not sent{again}: {why}", refused.operation());
    }
    match error {
        Error::Paging(paging) => paging_message(paging, error.resume_offset()),
        Error::Waiting(error) => match &error.cause {
            WaitingCause::Failed { .. } => format!("{} failed", error.operation),
            _ => error.to_string(),
        },
        error => error.to_string(),
    }
}

fn paging_message(error: &PagingError, offset: Option<u64>) -> String {
    let operation = error.operation;
    match &error.cause {
        PagingCause::Call(cause) if error.offset == 0 => message(cause),
        PagingCause::Call(cause) => {
            let place = match offset {
                Some(offset) => format!("from offset {offset} on"),
                None => format!("after {} records", error.offset),
            };
            format!("no page {place}: {}", message(cause))
        }
        PagingCause::Stalled { .. } => {
            format!("{operation} sent a page that was there before, in place of the next one")
        }
        PagingCause::Short {
            promised, received, ..
        } => format!("{operation} promised {promised} records and sent {received}"),
        _ => error.to_string(),
    }
}

/// Describes the billing status of the last call.
fn cost(error: &Error, is_metered: bool) -> Option<String> {
    if matches!(error, Error::Record(_)) {
        // Its page may have records that decode.
        return None;
    }
    let is_unsent = matches!(
        error.of_call(),
        Error::Argument(_) | Error::Configuration(_) | Error::Credential(_)
    );
    if is_unsent && error.attempts() == 0 {
        Some("Nothing was sent.".to_owned())
    } else if is_metered {
        money::cost(error)
    } else {
        None
    }
}

#[cfg(feature = "metered")]
#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use generated_client::{Client, ClientBuilder, Credits, RetryPolicy};

    use super::*;
    use crate::arguments::Arguments;
    use crate::money::ways_out;
    use crate::tests::{API, COMMANDS};

    /// Makes a call that fails with this response; an empty one closes the connection.
    async fn failed(response: &'static str, unbilled: bool) -> (Client, Error) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            _ = connection.read(&mut request).unwrap();
            connection.write_all(response.as_bytes()).unwrap();
        });
        let builder = ClientBuilder::new(&API, address).retry(RetryPolicy::Never);
        let builder = if unbilled {
            builder.unbilled([generated_client::StatusCode::NOT_FOUND])
        } else {
            builder
        };
        let client = builder
            .budget(Credits::from_micros(10_000_000))
            .build()
            .unwrap();
        let mut arguments = Arguments::default();
        let id = &COMMANDS[0].arguments[0];
        arguments.give(id, &["a".to_owned()]).unwrap();
        let call = (COMMANDS[0].call)(&client, &arguments).unwrap();
        (client, call.send(None).await.unwrap_err())
    }

    #[tokio::test]
    async fn a_failure_is_sentences_and_those_about_money_are_of_apis_that_cost_something() {
        const NOT_FOUND: &str = "HTTP/1.1 404 Not Found\r\nx-request-id: r-1\r\ncontent-length: 4\r\nconnection: close\r\n\r\nnone";
        const CHARGED: &str = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{\"cost\": 1}";
        let way = "If the provider does not bill responses with status 404, `--unbilled 404` keeps them free.";
        for (response, unbilled, what, money, after, ways) in [
            (
                NOT_FOUND,
                false,
                "order (POST /orders/{id}) responded with 404 Not Found.",
                " The call may have been billed: 2 credits are at risk.",
                " Request id: r-1.\n  the service says: none",
                &[way][..],
            ),
            (
                NOT_FOUND,
                true,
                "order (POST /orders/{id}) responded with 404 Not Found.",
                " The call counts as not billed.",
                " Request id: r-1.\n  the service says: none",
                &[],
            ),
            (
                CHARGED,
                false,
                "order (POST /orders/{id}) responded with 500 Internal Server Error.",
                " The call cost 1 credit.",
                "\n  the service says: {\"cost\": 1}",
                &[],
            ),
        ] {
            let (client, error) = failed(response, unbilled).await;
            assert_eq!(said(&error, true), format!("{what}{money}{after}"));
            assert_eq!(said(&error, false), format!("{what}{after}"));
            assert_eq!(ways_out(&client, &error, None), ways);
            let by_hand = ways_out(&client, &error, Some("--settle"));
            assert_eq!(by_hand.len(), 2 * ways.len(), "{by_hand:?}");
        }
        let (_, lost) = failed("", false).await;
        let lost = said(&lost, false);
        for word in ["charge", "bill", "credit", "risk", "cost", "{ ", "\""] {
            assert!(!lost.contains(word), "{lost}");
        }
    }
}

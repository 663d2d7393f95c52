//! The left side of a row: the behaviour of a service, and a service that behaves so.

use std::time::{Duration, SystemTime};

use company_intel::{Client, Credits, RetryPolicy};

use super::rows;
use super::server::{Deed, Service, Then};
use crate::support::addresses::{Crowded, Deserted, Silence};
use crate::support::calls::KEY;

/// Number of columns that describe the service.
const GIVEN: usize = 4;

#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) row: String,
    service: String,
    retry_after: String,
    pub(super) body: String,
    bills: Credits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// Costs four credits.
    Paid,
    Free,
}

/// The listener at an address, if there is one.
pub(super) enum Server {
    Plays(Service),
    Deserted { _kept: Deserted },
    Crowded { _kept: Crowded },
}

pub(super) fn faults() -> Vec<Fault> {
    let fault = |cells: Vec<String>| Fault {
        row: cells[..GIVEN].join(" | "),
        service: cells[0].clone(),
        retry_after: cells[1].clone(),
        body: cells[2].replace("KEY", KEY),
        bills: match cells[3].as_str() {
            "" => Credits::ZERO,
            bills => bills.parse().unwrap(),
        },
    };
    rows("Calls").into_iter().map(fault).collect()
}

impl Fault {
    /// Returns the service's reply to a request; `None` where no service replies.
    fn deed(&self, elsewhere: &str, call: Call) -> Option<Deed> {
        let bills = match call {
            Call::Paid => self.bills,
            Call::Free => Credits::ZERO,
        };
        let begun = || {
            let length = self.body.len() + 10;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
            head + &self.body
        };
        let (sends, then) = match self.service.as_str() {
            "refuses" | "takes no more" => return None,
            "closes" => (String::new(), Then::Closes),
            "resets" => (String::new(), Then::Resets),
            "hangs" => (String::new(), Then::Hangs),
            "says half a head" => ("HTTP/1.1 200 OK\r\ncontent-le".to_owned(), Then::Closes),
            "talks nonsense" => (self.body.clone(), Then::Closes),
            "breaks off" => (begun(), Then::Closes),
            "stalls" => (begun(), Then::Hangs),
            status => {
                let (status, location) = match status.strip_suffix(" to elsewhere") {
                    Some(status) => (status, Some(("location", elsewhere))),
                    None => (status, None),
                };
                let date;
                let retry_after = match self.retry_after.as_str() {
                    "" => None,
                    "yesterday" => Some("Wed, 21 Oct 2015 07:28:00 GMT"),
                    "in an hour" => {
                        let hour = SystemTime::now() + Duration::from_secs(3600);
                        date = httpdate::fmt_http_date(hour);
                        Some(date.as_str())
                    }
                    other => Some(other),
                };
                let retry_after = retry_after.map(|value| ("retry-after", value));
                let headers: Vec<_> = location.into_iter().chain(retry_after).collect();
                return Some(Deed {
                    bills,
                    ..Deed::response(status.parse().unwrap(), &headers, &self.body)
                });
            }
        };
        Some(Deed {
            bills,
            ..Deed::sending(sends, then)
        })
    }

    /// Returns the status of the response, if its head is sent.
    pub(super) fn status(&self) -> Option<u16> {
        match self.service.as_str() {
            "breaks off" | "stalls" => Some(200),
            status => status.split(' ').next()?.parse().ok(),
        }
    }

    /// Starts the service, and returns it with a client that has this policy.
    pub(super) async fn set_up(
        &self,
        call: Call,
        policy: RetryPolicy,
        elsewhere: &Silence,
    ) -> (Server, Client) {
        let (server, url) = match self.deed(&format!("{}/{KEY}", elsewhere.url()), call) {
            Some(deed) => {
                let service = Service::of([deed]).await;
                let url = service.url();
                (Server::Plays(service), url)
            }
            None if self.service == "refuses" => {
                let kept = Deserted::reserved();
                let url = kept.url();
                (Server::Deserted { _kept: kept }, url)
            }
            None => {
                let kept = Crowded::listening().await;
                let url = kept.url();
                (Server::Crowded { _kept: kept }, url)
            }
        };
        let builder = Client::builder(url)
            .api_key(KEY)
            .retry(policy)
            .budget(Credits::new(20));
        let builder = match self.service.as_str() {
            "hangs" | "stalls" => builder.read_timeout(Duration::from_millis(1500)),
            "takes no more" => builder.connect_timeout(Duration::from_millis(300)),
            _ => builder,
        };
        let client = builder.build().unwrap();
        if let Server::Plays(service) = &server {
            service.watch(client.budget());
        }
        (server, client)
    }
}

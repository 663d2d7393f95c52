//! Cases of single calls, in `cases/calls/`.

use std::time::{Duration, SystemTime};

use company_intel::Credits;
use serde::{Deserialize, Serialize};

use crate::KEY;
use crate::addresses::{Crowded, Deserted};
use crate::cases::{Case, is_default};
use crate::service::{Deed, Service, Then};

/// A case of calls.
pub type CallCase = Case<Fault, Callers>;

/// What a service does with every request.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fault {
    /// Whether there is a service at all.
    address: Address,
    /// Status of the response. Without one, the body is all that is sent.
    pub status: Option<u16>,
    /// A header of the response, as `name: value`.
    header: String,
    pub(crate) body: String,
    /// What happens then. Unless the service listens, ten bytes of the announced body are missing.
    pub then: Then,
    /// What the service takes for each request of a paid call.
    pub bills: Credits,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Address {
    #[default]
    Served,
    /// Has no listener.
    Deserted,
    /// Has a listener that accepts no connection.
    Crowded,
}

/// The calls of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Costs four credits.
    Paid,
    /// Is documented to cost nothing.
    Free,
}

/// What callers see of both calls.
#[derive(Debug, PartialEq, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Callers {
    /// What they see of the paid one.
    pub paid: Ended,
    /// What they see of the free one, if that differs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub free: Option<Ended>,
}

/// How a call ends.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ended {
    /// Kind of the error.
    #[serde(skip_serializing_if = "is_default")]
    pub ends: Option<String>,
    /// Number of records that do not decode.
    #[serde(skip_serializing_if = "is_default")]
    pub rejects: usize,
    /// Number of attempts.
    pub attempts: u32,
    /// What the call costs. `unknown 4` is at most 4 credits, and `unknown` has no bound.
    pub outcome: String,
    /// Whether the error may be retried.
    #[serde(skip_serializing_if = "is_default")]
    pub retryable: bool,
    /// Seconds that the error asks to wait for.
    #[serde(skip_serializing_if = "is_default")]
    pub retry_after: Option<u64>,
}

impl Callers {
    /// Returns what a caller of this call must see.
    pub fn ended(&self, call: Call) -> &Ended {
        match (call, &self.free) {
            (Call::Free, Some(free)) => free,
            _ => &self.paid,
        }
    }
}

impl Fault {
    /// Returns the body that the service sends.
    pub fn body(&self) -> String {
        self.body.replace("KEY", KEY)
    }

    /// Returns the reply to each request.
    pub fn deed(&self, elsewhere: &str) -> Deed {
        let hour = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3600));
        let header = self.header.replace("IN_AN_HOUR", &hour);
        let header = header.replace("ELSEWHERE", elsewhere).replace("KEY", KEY);
        let headers: Vec<_> = header.split_once(": ").into_iter().collect();
        let mut deed = match self.status {
            None => Deed::sending(self.body(), self.then),
            Some(status) if self.then == Then::Listens => {
                Deed::response(status, &headers, &self.body())
            }
            Some(status) => {
                let mut whole = Deed::response(status, &headers, &(self.body() + "0123456789"));
                whole.sends.truncate(whole.sends.len() - 10);
                whole.then(self.then)
            }
        };
        deed.bills = self.bills;
        deed
    }
}

/// The address of a fault.
pub struct Host {
    /// Base address.
    pub url: String,
    /// The service, if one reads requests.
    pub service: Option<Service>,
    /// Reserves the address of a host without a service.
    _kept: Box<dyn Send>,
}

impl Host {
    /// Starts the service of a fault.
    pub async fn start(fault: &Fault, call: Call, elsewhere: &str) -> Self {
        let (url, service, _kept): (_, _, Box<dyn Send>) = match fault.address {
            Address::Deserted => {
                let kept = Deserted::reserved();
                (kept.url(), None, Box::new(kept))
            }
            Address::Crowded => {
                let kept = Crowded::listening().await;
                (kept.url(), None, Box::new(kept))
            }
            Address::Served => {
                let mut deed = fault.deed(&format!("{elsewhere}/{KEY}"));
                if call == Call::Free {
                    deed.bills = Credits::ZERO;
                }
                let service = Service::of([deed]).await;
                (service.url(), Some(service), Box::new(()))
            }
        };
        Self {
            url,
            service,
            _kept,
        }
    }
}

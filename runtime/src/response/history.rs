//! How a call went, for everything that reports on it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use crate::account::HeldRisk;
use crate::money::credits::Credits;
use crate::money::ledger::{AtRiskId, Ledger, Lost};
use crate::money::outcome::Outcome;
use crate::response::failure::TransportErrorKind;

/// How a call went, up to and including its last attempt.
#[derive(Debug, Clone)]
pub(crate) struct CallHistory {
    /// Whether calls of the API cost credits.
    pub(crate) is_metered: bool,
    /// What all attempts together did to the money.
    pub(crate) outcome: Outcome,
    /// How many were made.
    pub(crate) attempts: u32,
    /// What the service said about when to come back.
    pub(crate) retry_after: Option<Duration>,
    /// Whether the same call could be made again without a second charge, and might work.
    pub(crate) is_retryable: bool,
    /// Whether the last response refused a token of a provider, and no other one was tried.
    pub(crate) is_token_refused: bool,
    /// Whether it could be attempted again, if its body could be read again.
    pub(crate) is_body_spent: bool,
    /// What the last response said the call cost.
    pub(crate) reported: Option<Credits>,
    /// What its attempts have at risk, and where.
    risks: Option<Arc<Risks>>,
    /// The attempts before the last one.
    pub(crate) earlier: Arc<[Attempt]>,
}

#[derive(Debug, Clone)]
struct Risks {
    ledger: Ledger,
    calls: Vec<AtRiskId>,
    /// The same calls in the account, if there is one.
    held: Vec<HeldRisk>,
}

/// How far a call has come, for a caller whose call ends with the runtime that drove it.
#[derive(Debug, Default)]
pub(crate) struct Trail(Mutex<Option<Noted>>);

type Noted = (CallHistory, Option<(Lost, Option<HeldRisk>)>);

impl Trail {
    /// Notes how far the call has come. `lost`: what its reservation leaves at risk if the attempt never reports back.
    pub(crate) fn note(&self, course: CallHistory, lost: Option<(Lost, Option<HeldRisk>)>) {
        *self.lock() = Some((course, lost));
    }

    /// How the call went, whose reservations are dropped by now; `None` when nothing was sent.
    pub(crate) fn end(&self, ledger: &Ledger) -> Option<CallHistory> {
        let (mut course, lost) = self.lock().take()?;
        if let Some((lost, held)) = lost
            && let Some(call) = lost.get()
        {
            course.at_risk(ledger, *call, held);
        }
        Some(course)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Noted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An attempt of a call that was followed by another one: what came of it, as far as it came.
#[derive(Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// What it did to the money.
    pub outcome: Outcome,
    /// Why there is no whole response; `None` when there is one.
    pub failure: Option<TransportErrorKind>,
    /// The status, if it arrived.
    pub status: Option<StatusCode>,
    /// The headers that arrived.
    pub headers: HeaderMap,
    /// The bytes of the body that arrived.
    pub body: Bytes,
}

impl CallHistory {
    pub(crate) fn start(is_metered: bool) -> Self {
        Self {
            is_metered,
            outcome: Outcome::NotSent,
            attempts: 0,
            retry_after: None,
            is_retryable: true,
            is_token_refused: false,
            is_body_spent: false,
            reported: None,
            risks: None,
            earlier: Arc::new([]),
        }
    }

    /// The course of a call that ends here, or for now.
    pub(crate) fn held(self, retry_after: Option<Duration>, is_retryable: bool) -> Self {
        Self {
            retry_after,
            is_retryable,
            ..self
        }
    }

    /// The course of a call whose next attempt is in flight, as far as it is known before it ends.
    pub(crate) fn in_flight(&self, price: Option<Credits>) -> Self {
        Self {
            outcome: self.outcome.then(Outcome::Unknown(bound(price))),
            attempts: self.attempts.saturating_add(1),
            retry_after: None,
            is_retryable: false,
            reported: None,
            ..self.clone()
        }
    }

    /// Notes that an attempt has this much at risk.
    pub(crate) fn at_risk(&mut self, ledger: &Ledger, call: AtRiskId, held: Option<HeldRisk>) {
        let mut risks = match self.risks.take() {
            Some(risks) => Arc::unwrap_or_clone(risks),
            None => Risks {
                ledger: ledger.clone(),
                calls: Vec::new(),
                held: Vec::new(),
            },
        };
        risks.calls.push(call);
        risks.held.extend(held);
        self.risks = Some(Arc::new(risks));
    }

    /// Keeps an attempt that is followed by another one.
    pub(crate) fn keep(&mut self, attempt: Attempt) {
        let earlier = self.earlier.iter().cloned();
        self.earlier = earlier.chain([attempt]).collect();
    }

    /// Settles what the call has at risk: all its attempts together were charged this much.
    pub(crate) fn settle(&self, charged: Credits) -> bool {
        let Some(risks) = &self.risks else {
            return false;
        };
        let is_settled = risks.ledger.settle_all(&risks.calls, charged);
        if is_settled {
            // Which of them was charged is unknown, and the same for the sums.
            let charges = [charged]
                .into_iter()
                .chain(std::iter::repeat(Credits::ZERO));
            for (held, charged) in risks.held.iter().zip(charges) {
                held.settle(charged);
            }
        }
        is_settled
    }
}

/// What a lost attempt may have cost at most. Neither nothing nor all that was left is a bound.
pub(crate) fn bound(price: Option<Credits>) -> Option<Credits> {
    price.filter(|price| *price > Credits::ZERO)
}

/// Without what arrived, which may be personal data.
impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("outcome", &self.outcome)
            .field("failure", &self.failure)
            .field("status", &self.status)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

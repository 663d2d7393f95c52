//! Billing events, one for each attempt, for accounting.

use std::sync::Arc;

use crate::money::credits::Credits;
use crate::money::outcome::Outcome;

/// Billing event of one attempt of a call, for [`ClientBuilder::on_spend`](crate::ClientBuilder::on_spend).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spend {
    /// The operation, by its `operationId`.
    pub operation: &'static str,
    /// The kind of event, with its amount.
    pub event: SpendEvent,
}

/// Effect of an attempt on the caller's credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpendEvent {
    /// The attempt cost this much.
    Charged(Credits),
    /// The attempt may have cost this much. `None`: its price is unknown.
    AtRisk(Option<Credits>),
    /// The attempt cost nothing: it was not sent, or rejected.
    Free,
    /// A budget had no room, and nothing was sent.
    Refused,
}

impl SpendEvent {
    pub(crate) fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::NotSent | Outcome::Stored | Outcome::Rejected => Self::Free,
            Outcome::Charged(credits) => Self::Charged(credits),
            Outcome::Unknown(credits) => Self::AtRisk(credits),
        }
    }
}

/// The callback of `on_spend`.
pub(crate) type Observer = Arc<dyn Fn(Spend) + Send + Sync>;

/// Counts in the recorder of the crate [`metrics`], which exporters for Prometheus, OpenTelemetry and others install.
#[cfg(feature = "metrics")]
pub(crate) fn count(spend: Spend) {
    let Spend { operation, event } = spend;
    let (attempts, credits) = match event {
        SpendEvent::Charged(credits) => {
            ("charged", Some(("generated_client_credits_spent", credits)))
        }
        SpendEvent::AtRisk(credits) => {
            let name = "generated_client_credits_at_risk";
            ("at_risk", credits.map(|credits| (name, credits)))
        }
        SpendEvent::Free => ("free", None),
        SpendEvent::Refused => ("refused", None),
    };
    let labels = [("operation", operation), ("outcome", attempts)];
    metrics::counter!("generated_client_attempts", &labels).increment(1);
    if let Some((name, credits)) = credits {
        metrics::counter!(name, "operation" => operation, "unit" => "millionths")
            .increment(credits.micros());
    }
}

//! The span of an attempt, with what it does to the money. Only attempt spans have credits: a sum over all spans then counts each charge
//! once.

use crate::call::span::attempt_span;
use crate::document::Operation;
use crate::interceptor::AttemptSpan;
use tracing::Span;
use tracing::field::Empty;

use super::prices::KnownPrice;
use crate::money::credits::Credits;
use crate::money::outcome::Outcome;
use crate::money::quote::PriceSource;

/// Opens the span of an attempt that has reserved this much. Its other fields are those of [`AttemptSpan::open`].
pub(super) fn open(attempt: AttemptSpan<'_>, reserved: Option<Credits>) -> Span {
    attempt_span!(
        attempt,
        credits.reserved = reserved.map(number),
        credits.consumed = Empty,
        credits.at_risk = Empty,
    )
}

/// Records the billing status of the attempt.
pub(super) fn settled(span: &Span, outcome: Outcome) {
    match outcome {
        Outcome::NotSent | Outcome::Stored | Outcome::Rejected => {}
        Outcome::Charged(credits) => _ = span.record("credits.consumed", number(credits)),
        Outcome::Unknown(credits) => _ = span.record("credits.at_risk", credits.map(number)),
    }
}

/// Says that a call reserves an estimate, because its price is unknown.
pub(super) fn unknown_price(operation: &Operation, known: KnownPrice, reserved: Credits) {
    if known.source == PriceSource::Learned {
        tracing::info!(
            operation = operation.id,
            %reserved,
            "the price is unknown: an estimate is reserved; `assume_price` states the highest price instead"
        );
    }
}

/// Logs a warning if the charge exceeds what a call with this price reserves.
pub(super) fn surprise(operation: &Operation, known: KnownPrice, charged: Option<Credits>) {
    if known.source != PriceSource::Unknown
        && let Some(credits) = charged
        && credits > known.need.reserved
    {
        tracing::warn!(operation = operation.id, %credits, "a call cost more than its known price");
    }
}

/// Converts an amount inexactly, for sums and averages over many spans. The budget has the exact amounts.
fn number(credits: Credits) -> f64 {
    credits.micros() as f64 / 1e6
}

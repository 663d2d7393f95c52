//! What a call costs by the document, and what was billed so far. All sums are integers: millionths of a credit.

use std::fmt;

use company_intel::Credits;

use crate::arguments::Arguments;
use crate::operation::Price;

/// Price of an operation for which the document has none. Made up, and chosen so that sums of binary floats would drift.
const MADE_UP: Credits = Credits::from_micros(700_000);

/// The first price whose conditions hold, and whether it is made up: outside of all conditions it is the highest that the document has.
pub(crate) fn charge(prices: &[Price], arguments: &Arguments) -> (Credits, bool) {
    let holds = |price: &&Price| {
        let mut conditions = price.when.iter();
        conditions.all(|(parameter, given)| arguments.is_given(parameter) == *given)
    };
    match prices.iter().find(holds) {
        Some(price) => (price.credits, false),
        None => {
            let highest = prices.iter().map(|price| price.credits).max();
            (highest.unwrap_or(MADE_UP), true)
        }
    }
}

/// What a sandbox has billed so far. Refused calls are not billed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bill {
    /// Sum of all calls, in millionths of a credit.
    pub total_micros: u64,
    /// Every successful call in order, free ones too.
    pub calls: Vec<BilledCall>,
    /// How many calls were refused.
    pub refused: u64,
}

/// A successful call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BilledCall {
    /// The document's id of the operation.
    pub operation: String,
    /// The cost that the response reported, in millionths of a credit.
    pub micros: u64,
}

impl Bill {
    /// The sum of all calls.
    pub fn total(&self) -> Credits {
        Credits::from_micros(self.total_micros)
    }

    pub(crate) fn add(&mut self, operation: &str, credits: Credits) {
        self.total_micros = self.total_micros.saturating_add(credits.micros());
        self.calls.push(BilledCall {
            operation: operation.to_owned(),
            micros: credits.micros(),
        });
    }
}

impl fmt::Display for Bill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (total, calls) = (self.total(), self.calls.len());
        write!(f, "{total} credits for {calls} calls")
    }
}

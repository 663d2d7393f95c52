//! The documented cost of a call, and the bill so far. All sums are integers: millionths of a credit.

use std::collections::BTreeMap;
use std::fmt;

use company_intel::Credits;
use serde_json::{Map, Value, json};

use crate::arguments::Arguments;
use crate::operation::Price;

/// Path of the bill.
pub(crate) const PATH: &str = "/_sandbox/bill";

/// Made-up price of an operation without a documented one, chosen so that sums of binary floats would drift.
const MADE_UP: Credits = Credits::from_micros(700_000);

/// Returns the first price whose conditions hold, and whether it is made up: if none hold, it is the highest documented price.
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

/// The bill of a sandbox so far. Refused calls are not billed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bill {
    /// Sum of all calls, in millionths of a credit.
    pub total_micros: u64,
    /// Every successful call in order, including free ones.
    pub calls: Vec<BilledCall>,
    /// Number of refused calls.
    pub refused: u64,
    /// Credits spent per key, in millionths of a credit, in the order of the keys.
    pub spent_micros: Vec<u64>,
}

/// A successful call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BilledCall {
    /// Identifier of the operation in the document.
    pub operation: String,
    /// Index of the key that the call used.
    pub key: usize,
    /// Cost that the response reported, in millionths of a credit.
    pub micros: u64,
}

impl Bill {
    /// Returns the sum of all calls.
    pub fn total(&self) -> Credits {
        Credits::from_micros(self.total_micros)
    }

    /// Returns the part of a balance that a key has not spent.
    pub(crate) fn left(&self, key: usize, balance: Credits) -> Credits {
        let spent = self.spent_micros.get(key).copied().unwrap_or_default();
        Credits::from_micros(balance.micros().saturating_sub(spent))
    }

    /// Adds a call, and returns its number, from 1 on.
    pub(crate) fn add(&mut self, operation: &str, key: usize, credits: Credits) -> usize {
        let micros = credits.micros();
        self.total_micros = self.total_micros.saturating_add(micros);
        let keys = self.spent_micros.len().max(key.saturating_add(1));
        self.spent_micros.resize(keys, 0);
        if let Some(spent) = self.spent_micros.get_mut(key) {
            *spent = spent.saturating_add(micros);
        }
        self.calls.push(BilledCall {
            operation: operation.to_owned(),
            key,
            micros,
        });
        self.calls.len()
    }

    /// Returns the bill as served at [`PATH`].
    pub(crate) fn to_json(&self) -> Value {
        let credits = |micros: u64| json!(Credits::from_micros(micros));
        let mut operations: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for call in &self.calls {
            let (calls, micros) = operations.entry(&call.operation).or_default();
            *calls = calls.saturating_add(1);
            *micros = micros.saturating_add(call.micros);
        }
        let operations = operations.into_iter().map(|(operation, (calls, micros))| {
            (
                operation.to_owned(),
                json!({"calls": calls, "credits": credits(micros)}),
            )
        });
        let keys = self
            .spent_micros
            .iter()
            .map(|micros| json!({"credits": credits(*micros)}));
        json!({
            "credits": credits(self.total_micros),
            "calls": self.calls.len(),
            "refused": self.refused,
            "keys": keys.collect::<Vec<_>>(),
            "operations": operations.collect::<Map<_, _>>(),
        })
    }
}

/// Returns the request id of the call with this number.
pub(crate) fn request_id(number: usize) -> String {
    format!("sandbox-{number}")
}

impl fmt::Display for Bill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (total, calls) = (self.total(), self.calls.len());
        write!(f, "{total} credits for {calls} calls")
    }
}

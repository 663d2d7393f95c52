//! What calls cost: prices that a document knows, and those that were seen since.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::api::Operation;
use crate::credits::Credits;
use crate::ledger::Ask;
use crate::request::Request;

/// A price that was seen for an operation, and under which conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// Credits per call.
    pub credits: Credits,
    /// Query parameters, each with whether it has to be given. All of them have to hold.
    pub when: &'static [(&'static str, Presence)],
}

/// Whether a parameter is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is given.
    Present,
    /// It is not.
    Absent,
}

/// One line of the price list: an operation, and which of its prices; `None` for calls outside of all conditions.
pub(crate) type Line = (&'static str, Option<usize>);

/// The prices that were seen in answers. Shared by the clones of a client.
#[derive(Debug, Default)]
pub(crate) struct PriceBook {
    seen: Mutex<HashMap<Line, Credits>>,
}

impl PriceBook {
    /// What to reserve for a call, and the line of the list that it falls under.
    pub(crate) fn ask(&self, request: &Request) -> (Line, Ask) {
        let operation = request.operation();
        let listed = operation
            .prices
            .iter()
            .position(|price| applies(price, request));
        let line = (operation.id, listed);
        let known = listed
            .and_then(|index| operation.prices.get(index))
            .map(|price| price.credits);
        let seen = self
            .seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&line)
            .copied();
        let ask = match request.price.or_else(|| known.max(seen)) {
            Some(price) => Ask::Exactly(price),
            None => Ask::AllThatIsLeft,
        };
        (line, ask)
    }

    /// Notes what an answer reported; tells whether it is above what was known.
    ///
    /// What a failure costs, often nothing, is not taken for an unknown price: success may cost more.
    pub(crate) fn note(
        &self,
        line: Line,
        operation: &Operation,
        charge: Credits,
        is_price: bool,
    ) -> bool {
        let listed = line
            .1
            .and_then(|index| operation.prices.get(index))
            .map(|price| price.credits);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let before = seen.get(&line).copied().max(listed);
        if is_price || before.is_some() {
            seen.insert(line, before.map_or(charge, |before| before.max(charge)));
        }
        before.is_some_and(|before| charge > before)
    }

    /// Whether every known price of an operation is zero, listed or seen.
    pub(crate) fn is_free(&self, operation: &Operation) -> bool {
        let listed = operation.prices.iter().map(|price| price.credits);
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = seen.iter().filter(|((id, _), _)| *id == operation.id);
        listed.max() == Some(Credits::ZERO) && seen.all(|(_, price)| *price == Credits::ZERO)
    }
}

fn applies(price: &Price, request: &Request) -> bool {
    price.when.iter().all(|(parameter, presence)| {
        request.has_query(parameter) == (*presence == Presence::Present)
    })
}

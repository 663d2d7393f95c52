//! What calls cost: prices that a document knows, and those that were seen since.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::api::Operation;
use crate::credits::Credits;
use crate::ledger::Ask;
use crate::report::Report;
use crate::request::Request;
use crate::retry::Ending;

/// How many prices of calls outside of all conditions a client remembers. Further ones are asked for anew each time.
const REMEMBERED: usize = 1000;
/// For arguments of at most this many bytes.
const LONGEST: usize = 200;

/// A price that was seen for an operation, and under which conditions.
///
/// A call outside of the conditions of all prices reserves all that is left, until it is seen what it costs. That counts for calls with
/// the same values of the parameters in conditions: a price with `limit=20` says nothing of `limit=100`. A client remembers a thousand of
/// those, for values of up to 200 bytes, and takes the others for unknown.
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

/// The line of the price list that a call falls under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    operation: &'static Operation,
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    /// Under the conditions of this one of the operation's prices.
    Listed(usize),
    /// Outside of all conditions, with these values of the parameters in them.
    Outside(String),
    /// Outside, and not remembered.
    Nowhere,
}

impl Line {
    fn of(request: &Request) -> Self {
        let operation = request.operation();
        let prices = operation.prices;
        let place = match prices.iter().position(|price| applies(price, request)) {
            Some(index) => Place::Listed(index),
            None if operation.template().is_none() => Place::Nowhere,
            None => {
                let conditions = prices.iter().flat_map(|price| price.when);
                let values = request.query_of(conditions.map(|(name, _)| *name));
                match values.len() {
                    0..=LONGEST => Place::Outside(values),
                    _ => Place::Nowhere,
                }
            }
        };
        Self { operation, place }
    }

    fn listed(&self) -> Option<Credits> {
        match self.place {
            Place::Listed(index) => Some(self.operation.prices.get(index)?.credits),
            Place::Outside(_) | Place::Nowhere => None,
        }
    }

    fn key(&self) -> Key {
        (self.operation.id, self.place.clone())
    }
}

fn applies(price: &Price, request: &Request) -> bool {
    price.when.iter().all(|(parameter, presence)| {
        request.has_query(parameter) == (*presence == Presence::Present)
    })
}

type Key = (&'static str, Place);

/// What was seen in answers. Shared by the clones of a client.
#[derive(Debug, Default)]
pub(crate) struct PriceBook {
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    prices: HashMap<Key, Credits>,
    /// The operations that reported anything but nothing.
    charging: HashSet<&'static str>,
}

impl Seen {
    fn remember(&mut self, key: Key, price: Credits) {
        let has_room = match key.1 {
            Place::Listed(_) => true,
            Place::Outside(_) => self.prices.len() < REMEMBERED || self.prices.contains_key(&key),
            Place::Nowhere => false,
        };
        if has_room {
            self.prices.insert(key, price);
        }
    }
}

impl PriceBook {
    /// What to reserve for a call, and the line of the list that it falls under.
    pub(crate) fn ask(&self, request: &Request) -> (Line, Ask) {
        let line = Line::of(request);
        let known = || {
            line.listed()
                .max(self.seen().prices.get(&line.key()).copied())
        };
        let ask = match request.price.or_else(known) {
            Some(price) => Ask::Exactly(price),
            None => Ask::AllThatIsLeft,
        };
        (line, ask)
    }

    /// Notes what an attempt reported; gives it back if it is above what was known.
    pub(crate) fn note(&self, line: &Line, ending: Ending) -> Option<Credits> {
        let Ending::Answered {
            status, reported, ..
        } = ending
        else {
            return None;
        };
        let mut seen = self.seen();
        let charge = match reported {
            Report::Nothing => return None,
            Report::Unreadable => {
                seen.charging.insert(line.operation.id);
                return None;
            }
            Report::Credits(charge) => charge,
        };
        if charge > Credits::ZERO {
            seen.charging.insert(line.operation.id);
        }
        let key = line.key();
        let before = seen.prices.get(&key).copied().max(line.listed());
        // What a failure costs is not taken for an unknown price, and neither is nothing: the next call may cost more.
        let is_price = status.is_success() && charge > Credits::ZERO;
        if is_price || before.is_some() {
            seen.remember(key, before.map_or(charge, |before| before.max(charge)));
        }
        before
            .is_some_and(|before| charge > before)
            .then_some(charge)
    }

    /// Whether all that is known of an operation says that it is free.
    pub(crate) fn is_free(&self, operation: &Operation) -> bool {
        let listed = operation.prices.iter().map(|price| price.credits).max();
        listed == Some(Credits::ZERO) && !self.seen().charging.contains(operation.id)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use http::{Method, StatusCode};

    use super::*;

    static PAGED: Operation = Operation {
        id: "paged",
        method: Method::GET,
        path: "/paged",
        prices: &[Price {
            credits: Credits::from_micros(4),
            when: &[("limit", Presence::Absent)],
        }],
        charge: Some("cost"),
    };

    fn with_limit(limit: impl std::fmt::Display) -> Request {
        let mut request = Request::new(&PAGED);
        request.query("offset", &7).query("limit", &limit);
        request
    }

    fn reports(credits: u64) -> Ending {
        Ending::Answered {
            status: StatusCode::OK,
            retry_after: None,
            reported: Report::Credits(Credits::from_micros(credits)),
        }
    }

    #[test]
    fn no_more_prices_are_remembered_than_a_client_has_room_for() {
        let book = PriceBook::default();
        for limit in 0..2 * REMEMBERED {
            let (line, ask) = book.ask(&with_limit(limit));
            assert_eq!(ask, Ask::AllThatIsLeft, "{limit}");
            book.note(&line, reports(2));
        }
        assert_eq!(book.seen().prices.len(), REMEMBERED);
        // What is known is still corrected, and a listed price always has room.
        for (request, price) in [(with_limit(3), 9), (Request::new(&PAGED), 9)] {
            book.note(&book.ask(&request).0, reports(price));
            let expected = Ask::Exactly(Credits::from_micros(price));
            assert_eq!(book.ask(&request).1, expected);
        }
    }

    #[test]
    fn a_price_for_long_arguments_is_not_remembered() {
        let book = PriceBook::default();
        for (length, expected) in [
            (
                LONGEST - "limit=".len(),
                Ask::Exactly(Credits::from_micros(2)),
            ),
            (LONGEST, Ask::AllThatIsLeft),
        ] {
            let request = with_limit("9".repeat(length));
            book.note(&book.ask(&request).0, reports(2));
            assert_eq!(book.ask(&request).1, expected, "{length}");
        }
    }
}

//! Prices of calls: those in the document, and those observed in responses.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard};

use crate::document::Operation;
use crate::request::Request;

use crate::document::tariff::{Presence, Price, Tariff};
use crate::lock::lock;
use crate::money::credits::Credits;
use crate::money::need::Need;
use crate::money::quote::{OwnPrice, PriceSource, SeenPrice};
use crate::money::report::ReportedCharge;
use crate::money::unknown_prices::{FACTOR, expected};

/// How many prices a client remembers. The least recently seen price is removed first.
const REMEMBERED: usize = 1000;
/// A price is the maximum of this many recent charges. An unusually high charge is thus forgotten in time.
const RECENT: usize = 8;

/// The entry of the price list that applies to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    operation: &'static Operation,
    /// The first of the operation's prices whose conditions hold.
    listed: Option<usize>,
    /// The operation, and the values of the parameters that may affect the price. `None` for raw calls and calls with undocumented
    /// parameters: their prices are not remembered.
    key: Option<Key>,
}

impl Line {
    pub(crate) fn of(request: &Request) -> Self {
        let operation = request.operation();
        let Tariff {
            prices, priced_by, ..
        } = Tariff::of(operation);
        let conditions = prices.iter().flat_map(|price| price.when);
        let conditions = conditions.map(|(name, _)| *name);
        let names = conditions.chain(priced_by.iter().copied());
        // The cost with undocumented parameters says nothing about calls without them.
        if operation.template().is_none() || request.has_extra_query() {
            return Self {
                operation,
                listed: None,
                key: None,
            };
        }
        Self {
            operation,
            listed: prices.iter().position(|price| applies(price, request)),
            key: Some((Cow::Borrowed(operation.id), request.query_of(names))),
        }
    }

    pub(crate) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns the entry as one string.
    pub(crate) fn name(&self) -> Option<String> {
        Some(format!("{}?{}", self.operation.id, self.arguments()?))
    }

    /// Returns the parameters that may affect the price, as `name=value` pairs.
    pub(crate) fn arguments(&self) -> Option<&str> {
        let (_, arguments) = self.key.as_ref()?;
        Some(arguments)
    }

    fn listed(&self) -> Option<Credits> {
        Some(Tariff::of(self.operation).prices.get(self.listed?)?.credits)
    }
}

/// Returns the highest price in the document.
fn highest(operation: &Operation) -> Option<Credits> {
    let prices = Tariff::of(operation).prices.iter();
    prices.map(|price| price.credits).max()
}

fn applies(price: &Price, request: &Request) -> bool {
    price.when.iter().all(|(parameter, presence)| {
        request.has_query(parameter) == (*presence == Presence::Present)
    })
}

type Key = (Cow<'static, str>, String);

/// What is known of the price of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownPrice {
    pub(crate) source: PriceSource,
    pub(crate) need: Need,
}

impl KnownPrice {
    /// The price is in the document, was given, or is stated and not refuted.
    pub(crate) fn exactly(source: PriceSource, price: Credits) -> Self {
        let need = Need::exactly(price);
        Self { source, need }
    }

    /// The price is in no document, and expected to be this much.
    fn expected(source: PriceSource, price: Credits) -> Self {
        let reserved = price.micros().saturating_mul(FACTOR);
        let need = Need {
            reserved: Credits::from_micros(reserved),
            is_open: true,
            ..Need::exactly(price)
        };
        Self { source, need }
    }

    /// Nothing is known.
    fn unknown() -> Self {
        let need = Need {
            at_risk: None,
            is_open: true,
            ..Need::exactly(Credits::ZERO)
        };
        let source = PriceSource::Unknown;
        Self { source, need }
    }

    /// Returns the arguments that decide the amount at risk of a lost call with this line, if its price is unknown.
    pub(crate) fn unpriced(self, line: &Line) -> Option<String> {
        let arguments = line.arguments().filter(|_| self.need.is_open)?;
        Some(arguments.to_owned())
    }

    pub(crate) fn is_free(self) -> bool {
        self.need == Need::exactly(Credits::ZERO)
    }

    /// Returns the highest price of the call, as far as it is known.
    pub(crate) fn at_most(self) -> Option<Credits> {
        match self.source {
            PriceSource::Observed => self.need.at_risk,
            _ => self.need.at_risk.map(|_| self.need.reserved),
        }
    }
}

/// Prices seen in responses. Shared by the clones of a client.
#[derive(Debug, Default)]
pub(crate) struct PriceBook {
    seen: Mutex<Seen>,
}

/// Prices that the caller states.
#[derive(Debug, Clone, Default)]
pub(crate) struct StatedPrices {
    /// The highest price of all calls of unknown price.
    pub(crate) all: Option<Credits>,
    /// The highest price in the document, of any operation.
    pub(crate) dearest: Option<Credits>,
}

#[derive(Debug, Default)]
struct Seen {
    prices: HashMap<Key, Charges>,
    /// Operations that reported a charge, or an unreadable one: none of them is free.
    charging: HashSet<&'static str>,
    clock: u64,
}

/// The last charges of one key.
#[derive(Debug, Default)]
struct Charges {
    recent: VecDeque<Credits>,
    /// The price that another process told, and how many charges here forget it.
    told: Option<(Credits, usize)>,
    /// When the last one was seen.
    seen: u64,
}

impl Charges {
    /// Returns the price that the charges of this process show.
    fn own(&self) -> Option<Credits> {
        self.recent.iter().max().copied()
    }

    fn price(&self) -> Option<Credits> {
        self.own().max(self.told.map(|(price, _)| price))
    }
}

impl Seen {
    fn remember(&mut self, key: Key, charge: Credits) {
        let charges = self.charges(key);
        if charges.recent.len() >= RECENT {
            charges.recent.pop_front();
        }
        charges.recent.push_back(charge);
        charges.told = charges.told.and_then(|(price, left)| {
            let left = left.checked_sub(1).filter(|left| *left > 0)?;
            Some((price, left))
        });
    }

    fn charges(&mut self, key: Key) -> &mut Charges {
        if self.prices.len() >= REMEMBERED && !self.prices.contains_key(&key) {
            let oldest = self.prices.iter().min_by_key(|(_, charges)| charges.seen);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.prices.remove(&oldest);
            }
        }
        self.clock = self.clock.saturating_add(1);
        let charges = self.prices.entry(key).or_default();
        charges.seen = self.clock;
        charges
    }

    /// Returns what a call is expected to cost whose own price was not seen.
    fn expected(
        &self,
        operation: &Operation,
        arguments: &str,
        dearest: Option<Credits>,
    ) -> Option<Credits> {
        let of = self.prices.iter().filter(|((of, _), _)| of == operation.id);
        let seen = of.filter_map(|((_, of), charges)| Some((of.as_str(), charges.price()?)));
        expected(seen, highest(operation), arguments)
            .or(dearest.filter(|price| *price > Credits::ZERO))
            .or_else(|| self.dearest())
    }

    /// Returns the highest price that any call has shown, if one was not free.
    fn dearest(&self) -> Option<Credits> {
        let prices = self.prices.values().filter_map(Charges::price);
        prices.max().filter(|price| *price > Credits::ZERO)
    }

    /// Returns the price that responses have shown.
    fn seen(&self, line: &Line) -> Option<Credits> {
        let charges = self.prices.get(line.key.as_ref()?)?;
        let price = charges.price();
        // If seen charges alone made calls free, an empty budget would allow any number of them.
        price.filter(|price| *price > Credits::ZERO || line.listed().is_some())
    }

    fn price(&self, line: &Line) -> Option<Credits> {
        line.listed().max(self.seen(line))
    }
}

impl PriceBook {
    /// Returns what is known of the price of a call with this entry in the price list.
    ///
    /// A price in the document, or that the caller gives or states, is reserved. A seen one is not a bound: the next call may cost more.
    pub(crate) fn known(
        &self,
        line: &Line,
        request: &Request,
        stated: &StatedPrices,
    ) -> KnownPrice {
        let own = request.extensions().get::<OwnPrice>();
        let own = own.copied().unwrap_or_default();
        if let Some(price) = own.given {
            return KnownPrice::exactly(PriceSource::Given, price);
        }
        let book = self.seen();
        let (seen, listed) = (book.seen(line), line.listed());
        let known = listed.max(seen);
        // A price stated for all calls never overrides the price list: free operations would reserve it too. A response can.
        let is_listed = listed.is_some() && known == listed;
        let assumed = own.assumed.or(stated.all.filter(|_| !is_listed));
        match (known, assumed) {
            (known, Some(assumed)) if Some(assumed) > known => {
                KnownPrice::exactly(PriceSource::Assumed, assumed)
            }
            (Some(price), None) if listed.is_none() => {
                KnownPrice::expected(PriceSource::Observed, price)
            }
            (Some(price), _) => KnownPrice::exactly(PriceSource::Observed, price),
            (None, _) => {
                let arguments = line.arguments().unwrap_or_default();
                let expected = book.expected(line.operation, arguments, stated.dearest);
                expected.map_or_else(KnownPrice::unknown, |price| {
                    KnownPrice::expected(PriceSource::Learned, price)
                })
            }
        }
    }

    /// Takes over the price of an entry that another process told, or an earlier one kept. A higher one that this process saw counts as
    /// well. Returns whether it is the first price of this entry.
    pub(crate) fn learn(
        &self,
        operation: Cow<'static, str>,
        arguments: &str,
        price: Credits,
    ) -> bool {
        let mut seen = self.seen();
        let charges = seen.charges((operation, arguments.to_owned()));
        let is_first = charges.price().is_none();
        if charges.told.is_none_or(|(told, _)| told != price) {
            charges.told = Some((price, RECENT));
        }
        is_first
    }

    /// Returns the price of this entry that the other processes need: one above theirs, or any price that they have forgotten. A price that
    /// is only passed on would never be forgotten.
    pub(crate) fn shown(&self, line: &Line) -> Option<(String, Credits)> {
        let seen = self.seen();
        let charges = seen.prices.get(line.key.as_ref()?)?;
        let own = charges.own()?;
        let is_news = charges.told.is_none_or(|(told, _)| own > told);
        is_news.then(|| Some((line.name()?, own)))?
    }

    /// Notes what an attempt reported. Returns whether it shows the first price of this entry.
    pub(crate) fn note(&self, line: &Line, report: ReportedCharge, is_success: bool) -> bool {
        let mut seen = self.seen();
        let charge = match report {
            ReportedCharge::Nothing => return false,
            ReportedCharge::Unreadable => {
                seen.charging.insert(line.operation.id);
                return false;
            }
            ReportedCharge::Credits(charge) => charge,
        };
        if charge > Credits::ZERO {
            seen.charging.insert(line.operation.id);
        }
        // The charge of a failure counts only if it exceeds the known price. A success with a charge of zero counts only for a listed
        // price, which is the minimum anyway. Otherwise a few empty results would set the price to zero, and any number of calls could run
        // on an empty budget.
        let is_price = if is_success {
            charge > Credits::ZERO || line.listed().is_some()
        } else {
            seen.price(line).is_some_and(|price| charge > price)
        };
        let Some(key) = line.key.as_ref().filter(|_| is_price) else {
            return false;
        };
        let is_first = !seen.prices.contains_key(key);
        seen.remember(key.clone(), charge);
        is_first
    }

    /// Returns what a lost call has at risk by now: the price that was seen, or what is expected.
    pub(crate) fn at_risk(
        &self,
        operation: &'static Operation,
        arguments: &str,
        dearest: Option<Credits>,
    ) -> Option<Credits> {
        let seen = self.seen();
        let key = (Cow::Borrowed(operation.id), arguments.to_owned());
        let price = seen.prices.get(&key).and_then(Charges::price);
        let price = price.filter(|price| *price > Credits::ZERO);
        price.or_else(|| seen.expected(operation, arguments, dearest))
    }

    /// Returns whether all listed prices of the operation are zero, and it reported no charge. A call without a listed price is not
    /// free.
    pub(crate) fn is_free(&self, line: &Line) -> bool {
        let operation = line.operation;
        line.key.is_some()
            && highest(operation) == Some(Credits::ZERO)
            && !self.seen().charging.contains(operation.id)
    }

    /// Returns all prices that were seen, by operation.
    pub(crate) fn list(&self) -> Vec<SeenPrice> {
        let seen = self.seen();
        let prices = seen
            .prices
            .iter()
            .filter_map(|((operation, arguments), charges)| {
                Some(SeenPrice {
                    operation: operation.clone(),
                    arguments: arguments.clone(),
                    credits: charges.price()?,
                })
            });
        let mut prices: Vec<_> = prices.collect();
        prices.sort();
        prices
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        lock(&self.seen)
    }
}

#[cfg(test)]
mod tests;

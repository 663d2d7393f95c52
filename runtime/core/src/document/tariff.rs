//! Prices, as generated code declares them.

use std::any::Any;

use crate::document::api::Operation;
use crate::money::credits::Credits;

/// Known prices of the calls of an operation. It is the [extension](Operation::extension) of an operation.
///
/// ```
/// use generated_client::document::{Operation, Presence, Price, Tariff};
///
/// // Two credits with `details`, and half a credit without.
/// static TARIFF: Tariff = Tariff::UNKNOWN.charge("cost").prices(&[
///     Price::micros(2_000_000, &[("details", Presence::Present)]),
///     Price::micros(500_000, &[("details", Presence::Absent)]),
/// ]);
/// static GET_THING: Operation = Operation::get("getThing", "/v1/thing").extension(&TARIFF);
/// # assert!(GET_THING.extension.is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tariff {
    /// The prices that were seen; the first whose conditions hold applies. Empty when none is known.
    pub prices: &'static [Price],
    /// The query parameters that a price may depend on, besides those in conditions: the page size, and lists of values. A price that was
    /// seen counts for calls with the same values of them.
    pub priced_by: &'static [&'static str],
    /// The top-level member of a response that reports the charge, if it is not that of the API.
    pub charge: Option<&'static str>,
}

static UNKNOWN: Tariff = Tariff::UNKNOWN;

impl Tariff {
    /// A tariff without prices.
    pub const UNKNOWN: Self = Self {
        prices: &[],
        priced_by: &[],
        charge: None,
    };

    /// Declares the prices that were seen.
    #[must_use]
    pub const fn prices(mut self, prices: &'static [Price]) -> Self {
        self.prices = prices;
        self
    }

    /// Declares the parameters that a price may depend on.
    #[must_use]
    pub const fn priced_by(mut self, parameters: &'static [&'static str]) -> Self {
        self.priced_by = parameters;
        self
    }

    /// Declares the member that reports the charge.
    #[must_use]
    pub const fn charge(mut self, member: &'static str) -> Self {
        self.charge = Some(member);
        self
    }

    /// Returns the tariff of an operation; one without prices where none is declared.
    pub(crate) fn of(operation: &Operation) -> &'static Self {
        let extension: Option<&'static dyn Any> =
            operation.extension.map(|extension| extension as _);
        let tariff = extension.and_then(|extension| extension.downcast_ref());
        tariff.unwrap_or(&UNKNOWN)
    }
}

/// A price that was seen for an operation, and under which conditions.
///
/// A call that meets the conditions of no price has an unknown price until a charge is seen. A seen price applies to calls with the same
/// values of the parameters that may affect the price: those in conditions, and [`Tariff::priced_by`]. A price with `limit=20` does not apply
/// to `limit=100`. A client remembers a thousand seen prices, each as the greatest of the last eight charges. The charge of a failure can only
/// raise a price, and a charge of zero never lowers one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// Credits per call.
    pub credits: Credits,
    /// Conditions on query parameters: each is present or absent. All of them must hold.
    pub when: &'static [(&'static str, Presence)],
}

impl Price {
    /// Declares a price in millionths of a credit, under these conditions.
    #[must_use]
    pub const fn micros(micros: u64, when: &'static [(&'static str, Presence)]) -> Self {
        Self {
            credits: Credits::from_micros(micros),
            when,
        }
    }
}

/// Presence of a parameter in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is given.
    Present,
    /// It is not.
    Absent,
}

//! Reservations for calls of unknown price. Input: the prices seen of the operation; this module does not look them up.

use crate::money::credits::Credits;

/// A larger number is not a size but an identifier.
const LARGEST_SIZE: u64 = 10_000;

/// Reservation for calls whose price is neither in the document nor was seen for the same `limit` and list parameters.
///
/// ```
/// use metered_client::money::UnknownPrices;
/// use metered_client::prelude::*;
/// use metered_client::{ApiClient, ClientBuilder};
///
/// fn strict<C: ApiClient>(builder: ClientBuilder<C>) -> ClientBuilder<C> {
///     builder.unknown_prices(UnknownPrices::ReserveRest)
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownPrices {
    /// The highest price seen of its operation, times `factor`, and times its size if no call of that size was seen: a `limit` of 100
    /// reserves ten times what one of 10 cost. Until a price of the operation was seen, and for raw calls and calls with undocumented
    /// parameters, all that is left. Where less is left than this amount, the call reserves all of that.
    ///
    /// Calls that cost no more than this amount exceed a limit by one call at most, and by less than the amount. A call that costs more
    /// exceeds its reservation by the difference; the next ones reserve more.
    Learn {
        /// How many times the highest price, at least 1.
        factor: u32,
    },
    /// All that is left of the budget and of every budget above it. The call waits until nothing else is reserved there, and other paid calls
    /// wait until it ends.
    ReserveRest,
    /// This much: the highest price of all calls whose price is not in the document. A higher one that was seen counts instead.
    Assume(Credits),
}

/// Learns, with a factor of 4.
impl Default for UnknownPrices {
    fn default() -> Self {
        Self::Learn { factor: 4 }
    }
}

impl UnknownPrices {
    /// Returns the price that the caller states.
    pub(crate) fn assumed(self) -> Option<Credits> {
        match self {
            Self::Assume(credits) => Some(credits),
            Self::Learn { .. } | Self::ReserveRest => None,
        }
    }

    /// Estimates what a call with these arguments costs at most, from the prices that were seen of its operation, each with its arguments, and
    /// the highest one in the document. `None`: nothing is known.
    pub(crate) fn estimate<'a>(
        self,
        seen: impl Iterator<Item = (&'a str, Credits)>,
        listed: Option<Credits>,
        arguments: &str,
    ) -> Option<Credits> {
        let Self::Learn { factor } = self else {
            return None;
        };
        let size = size(arguments);
        let mut highest = Credits::ZERO;
        // The largest call that was not larger, and what it cost.
        let mut nearest = (0, Credits::ZERO);
        for (of, price) in seen {
            highest = highest.max(price);
            let of = self::size(of);
            if of <= size {
                nearest = nearest.max((of, price));
            }
        }
        if highest == Credits::ZERO {
            return None;
        }
        let (of, price) = nearest;
        let scaled = u128::from(price.micros()).saturating_mul(size.into());
        let scaled = scaled.div_ceil(u128::from(of).max(1));
        let known = highest.max(listed.unwrap_or_default()).micros();
        let most = scaled
            .max(known.into())
            .saturating_mul(factor.max(1).into());
        Some(Credits::from_micros(
            u64::try_from(most).unwrap_or(u64::MAX),
        ))
    }
}

/// Returns how many items a call requests, judging by its arguments: `limit=20` and a list of three are 60.
fn size(arguments: &str) -> u64 {
    let mut sizes: Vec<(&str, u64)> = Vec::new();
    for argument in arguments.split('&') {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        let of_value = match value.parse() {
            Ok(number @ 1..=LARGEST_SIZE) => number,
            _ => elements(value),
        };
        match sizes.iter_mut().find(|(of, _)| *of == name) {
            // A list that repeats its name.
            Some((_, size)) => *size = size.saturating_add(of_value),
            None => sizes.push((name, of_value)),
        }
    }
    let sizes = sizes.into_iter().map(|(_, size)| size);
    sizes.fold(1, u64::saturating_mul)
}

/// Counts the elements of a list, separated as in OpenAPI, percent-encoded or not.
fn elements(value: &str) -> u64 {
    let separators = [",", "%2C", "|", "%7C", "%20", "+"];
    let found: usize = separators
        .iter()
        .map(|one| value.matches(one).count())
        .sum();
    u64::try_from(found).unwrap_or(u64::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_the_highest_price_times_the_factor_and_grows_with_the_size() {
        for (seen, listed, arguments, factor, expected) in [
            // Nothing was seen, whatever the document says.
            (&[][..], Some(4), "limit=1", 2, None),
            (&[("limit=1", 0)], None, "limit=1", 2, None),
            // Neither the smaller call nor the one that is as large is above the highest.
            (&[("limit=10", 5)], None, "limit=1", 2, Some(10)),
            (&[("a=x", 3), ("a=y", 5)], None, "a=z", 2, Some(10)),
            (&[("a=x", 3)], Some(4), "a=z", 3, Some(12)),
            // A larger call costs more.
            (&[("limit=10", 5)], None, "limit=100", 2, Some(100)),
            (&[("limit=10", 5)], None, "limit=11", 1, Some(6)),
            (
                &[("limit=1", 5), ("limit=50", 5)],
                None,
                "limit=100",
                2,
                Some(20),
            ),
            (
                &[("limit=50", 1), ("limit=1", 5)],
                None,
                "limit=100",
                1,
                Some(5),
            ),
            (&[("", 5)], None, "ids=a,b,c", 1, Some(15)),
            (&[("ids=a&ids=b", 4)], None, "ids=a%2Cb%2Cc", 1, Some(6)),
            (&[("limit=10", 5)], None, "limit=10&ids=a|b", 1, Some(10)),
            // A number that names something.
            (&[("id=10001", 5)], None, "id=90001", 2, Some(10)),
            (&[("limit=1", 5)], None, "limit=1", 0, Some(5)),
            (
                &[("limit=1", u64::MAX)],
                None,
                "limit=10000",
                u32::MAX,
                Some(u64::MAX),
            ),
        ] {
            let prices = seen
                .iter()
                .map(|(of, price)| (*of, Credits::from_micros(*price)));
            let learn = UnknownPrices::Learn { factor };
            let listed = listed.map(Credits::from_micros);
            let estimate = learn.estimate(prices.clone(), listed, arguments);
            let case = format!("{seen:?} {listed:?} {arguments} {factor}");
            assert_eq!(estimate.map(Credits::micros), expected, "{case}");
            let rest = UnknownPrices::ReserveRest.estimate(prices, listed, arguments);
            assert_eq!(rest, None, "{case}");
        }
    }
}

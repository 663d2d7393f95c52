//! The expected cost of calls of unknown price. Input: the prices seen of the operation; this module does not look them up.

use crate::money::credits::Credits;

/// A larger number is not a size but an identifier.
const LARGEST_SIZE: u64 = 10_000;

/// How many times its expected price a call reserves.
pub(crate) const FACTOR: u64 = 4;

/// Returns what a call with these arguments is expected to cost, by the prices that were seen of its operation, each with its arguments, and
/// the highest one in the document. `None`: nothing is known.
pub(crate) fn expected<'a>(
    seen: impl Iterator<Item = (&'a str, Credits)>,
    listed: Option<Credits>,
    arguments: &str,
) -> Option<Credits> {
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
    let (of, price) = nearest;
    let scaled = u128::from(price.micros()).saturating_mul(size.into());
    let scaled = scaled.div_ceil(u128::from(of).max(1));
    let scaled = Credits::from_micros(u64::try_from(scaled).unwrap_or(u64::MAX));
    let known = highest.max(listed.unwrap_or_default());
    Some(scaled.max(known)).filter(|expected| *expected > Credits::ZERO)
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
    fn the_expected_price_is_the_highest_one_and_grows_with_the_size() {
        #[rustfmt::skip]
        let table = [
            (&[][..], None, "limit=1", None),
            (&[("limit=1", 0)], None, "limit=1", None),
            // A listed price says nothing of sizes.
            (&[], Some(4), "limit=100", Some(4)),
            // Neither the smaller call nor the one that is as large is above the highest.
            (&[("limit=10", 5)], None, "limit=1", Some(5)),
            (&[("a=x", 3), ("a=y", 5)], None, "a=z", Some(5)),
            (&[("a=x", 3)], Some(4), "a=z", Some(4)),
            // A larger call costs more.
            (&[("limit=10", 5)], None, "limit=100", Some(50)),
            (&[("limit=10", 5)], None, "limit=11", Some(6)),
            (&[("limit=1", 5), ("limit=50", 5)], None, "limit=100", Some(10)),
            (&[("limit=50", 1), ("limit=1", 5)], None, "limit=100", Some(5)),
            (&[("", 5)], None, "ids=a,b,c", Some(15)),
            (&[("ids=a&ids=b", 4)], None, "ids=a%2Cb%2Cc", Some(6)),
            (&[("limit=10", 5)], None, "limit=10&ids=a|b", Some(10)),
            // A number that names something.
            (&[("id=10001", 5)], None, "id=90001", Some(5)),
            (&[("limit=1", u64::MAX)], None, "limit=10000", Some(u64::MAX)),
        ];
        for (seen, listed, arguments, expected) in table {
            let of = Credits::from_micros;
            let prices = seen
                .iter()
                .map(|(arguments, price)| (*arguments, of(*price)));
            let is = super::expected(prices, listed.map(of), arguments);
            let case = format!("{seen:?} {listed:?} {arguments}");
            assert_eq!(is.map(Credits::micros), expected, "{case}");
        }
    }
}

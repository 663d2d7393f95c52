//! Exact amounts of credits.

mod json;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

const MICROS_PER_CREDIT: u64 = 1_000_000;
const DECIMALS: usize = 6;

/// An amount of credits, exact to a millionth; never negative.
///
/// Serializes as a JSON number. An amount that a 64-bit float would change, possible above 8.5 × 10⁹ credits, is serialized as a decimal
/// string. Deserializes from both. A number is rounded up to a millionth. A string must have at most six decimals. Negative amounts and
/// those above 18,446,744,073,709.551615 credits are rejected.
///
/// ```
/// use generated_client::Credits;
///
/// let price: Credits = "1.5".parse()?;
/// assert_eq!(price.micros(), 1_500_000);
/// assert_eq!((price + Credits::new(25)).to_string(), "26.5");
/// const LIMIT: Credits = Credits::parse("2.5").unwrap();
/// assert_eq!(format!("{LIMIT:?}"), "2.5");
/// # Ok::<(), generated_client::error::ParseCreditsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Credits {
    micros: u64,
}

/// A string that is not a valid amount of credits.
///
/// ```
/// use generated_client::Credits;
/// use generated_client::error::ParseCreditsError;
///
/// let credits: Result<Credits, ParseCreditsError> = "1.5 credits".parse();
/// assert!(credits.unwrap_err().to_string().contains("such as 12 or 1.5"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not an amount of credits: expected a decimal such as 12 or 1.5, with at most six decimals"
)]
#[non_exhaustive]
pub struct ParseCreditsError;

impl Credits {
    /// No credits.
    pub const ZERO: Self = Self::from_micros(0);

    /// Makes an amount of whole credits.
    pub const fn new(credits: u32) -> Self {
        Self {
            // At most 2³² × 10⁶, which is below 2⁵².
            micros: credits as u64 * MICROS_PER_CREDIT,
        }
    }

    /// Reads a decimal such as `2.5`, in constants too: `const LIMIT: Credits = Credits::parse("2.5").unwrap();`. `None` for what
    /// [`FromStr`] refuses.
    pub const fn parse(text: &str) -> Option<Self> {
        let mut rest = text.as_bytes();
        let (mut micros, mut unit) = (0_u64, MICROS_PER_CREDIT);
        let (mut is_fraction, mut ends_in_digit) = (false, false);
        while let [byte, others @ ..] = rest {
            rest = others;
            let digit = match *byte {
                b'.' if ends_in_digit && !is_fraction => {
                    (is_fraction, ends_in_digit) = (true, false);
                    continue;
                }
                b'0'..=b'9' => (*byte - b'0') as u64,
                _ => return None,
            };
            ends_in_digit = true;
            if is_fraction {
                unit /= 10;
                if unit == 0 && digit != 0 {
                    return None;
                }
            }
            let shifted = if is_fraction {
                Some(micros)
            } else {
                micros.checked_mul(10)
            };
            let Some(shifted) = shifted else {
                return None;
            };
            let Some(sum) = shifted.checked_add(digit * unit) else {
                return None;
            };
            micros = sum;
        }
        if ends_in_digit {
            Some(Self { micros })
        } else {
            None
        }
    }

    /// Returns an amount given in millionths of a credit.
    pub const fn from_micros(micros: u64) -> Self {
        Self { micros }
    }

    /// Returns the amount in millionths of a credit.
    pub const fn micros(self) -> u64 {
        self.micros
    }

    /// Returns the sum; `None` on overflow.
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.micros.checked_add(other.micros) {
            Some(micros) => Some(Self { micros }),
            None => None,
        }
    }

    /// Returns the difference; `None` when it is negative.
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        match self.micros.checked_sub(other.micros) {
            Some(micros) => Some(Self { micros }),
            None => None,
        }
    }
}

/// Returns the sum, capped at the largest amount.
impl Add for Credits {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::from_micros(self.micros.saturating_add(other.micros))
    }
}

impl AddAssign for Credits {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Credits {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl<'c> Sum<&'c Self> for Credits {
    fn sum<I: Iterator<Item = &'c Self>>(amounts: I) -> Self {
        amounts.copied().sum()
    }
}

/// The same decimal as `Display`.
impl fmt::Debug for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The shortest decimal: `0`, `2`, `1.5`, `0.000001`.
impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.micros / MICROS_PER_CREDIT;
        let fraction = format!("{:0DECIMALS$}", self.micros % MICROS_PER_CREDIT);
        match fraction.trim_end_matches('0') {
            "" => f.pad(&whole.to_string()),
            digits => f.pad(&format!("{whole}.{digits}")),
        }
    }
}

/// Reads what `Display` writes. Exact: a seventh decimal other than 0 is refused, as are signs and exponents.
impl FromStr for Credits {
    type Err = ParseCreditsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).ok_or(ParseCreditsError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_exactly_and_written_as_its_shortest() {
        for (text, micros, shortest) in [
            ("0", 0, "0"),
            ("0.0", 0, "0"),
            ("1", 1_000_000, "1"),
            ("1.5", 1_500_000, "1.5"),
            ("01.50", 1_500_000, "1.5"),
            ("0.000001", 1, "0.000001"),
            ("10.050000", 10_050_000, "10.05"),
            ("1.50000000", 1_500_000, "1.5"),
            ("18446744073709.551615", u64::MAX, "18446744073709.551615"),
        ] {
            let credits: Credits = text.parse().unwrap();
            assert_eq!(credits.micros(), micros, "{text}");
            assert_eq!(credits.to_string(), shortest, "{text}");
            assert_eq!(shortest.parse(), Ok(credits), "{text}");
        }
    }

    #[test]
    fn text_that_is_no_exact_amount_is_refused() {
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            " 1",
            "1e3",
            "1,5",
            "NaN",
            "1.0000001",
            "1.2.3",
            "١",
            "18446744073709.551616",
            "99999999999999999999",
        ] {
            assert_eq!(text.parse::<Credits>(), Err(ParseCreditsError), "{text}");
        }
    }

    #[test]
    fn sums_and_differences_never_wrap() {
        let one = Credits::from_micros(1);
        let most = Credits::from_micros(u64::MAX);
        assert_eq!(one.checked_add(one), Some(Credits::from_micros(2)));
        assert_eq!(most.checked_add(one), None);
        assert_eq!(one.checked_sub(one), Some(Credits::ZERO));
        assert_eq!(Credits::ZERO.checked_sub(one), None);
        assert!(Credits::ZERO < one);
        assert_eq!(most + one, most);
        let mut sum: Credits = [one, one].iter().sum();
        sum += Credits::new(3);
        assert_eq!(sum.to_string(), "3.000002");
        assert_eq!([most, one].into_iter().sum::<Credits>(), most);
        assert_eq!(Credits::new(u32::MAX).to_string(), "4294967295");
        assert_eq!(format!("{:?}", Some(Credits::new(2))), "Some(2)");
    }
}

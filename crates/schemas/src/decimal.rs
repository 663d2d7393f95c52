//! Numbers by their decimal digits: 1 is 1.0, and 0.3 is a multiple of 0.1.

use std::cmp::Ordering;
use std::collections::HashSet;

use serde_json::Value;

/// A number, written as `0.DIGITS × 10^exponent` without zeros at either end of the digits. Zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    is_negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Parses a number of JSON, or of YAML in base ten.
    pub fn parse(text: &str) -> Option<Self> {
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = all.trim_start_matches('0');
        let zeros = all.len() - digits.len();
        let digits = digits.trim_end_matches('0');
        let shift = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()?;
        let is_zero = digits.is_empty();
        Some(Self {
            is_negative: is_negative && !is_zero,
            digits: digits.to_owned(),
            exponent: if is_zero {
                0
            } else {
                i64::from(exponent) + shift
            },
        })
    }

    fn length(&self) -> i64 {
        i64::try_from(self.digits.len()).unwrap_or(i64::MAX)
    }

    /// Returns whether the number has no fraction.
    pub fn is_whole(&self) -> bool {
        self.length() <= self.exponent || self.digits.is_empty()
    }

    /// Returns the number without its fraction, if it fits 128 bits.
    pub fn truncated(&self) -> Option<i128> {
        if self.exponent <= 0 {
            return Some(0);
        }
        let length = usize::try_from(self.exponent).ok()?;
        // 128 bits hold 38 digits.
        if length > 39 {
            return None;
        }
        let mut digits: String = self.digits.chars().take(length).collect();
        digits.extend(std::iter::repeat_n('0', length - digits.len()));
        let number: i128 = digits.parse().ok()?;
        Some(if self.is_negative { -number } else { number })
    }

    /// Returns whether the number is less than zero.
    pub fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// Returns whether this is a multiple of the other one.
    pub fn is_multiple_of(&self, other: &Self) -> bool {
        let common = self.last_place().min(other.last_place());
        match (self.in_steps_of(common), other.in_steps_of(common)) {
            (Some(large), Some(small)) => small != 0 && large % small == 0,
            _ => false,
        }
    }

    /// Returns the exponent of the last digit.
    fn last_place(&self) -> i64 {
        self.exponent - self.length()
    }

    /// Returns the number of steps of a power of ten that make up the number without its sign.
    fn in_steps_of(&self, exponent: i64) -> Option<i128> {
        let zeros = u32::try_from(self.last_place() - exponent).ok()?;
        let digits: i128 = self.digits.parse().ok()?;
        digits.checked_mul(10_i128.checked_pow(zeros)?)
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = self.sign().cmp(&other.sign());
        let by_size = (self.exponent.cmp(&other.exponent)).then(self.digits.cmp(&other.digits));
        by_sign.then(if self.is_negative {
            by_size.reverse()
        } else {
            by_size
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the number that a value is.
pub fn decimal(value: &Value) -> Option<Decimal> {
    Decimal::parse(&value.as_number()?.to_string())
}

/// Key that is equal for values that are the same to JSON Schema: 1 is 1.0.
#[derive(PartialEq, Eq, Hash)]
pub enum Key<'v> {
    /// A number, however it is written.
    Number(Decimal),
    /// Any other value.
    Other(&'v Value),
}

impl<'v> Key<'v> {
    /// Creates the key of a value.
    pub fn of(value: &'v Value) -> Self {
        decimal(value).map_or(Self::Other(value), Self::Number)
    }
}

/// Returns whether two JSON values are the same to JSON Schema, where 1 is 1.0.
pub fn same(a: &Value, b: &Value) -> bool {
    a == b || Key::of(a) == Key::of(b)
}

/// Returns the first of these values that differs from all the others.
pub fn first_alone<'d>(values: &[&'d Value], others: &[&'d Value]) -> Option<&'d Value> {
    let others: HashSet<Key<'_>> = others.iter().map(|other| Key::of(other)).collect();
    let mut values = values.iter().copied();
    values.find(|value| !others.contains(&Key::of(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_compared_as_they_are_written() {
        let ascending = [
            "-18446744073709551615",
            "-0.5",
            "0",
            "1e-300",
            "0.1",
            "9007199254740992",
            "9007199254740993",
            "18446744073709551615",
            "1e300",
            "1.1e300",
        ];
        for pair in ascending.windows(2) {
            assert!(read(pair[0]) < read(pair[1]), "{pair:?}");
        }
        for (one, other) in [
            ("0.1", "0.10"),
            ("0", "-0.00"),
            ("1e3", "1000.0"),
            ("+5", "5"),
            ("184467440737095516160e-1", "18446744073709551616"),
        ] {
            assert_eq!(read(one), read(other));
        }
        for text in ["", "-", "1e", "1.2.3", "inf", "0x10", "1_000", "e5"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn fractions_are_cut_and_multiples_are_exact() {
        for (text, whole) in [
            ("2.5", Some(2)),
            ("-2.5", Some(-2)),
            ("0.05", Some(0)),
            ("1e3", Some(1000)),
            ("1e300", None),
        ] {
            assert_eq!(read(text).truncated(), whole, "{text}");
        }
        let is_multiple = |large: &str, small: &str| read(large).is_multiple_of(&read(small));
        assert!(is_multiple("0.3", "0.1"));
        assert!(is_multiple("10", "5"));
        assert!(!is_multiple("5", "10"));
        assert!(!is_multiple("9007199254740993", "2"));
        assert!(!is_multiple("1", "0"));
    }
}

//! JSON form of `Credits`. Serialized amounts read back unchanged. They are read from a raw number, or from a parsed one.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{Credits, DECIMALS, MICROS_PER_CREDIT};

impl Credits {
    /// Reads a JSON number, or a string that holds one, exactly and rounds it up to a millionth; `None` for a negative amount, one that is
    /// too large, and any other value.
    pub(crate) fn from_json(value: &str) -> Option<Self> {
        let quoted = value
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        let number = quoted.unwrap_or(value);
        let unsigned = number.strip_prefix('-').unwrap_or(number);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let is_whole = whole == "0" || !whole.is_empty() && !whole.starts_with('0');
        if !is_whole || ![whole, fraction].into_iter().all(is_digits) {
            return None;
        }
        let digits = whole.bytes().chain(fraction.bytes());
        let mut digits = digits.skip_while(|digit| *digit == b'0').peekable();
        if digits.peek().is_none() {
            return Some(Self::ZERO);
        }
        if number.starts_with('-') {
            return None;
        }
        // Number of digits before the decimal point. If negative: number of zeros between the point and the first digit.
        let point = match whole {
            "0" => length(fraction.trim_start_matches('0').len()) - length(fraction.len()),
            _ => length(whole.len()),
        };
        // Number of digits down to the millionths; missing digits are zeros.
        let mut counted = exponent
            .saturating_add(point)
            .saturating_add(length(DECIMALS));
        let mut micros = 0_u64;
        while counted > 0 {
            let digit = digits.next().unwrap_or(b'0') - b'0';
            micros = micros.checked_mul(10)?.checked_add(digit.into())?;
            counted -= 1;
        }
        let is_more = digits.any(|digit| digit != b'0');
        Some(Self {
            micros: micros.checked_add(is_more.into())?,
        })
    }
}

/// Exponents that overflow `i64` are clamped; the result is the same.
fn read_exponent(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    let exponent = digits.parse().unwrap_or(i64::MAX);
    Some(if is_negative { -exponent } else { exponent })
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn length(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

impl Serialize for Credits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.micros.is_multiple_of(MICROS_PER_CREDIT) {
            return serializer.serialize_u64(self.micros / MICROS_PER_CREDIT);
        }
        let exact = self.to_string();
        match exact.parse() {
            Ok(float) if Self::from_float(float) == Some(*self) => serializer.serialize_f64(float),
            _ => serializer.serialize_str(&exact),
        }
    }
}

impl Credits {
    /// Reads the shortest decimal form of a float. For up to 15 digits this equals the original number.
    fn from_float(float: f64) -> Option<Self> {
        Self::from_json(&float.to_string())
    }
}

impl<'de> Deserialize<'de> for Credits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let credits = match &value {
            Value::Number(number) => Self::from_json(&number.to_string()),
            Value::String(text) => Self::parse(text),
            _ => None,
        };
        credits.ok_or_else(|| Error::custom("expected a non-negative amount of credits"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn json_numbers_are_rounded_up_to_a_millionth() {
        for (json, micros) in [
            ("2", 2_000_000),
            ("0.1", 100_000),
            ("1.1", 1_100_000),
            ("1e2", 100_000_000),
            ("-0.0", 0),
            ("1E-6", 1),
            ("0.0000001", 1),
            ("1e-300", 1),
            // A million times this is 124.00000000000001 in binary.
            ("0.000124", 124),
            ("0.0001241", 125),
            ("0.9999991", 1_000_000),
        ] {
            let credits: Credits = serde_json::from_str(json).unwrap();
            assert_eq!(credits.micros(), micros, "{json}");
            assert_eq!(Credits::from_json(json), Some(credits), "{json}");
        }
    }

    #[test]
    fn the_text_of_a_number_is_read_without_a_float_in_between() {
        for (json, micros) in [
            ("18446744073709.551615", u64::MAX),
            ("18446744073709551615e-6", u64::MAX),
            ("0.000000000018446744073709551615e24", u64::MAX),
            ("18446744073709.551614000000000000000000000000001", u64::MAX),
            ("9007199254.740993", 9_007_199_254_740_993),
            ("0.1000000000000000000000001", 100_001),
            ("0.1000000000000000000000000", 100_000),
            ("1e-99999999999999999999999", 1),
            ("0e99999999999999999999999", 0),
            ("-0e5", 0),
            ("-0.000", 0),
            ("1000000e-6", 1_000_000),
            ("0.00001e5", 1_000_000),
            ("5e+0", 5_000_000),
        ] {
            let read = Credits::from_json(json).map(Credits::micros);
            assert_eq!(read, Some(micros), "{json}");
        }
        for json in [
            "18446744073709.551616",
            "18446744073709.5516150000001",
            "1e14",
            "1e999",
            "1e99999999999999999999999",
            "-1e-99999999999999999999999",
            "-0.0000001",
            "",
            "-",
            "+1",
            " 1",
            "1 ",
            "01",
            "00",
            ".5",
            "5.",
            "1e",
            "1e+",
            "1e1.5",
            "1.5.5",
            "--1",
            "NaN",
            "inf",
            "0x10",
            "1_000",
            "2,5",
            "١",
        ] {
            assert_eq!(Credits::from_json(json), None, "{json}");
        }
    }

    #[test]
    fn json_that_is_no_amount_is_refused() {
        for json in [
            "-1",
            "-0.5",
            "-1e-9",
            "18446744073710",
            "1e300",
            "\"1e3\"",
            "\"0.0000001\"",
            "\"18446744073709.551616\"",
            "\"\"",
            "{}",
            "true",
            "null",
            "[1]",
        ] {
            assert!(serde_json::from_str::<Credits>(json).is_err(), "{json}");
        }
        let nan = serde::de::value::F64Deserializer::<serde::de::value::Error>::new(f64::NAN);
        assert!(Credits::deserialize(nan).is_err());
    }

    #[test]
    fn credits_are_written_as_a_number_unless_a_float_is_another_amount() {
        for (micros, json) in [
            (0, "0"),
            (2_000_000, "2"),
            (1_500_000, "1.5"),
            (100_001, "0.100001"),
            (8_589_934_591_999_999, "8589934591.999999"),
            ((1 << 53) - 1, "\"9007199254.740991\""),
            (9_007_199_254_740_993, "9007199254.740993"),
            (18_446_744_073_709_000_000, "18446744073709"),
            (18_446_744_073_709_500_000, "18446744073709.5"),
            (u64::MAX, "\"18446744073709.551615\""),
        ] {
            let credits = Credits::from_micros(micros);
            assert_eq!(serde_json::to_string(&credits).unwrap(), json);
            assert_eq!(serde_json::from_str::<Credits>(json).unwrap(), credits);
        }
    }

    /// Amounts of every length. A uniform distribution would almost never give a short one.
    fn amounts() -> impl Strategy<Value = Credits> {
        (any::<u64>(), 0..64_u32).prop_map(|(micros, bits)| Credits::from_micros(micros >> bits))
    }

    proptest! {
        #[test]
        fn every_amount_survives_being_written_and_read(credits in amounts()) {
            let json = serde_json::to_string(&credits).unwrap();
            prop_assert_eq!(serde_json::from_str::<Credits>(&json).unwrap(), credits, "{}", json);
            let value = serde_json::to_value(credits).unwrap();
            prop_assert_eq!(Credits::deserialize(&value).unwrap(), credits, "{}", value);
            prop_assert_eq!(Credits::from_json(&credits.to_string()), Some(credits));
        }

        #[test]
        fn a_number_is_the_least_amount_that_is_not_below_it(
            digits in 0..=u64::MAX, bits in 0..64_u32, exponent in -30..20_i32, point in 0..20_usize,
        ) {
            let digits = digits >> bits;
            // The same number, with its point somewhere in it.
            let mut text = format!("{digits:020}");
            text.insert(text.len() - point, '.');
            let (whole, fraction) = text.split_once('.').unwrap();
            let whole = whole.trim_start_matches('0');
            let whole = if whole.is_empty() { "0" } else { whole };
            let dot = if fraction.is_empty() { "" } else { "." };
            let shifted = exponent + i32::try_from(point).unwrap();
            let text = format!("{whole}{dot}{fraction}e{shifted}");

            let expected = match u32::try_from(exponent + 6) {
                Ok(up) => u128::from(digits).checked_mul(10_u128.pow(up)),
                Err(_) => Some(u128::from(digits).div_ceil(10_u128.pow((-exponent - 6).unsigned_abs()))),
            };
            let expected = expected.and_then(|micros| u64::try_from(micros).ok());
            prop_assert_eq!(Credits::from_json(&text).map(Credits::micros), expected, "{}", text);
        }
    }
}

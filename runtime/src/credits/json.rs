//! Credits as JSON numbers, which pass through binary floats and come out exact for up to 15 digits.

use std::fmt;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Credits, Decimal, MICROS_PER_CREDIT};

impl Serialize for Credits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.micros.is_multiple_of(MICROS_PER_CREDIT) {
            serializer.serialize_u64(self.micros / MICROS_PER_CREDIT)
        } else {
            serializer.serialize_f64(self.micros as f64 / MICROS_PER_CREDIT as f64)
        }
    }
}

impl<'de> Deserialize<'de> for Credits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(CreditsVisitor)
    }
}

struct CreditsVisitor;

impl Visitor<'_> for CreditsVisitor {
    type Value = Credits;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount of credits, a number that is not negative")
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Credits, E> {
        value
            .checked_mul(MICROS_PER_CREDIT)
            .map(Credits::from_micros)
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Credits, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }

    /// Rounds in decimal: a float's shortest text is the number as the service wrote it, for up to 15 digits, and never has an exponent.
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Credits, E> {
        // `+ 0.0` turns -0.0 into 0.0.
        Decimal::read(&(value + 0.0).to_string())
            .and_then(|decimal| decimal.round_half_up())
            .ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_numbers_are_rounded_half_up_to_a_millionth() {
        for (json, micros) in [
            ("2", 2_000_000),
            ("0.1", 100_000),
            ("1.1", 1_100_000),
            ("1e2", 100_000_000),
            ("-0.0", 0),
            ("0.0000005", 1),
            ("0.00000049", 0),
            // In binary, a million times this is 124.49999999999999.
            ("0.0001245", 125),
            ("0.9999995", 1_000_000),
        ] {
            let credits: Credits = serde_json::from_str(json).unwrap();
            assert_eq!(credits.micros(), micros, "{json}");
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
            "\"1\"",
            "true",
            "null",
            "[1]",
        ] {
            assert!(serde_json::from_str::<Credits>(json).is_err(), "{json}");
        }
        let nan = de::value::F64Deserializer::<de::value::Error>::new(f64::NAN);
        assert!(Credits::deserialize(nan).is_err());
    }

    #[test]
    fn credits_are_written_as_a_json_number_and_come_back() {
        for (micros, json) in [
            (0, "0"),
            (2_000_000, "2"),
            (1_500_000, "1.5"),
            (100_001, "0.100001"),
        ] {
            let credits = Credits::from_micros(micros);
            assert_eq!(serde_json::to_string(&credits).unwrap(), json);
            assert_eq!(serde_json::from_str::<Credits>(json).unwrap(), credits);
        }
    }
}

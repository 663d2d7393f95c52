//! The conversions of a tolerant pass: a number or a boolean for a string that spells one, a string for either, and a whole number in any
//! spelling.

use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// Whole numbers below this are exact as a float, and so are strings that spell them as one.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// Returns the whole number that a float equals.
pub(crate) fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < EXACT_BELOW).then_some(number as i64)
}

/// Wraps a visitor, and converts values to the type that it asks for.
pub(super) struct Coercion<V> {
    pub(super) visitor: V,
    pub(super) wanted: Expected,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Integer,
    Float,
    Text,
    Boolean,
}

/// Returns the boolean that a string spells, in any casing: some services write "True".
fn boolean(text: &str) -> Option<bool> {
    let is_true = text.eq_ignore_ascii_case("true");
    (is_true || text.eq_ignore_ascii_case("false")).then_some(is_true)
}

/// Parses a string as a number, by the grammar of JSON.
fn number(text: &str) -> Option<Number> {
    let is_number = !text.contains(char::is_whitespace);
    is_number.then(|| serde_json::from_str(text).ok())?
}

impl<'de, V: Visitor<'de>> Coercion<V> {
    /// Gives a number or a boolean to a visitor that asks for one, if the string spells it.
    fn text<E: Error>(
        self,
        text: &str,
        read: impl FnOnce(V) -> Result<V::Value, E>,
    ) -> Result<V::Value, E> {
        let number = match self.wanted {
            Expected::Integer | Expected::Float => number(text),
            Expected::Boolean => match boolean(text) {
                Some(value) => return self.visitor.visit_bool(value),
                None => None,
            },
            Expected::Text => None,
        };
        match number.map(|number| (number.as_u64(), number.as_i64(), number.as_f64())) {
            Some((Some(number), _, _)) => self.visit_u64(number),
            Some((_, Some(number), _)) => self.visit_i64(number),
            Some((_, _, Some(number))) => self.visit_f64(number),
            _ => read(self.visitor),
        }
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Coercion<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<V::Value, E> {
        match self.wanted {
            Expected::Text => self.visitor.visit_string(value.to_string()),
            _ => self.visitor.visit_bool(value),
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.text(value, |visitor| visitor.visit_str(value))
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.text(value, |visitor| visitor.visit_borrowed_str(value))
    }

    // The parser gives numbers as these three types.
    fn visit_i64<E: Error>(self, number: i64) -> Result<V::Value, E> {
        match self.wanted {
            Expected::Text => self.visitor.visit_string(number.to_string()),
            _ => self.visitor.visit_i64(number),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        match self.wanted {
            Expected::Text => self.visitor.visit_string(number.to_string()),
            _ => self.visitor.visit_u64(number),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<V::Value, E> {
        match (self.wanted, whole(number)) {
            (Expected::Integer, Some(whole)) => self.visitor.visit_i64(whole),
            // As in JSON: `12.0` stays `12.0`.
            (Expected::Text, _) => self.visitor.visit_string(Value::from(number).to_string()),
            _ => self.visitor.visit_f64(number),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(object)
    }
}

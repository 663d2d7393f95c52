//! For generated code: `deserialize_with` functions for what services send where a document promises something else.

mod collections;
mod enum_value;
mod fitting;
mod object;
mod one_of;
pub(crate) mod raw;
mod tuple;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::money::credits::Credits;

pub use collections::{content, content_list, content_map, list, map, some_list, some_map};
pub use enum_value::{enum_value, known_enum_value};
pub use fitting::{fitting, fitting_list, fitting_map};
pub use object::{Object, none_of, object};
pub use one_of::{
    Alternative, Form, Map, OneOf, alternative, alternative_list, alternative_map, one_of,
};
pub use tuple::{Elements, tuple};

/// Reads `null` as the type's default value: an array or a text that the service leaves out by writing `null`.
///
/// # Errors
///
/// Those of `T`, for anything but `null`.
pub fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads what a call cost, and nothing where there is no sane amount: a response that was paid for is not lost over its receipt.
///
/// A text, a negative number, one beyond what [`Credits`] can hold, a bool, an array and an object are all `None`.
///
/// # Errors
///
/// Only for text that is not JSON. It reads raw JSON, so it works with serde_json and not inside types that serde buffers.
pub fn credits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Credits>, D::Error> {
    // Raw, because serde_json fails on a number such as 1e999 before any visitor sees it.
    let raw: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    Ok(Credits::from_json(raw.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Receipt {
        #[serde(default, deserialize_with = "credits")]
        cost: Option<Credits>,
        #[serde(default, deserialize_with = "null_as_default")]
        notes: Vec<u8>,
    }

    #[test]
    fn what_is_no_amount_is_none_and_never_a_failure() {
        for (cost, expected) in [
            ("2", Some(2_000_000)),
            ("1.5", Some(1_500_000)),
            ("0", Some(0)),
            ("null", None),
            ("\"2\"", None),
            ("-1", None),
            ("1e300", None),
            ("1e999", None),
            ("99999999999999999999", None),
            ("true", None),
            ("[2]", None),
            (r#"{"amount": 2}"#, None),
        ] {
            let receipt: Receipt = serde_json::from_str(&format!(r#"{{"cost": {cost}}}"#)).unwrap();
            assert_eq!(receipt.cost.map(Credits::micros), expected, "{cost}");
        }
        let receipt: Receipt = serde_json::from_str("{}").unwrap();
        assert_eq!(receipt.cost, None);
        assert!(serde_json::from_str::<Receipt>(r#"{"cost": 1..2}"#).is_err());
    }

    #[test]
    fn null_is_the_default_and_a_wrong_type_still_fails() {
        for (notes, expected) in [("null", vec![]), ("[]", vec![]), ("[1]", vec![1])] {
            let receipt: Receipt =
                serde_json::from_str(&format!(r#"{{"notes": {notes}}}"#)).unwrap();
            assert_eq!(receipt.notes, expected, "{notes}");
        }
        assert!(serde_json::from_str::<Receipt>(r#"{"notes": 1}"#).is_err());
    }
}

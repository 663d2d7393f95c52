//! Reads the cost of a call leniently.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::money::credits::Credits;

/// Reads the cost of a call. An invalid amount becomes `None`: a malformed receipt does not lose a paid response.
///
/// A string that is a number is read as that number. Other strings, negative numbers, numbers beyond what [`Credits`] can hold, bools,
/// arrays and objects are all `None`.
///
/// # Errors
///
/// Fails only for invalid JSON. It reads raw JSON, so it works with serde_json and not inside types that serde buffers.
///
/// ```
/// use generated_client::Credits;
///
/// #[derive(serde::Deserialize)]
/// struct Receipt {
///     #[serde(default, deserialize_with = "generated_client::money::lenient")]
///     cost: Option<Credits>,
/// }
///
/// let receipt: Receipt = serde_json::from_str(r#"{"cost": "two"}"#)?;
/// assert_eq!(receipt.cost, None);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Credits>, D::Error> {
    // Raw, because serde_json fails on a number such as 1e999 before any visitor sees it.
    let raw: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    Ok(Credits::from_json(raw.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Receipt {
        #[serde(default, deserialize_with = "lenient")]
        cost: Option<Credits>,
    }

    #[test]
    fn what_is_no_amount_is_none_and_never_a_failure() {
        for (cost, expected) in [
            ("2", Some(2_000_000)),
            ("1.5", Some(1_500_000)),
            ("0", Some(0)),
            ("null", None),
            ("\"2\"", Some(2_000_000)),
            ("\"two\"", None),
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
}

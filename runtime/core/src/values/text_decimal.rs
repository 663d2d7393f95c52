use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::shown_string::shown_string;
use super::string_or_json::{StringOrJson, string_type};

/// A decimal number, sent as a string. All of its digits are kept.
///
/// A service may send a number instead: it is kept and written with all its digits, too. Two values are equal if they are spelled alike:
/// `1.5` is not equal to `1.50`.
///
/// ```
/// use generated_client::values::TextDecimal;
///
/// let size: TextDecimal = serde_json::from_str(r#""12.50""#)?;
/// assert_eq!(size, "12.50");
/// assert_eq!(size.parse::<f64>(), Ok(12.5));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextDecimal(StringOrJson);

string_type!(TextDecimal);
shown_string!(TextDecimal);

impl TextDecimal {
    /// Parses it as a number of another crate, or as an `f64`, which rounds it. Spaces around it are ignored.
    ///
    /// # Errors
    ///
    /// Those of `T`, for anything that it does not accept as a number.
    pub fn parse<T: FromStr>(&self) -> Result<T, T::Err> {
        self.as_str().trim().parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_all_digits_with_and_without_quotes() {
        for json in [
            r#""12.50""#,
            "12.50",
            "0.1000000000000000000000000000001",
            "123456789012345678901234567890.5",
            "1E+400",
        ] {
            let decimal: TextDecimal = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&decimal).unwrap(), json);
            assert_eq!(decimal.to_string(), json.trim_matches('"'));
            assert_eq!(decimal.is_text(), json.starts_with('"'));
        }
    }

    #[test]
    fn a_number_of_either_spelling_is_parsed() {
        for json in [r#"" 12.50""#, "12.50"] {
            let decimal: TextDecimal = serde_json::from_str(json).unwrap();
            assert_eq!(decimal.parse(), Ok(12.5));
        }
        for json in [r#""a lot""#, "{}", "null"] {
            let decimal: TextDecimal = serde_json::from_str(json).unwrap();
            assert!(decimal.parse::<f64>().is_err());
        }
    }
}

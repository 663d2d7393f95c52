use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use super::digits::{are_digits, digits};
use super::kept::kept_text;

/// From here on, a float has neighbours that it stands for as well.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// A number, written as text or as a JSON number.
///
/// In text: digits, maybe with commas between the thousands, maybe with a minus in front and a point with decimals behind, as `12`, `1,204`,
/// `-3` and `3.5`. Spaces around it do not matter. Everything else is no number: an empty text, exponents, signs of money or per cent,
/// `1.204,5`.
///
/// ```
/// use metered_client::TextNumber;
///
/// let number: TextNumber = serde_json::from_str(r#""1,204""#)?;
/// assert_eq!(number.as_u64(), Some(1204));
/// assert_eq!(number.to_string(), "1,204");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextNumber(Value);

kept_text!(TextNumber);

impl TextNumber {
    /// The number, when it is whole, not negative and not too large; `12.0` is whole.
    pub fn as_u64(&self) -> Option<u64> {
        match &self.0 {
            Value::Number(number) => whole(number),
            Value::String(text) => Decimal::read(text)?.as_u64(),
            _ => None,
        }
    }

    /// The number, rounded to what a float can hold.
    pub fn as_f64(&self) -> Option<f64> {
        match &self.0 {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => Decimal::read(text)?.as_f64(),
            _ => None,
        }
    }
}

/// A JSON number as a whole one. Some services write all their numbers as floats.
fn whole(number: &Number) -> Option<u64> {
    number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        let is_whole = float.fract() == 0.0 && (0.0..EXACT_BELOW).contains(&float);
        is_whole.then_some(float as u64)
    })
}

struct Decimal<'a> {
    is_negative: bool,
    whole: Cow<'a, str>,
    /// The digits behind the point; `0` without a point.
    decimals: &'a str,
}

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let whole = digits(whole)?;
        are_digits(decimals).then_some(Self {
            is_negative,
            whole,
            decimals,
        })
    }

    fn as_u64(&self) -> Option<u64> {
        let whole = self.whole.parse().ok()?;
        let is_zero = |digits: &str| digits.bytes().all(|digit| digit == b'0');
        (is_zero(self.decimals) && (!self.is_negative || whole == 0)).then_some(whole)
    }

    fn as_f64(&self) -> Option<f64> {
        let sign = if self.is_negative { "-" } else { "" };
        let number: f64 = format!("{sign}{}.{}", self.whole, self.decimals)
            .parse()
            .ok()?;
        number.is_finite().then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_in_text_is_read_and_its_text_is_kept() {
        for (text, whole, float) in [
            ("0", Some(0), 0.0),
            ("12", Some(12), 12.0),
            (" 12\n", Some(12), 12.0),
            ("007", Some(7), 7.0),
            ("1,204", Some(1204), 1204.0),
            ("1,204.50", None, 1204.5),
            ("12.0", Some(12), 12.0),
            ("3.5", None, 3.5),
            ("-3", None, -3.0),
            ("-0", Some(0), 0.0),
            ("-0.5", None, -0.5),
            (
                "18446744073709551615",
                Some(u64::MAX),
                18_446_744_073_709_551_615.0,
            ),
            ("18446744073709551616", None, 18_446_744_073_709_551_616.0),
        ] {
            let number = TextNumber::from(text);
            assert_eq!(number.as_u64(), whole, "{text}");
            assert_eq!(number.as_f64(), Some(float), "{text}");
            assert_eq!(number.as_str(), Some(text));
            assert_eq!(number.to_string(), text);
        }
    }

    #[test]
    fn text_in_another_form_is_no_number() {
        let beyond_a_float = "9".repeat(400);
        for text in [
            "",
            " ",
            "-",
            ".",
            "1.",
            ".5",
            "+5",
            "--5",
            "- 5",
            "1e3",
            "0x10",
            "1,20",
            "1.204,5",
            "1.2.3",
            "1 204",
            "5+",
            "2-5",
            "12%",
            "$12",
            "12k",
            "NaN",
            "inf",
            "Infinity",
            "١",
            &beyond_a_float,
        ] {
            let number = TextNumber::from(text);
            assert_eq!((number.as_u64(), number.as_f64()), (None, None), "{text}");
            assert_eq!(number.as_str(), Some(text));
        }
    }

    #[test]
    fn a_json_number_is_read_as_well() {
        for (value, whole, float) in [
            (json!(12), Some(12), 12.0),
            (json!(u64::MAX), Some(u64::MAX), u64::MAX as f64),
            (json!(5.0), Some(5), 5.0),
            (json!(-0.0), Some(0), 0.0),
            (json!(3.5), None, 3.5),
            (json!(-3), None, -3.0),
            (
                json!(EXACT_BELOW - 1.0),
                Some(9_007_199_254_740_991),
                EXACT_BELOW - 1.0,
            ),
            (json!(EXACT_BELOW), None, EXACT_BELOW),
            (json!(1e300), None, 1e300),
        ] {
            let number = TextNumber::from(value.clone());
            assert_eq!(number.as_u64(), whole, "{value}");
            assert_eq!(number.as_f64(), Some(float), "{value}");
            assert_eq!(number.as_str(), None);
            assert_eq!(number.to_string(), value.to_string());
        }
    }
}

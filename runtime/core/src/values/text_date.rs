mod grammar;
#[cfg(feature = "chrono")]
mod to_chrono;
#[cfg(feature = "jiff")]
mod to_jiff;

use serde::{Deserialize, Serialize};

use self::grammar::Parts;
use super::shown_string::shown_string;
use super::string_or_json::{StringOrJson, string_type};

/// A date, or a date with a time of day, sent as a string.
///
/// | string | meaning |
/// |---|---|
/// | `2024-05-06` | a date |
/// | `2024-05-06T07:08`, `2024-05-06 07:08:09.123` | a date and a time of day; no zone is assumed |
/// | `2024-05-06T07:08:09Z`, `…+02:00`, `…+0200`, `…+02` | an instant |
///
/// Spaces around it and decimals of a second after the ninth are ignored. Everything else, including an empty string and a day that the
/// calendar lacks, is kept but is not a date. Two values are equal if their strings are, even if different strings mean the same instant.
///
/// The features `jiff` and `chrono` add conversions to the types of these crates.
///
/// ```
/// use generated_client::values::TextDate;
///
/// let date: TextDate = serde_json::from_str(r#""2024-05-06T07:08:09+02:00""#)?;
/// assert_eq!(date.date(), Some((2024, 5, 6)));
/// assert_eq!(date.offset_minutes(), Some(120));
/// assert_eq!(date.to_string(), "2024-05-06T07:08:09+02:00");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextDate(StringOrJson);

string_type!(TextDate);
shown_string!(TextDate);

impl TextDate {
    /// Returns year, month and day as they are written, in any zone; `None` if there is no date.
    pub fn date(&self) -> Option<(i32, u8, u8)> {
        self.parts().map(|parts| parts.day)
    }

    /// Returns whether this is a date without a time of day.
    pub fn is_date_only(&self) -> bool {
        self.parts().is_some_and(|parts| parts.time.is_none())
    }

    /// Returns the offset from UTC in minutes: 0 for `Z`, negative to the west; `None` if the string has no zone.
    pub fn offset_minutes(&self) -> Option<i32> {
        self.parts()?.offset_minutes
    }

    fn parts(&self) -> Option<Parts<'_>> {
        Parts::read(self.0.trimmed()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows are a string or several, and what they mean. `…` is the beginning of the first one.
    #[test]
    fn the_table_of_the_documentation_is_what_is_read() {
        let rows = include_str!("text_date.rs").lines();
        let rows = rows.filter_map(|line| line.strip_prefix("/// | `")?.split_once(" | "));
        let mut count = 0;
        for (texts, meaning) in rows {
            for text in texts.split('`').step_by(2).filter(|text| !text.is_empty()) {
                let text = text.replace('…', "2024-05-06T07:08:09");
                let date: TextDate = serde_json::from_value(text.clone().into()).unwrap();
                assert_eq!(date.date(), Some((2024, 5, 6)), "{text}");
                let right = match (date.is_date_only(), date.offset_minutes()) {
                    (true, _) => "a date",
                    (_, None) => "a date and a time of day; no zone",
                    (_, Some(_)) => "an instant",
                };
                assert!(
                    meaning.starts_with(right),
                    "{text} is {right}, not {meaning}"
                );
                count += 1;
            }
        }
        assert_eq!(count, 7);
    }

    #[test]
    fn a_date_a_time_and_an_instant_are_distinguished() {
        for (text, date, is_date_only, offset) in [
            ("2024-05-06", Some((2024, 5, 6)), true, None),
            (" 2024-05-06\n", Some((2024, 5, 6)), true, None),
            ("2024-05-06T07:08", Some((2024, 5, 6)), false, None),
            ("2024-05-06T07:08Z", Some((2024, 5, 6)), false, Some(0)),
            (
                "2024-05-06T23:00-08:00",
                Some((2024, 5, 6)),
                false,
                Some(-480),
            ),
            ("", None, false, None),
            ("soon", None, false, None),
        ] {
            let value = TextDate::from(text);
            assert_eq!(value.date(), date, "{text}");
            assert_eq!(value.is_date_only(), is_date_only, "{text}");
            assert_eq!(value.offset_minutes(), offset, "{text}");
        }
    }
}

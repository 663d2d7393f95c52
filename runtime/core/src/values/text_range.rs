use serde::{Deserialize, Serialize};

use super::digits::whole;
use super::shown_string::shown_string;
use super::string_or_json::{StringOrJson, string_type};

/// A range of whole numbers, sent as a string.
///
/// | string | range |
/// |---|---|
/// | `2-5`, `2 – 5` | from 2 to 5, both included; a hyphen or an en dash |
/// | `5+` | from 5 up |
/// | `5` | 5 alone |
/// | `1,001-5,000` | from 1001 to 5000; commas may separate the thousands |
///
/// Spaces around numbers are ignored. Everything else is not a range: an empty string, a range that ends before it begins, words or units
/// beside the numbers, `<5`. Two values are equal if their strings are: `2-5` is not equal to `2 - 5`.
///
/// ```
/// use generated_client::values::TextRange;
///
/// let range: TextRange = serde_json::from_str(r#""1,001-5,000""#)?;
/// assert_eq!(range.bounds(), Some((1001, Some(5000))));
/// assert!(range.contains(1204));
/// assert_eq!(range.to_string(), "1,001-5,000");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextRange(StringOrJson);

string_type!(TextRange);
shown_string!(TextRange);

impl TextRange {
    /// Returns the least and the greatest number; the latter is `None` if the range is open. `None` if there is no range.
    pub fn bounds(&self) -> Option<(u64, Option<u64>)> {
        let text = self.0.trimmed()?;
        if let Some(least) = text.strip_suffix('+') {
            return Some((whole(least.trim_end())?, None));
        }
        let (least, greatest) = text.split_once(['-', '–']).unwrap_or((text, text));
        let (least, greatest) = (whole(least.trim_end())?, whole(greatest.trim_start())?);
        (least <= greatest).then_some((least, Some(greatest)))
    }

    /// Returns whether the number is in the range; `false` if there is no range.
    pub fn contains(&self, number: u64) -> bool {
        match self.bounds() {
            Some((least, Some(greatest))) => (least..=greatest).contains(&number),
            Some((least, None)) => (least..).contains(&number),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows are a string or several, and what they mean.
    #[test]
    fn the_table_of_the_documentation_is_what_is_read() {
        let rows = include_str!("text_range.rs").lines();
        let rows = rows.filter_map(|line| line.strip_prefix("/// | `")?.split_once(" | "));
        let mut count = 0;
        for (texts, meaning) in rows {
            for text in texts.split('`').step_by(2).filter(|text| !text.is_empty()) {
                let range: TextRange = serde_json::from_value(text.into()).unwrap();
                let right = match range.bounds().unwrap() {
                    (least, None) => format!("from {least} up"),
                    (least, Some(most)) if least == most => format!("{least} alone"),
                    (least, Some(most)) => format!("from {least} to {most}"),
                };
                assert!(
                    meaning.starts_with(&right),
                    "{text} is {right}, not {meaning}"
                );
                count += 1;
            }
        }
        assert_eq!(count, 5);
    }

    #[test]
    fn a_range_has_bounds_and_keeps_its_spelling() {
        for (text, least, greatest) in [
            ("2-5", 2, Some(5)),
            ("2 – 5", 2, Some(5)),
            ("2–5", 2, Some(5)),
            (" 2 -5\n", 2, Some(5)),
            ("5-5", 5, Some(5)),
            ("0-1", 0, Some(1)),
            ("1,001-5,000", 1001, Some(5000)),
            ("501-1,000", 501, Some(1000)),
            ("5+", 5, None),
            ("5 +", 5, None),
            ("10,001+", 10_001, None),
            ("5", 5, Some(5)),
            ("1,204", 1204, Some(1204)),
            ("18446744073709551615", u64::MAX, Some(u64::MAX)),
        ] {
            let range = TextRange::from(text);
            assert_eq!(range.bounds(), Some((least, greatest)), "{text}");
            assert_eq!(range.to_string(), text);
        }
    }

    #[test]
    fn ambiguous_strings_are_not_ranges() {
        for text in [
            "",
            " ",
            "-",
            "+",
            "-5",
            "5-",
            "5-2",
            "5++",
            "2-5+",
            "2+5",
            "2--5",
            "2-5-9",
            "2—5",
            "2 5",
            "<5",
            ">5",
            "up to 5",
            "2 to 5",
            "2-5 years",
            "2.5-3",
            "1,5-2",
            "1-10k",
            "2024-05-06",
            "18446744073709551616",
        ] {
            let range = TextRange::from(text);
            assert_eq!(range.bounds(), None, "{text}");
            assert!(!range.contains(5), "{text}");
            assert_eq!(range.as_str(), text);
        }
    }

    #[test]
    fn both_ends_are_in_the_range() {
        for (text, inside, outside) in [
            ("2-5", vec![2, 3, 5], vec![0, 1, 6, u64::MAX]),
            ("5+", vec![5, 6, u64::MAX], vec![0, 4]),
            ("5", vec![5], vec![4, 6]),
        ] {
            let range = TextRange::from(text);
            for number in inside {
                assert!(range.contains(number), "{number} in {text}");
            }
            for number in outside {
                assert!(!range.contains(number), "{number} in {text}");
            }
        }
    }
}

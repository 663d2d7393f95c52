//! Conversions to the types of jiff, from the parts that the grammar has found.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

use super::TextDate;

/// Requires the feature `jiff`.
impl TextDate {
    /// Returns the date as it is written, in any zone; `None` if there is none.
    ///
    /// ```
    /// use generated_client::values::TextDate;
    ///
    /// let date = TextDate::from("2024-05-06T07:08");
    /// assert_eq!(date.to_jiff_date(), Some(jiff::civil::date(2024, 5, 6)));
    /// ```
    pub fn to_jiff_date(&self) -> Option<Date> {
        let (year, month, day) = self.date()?;
        format!("{year:04}-{month:02}-{day:02}").parse().ok()
    }

    /// Returns the date and the time of day as they are written, in any zone; `None` if either is missing.
    ///
    /// A leap second is read as the second before it.
    pub fn to_jiff_datetime(&self) -> Option<DateTime> {
        let time: Time = self.parts()?.time?.parse().ok()?;
        Some(self.to_jiff_date()?.to_datetime(time))
    }

    /// Returns the instant; `None` if the string has no zone, or exceeds the range of a timestamp.
    pub fn to_jiff_timestamp(&self) -> Option<Timestamp> {
        let seconds = self.offset_minutes()?.checked_mul(60)?;
        let offset = Offset::from_seconds(seconds).ok()?;
        offset.to_timestamp(self.to_jiff_datetime()?).ok()
    }
}

/// Requires the feature `jiff`.
impl From<Date> for TextDate {
    fn from(date: Date) -> Self {
        Self::from(date.to_string())
    }
}

/// Requires the feature `jiff`. Writes the instant in UTC.
impl From<Timestamp> for TextDate {
    fn from(instant: Timestamp) -> Self {
        Self::from(instant.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: Option<impl ToString>) -> String {
        value.map_or("-".to_owned(), |value| value.to_string())
    }

    #[test]
    #[rustfmt::skip]
    fn a_string_is_converted_only_to_the_types_that_it_determines() {
        for (text, expected) in [
            ("2024-02-30", "-|-|-"),
            ("2024-05-06", "2024-05-06|-|-"),
            ("2024-05-06T07:08", "2024-05-06|2024-05-06T07:08:00|-"),
            ("2024-05-06 07:08:09.12345678987", "2024-05-06|2024-05-06T07:08:09.123456789|-"),
            ("2024-05-06T07:08:09Z", "2024-05-06|2024-05-06T07:08:09|2024-05-06T07:08:09Z"),
            ("2024-05-06 23:08-08", "2024-05-06|2024-05-06T23:08:00|2024-05-07T07:08:00Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31|2016-12-31T23:59:59|2016-12-31T23:59:59Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31|9999-12-31T23:59:59|-"),
        ] {
            let date = TextDate::from(text);
            let converted = [shown(date.to_jiff_date()), shown(date.to_jiff_datetime()), shown(date.to_jiff_timestamp())];
            assert_eq!(converted.join("|"), expected, "{text}");
        }
    }

    #[test]
    fn what_jiff_writes_is_read_back() {
        let date: Date = "2024-05-06".parse().unwrap();
        assert_eq!(TextDate::from(date), "2024-05-06");
        let instant: Timestamp = "2024-05-06T07:08:09.5+02:00".parse().unwrap();
        assert_eq!(TextDate::from(instant), "2024-05-06T05:08:09.5Z");
        assert_eq!(TextDate::from(instant).to_jiff_timestamp(), Some(instant));
    }
}

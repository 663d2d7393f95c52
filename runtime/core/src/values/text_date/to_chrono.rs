//! Conversions to the types of chrono, from the parts that the grammar has found.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};

use super::TextDate;

/// Requires the feature `chrono`.
impl TextDate {
    /// Returns the date as it is written, in any zone; `None` if there is none.
    ///
    /// ```
    /// use generated_client::values::TextDate;
    ///
    /// let date = TextDate::from("2024-05-06T07:08");
    /// assert_eq!(date.to_chrono_date(), chrono::NaiveDate::from_ymd_opt(2024, 5, 6));
    /// ```
    pub fn to_chrono_date(&self) -> Option<NaiveDate> {
        let (year, month, day) = self.date()?;
        NaiveDate::from_ymd_opt(year, month.into(), day.into())
    }

    /// Returns the date and the time of day as they are written, in any zone; `None` if either is missing.
    pub fn to_chrono_datetime(&self) -> Option<NaiveDateTime> {
        let time: NaiveTime = self.parts()?.time?.parse().ok()?;
        Some(self.to_chrono_date()?.and_time(time))
    }

    /// Returns the instant with its offset; `None` if the string has no offset.
    pub fn to_chrono_zoned(&self) -> Option<DateTime<FixedOffset>> {
        let seconds = self.offset_minutes()?.checked_mul(60)?;
        let offset = FixedOffset::east_opt(seconds)?;
        self.to_chrono_datetime()?
            .and_local_timezone(offset)
            .single()
    }
}

/// Requires the feature `chrono`.
impl From<NaiveDate> for TextDate {
    fn from(date: NaiveDate) -> Self {
        Self::from(date.to_string())
    }
}

/// Requires the feature `chrono`. Keeps the offset.
impl<Z: TimeZone> From<DateTime<Z>> for TextDate {
    fn from(instant: DateTime<Z>) -> Self {
        Self::from(format!("{instant:?}"))
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
            ("2024-05-06T07:08", "2024-05-06|2024-05-06 07:08:00|-"),
            ("2024-05-06 07:08:09.12345678987", "2024-05-06|2024-05-06 07:08:09.123456789|-"),
            ("2024-05-06T07:08:09Z", "2024-05-06|2024-05-06 07:08:09|2024-05-06 07:08:09 +00:00"),
            ("2024-05-06 23:08-08", "2024-05-06|2024-05-06 23:08:00|2024-05-06 23:08:00 -08:00"),
            ("2016-12-31T23:59:60Z", "2016-12-31|2016-12-31 23:59:60|2016-12-31 23:59:60 +00:00"),
            ("9999-12-31T23:59:59Z", "9999-12-31|9999-12-31 23:59:59|9999-12-31 23:59:59 +00:00"),
        ] {
            let date = TextDate::from(text);
            let converted = [shown(date.to_chrono_date()), shown(date.to_chrono_datetime()), shown(date.to_chrono_zoned())];
            assert_eq!(converted.join("|"), expected, "{text}");
        }
    }

    #[test]
    fn what_chrono_writes_is_read_back() {
        let text = TextDate::from("2024-05-06T07:08:09.5+02:00");
        let instant = text.to_chrono_zoned().unwrap();
        assert_eq!(TextDate::from(instant), "2024-05-06T07:08:09.500+02:00");
        assert_eq!(TextDate::from(instant.to_utc()), "2024-05-06T05:08:09.500Z");
        assert_eq!(TextDate::from(instant).to_chrono_zoned(), Some(instant));
        assert_eq!(TextDate::from(instant.date_naive()), "2024-05-06");
    }
}

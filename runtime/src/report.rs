//! What an answer says that the call cost, read from the body's bytes before anything is decoded.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::credits::Credits;

/// What a body reports. Of several, the greatest counts: what was reported once is not taken back, and doubt stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Report {
    /// It has no such member, or null in it.
    Nothing,
    /// The call cost this much.
    Credits(Credits),
    /// Something, and no amount that can be: a text, a negative or huge number, a number that is cut off.
    Unreadable,
}

impl Report {
    /// The top-level member `field` of a body, whatever the body is: also of an error, and of one that breaks off later.
    pub(crate) fn read(body: &[u8], field: &str) -> Self {
        // A body that ends with a number is cut off, and the number may be too.
        let end = body
            .iter()
            .rposition(|byte| !b"0123456789.+-eE".contains(byte));
        let body = end.and_then(|end| body.get(..=end)).unwrap_or_default();
        let mut found = Self::Nothing;
        let scan = Scan {
            field,
            found: &mut found,
        };
        // What was found before the text turned out to be no JSON counts too.
        let _ = serde_json::Deserializer::from_slice(body).deserialize_map(scan);
        found
    }

    /// The amount, if there is one.
    pub(crate) fn credits(self) -> Option<Credits> {
        match self {
            Self::Credits(credits) => Some(credits),
            Self::Nothing | Self::Unreadable => None,
        }
    }
}

struct Scan<'s> {
    field: &'s str,
    found: &'s mut Report,
}

impl<'de> Visitor<'de> for Scan<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<Cow<'_, str>>()? {
            if name != self.field {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            // Raw, because serde_json fails on a number such as 1e999 before any visitor sees it.
            let value: Result<Box<RawValue>, _> = members.next_value();
            let report = match value.as_deref().map(RawValue::get) {
                Ok("null") => Report::Nothing,
                Ok(amount) => {
                    serde_json::from_str(amount).map_or(Report::Unreadable, Report::Credits)
                }
                Err(_) => Report::Unreadable,
            };
            *self.found = report.max(*self.found);
            value?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_found_wherever_there_is_one() {
        let credits = |micros| Report::Credits(Credits::from_micros(micros));
        for (body, report) in [
            (r#"{"cost": 1.5}"#, credits(1_500_000)),
            (r#"{"data": {"cost": 9}, "cost": 0}"#, credits(0)),
            (r#"{"cost": 2, "data": [1, 2"#, credits(2_000_000)),
            (r#"{"cost": 1 "#, credits(1_000_000)),
            (r#"{"co\u0073t": 4}"#, credits(4_000_000)),
            (r#"{"cost": 1, "cost": 3}"#, credits(3_000_000)),
            (
                r#"{"cost": 3, "cost": 1, "cost": null}"#,
                credits(3_000_000),
            ),
            (r#"{"cost": null}"#, Report::Nothing),
            (r#"{"data": {"cost": 9}}"#, Report::Nothing),
            (r#"[{"cost": 9}]"#, Report::Nothing),
            ("1", Report::Nothing),
            ("<html>", Report::Nothing),
            ("", Report::Nothing),
        ] {
            assert_eq!(Report::read(body.as_bytes(), "cost"), report, "{body}");
        }
    }

    #[test]
    fn what_is_there_and_no_amount_is_unreadable() {
        for cost in [
            r#""5""#,
            r#""NaN""#,
            r#""""#,
            "-5",
            "1e999",
            "99999999999999999999",
            "true",
            "[2]",
            r#"{"amount": 2}"#,
            "NaN",
            "2, \"cost\": \"2\"",
            "\"2\", \"cost\": 2, \"cost\": null",
        ] {
            let body = format!(r#"{{"cost": {cost}}}"#);
            assert_eq!(
                Report::read(body.as_bytes(), "cost"),
                Report::Unreadable,
                "{body}"
            );
        }
        for body in [
            r#"{"cost": 1"#,
            r#"{"cost": 1."#,
            r#"{"cost": 1e"#,
            r#"{"cost": "5"#,
            r#"{"cost":"#,
            r#"{"cost""#,
        ] {
            assert_eq!(
                Report::read(body.as_bytes(), "cost"),
                Report::Unreadable,
                "{body}"
            );
        }
    }
}

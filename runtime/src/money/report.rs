//! Reads the charge that a response reports, from the raw body, before decoding.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::money::credits::Credits;

/// What a body reports. If the member occurs several times, the greatest amount counts. One unreadable occurrence makes the report
/// unreadable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ReportedCharge {
    /// The member is missing or null.
    Nothing,
    /// The call cost this much.
    Credits(Credits),
    /// The member is present without a valid amount: a string, a negative or too large number, a truncated number, or a body that is not
    /// JSON.
    Unreadable,
}

impl ReportedCharge {
    /// Reads the top-level member `field` of a body. The body may be an error or truncated.
    ///
    /// A body that is malformed, and not merely truncated, is unreadable if its bytes contain the member's name.
    pub(crate) fn read(body: &[u8], field: &str) -> Self {
        let (text, is_text) = match str::from_utf8(body) {
            Ok(text) => (text, true),
            Err(error) => {
                let start = body.get(..error.valid_up_to()).unwrap_or_default();
                // `error_len` is `None` when the body ends within a UTF-8 character.
                let is_cut_off = error.error_len().is_none();
                (str::from_utf8(start).unwrap_or_default(), is_cut_off)
            }
        };
        let mut found = Self::Nothing;
        let result = scan(text, field, &mut found);
        let is_json = is_text && (is_whole_or_cut_off(&result) || ends_within_a_number(text));
        if is_json || found == Self::Nothing && !mentions(body, field) {
            found
        } else {
            Self::Unreadable
        }
    }

    /// The amount, if there is one.
    pub(crate) fn credits(self) -> Option<Credits> {
        match self {
            Self::Credits(credits) => Some(credits),
            Self::Nothing | Self::Unreadable => None,
        }
    }
}

fn is_whole_or_cut_off(result: &serde_json::Result<()>) -> bool {
    result.as_ref().err().is_none_or(serde_json::Error::is_eof)
}

/// Whether the text is truncated within a number. serde_json reports this as a syntax error, not as end of input; one more digit tells them
/// apart.
fn ends_within_a_number(text: &str) -> bool {
    let is_open = text.ends_with(['-', '+', '.', 'e', 'E']);
    is_open && is_whole_or_cut_off(&scan(&format!("{text}0"), "", &mut ReportedCharge::Nothing))
}

/// Reads a whole text, noting what it reports.
fn scan(text: &str, field: &str, found: &mut ReportedCharge) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    let is_object = text.trim_ascii_start().starts_with('{');
    let read = if is_object {
        let end = text.as_bytes().as_ptr_range().end;
        json.deserialize_map(Scan { field, end, found })
    } else {
        IgnoredAny::deserialize(&mut json).map(|_| ())
    };
    read.and_then(|()| json.end())
}

fn mentions(body: &[u8], field: &str) -> bool {
    let field = field.as_bytes();
    body.windows(field.len().max(1)).any(|part| part == field)
}

struct Scan<'s> {
    field: &'s str,
    /// Where the text ends.
    end: *const u8,
    found: &'s mut ReportedCharge,
}

impl<'de> Visitor<'de> for Scan<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<&RawValue>()? {
            if !is(name.get(), self.field) {
                members.next_value::<IgnoredAny>()?;
                continue;
            }
            // Raw text, because a parsed float has lost digits.
            let value: Result<&RawValue, _> = members.next_value();
            let report = match &value {
                Ok(value) if value.get() == "null" => ReportedCharge::Nothing,
                // The value ends with the text: it may be truncated.
                Ok(value) if value.get().as_bytes().as_ptr_range().end == self.end => {
                    ReportedCharge::Unreadable
                }
                Ok(value) => Credits::from_json(value.get())
                    .map_or(ReportedCharge::Unreadable, ReportedCharge::Credits),
                Err(_) => ReportedCharge::Unreadable,
            };
            *self.found = report.max(*self.found);
            value?;
        }
        Ok(())
    }
}

/// Whether a quoted JSON name equals `field`. A name with a lone surrogate is valid JSON but not a Rust string, and never equal.
fn is(name: &str, field: &str) -> bool {
    serde_json::from_str::<Cow<'_, str>>(name).is_ok_and(|name| name == field)
}

//! Reads the charge that a response reports, from the raw body, before decoding.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::money::credits::Credits;

/// The charge that a body reports. If the member occurs several times, the greatest amount counts. One unreadable occurrence makes the
/// report unreadable.
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
        let read = read(text, field, &mut found);
        let is_json = is_text && read.err().is_none_or(|error| !is_broken(text, &error));
        if is_json || found == Self::Nothing && !mentions(body, field) {
            found
        } else {
            Self::Unreadable
        }
    }

    /// Reads the JSON value of the member.
    pub(crate) fn of(value: &str) -> Self {
        match value {
            "null" => Self::Nothing,
            // Exact, because a parsed float has lost digits.
            value => Credits::from_json(value).map_or(Self::Unreadable, Self::Credits),
        }
    }

    /// Returns the amount, if there is one.
    pub(crate) fn credits(self) -> Option<Credits> {
        match self {
            Self::Credits(credits) => Some(credits),
            Self::Nothing | Self::Unreadable => None,
        }
    }
}

/// Reads the members of the outermost object of a text. The error says that it ends too early, or is not JSON.
fn read(text: &str, field: &str, found: &mut ReportedCharge) -> serde_json::Result<()> {
    // Readers of JSON may ignore a byte order mark (RFC 8259, section 8.1).
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    if text.trim_ascii_start().starts_with('{') {
        let end = text.as_bytes().as_ptr_range().end;
        deserializer.deserialize_map(Members { field, end, found })?;
    } else {
        <&RawValue>::deserialize(&mut deserializer)?;
    }
    deserializer.end()
}

/// Returns whether a text is not JSON, whatever follows it.
fn is_broken(text: &str, error: &serde_json::Error) -> bool {
    if error.is_eof() {
        return false;
    }
    // A number that is cut off is an invalid one to the parser.
    let may_go_on = text.ends_with(['-', '+', '.', 'e', 'E']);
    let more = may_go_on.then(|| read(&format!("{text}0"), "", &mut ReportedCharge::Nothing));
    !more.is_some_and(|read| read.err().is_none_or(|error| error.is_eof()))
}

/// The members of the outermost object, of which one is the report. They are not decoded: others may fit no Rust type.
struct Members<'r> {
    field: &'r str,
    /// The end of the text. A value that ends there may be cut off.
    end: *const u8,
    found: &'r mut ReportedCharge,
}

impl Members<'_> {
    fn is_whole(&self, value: &str) -> bool {
        value == "null" || value.as_bytes().as_ptr_range().end != self.end
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<&RawValue>()? {
            let value = members.next_value::<&RawValue>();
            if is(name.get(), self.field) {
                let charge = match &value {
                    Ok(value) if self.is_whole(value.get()) => ReportedCharge::of(value.get()),
                    _ => ReportedCharge::Unreadable,
                };
                *self.found = (*self.found).max(charge);
            }
            value?;
        }
        Ok(())
    }
}

fn mentions(body: &[u8], field: &str) -> bool {
    let field = field.as_bytes();
    body.windows(field.len().max(1)).any(|part| part == field)
}

/// Returns whether a quoted JSON name equals `field`. A name with a lone surrogate is valid JSON but no Rust string, so it equals nothing.
fn is(name: &str, field: &str) -> bool {
    let plain = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'));
    plain == Some(field)
        || name.contains('\\')
            && serde_json::from_str::<Cow<'_, str>>(name).is_ok_and(|name| name == field)
}

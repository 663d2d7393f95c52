//! Reads the charge that a response reports, from the raw body, before decoding.

#[cfg(test)]
mod tests;

mod scan;

use std::borrow::Cow;

use self::scan::{Flaw, scan};
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
        let read = scan(text.as_bytes(), &mut |member| {
            if is(member.name, field) {
                found = found.max(match member.value.map(str::from_utf8) {
                    Some(Ok(value)) if !member.is_last || value == "null" => Self::of(value),
                    _ => Self::Unreadable,
                });
            }
        });
        let is_json = is_text && read != Err(Flaw::Broken);
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

fn mentions(body: &[u8], field: &str) -> bool {
    let field = field.as_bytes();
    body.windows(field.len().max(1)).any(|part| part == field)
}

/// Returns whether a quoted JSON name equals `field`. A name with a lone surrogate is valid JSON but no Rust string, so it equals nothing.
fn is(name: &[u8], field: &str) -> bool {
    let plain = name
        .strip_prefix(b"\"")
        .and_then(|name| name.strip_suffix(b"\""));
    plain == Some(field.as_bytes())
        || name.contains(&b'\\')
            && serde_json::from_slice::<Cow<'_, str>>(name).is_ok_and(|name| name == field)
}

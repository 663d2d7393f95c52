//! Metering: calls cost credits if the document has a price, a charge in a response, or `x-metered`.

use openapi_document::pointer;
use serde_json::Value;

use super::notes::Notes;

/// On the document: overrides whether calls cost credits.
const METERED: &str = "x-metered";

/// Returns whether the client counts credits.
pub(super) fn read(notes: &mut Notes<'_>) -> bool {
    let says_credits = first_price(&notes.source.value);
    let stated = notes.extension("", &notes.source.value, METERED);
    if let (Some(false), Some(at)) = (stated, &says_credits) {
        notes.wrong(
            "metered",
            &format!("/{METERED}"),
            format!("`{METERED}` is false, and {at} says what a call costs"),
            "the client is metered; set `x-metered` to true, or remove the prices",
        );
        return true;
    }
    stated.unwrap_or(says_credits.is_some())
}

/// Returns the first place of a price, or of a charge.
fn first_price(document: &Value) -> Option<String> {
    let mut first = None;
    pointer::walk(document, "", &mut |at, value| {
        let is_charge = value.get("x-rust-type").and_then(Value::as_str) == Some("Credits");
        let is_price = value.get("x-credits").is_some() && !at.ends_with("/properties");
        if first.is_none() && (is_charge || is_price) {
            first = Some(at.to_owned());
        }
    });
    first
}

//! Reads how the service signs its webhooks.

use openapi_document::json::{elements_of, text_of};
use openapi_document::resolver::followed;
use openapi_schemas::is_token;

use super::notes::Notes;
use super::webhooks::sent;
use crate::{Hmac, Signature, Standard, Subset};

/// Says how the service signs its webhooks.
const SIGNATURE: &str = "x-webhook-signature";
/// The header of Standard Webhooks, which a document may list as a parameter.
const STANDARD_HEADER: &str = "webhook-signature";

/// Returns how the service signs its webhooks, if the document says it.
pub(super) fn read(notes: &mut Notes<'_>) -> Option<Signature> {
    let source = notes.source;
    if let Some(written) = source.value.get(SIGNATURE) {
        if written.is_string() {
            let standard = notes.extension("", &source.value, SIGNATURE);
            return standard.map(Signature::Standard);
        }
        let hmac: Hmac = notes.extension("", &source.value, SIGNATURE)?;
        let Some((key, problem)) = problem(&hmac) else {
            return Some(Signature::Hmac(hmac));
        };
        notes.wrong(
            "webhook-signature",
            &format!("/{SIGNATURE}/{key}"),
            problem,
            "write it as the provider's documentation shows it",
        );
        return None;
    }
    let mut sent = sent(source, &mut Subset::default()).into_iter();
    let is_standard = sent.any(|webhook| {
        let mut parameters = elements_of(webhook.operation, "parameters").iter();
        parameters.any(|parameter| {
            let name = text_of(followed(&source.value, parameter), "name");
            name.is_some_and(|name| name.eq_ignore_ascii_case(STANDARD_HEADER))
        })
    });
    is_standard.then_some(Signature::Standard(Standard::StandardWebhooks))
}

/// Returns the key of a signature that could be right for any body or time, or never, and why.
fn problem(hmac: &Hmac) -> Option<(&'static str, String)> {
    let is_in_header = hmac
        .timestamp
        .as_deref()
        .is_some_and(|name| name.ends_with('='));
    if is_in_header && hmac.value.contains([',', ' ']) {
        let problem = "a signature beside a time has no comma and no space";
        return Some(("value", problem.to_owned()));
    }
    if !["{hex}", "{base64}"]
        .iter()
        .any(|one| hmac.value.contains(one))
    {
        let problem = "no signature has this form: `{hex}` or `{base64}` is missing";
        return Some(("value", problem.to_owned()));
    }
    for name in [
        Some(&hmac.header),
        hmac.id.as_ref(),
        hmac.timestamp.as_ref(),
    ] {
        let name = name.filter(|name| !name.ends_with('='));
        if name.is_some_and(|name| !is_token(name)) {
            return Some(("header", "HTTP has no header of this name".to_owned()));
        }
    }
    let known = ["{body}", "{id}", "{timestamp}"];
    let unknown = known
        .iter()
        .fold(hmac.signed.clone(), |rest, one| rest.replace(one, ""));
    let value = hmac.value.replace("{hex}", "").replace("{base64}", "");
    for (key, text) in [("signed", unknown), ("value", value)] {
        if text.contains(['{', '}']) {
            return Some((key, "it has an unknown placeholder".to_owned()));
        }
    }
    let given = [
        ("{body}", true),
        ("{id}", hmac.id.is_some()),
        ("{timestamp}", hmac.timestamp.is_some()),
    ];
    for (placeholder, is_given) in given {
        if hmac.signed.contains(placeholder) != is_given {
            let problem = if is_given {
                format!("it is not signed: `{placeholder}` is missing")
            } else {
                format!("nothing says where `{placeholder}` is")
            };
            return Some(("signed", problem));
        }
    }
    None
}

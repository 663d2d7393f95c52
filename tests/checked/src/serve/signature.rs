//! Signatures of webhooks, as the document says with `x-webhook-signature`: HMAC with SHA-256.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::Document;

/// The header of Standard Webhooks, which a document may list as a parameter.
const STANDARD_HEADER: &str = "webhook-signature";

/// A secret that is a key both as a string and in Base64.
pub(super) const MADE_UP: &str = "whsec_bWFkZSB1cCBmb3Igd2ViaG9va3M=";

/// How webhooks are signed, and their secret. The texts have `{id}`, `{timestamp}`, `{body}`, `{hex}` and `{base64}` in place of these values.
#[derive(Deserialize)]
pub(super) struct Signature {
    header: String,
    value: String,
    signed: String,
    id: Option<String>,
    /// A header, or how the time begins in the header of the signature, such as `t=`.
    timestamp: Option<String>,
    #[serde(default)]
    key: Key,
    #[serde(skip)]
    secret: Vec<u8>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Key {
    #[default]
    Text,
    Base64,
}

impl Signature {
    /// Reads how a document signs its webhooks; `None` if it does not say it.
    pub(super) fn read(document: &Document, secret: &str) -> Result<Option<Self>, String> {
        let declared = match document.0.get("x-webhook-signature") {
            Some(own @ Value::Object(_)) => own.clone(),
            None if !lists_standard_header(document) => return Ok(None),
            _ => json!({
                "header": STANDARD_HEADER,
                "value": "v1,{base64}",
                "signed": "{id}.{timestamp}.{body}",
                "id": "webhook-id",
                "timestamp": "webhook-timestamp",
                "key": "base64",
            }),
        };
        let mut signature: Self = serde_json::from_value(declared)
            .map_err(|error| format!("`x-webhook-signature`: {error}"))?;
        signature.secret = match signature.key {
            Key::Text => secret.as_bytes().to_vec(),
            Key::Base64 => STANDARD
                .decode(secret.strip_prefix("whsec_").unwrap_or(secret))
                .map_err(|_| "the secret of webhooks is not in Base64")?,
        };
        Ok(Some(signature))
    }

    /// Returns the lines of the headers that sign a body now.
    pub(super) fn headers(&self, id: &str, body: &str) -> Result<String, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let time = now.unwrap_or_default().as_secs().to_string();
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.secret).map_err(|error| error.to_string())?;
        let mut signed = self.signed.split('{');
        mac.update(signed.next().unwrap_or_default().as_bytes());
        for part in signed {
            let (name, after) = part.split_once('}').unwrap_or((part, ""));
            mac.update(match name {
                "id" => id.as_bytes(),
                "timestamp" => time.as_bytes(),
                _ => body.as_bytes(),
            });
            mac.update(after.as_bytes());
        }
        let code = mac.finalize().into_bytes();
        let hex: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut value = self.value.replace("{hex}", &hex);
        value = value.replace("{base64}", &STANDARD.encode(code));
        let mut lines = String::new();
        if let Some(name) = &self.id {
            lines += &format!("{name}: {id}\r\n");
        }
        match &self.timestamp {
            Some(start) if start.ends_with('=') => value = format!("{start}{time},{value}"),
            Some(name) => lines += &format!("{name}: {time}\r\n"),
            None => {}
        }
        Ok(format!("{lines}{}: {value}\r\n", self.header))
    }
}

/// Returns whether a webhook has the header of Standard Webhooks as a parameter.
fn lists_standard_header(document: &Document) -> bool {
    let webhooks = document.0.get("webhooks").and_then(Value::as_object);
    let items = webhooks
        .into_iter()
        .flatten()
        .map(|(_, item)| document.meant(item));
    let operations = items.filter_map(|item| Some(item.as_object()?.values()));
    let parameters = operations
        .flatten()
        .filter_map(|one| one.get("parameters")?.as_array());
    let mut names = parameters
        .flatten()
        .filter_map(|one| document.meant(one).get("name"));
    names.any(|name| {
        name.as_str()
            .is_some_and(|name| name.eq_ignore_ascii_case(STANDARD_HEADER))
    })
}

//! Requests that the service makes to its users.

use serde::Deserialize;

use super::place::Place;

/// The group of the types that only webhooks have, in a crate that is split.
pub const GROUP: &str = "webhooks";

/// A request of the service to an address of the user. The crate has the type of its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Its name in the document; `None` for any of them, where there are several.
    pub name: Option<String>,
    /// Its description in the document.
    pub text: Vec<String>,
    /// The schema of its JSON body.
    pub schema: Place,
}

/// `x-webhook-signature` on the document: how the service signs these requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    /// As a standard says.
    Standard(Standard),
    /// By HMAC with SHA-256, in a header.
    Hmac(Hmac),
}

/// The standards of signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standard {
    /// <https://www.standardwebhooks.com>
    StandardWebhooks,
}

/// A signature by HMAC with SHA-256. Its texts have the placeholders that the runtime documents.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hmac {
    /// The header.
    pub header: String,
    /// The form of one signature, with `{hex}` or `{base64}`.
    pub value: String,
    /// What is signed, with `{body}`.
    pub signed: String,
    /// The header of the identifier.
    pub id: Option<String>,
    /// The header of the time, or how it begins in the header of the signature.
    pub timestamp: Option<String>,
    /// What a secret is.
    #[serde(default)]
    pub key: Key,
}

/// What a secret for webhooks is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Key {
    /// The key itself.
    #[default]
    Text,
    /// The key in Base64.
    Base64,
}

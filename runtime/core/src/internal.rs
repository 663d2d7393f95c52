//! Functions for the command line of a generated crate. They may change with any version.

use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use serde::de::DeserializeOwned;

use crate::client::client::Client;
use crate::credentials::store;
use crate::decode::decode;
use crate::document::api::Auth;
use crate::document::security::Scheme;
use crate::error::{ConfigurationError, Error};
use crate::request::client_headers::ClientHeaders;
use crate::request::idempotency::{self, StoredKey};
use crate::request::request::Request;
use crate::secret::deceptive;
use crate::secret::key::ApiKey;
use crate::secret::quotation;
use crate::transport::base_url::BaseUrl;
use crate::values::SecretText;

pub use crate::error::batch::ends_batch;

/// Returns the security schemes of an API.
pub fn schemes(auth: Auth) -> Vec<Scheme> {
    store::schemes(auth).0
}

/// Decodes JSON with the tolerance of a response; `None` if it is not a valid `T`.
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    decode::decode(body).ok()
}

/// Returns a body without its byte order mark.
pub fn without_mark(body: &[u8]) -> &[u8] {
    decode::without_mark(body)
}

/// Returns the characters of a text, each with whether it deceives a reader: it is invisible or controls how others are shown, and no script
/// or emoji needs it at its place.
pub fn marked(text: &str) -> impl Iterator<Item = (char, bool)> {
    deceptive::marked(text.chars())
}

/// Encodes bytes as Base64.
pub fn base64(bytes: &[u8]) -> String {
    crate::secret::base64::encode(bytes)
}

/// Removes these secrets from a string.
pub fn redact<'t>(text: &str, secrets: impl IntoIterator<Item = &'t SecretText>) -> String {
    let secrets: Vec<_> = secrets
        .into_iter()
        .cloned()
        .map(SecretText::into_erased)
        .collect();
    quotation::redact(text, Some(&ApiKey::guarding(&secrets)))
}

/// Removes the credentials of a client from a string.
pub fn conceal(client: &Client, text: &str) -> String {
    client.shared.redact(text)
}

/// Returns a key that no call has used.
pub fn unused_key() -> String {
    idempotency::unused_key()
}

/// Sets the idempotency key of a call, unless the caller gave one.
pub fn store_key(request: &mut Request, key: StoredKey) {
    request.options.idempotency_key = Some(key);
}

/// Returns the time for which the service remembers the key of a call, or `None` if that is unknown; `None` if the call has no key, or the caller
/// gave one.
pub fn idempotency_window(request: &Request) -> Option<Option<Duration>> {
    idempotency::window_of(request)
}

/// Checks a base URL and returns its normalized form.
///
/// # Errors
///
/// Those of a base URL that a client refuses.
pub fn base_url(input: &str) -> Result<String, ConfigurationError> {
    BaseUrl::parse(input, &[]).map(|address| address.as_str().to_owned())
}

/// Returns the message of a request, without credentials and client headers.
///
/// # Errors
///
/// Those of a request that cannot be sent.
pub fn preview(client: &Client, request: &Request) -> Result<http::Request<Bytes>, Error> {
    let engine = &client.shared;
    let none = ClientHeaders::default();
    let address = engine.address(request)?;
    Ok(request.to_http(&address, engine.api.auth, &none)?)
}

/// Returns the maximum number of items in a stream.
pub fn size_hint(stream: &impl Stream) -> Option<usize> {
    stream.size_hint().1
}

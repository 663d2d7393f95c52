//! The credentials of a request, as far as it marks them.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use secrecy::SecretString;

use crate::secret::key::ApiKey;
use crate::transport::transport::SecretQuery;

/// Shorter strings occur by chance.
const SHORTEST: usize = 8;

/// Returns whether a pair of the query is a credential.
fn is_secret<B>(request: &http::Request<B>, pair: &str) -> bool {
    let secret = request.extensions().get::<SecretQuery>();
    let name = pair.split('=').next().unwrap_or_default();
    secret.is_some_and(|secret| secret.0.iter().any(|known| known == name))
}

/// Returns the query without credentials.
#[cfg(feature = "test-util")]
pub(crate) fn public_query<B>(request: &http::Request<B>) -> String {
    let pairs = request.uri().query().unwrap_or_default().split('&');
    let shown: Vec<&str> = pairs.filter(|pair| !is_secret(request, pair)).collect();
    shown.join("&")
}

/// Returns the credentials of a request: its sensitive headers, and its secret parameters.
pub(crate) fn secrets<B>(request: &http::Request<B>) -> ApiKey {
    let headers = request.headers().values();
    let headers = headers.filter(|value| value.is_sensitive());
    let headers = headers.filter_map(|value| value.to_str().ok());
    // A token follows the name of its scheme, and a cookie follows its name.
    let parts = headers.flat_map(|value| value.split([' ', ';', '=']).chain([value]));
    let query = request.uri().query().unwrap_or_default().split('&');
    let query = query.filter(|pair| is_secret(request, pair));
    let query = query.filter_map(|pair| pair.split_once('='));
    let query = query.map(|(_, value)| percent_decode_str(value).decode_utf8_lossy());
    let parts = parts.map(Cow::Borrowed).chain(query);
    let parts = parts.filter(|part| part.len() >= SHORTEST);
    let parts: Vec<SecretString> = parts.map(|part| part.into_owned().into()).collect();
    ApiKey::guarding(&parts)
}

//! How the API key travels.

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::document::api::Auth;
use crate::error::ConfigurationError;
use crate::secret::key::ApiKey;

/// The header that carries the key, marked as sensitive; `None` when the API takes no key.
pub(crate) fn header(
    key: &ApiKey,
    auth: Auth,
) -> Result<Option<(HeaderName, HeaderValue)>, ConfigurationError> {
    let key = key.expose();
    let (name, value) = match auth {
        Auth::Header(name) => {
            let header = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| ConfigurationError::AuthHeader { name })?;
            (header, HeaderValue::from_str(key))
        }
        Auth::Bearer => (
            AUTHORIZATION,
            HeaderValue::from_str(&format!("Bearer {key}")),
        ),
        Auth::None => return Ok(None),
    };
    let mut value = value.map_err(|_| ConfigurationError::ApiKey {
        problem: "cannot stand in a header",
    })?;
    value.set_sensitive(true);
    Ok(Some((name, value)))
}

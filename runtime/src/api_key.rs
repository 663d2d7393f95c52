//! The API key, from what the caller gives to the header that carries it. No error of this module shows the key.

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::api::Auth;
use crate::encode::encode;
use crate::error::ConfigurationError;

pub(crate) struct ApiKey(SecretString);

impl ApiKey {
    /// Accepts printable ASCII without spaces: what else a header may hold is, in a key, a slip in copying.
    pub(crate) fn parse(secret: SecretString) -> Result<Self, ConfigurationError> {
        let text = secret.expose_secret();
        if text.is_empty() {
            return Err(ConfigurationError::ApiKey {
                problem: "is empty",
            });
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigurationError::ApiKey {
                problem: "holds a space, a line break or another character that cannot stand in it",
            });
        }
        Ok(Self(secret))
    }

    /// The header that carries the key, marked as sensitive; `None` when the API takes no key.
    pub(crate) fn header(
        &self,
        auth: Auth,
    ) -> Result<Option<(HeaderName, HeaderValue)>, ConfigurationError> {
        let key = self.0.expose_secret();
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

    /// Whether a service repeats the key here.
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        let key = self.0.expose_secret().as_bytes();
        bytes.windows(key.len().max(1)).any(|window| window == key)
    }

    /// The text without the key, for messages that quote the service: some services repeat the key that they refuse.
    /// They may repeat it as JSON and addresses spell it.
    pub(crate) fn redact(&self, text: &str) -> String {
        let key = self.0.expose_secret();
        let json = key.replace('\\', r"\\").replace('"', r#"\""#);
        let slashes = json.replace('/', r"\/");
        let spellings = [key, &json, &slashes, &encode(&key)];
        spellings
            .into_iter()
            .fold(text.to_owned(), |text, key| text.replace(key, "[key]"))
    }
}

use std::cell::Cell;
use std::fmt;

use secrecy::SecretString;
use serde::{Serialize, Serializer};

use crate::decode::bridge::deserializes;
use crate::decode::failure::Failure;
use crate::decode::read::Read;
use crate::decode::reader::Reader;
use crate::document::shape::{Shape, Shaped};

/// A string that debug output does not show, such as a password or a token. It is serialized like any other string.
///
/// Credentials have this type; a `String` or a `&str` converts into it. A client keeps them in memory that is erased when it is dropped.
///
/// ```
/// use generated_client::values::SecretText;
///
/// let token: SecretText = serde_json::from_str(r#""s3cret""#)?;
/// assert_eq!(format!("{token:?}"), "SecretText([REDACTED])");
/// assert_eq!(token.expose(), "s3cret");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct SecretText(String);

deserializes!(SecretText);

thread_local! {
    /// True if a secret was read on this thread since the last [`take_exposed`]: a request is filled on one thread, and knows so that it has one.
    static EXPOSED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a secret was read on this thread since the last call of this function.
pub(crate) fn take_exposed() -> bool {
    EXPOSED.take()
}

impl<T: Into<String>> From<T> for SecretText {
    fn from(secret: T) -> Self {
        Self(secret.into())
    }
}

impl From<&Self> for SecretText {
    fn from(secret: &Self) -> Self {
        secret.clone()
    }
}

impl Shaped for SecretText {
    const SHAPE: &'static Shape = &Shape::Text;
}

impl Read for SecretText {
    /// Keeps the JSON of another kind of value as a string.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let text = match reader.text_if_string()? {
            Some(text) => text,
            None => reader.raw()?.to_owned(),
        };
        Ok(Self(text))
    }
}

impl Serialize for SecretText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        EXPOSED.set(true);
        self.0.serialize(serializer)
    }
}

impl SecretText {
    /// Returns the string that was sent, or the JSON of another kind of value.
    pub fn expose(&self) -> &str {
        EXPOSED.set(true);
        &self.0
    }

    /// Moves the string into memory that is erased when it is dropped.
    pub(crate) fn into_erased(self) -> SecretString {
        self.0.into()
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretText([REDACTED])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_shows_no_value() {
        let secret: SecretText = serde_json::from_str(r#""s3cret""#).unwrap();
        assert_eq!(serde_json::to_string(&secret).unwrap(), r#""s3cret""#);
        for json in [r#""s3cret""#, r#"{"token":"s3cret"}"#, r#"["s3cret"]"#] {
            let secret: SecretText = serde_json::from_str(json).unwrap();
            assert_eq!(format!("{secret:?}"), "SecretText([REDACTED])");
            assert_eq!(format!("{secret:#?}"), "SecretText([REDACTED])");
        }
    }
}

//! The origin of a stream's parts, for their errors.

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::call::receive::not_as_documented;
use crate::decode::decode::decode;
use crate::document::api::Operation;
use crate::error::{Error, TransportError};
use crate::response::response::Meta;
use crate::secret::conceal::concealing;

/// The call of a stream.
pub(super) struct Origin {
    pub(super) operation: &'static Operation,
    pub(super) meta: Meta,
    /// The maximum length of an event or a line, in bytes.
    pub(super) limit: usize,
}

impl Origin {
    /// Makes the error of a truncated body. `rest`: the bytes of the interrupted item.
    pub(super) fn broken_off(&self, mut error: TransportError, rest: Vec<u8>) -> Error {
        if let Some(secrets) = &self.meta.key {
            error.guard(secrets);
        }
        if !rest.is_empty() {
            let mut partial = http::Response::new(Bytes::from(rest));
            *partial.status_mut() = self.meta.status;
            *partial.headers_mut() = self.meta.headers.clone();
            error = error.with_partial(partial);
        }
        let history = self.meta.history.clone();
        error.during(self.operation, history).into()
    }

    /// Adds the bytes of the interrupted item to an error.
    pub(super) fn with_rest(&self, error: Error, rest: Vec<u8>) -> Error {
        match error {
            Error::Transport(error) => self.broken_off(error, rest),
            other => other,
        }
    }

    /// Decodes an event or a line, with the tolerance of a body.
    pub(super) fn decode<T: DeserializeOwned>(&self, item: Bytes) -> Result<T, Error> {
        let decoded = concealing(self.meta.key.as_ref(), || decode(&item));
        decoded.map_err(|located| not_as_documented(self.operation, &self.meta, item, located))
    }
}

//! The headers of all requests of a client.

use http::HeaderMap;

#[derive(Clone, Default)]
pub(crate) struct ClientHeaders {
    /// The headers that a request may replace.
    pub(crate) usual: HeaderMap,
    pub(crate) own: HeaderMap,
}

impl ClientHeaders {
    /// Returns the headers of a request with these headers.
    pub(super) fn with(&self, headers: &HeaderMap) -> HeaderMap {
        let mut merged = self.usual.clone();
        merged.extend(headers.clone());
        merged.extend(self.own.clone());
        merged
    }
}

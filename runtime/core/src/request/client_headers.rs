//! The headers of all requests of a client.

use http::HeaderMap;

/// The number of headers for which there is room: credentials, `Accept`, an idempotency key, trace context.
const ADDED: usize = 4;

#[derive(Clone, Default)]
pub(crate) struct ClientHeaders {
    /// The headers that a request may replace.
    pub(crate) usual: HeaderMap,
    pub(crate) own: HeaderMap,
}

impl ClientHeaders {
    /// Returns the headers of a request with these headers.
    pub(super) fn with(&self, headers: &HeaderMap) -> HeaderMap {
        let parts = [&self.usual, headers, &self.own];
        let count: usize = parts.iter().map(|part| part.len()).sum();
        let mut merged = HeaderMap::with_capacity(count + ADDED);
        for part in parts {
            for name in part.keys() {
                merged.remove(name);
            }
            for (name, value) in part {
                merged.append(name.clone(), value.clone());
            }
        }
        merged
    }
}

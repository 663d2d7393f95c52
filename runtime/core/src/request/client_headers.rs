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
        let mut headers = headers.clone();
        for (name, value) in &self.usual {
            if !headers.contains_key(name) {
                headers.insert(name.clone(), value.clone());
            }
        }
        headers.extend(self.own.clone());
        headers
    }
}

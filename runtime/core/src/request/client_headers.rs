//! The headers of all requests of a client.

use http::HeaderMap;

/// Both sets merged in advance: most requests have no other headers.
#[derive(Clone, Default)]
pub(crate) struct ClientHeaders {
    /// The headers that a request may replace.
    pub(crate) usual: HeaderMap,
    own: HeaderMap,
    together: HeaderMap,
}

impl ClientHeaders {
    pub(crate) fn new(usual: HeaderMap, own: HeaderMap) -> Self {
        Self {
            together: merged(HeaderMap::new(), &usual, &own),
            usual,
            own,
        }
    }

    /// Returns the headers of a request with these headers.
    pub(super) fn with(&self, headers: &HeaderMap) -> HeaderMap {
        if headers.is_empty() {
            self.together.clone()
        } else {
            merged(headers.clone(), &self.usual, &self.own)
        }
    }
}

fn merged(mut headers: HeaderMap, usual: &HeaderMap, own: &HeaderMap) -> HeaderMap {
    for (name, value) in usual {
        if !headers.contains_key(name) {
            headers.insert(name.clone(), value.clone());
        }
    }
    headers.extend(own.clone());
    headers
}

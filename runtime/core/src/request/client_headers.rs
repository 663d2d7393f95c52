//! The headers that all requests of a client have.

use http::HeaderMap;

/// Merged once: most requests have no headers of their own.
#[derive(Clone, Default)]
pub(crate) struct ClientHeaders {
    /// Those that a request may replace.
    pub(crate) usual: HeaderMap,
    /// Those that it may not.
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

    /// The headers of a request that has these itself.
    pub(super) fn with(&self, headers: &HeaderMap) -> HeaderMap {
        match headers.is_empty() {
            true => self.together.clone(),
            false => merged(headers.clone(), &self.usual, &self.own),
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

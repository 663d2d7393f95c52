//! Undocumented query parameters and headers that a caller adds to one call.
//!
//! A call that adds something that the client sets itself is refused before anything is sent.

use std::fmt::{self, Display};

use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, COOKIE, EXPECT, HOST, HeaderName, HeaderValue, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};

use crate::credentials::store::schemes;
use crate::document::api::Auth;
use crate::document::security::Carrier;

/// Headers that the client or its connection sets itself.
const OWN: [HeaderName; 13] = [
    ACCEPT,
    ACCEPT_ENCODING,
    CONNECTION,
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    EXPECT,
    HOST,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    USER_AGENT,
];

/// Undocumented query parameters and headers of a call. `Debug` shows only their names. For generated code.
///
/// ```
/// use generated_client::request::Extras;
///
/// let mut extras = Extras::default();
/// extras.query("trace", &true);
/// assert_eq!(format!("{extras:?}"), r#"Extras { query: ["trace"], headers: [] }"#);
/// ```
#[derive(Clone, Default)]
pub struct Extras {
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: Vec<(String, String)>,
}

impl Extras {
    /// Adds a query parameter. Call it once per value to repeat the parameter.
    pub fn query(&mut self, name: &str, value: &dyn Display) {
        self.query.push((name.to_owned(), value.to_string()));
    }

    /// Adds a header. Of two values for one name, the later counts.
    pub fn header(&mut self, name: &str, value: &dyn Display) {
        self.headers.push((name.to_owned(), value.to_string()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.query.is_empty() && self.headers.is_empty()
    }

    pub(crate) fn has_query(&self) -> bool {
        !self.query.is_empty()
    }

    /// Returns whether a header is a credential for an intermediary.
    pub(crate) fn has_credential(&self) -> bool {
        let mut names = self.headers.iter().map(|(name, _)| name.parse());
        names.any(|name| name.is_ok_and(|name| is_of_gateway(&name)))
    }
}

impl fmt::Debug for Extras {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn names(pairs: &[(String, String)]) -> Vec<&str> {
            pairs.iter().map(|(name, _)| name.as_str()).collect()
        }
        f.debug_struct("Extras")
            .field("query", &names(&self.query))
            .field("headers", &names(&self.headers))
            .finish()
    }
}

/// Returns why a query parameter of this name cannot be added.
pub(super) fn query_problem(name: &str, auth: Auth) -> Option<&'static str> {
    let is_credential = schemes(auth).0.iter().any(|scheme| match scheme.carrier {
        Carrier::Query(own) => own == name,
        _ => false,
    });
    if name.is_empty() {
        return Some("has no name");
    }
    is_credential.then_some(CREDENTIAL)
}

/// Checks a header and returns its wire form; `Err` says why it cannot be added.
pub(crate) fn header(
    name: &str,
    value: &str,
    auth: Auth,
) -> Result<(HeaderName, HeaderValue), &'static str> {
    let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else {
        return Err("is not the name of a header");
    };
    let Ok(mut value) = HeaderValue::from_str(value) else {
        return Err("contains a character that is invalid in a header");
    };
    let is_credential = schemes(auth).0.iter().any(|scheme| match scheme.carrier {
        Carrier::Header(own) => name.as_str().eq_ignore_ascii_case(own),
        Carrier::Cookie(_) => name == COOKIE,
        Carrier::Bearer | Carrier::Basic | Carrier::Authorization => name == AUTHORIZATION,
        Carrier::Query(_) => false,
    });
    if is_credential {
        return Err(CREDENTIAL);
    }
    if OWN.contains(&name) {
        return Err("is a header that the client sets itself");
    }
    value.set_sensitive(is_of_gateway(&name));
    Ok((name, value))
}

/// Returns why a header cannot have the idempotency key of a call.
#[cfg(feature = "idempotency")]
pub(super) fn key_problem(name: &HeaderName, key: &str, auth: Auth) -> Option<&'static str> {
    match header(name.as_str(), key, auth) {
        Err(problem) => Some(problem),
        Ok(_) => is_of_gateway(name).then_some(CREDENTIAL),
    }
}

/// Returns whether a header outside of the API is a credential for an intermediary, such as a gateway.
fn is_of_gateway(name: &HeaderName) -> bool {
    [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION].contains(name)
}

const CREDENTIAL: &str = "is a credential header, which only the client sets";
